import { h, icon, fill, say } from '../shared/dom.js';
import { hasText, t } from '../shared/texts.js';
import { get, newKey, NoAnswer, send } from '../shared/api.js';
import { now } from '../shared/clinic.js';
import { announce, openDialog, reason } from '../shared/frame.js';
import { countdown, day, everySecond, span, time, viewerNote } from '../shared/times.js';
import { earliest, latestEnd, stepsOf } from './timeline.js';

const MINUTE = 60_000;
const HURRY_MILLIS = 60_000;

/** The dialog that is open, if any. */
let open = null;

/** Asks for the times where they were not drawn, holds the room while the form is filled in, and reserves it. */
export function reserve({ room, range, rules, view, entries }) {
  const dialog = begin(room.name);
  if (!dialog) return;
  const steps = stepsOf(view, rules);
  if (range) hold(range);
  else choose();

  function choose(wanted = null) {
    const free = steps.filter(step => step >= earliest(rules) && latestEnd(step, steps, entries(), rules) > step);
    if (free.length === 0) {
      dialog.step({ title: t('reserve.none'), actions: [dialog.closer(t('frame.close'))] });
      return;
    }
    const picker = times({ steps, rules, entries, starts: free, wanted });
    dialog.step({
      title: t('reserve.when'),
      form: () => hold(picker.range()),
      content: picker.element,
      actions: [submit(t('reserve.next')), dialog.closer(t('frame.close'))],
    });
  }

  async function hold(wanted) {
    dialog.busy(t('reserve.holding'));
    const body = { startAt: iso(wanted.start), endAt: iso(wanted.end) };
    try {
      // Not sent again by itself: without a key the second would find the room held by the first.
      const held = await send('POST', `/api/rooms/${room.id}/holds`, { body, patience: 0 });
      if (dialog.isClosed()) giveBack(held);
      else fillIn(wanted, held);
    } catch (error) {
      if (error.code === 'UNAVAILABLE' || error instanceof NoAnswer) fillIn(wanted, null);
      else dialog.refused(error, [button(t('reserve.other'), () => choose(wanted))]);
    }
  }

  function giveBack(held) {
    send('DELETE', `/api/rooms/${room.id}/holds/${held.id}`, { headers: { 'Hold-Token': held.token }, patience: 20_000 }).catch(() => {});
  }

  function fillIn(wanted, held) {
    const name = field('reserve-name', t('reserve.name'), { maxlength: 100, autocomplete: 'name' });
    const password = field('reserve-password', t('reserve.password'), { type: 'password', minlength: 4, maxlength: 72, autocomplete: 'new-password' });
    const left = h('strong', { class: 'countdown' });
    const key = newKey();
    let until = held ? Date.parse(held.expiresAt) : 0;
    let atLimit = false;
    if (held) dialog.onClose(() => giveBack(held));

    // Whoever types keeps the room; whoever has left gives it back by the clock.
    const typing = () => {
      if (held && !atLimit && until - now() < 2 * HURRY_MILLIS) extend();
    };
    let extending = false;
    async function extend() {
      if (extending) return;
      extending = true;
      try {
        until = Date.parse((await send('PUT', `/api/rooms/${room.id}/holds/${held.id}`, { headers: { 'Hold-Token': held.token }, patience: 5_000 })).expiresAt);
      } catch (error) {
        atLimit = error.code === 'HOLD_LIMIT';
      } finally {
        extending = false;
      }
    }

    function over() {
      dialog.onClose(() => {});
      dialog.step({
        title: t('reserve.expired'), text: t('reserve.expiredText'),
        actions: [button(t('reserve.again'), () => hold(wanted), 'primary'), dialog.closer(t('frame.close'))],
      });
    }

    async function confirm() {
      dialog.busy(t('reserve.reserving'));
      const body = { startAt: iso(wanted.start), endAt: iso(wanted.end), name: name.input.value.trim(), password: password.input.value, ...(held ? { holdToken: held.token } : {}) };
      try {
        const made = await send('POST', `/api/rooms/${room.id}/reservations`, { key, body, onPause: () => dialog.busy(t('reserve.waiting')) });
        dialog.onClose(() => {});
        dialog.step({ title: t('reserve.done'), text: t('reserve.doneText', { id: made.id }), good: true, actions: [dialog.closer(t('frame.close'))] });
      } catch (error) {
        if (error instanceof NoAnswer) {
          dialog.step({ title: t('reserve.lost'), text: t('reserve.lostText'), actions: [button(t('frame.retry'), confirm, 'primary'), dialog.closer(t('frame.close'))] });
        } else {
          const again = error.code === 'VALIDATION_FAILED' ? show : () => choose(wanted);
          dialog.refused(error, [button(t(error.code === 'VALIDATION_FAILED' ? 'reserve.back' : 'reserve.other'), again)]);
        }
      }
    }

    function show() {
      dialog.step({
        title: t('reserve.who'),
        form: confirm,
        content: [
          summary(wanted.start, wanted.end),
          held
            ? h('p', { class: 'held' }, icon('clock'), h('span', {}, t('reserve.keptFor')), left)
            : h('p', { class: 'banner' }, t('reserve.notHeld')),
          name.element, password.element, h('p', { class: 'note' }, t('reserve.passwordNote'))],
        actions: [submit(t('reserve.confirm')), dialog.closer(t('reserve.giveBack'))],
        clock: held && (() => {
          const rest = until - now();
          if (rest <= 0) over();
          else {
            say(left, countdown(rest));
            left.classList.toggle('hurry', rest < HURRY_MILLIS);
          }
        }),
      });
      name.input.addEventListener('input', typing);
      password.input.addEventListener('input', typing);
      name.input.focus();
    }
    show();
  }
}

