// @ts-check
// 07:00. `surge`: everybody books the same 40 slots. `mixed`, after it on another doctor: lists are read fifty times as often as booked.
import http from 'k6/http';
import exec from 'k6/execution';
import { check } from 'k6';
import { book, isBooked, isProperRefusal, noSlotPromisedTwice } from './lib/appointments.js';
import { audit, soundness } from './lib/audit.js';
import { publish, slotsUrl } from './lib/clinic.js';
import { headers, number, seconds } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

/** @typedef {import('./lib/clinic.js').Clinic} Clinic */

const SLOTS = 40;
const CAPACITY = 10;
const READS_PER_BOOKING = 50;
const RATE = number('RATE', 5000);
const DURATION = __ENV.DURATION || '30s';
const P99 = number('P99_MS', 1000);

/** @type {Omit<import('k6/options').ConstantArrivalRateScenario, 'exec'>} */
const arrivals = {
  executor: 'constant-arrival-rate',
  rate: RATE,
  timeUnit: '1s',
  duration: DURATION,
  preAllocatedVUs: Math.max(1, Math.ceil(RATE / 10)),
  maxVUs: Math.max(1, Math.ceil(RATE * 0.4)),
};

/** @type {import('k6/options').Options} */
export const options = {
  scenarios: {
    surge: { ...arrivals, exec: 'surge' },
    mixed: { ...arrivals, exec: 'mixed', startTime: `${seconds(DURATION) + 5}s` },
  },
  thresholds: {
    ...soundness,
    ...noSlotPromisedTwice('surge', SLOTS, CAPACITY),
    ...noSlotPromisedTwice('mixed', SLOTS, CAPACITY),
    checks: ['rate==1'],
    http_req_failed: ['rate<0.001'],
    bookings_shed: ['rate<0.05'],
    'http_req_duration{name:book}': [`p(99)<${P99}`],
    'http_req_duration{name:list}': [`p(99)<${P99}`],
    // Otherwise the generator, not the service, was the bottleneck.
    dropped_iterations: [`count<${Math.max(1, RATE * seconds(DURATION) * 0.02)}`],
  },
};

export function setup() {
  return { surge: publish('surge', SLOTS, CAPACITY), mixed: publish('mixed', SLOTS, CAPACITY) };
}

/** @param {{surge: Clinic}} data */
export function surge({ surge: clinic }) {
  bookOneOf(clinic);
}

/** @param {{mixed: Clinic}} data */
export function mixed({ mixed: clinic }) {
  if (exec.scenario.iterationInTest % (READS_PER_BOOKING + 1) === 0) {
    bookOneOf(clinic);
  } else {
    const list = http.get(slotsUrl(clinic), { headers: headers(), tags: { name: 'list' }, responseType: 'none' });
    check(list, { 'the list is served, or shed properly': (answer) => answer.status === 200 || isProperRefusal(answer) });
  }
}

/** @param {{surge: Clinic, mixed: Clinic}} data */
export function teardown(data) {
  audit([data.surge, data.mixed]);
}

/** @param {Clinic} clinic */
function bookOneOf(clinic) {
  const answer = book(clinic, Math.floor(Math.random() * SLOTS));
  check(answer, { 'booked, or refused properly': () => isBooked(answer) || isProperRefusal(answer) });
}
