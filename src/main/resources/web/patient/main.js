import { h, icon, fill, toggle } from '../shared/dom.js';
import { loadTexts, t } from '../shared/texts.js';
import { clinic, loadClinic, now } from '../shared/clinic.js';
import { byToken, choosePatient, onPatient, patientId, portal } from '../shared/session.js';
import { frame, failure, openDialog, skeleton } from '../shared/frame.js';
import { viewerZone, zoneName } from '../shared/times.js';
import { finder } from './finder.js';
import { doctorPane } from './doctor.js';
import { mine } from './mine.js';
import { resumeHold } from './booking.js';

const CLOCK_CHECK_MILLIS = 60_000;

/** What the address says: `?doctor=12&date=2026-10-12`, `?mine`, and `&move=5012` while an appointment is being moved. */
function route() {
  const query = new URLSearchParams(location.search);
  return {
    mine: query.has('mine'),
    doctor: Number(query.get('doctor')) || null,
    date: /^\d{4}-\d\d-\d\d$/.test(query.get('date') ?? '') ? query.get('date') : null,
    move: Number(query.get('move')) || null,
  };
}

export function addressOf({ mine, doctor, date, move }) {
  const query = new URLSearchParams();
  if (mine) query.set('mine', '');
  if (doctor) query.set('doctor', doctor);
  if (date) query.set('date', date);
  if (move) query.set('move', move);
  const text = query.toString().replace(/=(?=&|$)/g, '');
  return text ? `/?${text}` : '/';
}

/** Goes to a place of the page; the browser's back button leads back, unless it only refines where we are. */
function go(to, { replace = false } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(to));
  show();
}

let main;
let bookLink;
let mineLink;
let current = null;

function show() {
  const at = route();
  toggle(bookLink, 'aria-current', !at.mine, 'page');
  toggle(mineLink, 'aria-current', at.mine, 'page');
  main.className = at.mine ? 'mine' : at.doctor ? 'booking chosen' : 'booking';
  document.title = `${at.mine ? t('mine.title') : t('book.title')} · Daybreak`;
  const kind = at.mine ? 'mine' : 'booking';
  if (current?.kind !== kind) {
    current?.end();
    current = at.mine ? minePage() : bookingPage();
    fill(main, current.element);
  }
  current.show(at);
}

function minePage() {
  const page = mine({ go });
  return { kind: 'mine', element: page.element, show: () => page.show(), end: page.end };
}

function bookingPage() {
  const doctors = finder({ go, route });
  const pane = doctorPane({ go, route });
  return {
    kind: 'booking',
    element: [doctors.element, pane.element],
    show: at => {
      doctors.show(at);
      pane.show(at);
    },
    end: () => pane.end(),
  };
}

function link(to, name, text) {
  return h('a', {
    href: addressOf(to),
    onclick: event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(to);
    },
  }, icon(name), h('span', {}, text));
}

/** Who is booking: a number to try things out with, or whoever the portal's token names. */
function patientTool() {
  const name = h('span', {});
  const show = () => fill(name, patientId() === null ? t('patient.nobody') : t('patient.number', { id: patientId() }));
  onPatient(show);
  show();
  if (byToken) {
    return portal
      ? h('a', { class: 'patient', href: portal }, icon('person'), name)
      : h('span', { class: 'patient' }, icon('person'), name);
  }
  return h('button', { class: 'patient', type: 'button', onclick: choose, 'aria-haspopup': 'dialog' }, icon('person'), name);
}

function choose() {
  const input = h('input', { id: 'patient-number', inputmode: 'numeric', pattern: '[0-9]{1,15}', required: true, value: String(patientId()), autocomplete: 'off' });
  const dialog = openDialog({ label: 'patient-title' },
    h('form', {
      method: 'dialog',
      onsubmit: () => choosePatient(Number(input.value)),
    },
    h('h2', { id: 'patient-title' }, t('patient.title')),
    h('p', {}, t('patient.explain')),
    h('label', { for: 'patient-number' }, t('patient.label')),
    input,
    h('div', { class: 'actions' },
      h('button', { class: 'button primary' }, t('patient.use')),
      h('button', { class: 'button', type: 'button', onclick: () => dialog.close() }, t('frame.close')))));
  input.select();
}

function zoneNote() {
  const own = viewerZone();
  const name = zoneName(clinic.zone, now());
  const ownName = zoneName(own, now());
  return own === clinic.zone || ownName === name ? t('zone.same', { zone: name }) : t('zone.other', { zone: name, own: ownName });
}

async function start() {
  await loadTexts('patient');
  bookLink = link({}, 'calendar', t('nav.book'));
  mineLink = link({ mine: true }, 'check', t('nav.mine'));
  const note = h('p', {});
  main = frame({ title: 'Daybreak', links: [bookLink, mineLink], tools: patientTool(), footer: note });
  await reach();
  fill(note, zoneNote());
  addEventListener('popstate', show);
  onPatient(() => {
    current?.end();
    current = null;
    show();
  });
  let checked = performance.now();
  document.addEventListener('visibilitychange', () => {
    // Some devices stop the clock of a page while they sleep.
    if (!document.hidden && performance.now() - checked > CLOCK_CHECK_MILLIS) {
      checked = performance.now();
      loadClinic().catch(() => {});
    }
  });
  show();
  resumeHold({ go });
}

async function reach() {
  for (;;) {
    fill(main, skeleton(6));
    try {
      return await loadClinic();
    } catch (error) {
      await new Promise(resolve => fill(main, failure(error, resolve)));
    }
  }
}

start();