/** Asks for the password of a reservation, and then what to do with it. */
export function change({ id, rooms, rules, view, known = null }) {
  const dialog = begin(t('change.title'));
  if (!dialog) return;
  if (known) show(known.reservation, known.password);
  else ask();

  function ask() {
    const password = field('change-password', t('change.password'), { type: 'password', autocomplete: 'current-password' });
    dialog.step({
      title: t('change.title'),
      text: t('change.explain'),
      form: async () => {
        dialog.busy(t('change.looking'));
        try {
          show(await get(`/api/reservations/${id}`, { headers: { 'Reservation-Password': password.input.value } }), password.input.value);
        } catch (error) {
          dialog.refused(error, error.code === 'RESERVATION_FORBIDDEN' ? [button(t('frame.retry'), ask, 'primary')] : []);
        }
      },
      content: password.element,
      actions: [submit(t('change.next')), dialog.closer(t('frame.close'))],
    });
    password.input.focus();
  }

  function roomName(roomId) {
    return rooms().find(room => room.id === roomId)?.name ?? '';
  }

  function show(reservation, password) {
    const over = reservation.status !== 'ACTIVE' || Date.parse(reservation.endAt) <= now();
    dialog.step({
      title: roomName(reservation.roomId),
      text: reservation.name,
      content: summary(reservation.startAt, reservation.endAt),
      actions: over ? [dialog.closer(t('frame.close'))] : [
        button(t('change.move'), () => move(reservation, password)),
        button(t('change.cancel'), () => sure(reservation, password), 'danger'),
        dialog.closer(t('frame.close'))],
    });
  }

  function sure(reservation, password) {
    dialog.step({
      title: t('change.sure'),
      content: summary(reservation.startAt, reservation.endAt),
      actions: [button(t('change.cancel'), () => cancel(reservation, password), 'danger'), button(t('change.keep'), () => show(reservation, password))],
    });
  }

  async function cancel(reservation, password) {
    await carryOut(t('change.cancelling'),
      () => send('DELETE', `/api/reservations/${reservation.id}`, { headers: { 'Reservation-Password': password } }),
      () => dialog.step({ title: t('change.cancelled'), text: t('change.cancelledText'), good: true, actions: [dialog.closer(t('frame.close'))] }),
      () => cancel(reservation, password));
  }

  function move(reservation, password) {
    const steps = stepsOf(view(), rules);
    const select = h('select', { id: 'move-room' }, rooms().filter(room => room.active).map(room =>
      h('option', { value: room.id, selected: room.id === reservation.roomId }, room.name)));
    const place = h('div', {});
    let picker;
    const offer = () => {
      const room = rooms().find(one => one.id === Number(select.value));
      const entries = () => room.entries;
      const starts = steps.filter(step => (step >= earliest(rules) || step === Date.parse(reservation.startAt))
        && latestEnd(step, steps, entries(), rules, reservation.id) > step);
      picker = times({ steps, rules, entries, starts, except: reservation.id, wanted: { start: Date.parse(reservation.startAt), end: Date.parse(reservation.endAt) } });
      fill(place, picker.element);
    };
    select.addEventListener('change', offer);
    offer();
    dialog.step({
      title: t('change.moveTo', { day: day(view().date) }),
      form: async () => {
        const { start, end } = picker.range();
        const body = { roomId: Number(select.value), startAt: iso(start), endAt: iso(end) };
        const attempt = () => carryOut(t('change.moving'),
          () => send('PUT', `/api/reservations/${reservation.id}`, { body, headers: { 'Reservation-Password': password } }),
          moved => dialog.step({ title: t('change.moved'), content: summary(moved.startAt, moved.endAt), good: true, actions: [dialog.closer(t('frame.close'))] }),
          attempt);
        await attempt();
      },
      content: [h('div', { class: 'field' }, h('label', { for: 'move-room' }, t('change.room')), select), place],
      actions: [submit(t('change.confirmMove')), button(t('change.keep'), () => show(reservation, password))],
    });
  }

  async function carryOut(doing, request, then, again) {
    dialog.busy(doing);
    try {
      then(await request());
    } catch (error) {
      if (error instanceof NoAnswer) dialog.step({ title: t('reserve.lost'), text: t('reserve.lostText'), actions: [button(t('frame.retry'), again, 'primary'), dialog.closer(t('frame.close'))] });
      else dialog.refused(error, []);
    }
  }
}

