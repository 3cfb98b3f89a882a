import { h, fill } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { newKey } from '../shared/api.js';
import { now } from '../shared/clinic.js';
import { follow } from '../shared/live.js';
import { dayOf, moment, span } from '../shared/times.js';
import { allDoctors, call, read } from './api.js';
import { ask, button, checkbox, field, input, loaded, section, select, table } from './ui.js';

const ALL = '';
const MOST = 200;

/** The appointments of a day, and a doctor's times beside them, live. */
export async function dayView(place, at, go) {
  const doctors = await allDoctors();
  const names = new Map(doctors.map(doctor => [doctor.id, doctor.name]));
  const date = at.get('date') ?? dayOf(now());
  const doctor = at.get('doctor') ?? ALL;
  const dateInput = input({ type: 'date', value: date, required: true, onchange: () => dateInput.value && move() });
  const doctorInput = select([[ALL, t('day.all')], ...doctors.map(one => [one.id, one.name])], doctor, { onchange: () => move() });
  const move = () => go({ view: 'day', date: dateInput.value, doctor: doctorInput.value });

  const appointments = loaded(
    () => read(`/api/admin/appointments?date=${date}&limit=${MOST}${doctor && `&doctorId=${doctor}`}`),
    found => [
      table(t('day.appointments'), [
        [t('time'), one => span(one.startAt, one.endAt), 'figure'],
        [t('doctor'), one => names.get(one.doctorId) ?? one.doctorId],
        [t('patient'), one => h('a', { href: `?view=patient&patient=${one.patientId}`, onclick: event => { event.preventDefault(); go({ view: 'patient', patient: one.patientId }); } }, String(one.patientId))],
        [t('status'), one => h('span', { class: `status ${one.status.toLowerCase()}` }, t(`status.${one.status}`))],
        ['', one => (one.status === 'BOOKED' || one.status === 'HELD') && button(t('cancel'), () => cancel(one), 'small')],
      ], found, t('day.none')),
      found.length === MOST && h('p', { class: 'note' }, t('more', { n: MOST })),
    ]);

  function cancel(one) {
    ask({
      title: t('cancel.title', { id: one.id }),
      text: t('cancel.text', { patient: one.patientId, time: moment(one.startAt) }),
      why: true, danger: true, action: t('cancel.action'),
      confirm: async why => {
        await call('DELETE', `/api/admin/appointments/${one.id}?reason=${encodeURIComponent(why)}`);
        appointments.show({ quietly: true });
      },
    });
  }

  fill(place,
    h('h1', {}, t('nav.day')),
    h('form', { class: 'row', onsubmit: event => event.preventDefault() }, field(t('date'), dateInput), field(t('doctor'), doctorInput)),
    h('div', { class: 'columns' },
      section(t('day.appointments'), appointments.element),
      doctor !== ALL && section(t('day.times'), times(doctor, date, () => appointments.show({ quietly: true })))));
  await appointments.show();
  const ending = place.querySelector('.slots');
  return () => ending?.end();
}

