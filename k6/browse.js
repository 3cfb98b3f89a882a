// @ts-check
// An ordinary morning: patients look at lists again and again, asking only for what changed; now and then one books, and half
// of those cancel.
import http from 'k6/http';
import { check, sleep } from 'k6';
import { Counter, Rate } from 'k6/metrics';
import { book, cancel, isBooked, isProperRefusal, parsed } from './lib/appointments.js';
import { audit, soundness } from './lib/audit.js';
import { publish, slotsUrl } from './lib/clinic.js';
import { headers, number } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

/**
 * @typedef {import('./lib/clinic.js').Clinic} Clinic
 * @typedef {import('./lib/clinic.js').Slot} Slot
 */

const DOCTORS = 3;
const BOOKING_SHARE = number('BOOKING_SHARE', 0.05);
const THINK_SECONDS = number('THINK', 1);

const notModified = new Rate('lists_not_modified');
const cancelled = new Counter('bookings_cancelled');

/** @type {import('k6/options').Options} */
export const options = {
  scenarios: {
    browse: { executor: 'constant-vus', vus: number('VUS', 100), duration: __ENV.DURATION || '30s' },
  },
  thresholds: {
    ...soundness,
    checks: ['rate==1'],
    http_req_failed: ['rate<0.001'],
    'http_req_duration{name:list}': [`p(95)<${number('P95_MS', 300)}`],
  },
};

/** @type {Map<string, {etag: string, slots: Slot[]}>} what this patient's browser remembers */
const seen = new Map();

export function setup() {
  return Array.from({ length: DOCTORS }, (_, doctor) => publish(`browse${doctor}`, 30, 5));
}

/** @param {Clinic[]} clinics */
export default function browse(clinics) {
  const clinic = clinics[Math.floor(Math.random() * clinics.length)];
  const slots = list(clinic);
  if (Math.random() < BOOKING_SHARE && slots.length > 0) {
    bookAndPerhapsCancel(clinic, slots[Math.floor(Math.random() * slots.length)]);
  }
  sleep(THINK_SECONDS * (0.5 + Math.random()));
}

/** @param {Clinic[]} clinics */
export function teardown(clinics) {
  audit(clinics);
}

/**
 * @param {Clinic} clinic
 * @returns {Slot[]}
 */
function list(clinic) {
  const url = slotsUrl(clinic);
  const before = seen.get(url);
  /** @type {Record<string, string>} */
  const condition = before ? { 'If-None-Match': before.etag } : {};
  const answer = http.get(url, { headers: headers(condition), tags: { name: 'list' } });
  notModified.add(answer.status === 304);
  if (before && answer.status === 304) {
    check(answer, { 'an unchanged list has no body': () => !answer.body });
    return before.slots;
  }
  if (!check(answer, { 'the list is served': () => answer.status === 200 })) {
    return [];
  }
  /** @type {Slot[]} */
  const slots = parsed(answer) || [];
  check(answer, {
    'a list has slots and an ETag': () => slots.length > 0 && Boolean(answer.headers.Etag),
    'a listed slot has seats left, and no more than it has': () =>
      slots.every((slot) => slot.remaining > 0 && slot.remaining <= slot.capacity),
  });
  seen.set(url, { etag: answer.headers.Etag, slots });
  return slots;
}

/**
 * @param {Clinic} clinic
 * @param {Slot} slot
 */
function bookAndPerhapsCancel(clinic, slot) {
  const answer = book(clinic, clinic.slotIds.indexOf(slot.id));
  check(answer, { 'booked, or refused properly': () => isBooked(answer) || isProperRefusal(answer) });
  if (isBooked(answer) && Math.random() < 0.5) {
    sleep(THINK_SECONDS * Math.random());
    const gone = cancel(parsed(answer, 'id'));
    if (check(gone, { 'the booking is cancelled': () => gone.status === 204 })) {
      cancelled.add(1);
    }
  }
}