/** Finds one's own reservations by name and password. */
export function search({ rooms, rules, view }) {
  const dialog = begin(t('search.title'));
  if (!dialog) return;
  const name = field('search-name', t('reserve.name'), { maxlength: 100, autocomplete: 'name' });
  const password = field('search-password', t('change.password'), { type: 'password', minlength: 4, maxlength: 72, autocomplete: 'current-password' });

  function ask() {
    dialog.step({
      title: t('search.title'),
      form: async () => {
        dialog.busy(t('change.looking'));
        try {
          found(await send('POST', '/api/reservations/search', { body: { name: name.input.value.trim(), password: password.input.value }, patience: 10_000 }));
        } catch (error) {
          dialog.refused(error, [button(t('frame.retry'), ask, 'primary')]);
        }
      },
      content: [name.element, password.element],
      actions: [submit(t('search.find')), dialog.closer(t('frame.close'))],
    });
    name.input.focus();
  }

  function found(reservations) {
    const roomName = id => rooms().find(room => room.id === id)?.name ?? '';
    dialog.step({
      title: reservations.length === 0 ? t('search.none') : t('search.found', { n: reservations.length }),
      text: reservations.length === 0 ? t('search.noneText') : null,
      content: h('ul', { class: 'offers' }, reservations.map(reservation => h('li', {},
        h('button', {
          class: 'button wide', type: 'button',
          onclick: () => {
            dialog.close();
            change({ id: reservation.id, rooms, rules, view, known: { reservation, password: password.input.value } });
          },
        }, h('span', {}, `${roomName(reservation.roomId)}, ${day(reservation.startAt, true)}`), h('strong', {}, span(reservation.startAt, reservation.endAt)))))),
      actions: [reservations.length === 0 && button(t('frame.retry'), ask, 'primary'), dialog.closer(t('frame.close'))].filter(Boolean),
    });
  }
  ask();
}

