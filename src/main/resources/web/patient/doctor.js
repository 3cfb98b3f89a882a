import { h, icon, fill, keyed, say, toggle } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { get } from '../shared/api.js';
import { now } from '../shared/clinic.js';
import { follow } from '../shared/live.js';
import { announce, emptiness, failure, skeleton } from '../shared/frame.js';
import { countdown, day, everySecond, hourOf, moment, span, time, viewerNote, viewerTime } from '../shared/times.js';
import { calendar, kindOf } from './calendar.js';
import { book, bookOpening, move, onChanged } from './booking.js';

const REFRESH_MILLIS = 30_000;
const OFFERS = 3;
const LENGTHS = [15, 30, 45];
const PARTS = { morning: 12, afternoon: 17, evening: 24 };

/** A doctor: the calendar, and the times of the chosen day, live. */
export function doctorPane({ go, route }) {
  const element = h('section', { class: 'doctor', 'aria-label': t('doctor.times') });
  let opened = {};
  let doctor = null;
  let shown = null;
  let moving = null;
  let loading = new AbortController();
  let weeks = null;
  let days = new Map();
  let list = null;
  let minutes = 30;
  const refresh = setInterval(() => !document.hidden && loadDays(), REFRESH_MILLIS);
  const forget = onChanged(() => {
    loadDays();
    list?.refresh();
  });

  async function show(at) {
    if (at.doctor !== opened.doctor || at.move !== opened.move) await open(at);
    else if (doctor && at.date !== shown) openDay(at.date);
  }

  async function open(at) {
    loading.abort();
    loading = new AbortController();
    const { signal } = loading;
    opened = { doctor: at.doctor, move: at.move };
    closeDay();
    doctor = null;
    moving = null;
    weeks = null;
    days = new Map();
    if (!at.doctor) {
      fill(element, choice());
      return;
    }
    fill(element, skeleton(8));
    try {
      [doctor, moving] = await Promise.all([
        get(`/api/doctors/${at.doctor}`, { signal }),
        at.move ? get(`/api/appointments/${at.move}`, { signal }).catch(() => null) : null,
      ]);
    } catch (error) {
      if (signal.aborted) return;
      fill(element, backLink(), failure(error, error.status === 404 ? null : () => open(route())));
      return;
    }
    weeks = calendar({ onChoose: date => go({ ...route(), date }, { replace: Boolean(route().date) }), onRange: loadDays });
    fill(element,
      backLink(),
      moving && h('div', { class: 'banner' }, icon('move'),
        h('p', {}, t('move.banner', { time: moment(moving.startAt) })),
        h('button', { class: 'button', type: 'button', onclick: () => go({ mine: true }) }, t('move.keep'))),
      h('div', { class: 'name' }, h('h2', { id: 'doctor-name', tabindex: '-1' }, doctor.name), h('p', {}, doctor.specialty)),
      h('div', { class: 'columns' },
        h('div', { class: 'when' }, weeks.element, doctor.flexible && lengths()),
        h('div', { class: 'day-pane', id: 'day' })));
    if (matchMedia('(max-width: 56rem)').matches) element.querySelector('h2').focus();
    await loadDays();
    if (!signal.aborted && doctor) openDay(route().date);
  }

  function choice() {
    return h('div', { class: 'state choice' }, icon('calendar'), h('p', {}, t('doctor.choose')));
  }

  function backLink() {
    return h('a', { class: 'back', href: '/', onclick: event => { event.preventDefault(); go({ move: route().move }); } }, icon('back'), t('doctor.back'));
  }

  function lengths() {
    return h('fieldset', { class: 'lengths' }, h('legend', {}, t('opening.length')),
      LENGTHS.map(length => h('label', {},
        h('input', { type: 'radio', name: 'minutes', value: length, checked: length === minutes, onchange: () => {
          minutes = length;
          loadDays();
          openDay(shown, true);
        } }),
        h('span', {}, t('opening.minutes', { n: length })))));
  }

  async function loadDays() {
    if (!doctor || !weeks) return;
    const { signal } = loading;
    const of = doctor;
    const { from, to } = weeks.range();
    try {
      const [slots, openings] = await Promise.all([
        get(`/api/doctors/${of.id}/days?from=${from}&to=${to}`, { signal }),
        of.flexible ? get(`/api/doctors/${of.id}/opening-days?from=${from}&to=${to}&minutes=${minutes}`, { signal }) : [],
      ]);
      days = new Map(slots.map(one => [one.date, one]));
      for (const one of openings) {
        const same = days.get(one.date);
        days.set(one.date, same ? { ...one, ...same, free: same.free + one.free } : one);
      }
      weeks.show(days, shown ?? route().date);
    } catch (error) {
      // The times of the chosen day come by themselves; figures in the calendar are tried again soon.
      if (!signal.aborted && days.size === 0) console.warn(error);
    }
  }

  function openDay(date, again = false) {
    if (!date) {
      const next = [...days.values()].sort((a, b) => a.date.localeCompare(b.date));
      const first = next.find(one => kindOf(one) === 'free') ?? next.find(one => kindOf(one) === 'later') ?? next[0];
      if (first) {
        go({ ...route(), date: first.date }, { replace: true });
        return;
      }
      shown = null;
      weeks.show(days, null);
      fill(element.querySelector('#day'), emptiness(t('day.nothing')));
      return;
    }
    if (date === shown && !again) return;
    closeDay();
    shown = date;
    weeks.show(days, date);
    list = dayList({
      doctor, date, minutes, moving,
      onCount: (free, opensAt, slots) => {
        // The list is newer than what the calendar was told.
        if (doctor?.flexible) return;
        const known = days.get(date);
        if (slots > 0 && (!known || known.free !== free)) {
          days.set(date, { date, free, slots, opensAt });
          weeks?.show(days, date);
        }
      },
      later: () => [...days.values()].filter(one => one.date > date && one.free > 0).map(one => one.date).sort(),
      go,
    });
    fill(element.querySelector('#day'), list.element);
  }

  function closeDay() {
    list?.end();
    list = null;
    shown = null;
  }

  fill(element, choice());
  return {
    element,
    show,
    end() {
      loading.abort();
      clearInterval(refresh);
      forget();
      closeDay();
    },
  };
}

