// @ts-check
// Booking and cancelling as a careful client does it, with a ledger of the seats this run holds.
import http from 'k6/http';
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
import { BASE_URL, headers } from './settings.js';

/** @typedef {import('./clinic.js').Clinic} Clinic */

const accepted = new Counter('bookings_accepted');
const refused = new Counter('bookings_refused');
const shed = new Rate('bookings_shed');
const answerTime = new Trend('booking_answer_time', true);

/** Seats acknowledged to this run, minus cancelled ones, minus (in the audit) those found taken: 0 in the end. */
export const unaccounted = new Counter('seats_unaccounted');

// A refusal is an answer, not a failure: 409 and 429 by contract, 503 when load is shed, judged by `bookings_shed`.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }, 409, 429, 503));

const LOST_ANSWER_RETRIES = 2;
let patients = 0;

/**
 * A patient id no other virtual user and hardly another run has used: 17 bits of run, 14 of virtual user and 22 of
 * count make a positive number below 2^53.
 *
 * @param {Clinic} clinic
 */
export function freshPatient(clinic) {
  patients += 1;
  return (clinic.run * 2 ** 14 + (exec.vu.idInTest % 2 ** 14)) * 2 ** 22 + (patients % 2 ** 22);
}

/**
 * The booking request of one patient for one slot. Sent again, it is a retry: the key stays.
 *
 * @param {number} slotId
 * @param {number} patientId
 * @param {string} [key]
 */
export function booking(slotId, patientId, key = `k6-${patientId}`) {
  return {
    method: 'POST',
    url: `${BASE_URL}/api/appointments`,
    body: JSON.stringify({ slotId, patientId }),
    params: { headers: headers({ 'Idempotency-Key': key }), tags: { name: 'book' } },
  };
}

/** @param {ReturnType<typeof booking>} request */
export function send(request) {
  return http.request(request.method, request.url, request.body, request.params);
}

/**
 * Books a slot for a fresh patient and writes the ledger. An answer that got lost is asked for again with the same key.
 *
 * @param {Clinic} clinic
 * @param {number} index of the slot in `clinic.slotIds`
 * @returns the last answer
 */
export function book(clinic, index) {
  const request = booking(clinic.slotIds[index], freshPatient(clinic));
  let answer = send(request);
  for (let retry = 0; answer.status === 0 && retry < LOST_ANSWER_RETRIES; retry++) {
    answer = send(request);
  }
  record(answer, `${clinic.name}-${index}`);
  return answer;
}

/**
 * Writes one booking's final answer into the ledger; call it once for each key.
 *
 * @param {import('k6/http').Response} answer
 * @param {string} slot
 */
export function record(answer, slot) {
  const turnedAway = answer.status === 429 || answer.status === 503;
  shed.add(turnedAway);
  if (isBooked(answer)) {
    accepted.add(1, { slot });
    unaccounted.add(1);
    answerTime.add(answer.timings.duration, { outcome: 'accepted' });
  } else if (answer.status === 409) {
    refused.add(1, { code: String(parsed(answer, 'code')) });
    answerTime.add(answer.timings.duration, { outcome: 'refused' });
  }
}

/**
 * @param {number} appointmentId
 * @returns the answer
 */
export function cancel(appointmentId) {
  const answer = http.del(`${BASE_URL}/api/appointments/${appointmentId}`, null, {
    headers: headers(),
    tags: { name: 'cancel' },
  });
  if (answer.status === 204) {
    unaccounted.add(-1);
  }
  return answer;
}

/** @param {import('k6/http').Response} answer */
export function isBooked(answer) {
  return answer.status === 201 || answer.status === 200;
}

/**
 * Whether a refused or shed request says so properly: a refusal names its code, a shed one when to come back.
 *
 * @param {import('k6/http').Response} answer
 */
export function isProperRefusal(answer) {
  if (answer.status === 409) {
    return typeof parsed(answer, 'code') === 'string';
  }
  return (answer.status === 429 || answer.status === 503) && Number(answer.headers['Retry-After']) >= 0;
}

/**
 * The body or a part of it; undefined when it is not JSON, since an exception would end the iteration unnoticed: k6 does
 * not count it as a failure.
 *
 * @param {import('k6/http').Response} answer
 * @param {string} [selector]
 * @returns {any}
 */
export function parsed(answer, selector) {
  try {
    return answer.json(selector);
  } catch {
    return undefined;
  }
}

/**
 * Thresholds that fail when a slot of this clinic was promised to more patients than it has seats, whatever the
 * server says of itself. For scripts that do not cancel.
 *
 * @param {string} name
 * @param {number} slots
 * @param {number} capacity
 * @returns {Record<string, string[]>}
 */
export function noSlotPromisedTwice(name, slots, capacity) {
  const each = Array.from({ length: slots }, (_, index) => `bookings_accepted{slot:${name}-${index}}`);
  return Object.fromEntries(each.map((metric) => [metric, [`count<=${capacity}`]]));
}