/** Two lists, from when and until when; the second has what the first leaves. */
function times({ steps, rules, entries, starts, wanted = null, except = null }) {
  const grid = rules.gridMinutes * MINUTE;
  const start = h('select', { id: 'from-time' }, starts.map(step => h('option', { value: step, selected: step === wanted?.start }, time(step))));
  const end = h('select', { id: 'to-time' });
  const offer = () => {
    const from = Number(start.value);
    const furthest = latestEnd(from, steps, entries(), rules, except);
    const length = wanted ? wanted.end - wanted.start : 60 * MINUTE;
    const preferred = Math.min(from + length, furthest);
    const ends = [];
    for (let at = from + grid; at <= furthest; at += grid) ends.push(at);
    fill(end, ends.map(at => h('option', { value: at, selected: at === preferred }, `${time(at)} (${lengthOf(at - from)})`)));
  };
  start.addEventListener('change', offer);
  offer();
  return {
    element: h('div', { class: 'pair' },
      h('div', { class: 'field' }, h('label', { for: 'from-time' }, t('reserve.from')), start),
      h('div', { class: 'field' }, h('label', { for: 'to-time' }, t('reserve.to')), end)),
    range: () => ({ start: Number(start.value), end: Number(end.value) }),
  };
}

function lengthOf(millis) {
  const minutes = Math.round(millis / MINUTE);
  return minutes < 60 ? t('reserve.minutes', { n: minutes }) : t('reserve.hours', { n: Number((minutes / 60).toFixed(2)) });
}

function begin(heading) {
  if (open) return null;
  let closed = false;
  let busy = false;
  let stopClock = () => {};
  let atEnd = () => {};
  const title = h('h2', { id: 'room-title', tabindex: '-1' }, heading);
  const body = h('div', { class: 'step' });
  const about = h('p', { class: 'muted' }, heading);
  const element = openDialog({
    label: 'room-title',
    dismissable: () => !busy,
    onClose: () => {
      closed = true;
      if (open === dialog) open = null;
      stopClock();
      atEnd();
    },
  }, title, about, body);
  const dialog = {
    isClosed: () => closed,
    /** At once, so that another may be opened: the browser tells of it later. */
    close() {
      open = null;
      element.close();
    },
    onClose(action) {
      atEnd = action;
    },
    closer: text => button(text, () => element.close()),
    busy(text) {
      dialog.step({ title: text, working: true, content: h('p', { class: 'spinner', 'aria-hidden': 'true' }, h('span', {}), h('span', {}), h('span', {})) });
    },
    step({ title: text, text: words, content, actions = [], form, good = false, working = false, clock }) {
      stopClock();
      stopClock = () => {};
      if (closed) return;
      busy = working;
      element.className = good ? 'good' : '';
      element.setAttribute('aria-busy', working);
      fill(title, good && icon('check'), text);
      about.hidden = text === heading;
      const inside = [words && h('p', {}, words), content, actions.length > 0 && h('div', { class: 'actions' }, actions)];
      if (form) {
        fill(body, h('form', { class: 'step', onsubmit: event => { event.preventDefault(); form(); } }, inside));
      } else {
        fill(body, ...inside);
        title.focus({ preventScroll: true });
      }
      if (good) announce(text);
      if (clock) stopClock = everySecond(clock);
    },
    refused(error, actions) {
      const text = hasText(`refused.${error.code}`) ? t(`refused.${error.code}`) : reason(error);
      const details = (error.body?.violations ?? []).map(violation => violation.message).filter(Boolean);
      dialog.step({
        title: t('reserve.refused'), text,
        content: details.length > 0 && h('ul', {}, details.map(detail => h('li', {}, detail))),
        actions: [...actions, dialog.closer(t('frame.close'))],
      });
    },
  };
  open = dialog;
  return dialog;
}

function summary(startAt, endAt) {
  const note = viewerNote(startAt);
  return h('div', { class: 'summary' },
    h('p', { class: 'summary-time' }, h('strong', {}, span(startAt, endAt)), h('span', {}, day(iso(startAt)))),
    note && h('p', { class: 'muted' }, note));
}

function field(id, label, properties) {
  const input = h('input', { id, required: true, ...properties });
  return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input) };
}

function submit(text) {
  return h('button', { class: 'button primary' }, text);
}

function button(text, action, kind = '') {
  return h('button', { class: `button ${kind}`, type: 'button', onclick: event => event.detail < 2 && action() }, text);
}

function iso(instant) {
  return new Date(instant).toISOString();
}
