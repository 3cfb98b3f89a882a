import { h, icon, fill, say } from '../shared/dom.js';
import { hasText, t } from '../shared/texts.js';
import { download, NoAnswer, newKey, send } from '../shared/api.js';
import { now } from '../shared/clinic.js';
import { byToken, patientId, portal } from '../shared/session.js';
import { announce, openDialog, reason } from '../shared/frame.js';
import { countdown, day, everySecond, moment, span, viewerNote } from '../shared/times.js';

const STORED = 'daybreak.hold';
const HURRY_MILLIS = 60_000;

/** Refusals after which another time is the answer. */
const GONE = new Set(['SLOT_FULL', 'OPENING_TAKEN', 'SLOT_CLOSED', 'SLOT_PAST', 'SLOT_NOT_FOUND', 'OPENING_NOT_FOUND', 'SLOT_NOT_OPEN']);

/** Refusals because of what the patient has already. */
const CLASH = new Set(['ALREADY_BOOKED', 'PATIENT_OVERLAP', 'BOOKING_LIMIT']);

/** Refusals that the same request may not get again. */
const PASSING = new Set(['RATE_LIMITED', 'BUSY', 'UNAVAILABLE', 'INTERNAL_ERROR']);

const listeners = new Set();
let open = null;

/** Calls back when an appointment of the patient was made, moved or cancelled here. Returns a function that ends it. */
export function onChanged(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function changed() {
  listeners.forEach(listener => listener());
}

/** Holds a seat of a slot and asks whether to book it. `target` is the slot, with its doctor. */
export function book({ target, nearest, go }) {
  const view = start({ target, go, nearest });
  if (view) hold(view, newKey());
}

/** Books a time of a flexible doctor; it cannot be held, so it is asked first. */
export function bookOpening({ target, minutes, nearest, go }) {
  const view = start({ target, go, nearest });
  if (!view) return;
  const key = newKey();
  const attempt = () => run(view, t('book.booking'), onPause => send('POST', '/api/appointments', {
    key, onPause, body: { doctorId: target.doctor.id, startAt: target.startAt, minutes, patientId: patientId() },
  }), appointment => booked(view, appointment), attempt);
  view.step({
    title: t('book.ask'),
    actions: [primary(t('book.confirm'), attempt), secondary(t('book.notNow'), view.close)],
  });
}

/** Moves an appointment to another time, if that can be had; it stays where it is otherwise. */
export function move({ appointment, target, minutes, nearest, go }) {
  const view = start({ target, go, nearest, kept: appointment });
  if (!view) return;
  const [path, body] = appointment.slotId
    ? [`/api/appointments/${appointment.id}/slot`, { slotId: target.id }]
    : [`/api/appointments/${appointment.id}/opening`, { startAt: target.startAt, minutes }];
  const attempt = () => run(view, t('move.moving'), onPause => send('PUT', path, { body, onPause }), moved => {
    changed();
    view.done({
      title: t('move.done'), text: t('move.doneText'), good: true,
      actions: [calendarFile(moved), secondary(t('book.toMine'), () => view.leave({ mine: true }))],
    });
  }, attempt);
  view.step({
    title: t('move.ask'),
    text: t('move.from', { time: moment(appointment.startAt) }),
    actions: [primary(t('move.confirm'), attempt), secondary(t('move.keep'), view.close)],
  });
}

/** Asks whether to cancel, and does. */
export function cancel({ appointment, doctor, go }) {
  const view = start({ target: { doctor, ...appointment }, go, nearest: null, kept: appointment });
  if (!view) return;
  const attempt = () => run(view, t('cancel.cancelling'), onPause => send('DELETE', `/api/appointments/${appointment.id}`, { onPause }), () => {
    changed();
    view.done({ title: t('cancel.done'), text: t('cancel.doneText'), good: true, actions: [secondary(t('frame.close'), view.close)] });
  }, attempt);
  view.step({
    title: t('cancel.ask'),
    text: t('cancel.explain'),
    actions: [danger(t('cancel.confirm'), attempt), secondary(t('cancel.keep'), view.close)],
  });
}

/** After a reload: a seat that is held still is asked about again. */
export function resumeHold({ go }) {
  let kept = null;
  try {
    kept = JSON.parse(sessionStorage.getItem(STORED));
  } catch {
    // Nothing that could be read.
  }
  if (!kept || kept.patient !== patientId() || Date.parse(kept.hold.expiresAt) <= now()) return;
  const view = start({ target: kept.target, go, nearest: null });
  if (view) held(view, kept.hold);
}

/** Asks again for a seat that is held, to learn its token anew, and offers to book it. */
export function decide({ appointment, doctor, go }) {
  const view = start({ target: { ...appointment, id: appointment.slotId, doctor }, go, nearest: null });
  if (view) hold(view, newKey());
}

function hold(view, key) {
  run(view, t('book.holding'), onPause => send('POST', '/api/holds', {
    key, onPause, body: { slotId: view.target.id, patientId: patientId() },
  }), got => {
    if (view.isClosed()) release(got);
    else if (got.status === 'BOOKED') booked(view, got);
    else held(view, got);
  }, () => hold(view, key));
}

function held(view, got) {
  const { target } = view;
  let expiresAt = Date.parse(got.expiresAt);
  const total = Math.max(expiresAt - now(), 1);
  const left = h('strong', { class: 'countdown' });
  const bar = h('span', { class: 'bar-left' });
  const longer = secondary(t('book.longer'), extend);
  longer.hidden = true;
  let told = false;
  let atLimit = false;
  keep({ ...got, expiresAt: new Date(expiresAt).toISOString() });

  function keep(hold) {
    try {
      sessionStorage.setItem(STORED, JSON.stringify({ patient: patientId(), hold, target }));
    } catch {
      // Then a reload loses sight of the hold, and it expires.
    }
  }

  async function extend() {
    longer.hidden = true;
    try {
      const extended = await send('PUT', `/api/holds/${got.id}`, { headers: { 'Hold-Token': got.token }, patience: 10_000 });
      expiresAt = Date.parse(extended.expiresAt);
      told = false;
      keep({ ...got, expiresAt: extended.expiresAt });
      announce(t('book.extended'));
    } catch (error) {
      atLimit = error.code === 'HOLD_LIMIT';
      if (error.code === 'HOLD_EXPIRED') expired();
      else announce(reason(error));
    }
  }

  const confirm = () => {
    view.release = null;
    run(view, t('book.booking'), onPause => send('POST', `/api/holds/${got.id}/confirm`, { headers: { 'Hold-Token': got.token }, onPause }),
      appointment => booked(view, appointment), confirm, { HOLD_EXPIRED: expired, HOLD_NOT_FOUND: expired });
  };

  function expired() {
    forget();
    view.release = null;
    view.done({
      title: t('book.expired'), text: t('book.expiredText'),
      actions: [primary(t('book.again'), () => hold(view, newKey())), secondary(t('book.other'), view.close)],
    });
  }

  view.release = () => release(got);
  view.step({
    title: t('book.held'),
    text: t('book.heldText'),
    extra: h('p', { class: 'held' }, icon('clock'), h('span', {}, t('book.keptFor')), left, h('span', { class: 'bar-all', 'aria-hidden': 'true' }, bar)),
    actions: [primary(t('book.confirm'), confirm), longer, secondary(t('book.giveBack'), view.close)],
    clock: () => {
      const rest = expiresAt - now();
      if (rest <= 0) {
        expired();
        return;
      }
      say(left, countdown(rest));
      bar.style.width = `${Math.min(100, rest / total * 100)}%`;
      const hurry = rest < Math.min(HURRY_MILLIS, total / 2);
      left.classList.toggle('hurry', hurry);
      longer.hidden = !hurry || atLimit;
      if (hurry && !told) {
        told = true;
        announce(t('book.hurry', { left: countdown(rest) }));
      }
    },
  });
}

function release(got) {
  forget();
  if (got.token) {
    send('DELETE', `/api/holds/${got.id}`, { headers: { 'Hold-Token': got.token }, patience: 30_000 }).then(changed, () => {});
  }
}

function forget() {
  try {
    sessionStorage.removeItem(STORED);
  } catch {
    // It was never there.
  }
}

function booked(view, appointment) {
  forget();
  view.release = null;
  changed();
  view.done({
    title: t('book.done'), text: t('book.doneText', { id: appointment.id }), good: true,
    actions: [calendarFile(appointment), secondary(t('book.toMine'), () => view.leave({ mine: true })), secondary(t('frame.close'), view.close)],
  });
}

/**
 * Carries out a request that may be repeated, saying so while there is no answer. What is refused is explained; what got no answer
 * is tried again by hand, with the same key: `again`.
 */
async function run(view, doing, request, then, again, special = {}) {
  const pause = h('p', { class: 'note', role: 'status' });
  view.step({ title: doing, busy: true, extra: pause });
  try {
    const answer = await request(({ problem, attempt }) => {
      if (attempt === 1 && !problem) say(pause, t('wait.short'));
      else say(pause, t(problem?.code === 'RATE_LIMITED' ? 'wait.often' : problem ? 'wait.busy' : 'wait.unanswered'));
    });
    then(answer);
  } catch (error) {
    if (error instanceof NoAnswer) {
      view.done({ title: t('lost.title'), text: t('lost.text'), actions: [primary(t('lost.again'), again), secondary(t('frame.close'), view.close)] });
    } else if (special[error.code]) {
      special[error.code]();
    } else {
      refused(view, error, again);
    }
  }
}

function refused(view, error, again) {
  const { code } = error;
  const title = hasText(`refused.${code}.title`) ? t(`refused.${code}.title`) : t('refused.title');
  const opensAt = error.body?.opensAt && moment(error.body.opensAt);
  const until = error.body?.until && moment(error.body.until);
  const text = hasText(`refused.${code}`) ? t(`refused.${code}`, { opensAt, until, n: error.body?.limit }) : reason(error);
  const kept = view.kept ? h('p', { class: 'note' }, t('move.kept', { time: moment(view.kept.startAt) })) : null;
  const actions = [secondary(t('frame.close'), view.close)];
  if (PASSING.has(code)) actions.unshift(primary(t('lost.again'), again));
  if (CLASH.has(code)) actions.unshift(primary(t('book.toMine'), () => view.leave({ mine: true })));
  if (error.status === 401 && portal) actions.unshift(h('a', { class: 'button primary', href: portal }, t('patient.signIn')));
  const offers = h('div', { class: 'offers' });
  view.done({ title, text, extra: [kept, offers], actions });
  if (GONE.has(code) && view.nearest) offer(view, offers);
}

/** The nearest free times, each a button that begins anew with it. */
async function offer(view, place) {
  const found = await view.nearest(view.target.startAt).catch(() => []);
  if (view.isClosed() || found.length === 0) return;
  fill(place, h('h3', { id: 'offers' }, t('offer.title')), h('ul', { 'aria-labelledby': 'offers' }, found.map(({ slot, choose }) =>
    h('li', {}, h('button', { class: 'button wide', type: 'button', onclick: () => { view.close(); choose(); } },
      h('span', {}, day(slot.startAt, true)), h('strong', {}, span(slot.startAt, slot.endAt)))))));
}

function calendarFile(appointment) {
  return h('button', {
    class: 'button', type: 'button',
    onclick: () => saveCalendarFile(appointment),
  }, icon('calendar'), t('book.file'));
}

export function saveCalendarFile(appointment) {
  return download(`/api/appointments/${appointment.id}/calendar.ics`, `appointment-${appointment.id}.ics`)
    .catch(error => announce(reason(error)));
}

/** Opens the dialog about one time. One at a time: a second click on a slot finds it open and does nothing. */
function start({ target, go, nearest, kept = null }) {
  if (open) return null;
  const title = h('h2', { id: 'booking-title', tabindex: '-1' });
  const body = h('div', { class: 'step' });
  let stopClock = () => {};
  let busy = false;
  let closed = false;
  const dialog = openDialog({
    label: 'booking-title',
    dismissable: () => !busy,
    onClose: finish,
  }, title, summary(target), body);

  // The browser tells of the end later, and what follows a click on an offer does not wait for that.
  function finish() {
    if (closed) return;
    closed = true;
    open = null;
    stopClock();
    view.release?.();
  }

  function close() {
    finish();
    dialog.close();
  }

  const view = {
    target,
    nearest,
    kept,
    release: null,
    isClosed: () => closed,
    close,
    leave: to => {
      close();
      go(to);
    },
    /** Shows the next step. With `clock`, that is called every second until the step after. */
    step({ title: heading, text, extra, actions = [], busy: working = false, good = false, clock }) {
      stopClock();
      stopClock = () => {};
      if (closed) return;
      busy = working;
      dialog.className = good ? 'good' : working ? 'working' : '';
      dialog.setAttribute('aria-busy', working);
      fill(title, good && icon('check'), heading);
      fill(body,
        working && h('p', { class: 'spinner', 'aria-hidden': 'true' }, h('span', {}), h('span', {}), h('span', {})),
        text && h('p', {}, text), extra, actions.length > 0 && h('div', { class: 'actions' }, actions));
      const main = body.querySelector('.primary, .danger');
      (main ?? title).focus({ preventScroll: true });
      if (clock) stopClock = everySecond(clock);
    },
    /** Shows an outcome, which is read out first. */
    done(step) {
      view.step(step);
      if (!closed) title.focus({ preventScroll: true });
      else announce(step.title);
    },
  };
  open = view;
  if (patientId() === null) {
    view.step({
      title: t('patient.signInFirst'), text: t('patient.signInText'),
      actions: [portal && h('a', { class: 'button primary', href: portal }, t('patient.signIn')), secondary(t('frame.close'), view.close)],
    });
    return null;
  }
  return view;
}

function summary({ doctor, startAt, endAt }) {
  const note = viewerNote(startAt);
  return h('div', { class: 'summary' },
    h('p', { class: 'summary-time' }, h('strong', {}, span(startAt, endAt)), h('span', {}, day(startAt))),
    h('p', {}, doctor.name, h('span', { class: 'muted' }, ` · ${doctor.specialty}`)),
    note && h('p', { class: 'muted' }, note),
    byToken ? null : h('p', { class: 'muted' }, t('patient.number', { id: patientId() })));
}

function primary(text, action) {
  return guarded('primary', text, action);
}

function danger(text, action) {
  return guarded('danger', text, action);
}

/** Acts once, and is deaf to the second click of a double click: that was meant for what stood here before. */
function guarded(kind, text, action) {
  let used = false;
  return h('button', {
    class: `button ${kind}`, type: 'button',
    onclick: event => {
      if (used || event.detail > 1) return;
      used = true;
      action();
    },
  }, text);
}

function secondary(text, action) {
  return h('button', { class: 'button', type: 'button', onclick: action }, text);
}
