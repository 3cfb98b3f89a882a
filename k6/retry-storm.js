// @ts-check
// A client that hears nothing asks again, and a broken one asks twenty times at once. One key is one appointment, ever.
import http from 'k6/http';
import exec from 'k6/execution';
import { check, sleep } from 'k6';
import { Counter } from 'k6/metrics';
import { booking, freshPatient, isBooked, isProperRefusal, noSlotPromisedTwice, parsed, record, send } from './lib/appointments.js';
import { audit, soundness } from './lib/audit.js';
import { publish } from './lib/clinic.js';
import { number } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

/** @typedef {import('./lib/clinic.js').Clinic} Clinic */

const SLOTS = 10;
const VUS = number('VUS', 20);
const ITERATIONS = number('ITERATIONS', 5);
const PARALLEL = number('PARALLEL', 20);
const AFTER = number('AFTER', 3);
const CAPACITY = Math.ceil((VUS * ITERATIONS) / SLOTS);
const PATIENCE = 3;

const repeats = new Counter('requests_repeated');
const duplicates = new Counter('keys_with_several_appointments');

/** @type {import('k6/options').Options} */
export const options = {
  batch: PARALLEL,
  batchPerHost: PARALLEL,
  scenarios: {
    storm: { executor: 'per-vu-iterations', vus: VUS, iterations: ITERATIONS, maxDuration: '10m' },
  },
  thresholds: {
    ...soundness,
    ...noSlotPromisedTwice('storm', SLOTS, CAPACITY),
    keys_with_several_appointments: ['count==0'],
    checks: ['rate==1'],
    http_req_failed: ['rate==0'],
  },
};

export function setup() {
  return publish('storm', SLOTS, CAPACITY);
}

/** @param {Clinic} clinic */
export default function storm(clinic) {
  const index = exec.scenario.iterationInTest % SLOTS;
  const request = booking(clinic.slotIds[index], freshPatient(clinic));
  const answers = http.batch(Array.from({ length: PARALLEL }, () => request));
  for (let retry = 0; retry < AFTER; retry++) {
    answers.push(send(request));
  }
  const last = sendPatiently(request);
  answers.push(last);
  repeats.add(answers.length - 1);
  record(last, `storm-${index}`);

  const ids = new Set(answers.filter(isBooked).map((answer) => parsed(answer, 'id')));
  duplicates.add(ids.size > 1 ? 1 : 0);
  check(answers, {
    'every answer is 201, 200, or a 429 or 503 with Retry-After': () =>
      answers.every((answer) => isBooked(answer) || (answer.status !== 409 && isProperRefusal(answer))),
    'every answer is the same appointment': () => ids.size === 1,
    'in the end the patient has it': () => isBooked(last),
  });
}

/** @param {Clinic} clinic */
export function teardown(clinic) {
  audit([clinic]);
}

/**
 * Asks again when the service says it is time to.
 *
 * @param {ReturnType<typeof booking>} request
 */
function sendPatiently(request) {
  let answer = send(request);
  for (let retry = 0; !isBooked(answer) && retry < PATIENCE; retry++) {
    sleep(Math.max(1, Number(answer.headers['Retry-After'] || 1)));
    answer = send(request);
  }
  return answer;
}
