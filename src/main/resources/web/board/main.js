import { h, icon, fill, say, toggle } from '../shared/dom.js';
import { loadTexts, t } from '../shared/texts.js';
import { get } from '../shared/api.js';
import { clinic, loadClinic, now } from '../shared/clinic.js';
import { follow } from '../shared/live.js';
import { emptiness, failure, frame, skeleton } from '../shared/frame.js';
import { day, dayOf, everySecond, plusDays, time, viewerZone, zoneName } from '../shared/times.js';
import { timeline } from './timeline.js';
import { change, reserve, search } from './reserving.js';

let main;
let rules;
let end = () => {};

/** Without a date in the address it is today's board, whichever day that is by then: it turns over at midnight by itself. */
function chosenDate() {
  const date = new URLSearchParams(location.search).get('date') ?? '';
  return /^\d{4}-\d\d-\d\d$/.test(date) ? date : null;
}

function go(date) {
  const today = date === dayOf(now());
  history.pushState(null, '', today ? '/board' : `/board?date=${date}`);
  show();
}

function show() {
  end();
  const date = chosenDate();
  const rooms = new Map();
  const title = h('h1', {});
  const clock = h('p', { class: 'wall-clock' });
  const state = h('p', { class: 'live', role: 'status' }, h('span', { class: 'dot' }), h('span', {}));
  const place = h('div', {}, skeleton(6));
  const earlier = turn('back', t('board.earlier'), () => go(plusDays(view.date, -1)));
  const later = turn('next', t('board.later'), () => go(plusDays(view.date, 1)));
  const today = h('button', { class: 'button small', type: 'button', onclick: () => go(dayOf(now())) }, t('board.today'));
  let view = null;
  let lines = null;

  fill(main,
    h('div', { class: 'heading board-heading' },
      h('div', { class: 'board-day' }, earlier, title, later, today),
      h('div', { class: 'board-side' }, clock,
        h('button', { class: 'button', type: 'button', onclick: () => search({ rooms: () => [...rooms.values()], rules, view: () => view }) }, icon('search'), t('board.mine')))),
    state,
    place);

  function take(board, all) {
    const turned = view === null || view.date !== board.date;
    if (all) rooms.clear();
    board.rooms.forEach(room => rooms.set(room.id, room));
    view = { date: board.date, from: board.from, to: board.to };
    if (turned || !lines) {
      lines = timeline({ rules, view, onChoose, onEntry });
      heading();
    }
    const sorted = [...rooms.values()].sort((a, b) => a.name.localeCompare(b.name));
    if (sorted.length === 0) fill(place, emptiness(t('board.noRooms')));
    else if (lines.element.parentNode !== place) fill(place, lines.element);
    lines.show(sorted);
    if (turned) lines.reveal();
  }

  function heading() {
    say(title, day(view.date));
    document.title = `${t('board.title')}, ${day(view.date)} · Daybreak`;
    const first = dayOf(now());
    earlier.disabled = view.date <= first;
    later.disabled = view.date >= plusDays(first, rules.daysAhead);
    today.hidden = view.date === first;
  }

  function onChoose(room, range) {
    reserve({ room, range, rules, view, entries: () => rooms.get(room.id)?.entries ?? [] });
  }

  function onEntry(room, entry) {
    if (entry.kind === 'RESERVED') change({ id: entry.id, rooms: () => [...rooms.values()], rules, view: () => view });
  }

  const path = date ? `/api/rooms/board?date=${date}` : '/api/rooms/board';
  const load = () => get(path).then(board => take(board, true), () => {});
  const stop = follow(path, {
    events: { snapshot: board => take(board, true), rooms: board => take(board, false) },
    fallback: load,
    onState: (now, problem) => {
      toggle(state, 'hidden', false);
      state.className = `live ${now}`;
      say(state.lastElementChild, now === 'live' ? t('board.live') : t('board.lost'));
      if (now === 'refused') fill(place, failure(problem, show));
    },
  });
  const stopClock = everySecond(() => {
    say(clock, time(now()));
    lines?.tick();
  });
  end = () => {
    stop();
    stopClock();
  };
}

function turn(name, label, action) {
  return h('button', { class: 'round', type: 'button', 'aria-label': label, onclick: action }, icon(name));
}

function note() {
  const zone = zoneName(clinic.zone);
  const own = zoneName(viewerZone());
  return zone === own ? t('board.zone', { zone }) : t('board.zoneOther', { zone, own });
}

async function start() {
  await loadTexts('board');
  const footer = h('p', {});
  main = frame({ title: 'Daybreak', links: [h('a', { href: '/' }, icon('calendar'), h('span', {}, t('board.book')))], footer });
  main.className = 'board';
  for (;;) {
    fill(main, skeleton(6));
    try {
      [, rules] = await Promise.all([loadClinic(), get('/api/rooms/rules')]);
      break;
    } catch (error) {
      await new Promise(resolve => fill(main, failure(error, resolve)));
    }
  }
  fill(footer, note());
  addEventListener('popstate', show);
  show();
}

start();