/** The slots of a doctor's day as they change: seats, closing, booking for a patient. */
function times(doctor, date, onBooked) {
  const element = h('div', { class: 'slots' });
  const slots = new Map();
  const draw = () => {
    const sorted = [...slots.values()].sort((a, b) => a.startAt.localeCompare(b.startAt));
    fill(element, table(t('day.times'), [
      [t('time'), slot => span(slot.startAt, slot.endAt), 'figure'],
      [t('seats'), slot => t('seats.of', { taken: slot.capacity - slot.remaining, capacity: slot.capacity }), 'figure'],
      [t('status'), slot => t(`state.${slot.state}`)],
      ['', slot => slot.state !== 'PAST' && h('div', { class: 'actions' },
        button(t('slot.book'), () => bookFor(slot), 'small'),
        button(t('slot.seats'), () => seats(slot), 'small'),
        button(slot.state === 'CLOSED' ? t('slot.open') : t('slot.close'), () => closing(slot), 'small'))],
    ], sorted, t('day.noTimes')));
  };
  const take = all => found => {
    if (all) slots.clear();
    found.forEach(slot => slots.set(slot.id, slot));
    draw();
  };
  const stop = follow(`/api/doctors/${doctor}/slots?date=${date}&include=all`, {
    events: { snapshot: take(true), slots: found => { take(false)(found); onBooked(); } },
    fallback: () => read(`/api/doctors/${doctor}/slots?date=${date}&include=all`).then(take(true), () => {}),
  });
  element.end = stop;

  function bookFor(slot) {
    const patient = input({ inputmode: 'numeric', pattern: '[0-9]{1,15}', required: true });
    const force = checkbox(t('slot.force'));
    const why = input({ maxlength: 200 });
    const key = newKey();
    ask({
      title: t('slot.bookTitle', { time: moment(slot.startAt) }),
      fields: [field(t('patient'), patient), force.element, field(t('slot.why'), why)],
      action: t('slot.book'),
      confirm: () => call('POST', '/api/admin/appointments', {
        key,
        body: { slotId: slot.id, patientId: Number(patient.value), ...(force.box.checked ? { force: true } : {}), ...(why.value.trim() ? { reason: why.value.trim() } : {}) },
      }).then(onBooked),
    });
  }

  function seats(slot) {
    const capacity = input({ type: 'number', min: 1, max: 10000, value: slot.capacity, required: true });
    ask({
      title: t('slot.seatsTitle', { time: moment(slot.startAt) }), fields: [field(t('seats'), capacity)], action: t('save'),
      confirm: () => call('PATCH', `/api/admin/slots/${slot.id}`, { body: { capacity: Number(capacity.value) } }).then(changed => take(false)([changed])),
    });
  }

  function closing(slot) {
    const closed = slot.state !== 'CLOSED';
    ask({
      title: t(closed ? 'slot.closeTitle' : 'slot.openTitle', { time: moment(slot.startAt) }),
      text: closed ? t('slot.closeText') : null, action: t(closed ? 'slot.close' : 'slot.open'),
      confirm: () => call('PATCH', `/api/admin/slots/${slot.id}`, { body: { closed } }).then(changed => take(false)([changed])),
    });
  }
  return element;
}

/** What a patient has and had. */
export async function patientView(place, at, go) {
  const patient = input({ inputmode: 'numeric', pattern: '[0-9]{1,15}', required: true, value: at.get('patient') ?? '' });
  const list = loaded(
    () => (at.get('patient') ? read(`/api/patients/${at.get('patient')}/appointments`) : Promise.resolve([])),
    found => table(t('patient.appointments'), [
      [t('time'), one => moment(one.startAt)],
      [t('status'), one => h('span', { class: `status ${one.status.toLowerCase()}` }, t(`status.${one.status}`))],
      [t('history'), one => h('ul', { class: 'plain' }, (one.history ?? []).map(change => h('li', {}, `${moment(change.at, true)}: ${change.change}, ${change.by}${change.reason ? ` (${change.reason})` : ''}`)))],
      ['', one => one.status === 'BOOKED' && button(t('cancel'), () => ask({
        title: t('cancel.title', { id: one.id }), why: true, danger: true, action: t('cancel.action'),
        confirm: why => call('DELETE', `/api/admin/appointments/${one.id}?reason=${encodeURIComponent(why)}`).then(() => list.show({ quietly: true })),
      }), 'small')],
    ], found, t('patient.none')));
  fill(place,
    h('h1', {}, t('nav.patient')),
    h('form', { class: 'row', onsubmit: event => { event.preventDefault(); go({ view: 'patient', patient: patient.value }); } },
      field(t('patient'), patient), h('button', { class: 'button primary' }, t('find'))),
    list.element);
  await list.show();
}
