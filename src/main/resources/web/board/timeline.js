import { h, keyed, say, toggle, fill } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { clinic, now } from '../shared/clinic.js';
import { span, time } from '../shared/times.js';

const MINUTE = 60_000;

/** Hours and minutes on the clinic's clock, as minutes since midnight. */
function minutesOf(instant) {
  const parts = new Intl.DateTimeFormat('en', { timeZone: clinic.zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).formatToParts(new Date(instant));
  const of = type => Number(parts.find(part => part.type === type).value);
  return of('hour') * 60 + of('minute');
}

/** The steps of the grid on a day at which the clinic is open, as milliseconds; right on days of 23 and 25 hours as well. */
export function stepsOf(view, rules) {
  const [opens, closes] = [rules.opens, rules.closes].map(clock => {
    const [hours, minutes] = clock.split(':').map(Number);
    return hours * 60 + minutes;
  });
  const isOpen = minutes => (closes > opens ? minutes >= opens && minutes < closes : minutes >= opens || minutes < closes);
  const steps = [];
  for (let at = Date.parse(view.from); at < Date.parse(view.to); at += rules.gridMinutes * MINUTE) {
    if (isOpen(minutesOf(at))) steps.push(at);
  }
  return steps;
}

/** The first step that can be had still: while it lasts. */
export function earliest(rules) {
  return now() - rules.gridMinutes * MINUTE + 1;
}

/** How far a stay from `start` can go on: to what comes next, to the end of the hours, or to the longest stay. */
export function latestEnd(start, steps, entries, rules, except = null) {
  const grid = rules.gridMinutes * MINUTE;
  const next = Math.min(Infinity, ...entries.filter(entry => entry.id !== except && Date.parse(entry.endAt) > start).map(entry => Date.parse(entry.startAt)));
  let end = start;
  while (steps.includes(end) && end < next && end - start < rules.longestMinutes * MINUTE) end += grid;
  return end;
}

/**
 * The rooms of a day, one line each, over the hours. A time is chosen by drawing over the line, by a click on it, or by the
 * button beside the room's name; `onChoose(room, {start, end})` gets it, without `start` from the button.
 */
export function timeline({ rules, view, onChoose, onEntry }) {
  const grid = rules.gridMinutes * MINUTE;
  const steps = stepsOf(view, rules);
  const from = steps[0] ?? Date.parse(view.from);
  const to = (steps.at(-1) ?? from) + grid;
  const share = instant => `${Math.max(0, Math.min(100, (instant - from) / (to - from) * 100))}%`;
  const hours = steps.filter(step => minutesOf(step) % 60 === 0);
  const needle = h('div', { class: 'needle', 'aria-hidden': 'true' });
  const list = h('ul', { class: 'rooms', 'aria-label': t('board.rooms') });
  const element = h('div', { class: 'timeline', tabindex: '0', role: 'region', 'aria-label': t('board.title') },
    h('div', { class: 'timeline-inside' },
      h('div', { class: 'hours', 'aria-hidden': 'true' }, h('div', {}, hours.map(hour => {
        const mark = h('span', {}, time(hour));
        mark.style.left = share(hour);
        return mark;
      }))),
      list, needle));
  element.style.setProperty('--hours', Math.max(1, Math.round((to - from) / 3_600_000)));
  let shown = [];

  function line(room) {
    const selection = h('div', { class: 'selection', hidden: true });
    const track = h('div', { class: 'track' }, h('div', { class: 'gone' }), selection, h('ul', { class: 'entries', 'aria-label': room.name }));
    const item = h('li', { class: 'room' },
      h('div', { class: 'room-name' },
        h('div', {}, h('h2', {}), h('p', {})),
        h('button', { class: 'button small', type: 'button' }, t('board.reserve'))),
      track);
    item.querySelector('button').addEventListener('click', () => onChoose(item.room, null));
    draw(item, track, selection);
    return item;
  }

  function draw(item, track, selection) {
    let begun = null;
    let until = null;
    const at = event => {
      const box = track.getBoundingClientRect();
      const instant = from + (event.clientX - box.left) / box.width * (to - from);
      return steps.findLast(step => step <= instant) ?? null;
    };
    const paint = () => {
      const [start, last] = begun <= until ? [begun, until] : [until, begun];
      selection.style.left = share(start);
      selection.style.width = `calc(${share(last + grid)} - ${share(start)})`;
      fill(selection, h('span', {}, span(start, last + grid)));
    };
    const stop = () => {
      begun = null;
      selection.hidden = true;
    };
    track.addEventListener('pointerdown', event => {
      const step = at(event);
      if (event.button !== 0 || event.target.closest('.entry') || !item.room.active || step === null || step < earliest(rules)) return;
      begun = until = step;
      if (event.pointerType === 'mouse') track.setPointerCapture(event.pointerId);
      selection.hidden = false;
      paint();
    });
    track.addEventListener('pointermove', event => {
      if (begun === null) return;
      const furthest = latestEnd(begun, steps, item.room.entries, rules) - grid;
      until = Math.max(begun, Math.min(at(event) ?? begun, furthest));
      paint();
    });
    track.addEventListener('pointerup', () => {
      if (begun === null) return;
      const furthest = latestEnd(begun, steps, item.room.entries, rules);
      // A mere click wants an hour, or what is left of it.
      const end = until === begun ? Math.min(begun + 60 * MINUTE, furthest) : until + grid;
      const range = { start: begun, end };
      stop();
      if (furthest > range.start) onChoose(item.room, range);
    });
    track.addEventListener('pointercancel', stop);
  }

  function refresh(item, room) {
    item.room = room;
    const name = item.querySelector('.room-name');
    say(name.querySelector('h2'), room.name);
    say(name.querySelector('p'), status(room));
    name.querySelector('button').hidden = !room.active || Date.parse(view.to) <= now();
    toggle(item, 'data-taken', current(room) !== null);
    keyed(item.querySelector('.entries'), room.entries, entry => `${entry.kind} ${entry.id}`, () => h('li', {}), (place, entry) => {
      const text = entry.kind === 'HELD' ? t('board.held') : entry.name ?? t('board.reserved');
      place.className = `entry ${entry.kind.toLowerCase()} ${entry.occupant?.toLowerCase() ?? ''}`;
      place.style.left = share(Date.parse(entry.startAt));
      place.style.width = `calc(${share(Date.parse(entry.endAt))} - ${share(Date.parse(entry.startAt))})`;
      const inside = [h('strong', {}, span(entry.startAt, entry.endAt)), h('span', {}, text)];
      if (entry.kind === 'HELD') fill(place, h('div', { class: 'entry-inside' }, inside));
      else fill(place, h('button', { class: 'entry-inside', type: 'button', title: t('board.change'), onclick: () => onEntry(item.room, entry) }, inside));
    });
  }

  function current(room) {
    return room.entries.find(entry => Date.parse(entry.startAt) <= now() && now() < Date.parse(entry.endAt)) ?? null;
  }

  function status(room) {
    if (!room.active) return t('board.closed');
    if (now() < Date.parse(view.from) || now() >= Date.parse(view.to)) return t('board.seats', { n: room.seats });
    const taken = current(room);
    if (taken) return t('board.until', { time: time(taken.endAt) });
    const next = room.entries.find(entry => Date.parse(entry.startAt) > now());
    return next ? t('board.freeUntil', { time: time(next.startAt) }) : t('board.free');
  }

  function tick() {
    const inside = now() >= from && now() < to;
    needle.hidden = !inside;
    needle.style.setProperty('--share', Math.max(0, Math.min(1, (now() - from) / (to - from))));
    for (const item of list.children) {
      item.querySelector('.gone').style.width = share(now());
      if (item.room) {
        say(item.querySelector('.room-name p'), status(item.room));
        toggle(item, 'data-taken', current(item.room) !== null);
      }
    }
  }

  return {
    element,
    show(rooms) {
      shown = rooms;
      keyed(list, shown, room => room.id, line, refresh);
      tick();
    },
    tick,
    /** Scrolls to what matters: a little before now, or to the morning. */
    reveal() {
      const track = list.querySelector('.track');
      if (!track) return;
      const wanted = now() >= from && now() < to ? now() - 60 * MINUTE : steps.find(step => minutesOf(step) >= 7 * 60) ?? from;
      element.scrollLeft = (wanted - from) / (to - from) * track.getBoundingClientRect().width;
    },
  };
}
