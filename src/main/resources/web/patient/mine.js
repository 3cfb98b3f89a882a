import { h, icon, fill } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { get } from '../shared/api.js';
import { now } from '../shared/clinic.js';
import { patientId, portal } from '../shared/session.js';
import { emptiness, failure, skeleton } from '../shared/frame.js';
import { countdown, day, dayOf, everySecond, month, moment, span, viewerNote } from '../shared/times.js';
import { cancel, decide, onChanged, saveCalendarFile } from './booking.js';

const REFRESH_MILLIS = 60_000;

/** What the patient has ahead, and what is over. */
export function mine({ go }) {
  const list = h('div', {});
  const element = h('section', { class: 'appointments', 'aria-labelledby': 'mine-title' }, h('h1', { id: 'mine-title', tabindex: '-1' }, t('mine.title')), list);
  const doctors = new Map();
  let loading = new AbortController();
  let loaded = false;
  const timer = setInterval(() => !document.hidden && loaded && load(), REFRESH_MILLIS);
  const forget = onChanged(load);
  let clocks = [];

  async function load() {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    if (patientId() === null) {
      fill(list, emptiness(t('patient.signInText'), portal && h('a', { class: 'button primary', href: portal }, t('patient.signIn'))));
      return;
    }
    if (!loaded) fill(list, skeleton(4));
    try {
      const all = await get(`/api/patients/${patientId()}/appointments`, { signal });
      await Promise.all([...new Set(all.map(one => one.doctorId))].filter(id => !doctors.has(id)).map(async id =>
        doctors.set(id, await get(`/api/doctors/${id}`, { signal }).catch(() => ({ id, name: '–', specialty: '' })))));
      loaded = true;
      draw(all);
    } catch (error) {
      if (!signal.aborted && !loaded) fill(list, failure(error, load));
    }
  }

  function draw(all) {
    clocks.forEach(stop => stop());
    clocks = [];
    const active = all.filter(one => (one.status === 'BOOKED' || one.status === 'HELD') && Date.parse(one.endAt) > now());
    const over = all.filter(one => !active.includes(one) && one.status !== 'EXPIRED').reverse();
    const focused = document.activeElement?.dataset?.id;
    fill(list,
      active.length > 0 ? h('ul', { class: 'cards' }, active.map(card))
        : emptiness(t('mine.none'), h('button', { class: 'button primary', type: 'button', onclick: () => go({}) }, t('mine.book'))),
      over.length > 0 && h('details', {}, h('summary', {}, t('mine.over', { n: over.length })), h('ul', { class: 'cards past' }, over.map(card))));
    if (focused) list.querySelector(`[data-id="${focused}"]`)?.focus();
  }

  function card(appointment) {
    const doctor = doctors.get(appointment.doctorId);
    const note = viewerNote(appointment.startAt);
    const date = dayOf(appointment.startAt);
    const ahead = appointment.status === 'BOOKED' && Date.parse(appointment.startAt) > now();
    const heldOn = appointment.status === 'HELD' && h('p', { class: 'note' });
    if (heldOn) {
      clocks.push(everySecond(() => fill(heldOn, t('mine.held', { left: countdown(Date.parse(appointment.holdExpiresAt) - now()) }))));
    }
    return h('li', { class: `card ${appointment.status.toLowerCase()}` },
      h('div', { class: 'leaf', 'aria-hidden': 'true' }, h('span', {}, month(date, 'short')), h('strong', {}, String(Number(date.slice(8))))),
      h('div', { class: 'what' },
        h('h2', {}, h('span', {}, day(appointment.startAt)), ' ', h('span', {}, span(appointment.startAt, appointment.endAt))),
        h('p', {}, doctor.name, h('span', { class: 'muted' }, ` · ${doctor.specialty}`)),
        note && h('p', { class: 'muted' }, note),
        heldOn,
        appointment.status === 'CANCELLED' && h('p', { class: 'muted' }, cancelled(appointment)),
        h('div', { class: 'actions' },
          ahead && action(appointment, 'calendar', t('book.file'), () => saveCalendarFile(appointment)),
          ahead && action(appointment, 'move', t('mine.move'), () => go({ doctor: doctor.id, date, move: appointment.id })),
          ahead && action(appointment, 'cross', t('mine.cancel'), () => cancel({ appointment, doctor, go })),
          appointment.status === 'HELD' && action(appointment, 'check', t('mine.decide'), () => decide({ appointment, doctor, go })),
          h('span', { class: 'muted id' }, t('mine.number', { id: appointment.id })))));
  }

  function cancelled({ cancelledAt, cancelledBy, cancelReason }) {
    const who = cancelledBy === 'patient' ? t('mine.cancelledByYou', { time: moment(cancelledAt, true) }) : t('mine.cancelledByClinic', { time: moment(cancelledAt, true) });
    return cancelReason ? `${who} ${cancelReason}` : who;
  }

  function action(appointment, name, text, act) {
    return h('button', { class: 'button small', type: 'button', dataset: { id: `${name}${appointment.id}` }, onclick: act }, icon(name), text);
  }

  return {
    element,
    show: load,
    end() {
      loading.abort();
      clearInterval(timer);
      forget();
      clocks.forEach(stop => stop());
    },
  };
}