/** The times of one day, kept up to date for as long as they are shown. */
function dayList({ doctor, date, minutes, moving, onCount, later, go }) {
  const slots = new Map();
  let openings = [];
  let loaded = false;
  const status = h('p', { class: 'live' }, h('span', { class: 'dot' }), h('span', {}));
  const opening = h('p', { class: 'banner opening', hidden: true }, icon('clock'), h('span', {}));
  const groups = h('div', { class: 'groups' }, skeleton(5));
  const lists = Object.fromEntries(Object.keys(PARTS).map(part => [part, h('ul', { class: 'times' })]));
  const sections = Object.entries(lists).map(([part, times]) =>
    h('section', { 'aria-labelledby': `part-${part}` }, h('h4', { id: `part-${part}` }, t(`day.${part}`)), times));
  const state = h('div', {});
  const element = h('div', { class: 'day-list' },
    h('div', { class: 'heading' },
      h('h3', {}, day(date)),
      h('a', { class: 'print', href: `/print?doctor=${doctor.id}&date=${date}`, target: '_blank', rel: 'noopener' }, icon('print'), h('span', {}, t('day.print')))),
    status, opening, groups, state);

  function draw() {
    if (!loaded) return;
    if (groups.firstChild !== sections[0]) fill(groups, sections);
    // An appointment in a slot moves to a slot, and one without to a time without.
    const usable = moving && !moving.slotId ? [] : [...slots.values()];
    const offered = usable.filter(slot => slot.state !== 'CLOSED' && slot.state !== 'PAST')
      .sort((a, b) => a.startAt.localeCompare(b.startAt));
    const all = [...offered, ...openings.map(one => ({ ...one, id: `o${one.startAt}`, capacity: 1, remaining: 1, state: one.opensAt ? 'NOT_OPEN_YET' : 'OPEN' }))]
      .sort((a, b) => a.startAt.localeCompare(b.startAt));
    Object.entries(lists).forEach(([part, times], index) => {
      const of = all.filter(slot => partOf(slot.startAt) === part);
      sections[index].hidden = of.length === 0;
      keyed(times, of, slot => slot.id, create, update);
    });
    const free = offered.filter(isFree);
    const next = offered.filter(slot => slot.state === 'NOT_OPEN_YET').map(slot => slot.opensAt).sort()[0];
    onCount(free.reduce((sum, slot) => sum + slot.remaining, 0), next, offered.length);
    const anyFree = all.some(isFree);
    const pending = all.some(slot => slot.state === 'NOT_OPEN_YET');
    if (all.length === 0) fill(state, emptiness(t('day.empty'), nextDay()));
    else if (!anyFree && !pending) fill(state, h('p', { class: 'note' }, t('day.full')), nextDay());
    else fill(state);
    tick();
  }

  function nextDay() {
    const [next] = later();
    return next && h('button', { class: 'button', type: 'button', onclick: () => go({ doctor: doctor.id, date: next, move: moving?.id }, { replace: true }) }, t('day.next', { day: day(next) }));
  }

  function create() {
    const button = h('button', { type: 'button', class: 'time', onclick: () => choose(button.offer) },
      h('span', { class: 'clock' }), h('span', { class: 'here' }), h('span', { class: 'seats' }));
    return h('li', {}, button);
  }

  function update(item, slot) {
    const button = item.firstChild;
    const before = button.offer;
    button.offer = slot;
    const [clock, here, seats] = button.children;
    const elsewhere = viewerTime(slot.startAt);
    say(clock, time(slot.startAt));
    say(here, elsewhere ?? '');
    here.hidden = !elsewhere;
    const own = moving && (moving.slotId === slot.id || moving.startAt === slot.startAt && !moving.slotId);
    const words = own ? t('slot.own') : slot.state === 'FULL' || slot.remaining <= 0 ? t('slot.full')
      : slot.state === 'NOT_OPEN_YET' ? t('slot.opens', { time: time(slot.opensAt) })
        : slot.capacity > 1 ? t('slot.left', { n: slot.remaining }) : '';
    say(seats, words);
    seats.hidden = !words;
    const usable = isFree(slot) && !own;
    toggle(button, 'aria-disabled', !usable, 'true');
    button.classList.toggle('few', usable && slot.capacity > 1 && slot.remaining <= 3);
    button.setAttribute('aria-label', [span(slot.startAt, slot.endAt), words || t('slot.left', { n: slot.remaining }), viewerNote(slot.startAt)].filter(Boolean).join(', '));
    if (before && (before.remaining !== slot.remaining || before.state !== slot.state)) {
      button.classList.remove('changed');
      requestAnimationFrame(() => button.classList.add('changed'));
    }
  }

  function choose(slot) {
    if (!isFree(slot)) return;
    const target = { doctor, ...slot };
    if (moving) move({ appointment: moving, target, minutes, nearest, go });
    else if (typeof slot.id === 'string') bookOpening({ target, minutes, nearest, go });
    else book({ target, nearest, go });
  }

  /** What is free near a time that was not to be had: on the same day, then on the next ones. */
  async function nearest(startAt) {
    const distance = slot => Math.abs(Date.parse(slot.startAt) - Date.parse(startAt));
    if (doctor.flexible) await loadOpenings();
    const here = [...[...slots.values()].filter(isFree), ...openings.filter(one => !one.opensAt).map(one => ({ ...one, id: `o${one.startAt}`, state: 'OPEN', remaining: 1 }))]
      .filter(slot => slot.startAt !== startAt).sort((a, b) => distance(a) - distance(b)).slice(0, OFFERS);
    for (const date of later().slice(0, 2)) {
      if (here.length >= OFFERS) break;
      const other = await get(`/api/doctors/${doctor.id}/slots?date=${date}`, { patience: 3_000 }).catch(() => []);
      here.push(...other.filter(isFree).slice(0, OFFERS - here.length));
    }
    return here.map(slot => ({ slot, choose: () => choose(slot) }));
  }

  function take(changed) {
    for (const slot of changed) {
      const known = slots.get(slot.id);
      if (!known || known.version <= slot.version) slots.set(slot.id, slot);
    }
    draw();
  }

  function setState(name) {
    status.className = `live ${name}`;
    say(status.lastChild, t(`live.${name}`));
  }

  const path = `/api/doctors/${doctor.id}/slots?date=${date}`;
  const onSnapshot = all => {
    const first = !loaded;
    const ids = new Set(all.map(slot => slot.id));
    for (const id of slots.keys()) if (!ids.has(id)) slots.delete(id);
    loaded = true;
    take(all);
    if (first) announce(t('day.announce', { day: day(date), n: all.filter(isFree).reduce((sum, slot) => sum + slot.remaining, 0) }));
  };
  const unfollow = follow(path, {
    events: { snapshot: onSnapshot, slots: take },
    onState: (name, error) => {
      if (name === 'refused') fill(groups, failure(error));
      else setState(name);
    },
    fallback: () => get(`${path}&include=all`, { patience: 0 }).then(onSnapshot).catch(() => {}),
  });

  async function loadOpenings() {
    if (!doctor.flexible || moving?.slotId) return;
    try {
      openings = await get(`/api/doctors/${doctor.id}/openings?date=${date}&minutes=${minutes}`);
      draw();
    } catch {
      // Tried again with the next round.
    }
  }
  loadOpenings();
  const again = setInterval(() => !document.hidden && loadOpenings(), REFRESH_MILLIS / 2);

  function tick() {
    const waiting = [...slots.values(), ...openings].filter(slot => slot.opensAt && Date.parse(slot.opensAt) > now() && (slot.state ?? 'NOT_OPEN_YET') === 'NOT_OPEN_YET');
    const next = waiting.map(slot => slot.opensAt).sort()[0];
    if (!opening.hidden && !next) {
      announce(t('day.opened'));
      loadOpenings();
    }
    opening.hidden = !next;
    if (next) say(opening.lastChild, t('day.opening', { time: moment(next), left: countdown(Date.parse(next) - now()) }));
  }
  const stopClock = everySecond(tick);

  return {
    element,
    refresh: loadOpenings,
    end() {
      unfollow();
      stopClock();
      clearInterval(again);
    },
  };
}

function isFree(slot) {
  return slot.state === 'OPEN' && slot.remaining > 0;
}

function partOf(startAt) {
  const hour = hourOf(startAt);
  return Object.entries(PARTS).find(([, end]) => hour < end)[0];
}
