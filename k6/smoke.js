// @ts-check
// A quick walk through the contract: publish, list, book, retry, refuse, cancel.
import http from 'k6/http';
import { check, group } from 'k6';
import { booking, cancel, freshPatient, parsed, record, send } from './lib/appointments.js';
import { audit, soundness } from './lib/audit.js';
import { publish, slotsUrl } from './lib/clinic.js';
import { BASE_URL, headers } from './lib/settings.js';

export { handleSummary } from './lib/summary.js';

/**
 * @typedef {import('./lib/clinic.js').Clinic} Clinic
 * @typedef {import('./lib/clinic.js').Slot} Slot
 * @typedef {import('k6/http').Response} Response
 */

/** @type {import('k6/options').Options} */
export const options = {
  scenarios: { walk: { executor: 'per-vu-iterations', vus: 1, iterations: 1 } },
  thresholds: { ...soundness, checks: ['rate==1'], http_req_failed: ['rate==0'] },
};

export function setup() {
  return publish('smoke', 3, 1);
}

/** @param {Clinic} clinic */
export default function walk(clinic) {
  const [first, second] = clinic.slotIds;
  const patient = freshPatient(clinic);
  const request = booking(first, patient);

  group('list', () => {
    const answer = http.get(slotsUrl(clinic), { headers: headers(), tags: { name: 'list' } });
    /** @type {Slot[]} */
    const slots = parsed(answer) || [];
    check(slots, {
      'all slots are listed as open': () => slots.length === 3 && slots.every((slot) => slot.state === 'OPEN'),
      'slots are in order of start': () => slots.every((slot, i) => i === 0 || slots[i - 1].startAt < slot.startAt),
    });
  });

  const appointmentId = group('book and retry', () => {
    const booked = send(request);
    record(booked, 'smoke-0');
    const again = send(request);
    check(booked, {
      'the seat is booked': () => booked.status === 201,
      'it has a place of its own': () => Boolean(booked.headers.Location),
    });
    check(again, { 'a retry finds the same appointment': () => again.status === 200 && parsed(again, 'id') === parsed(booked, 'id') });
    return parsed(booked, 'id');
  });

  group('refuse', () => {
    refuses('the key for another slot', booking(second, patient, `k6-${patient}`), 422, 'IDEMPOTENCY_KEY_REUSED');
    refuses('the slot to the next patient', booking(first, freshPatient(clinic)), 409, 'SLOT_FULL');
    refuses('an unknown slot', booking(Number.MAX_SAFE_INTEGER, freshPatient(clinic)), 404, 'SLOT_NOT_FOUND');
    const keyless = booking(second, freshPatient(clinic));
    keyless.params.headers = headers();
    refuses('a booking without a key', keyless, 400, 'IDEMPOTENCY_KEY_REQUIRED');
  });

  group('cancel', () => {
    check(cancel(appointmentId), { 'the booking is cancelled': (answer) => answer.status === 204 });
    const again = http.del(`${BASE_URL}/api/appointments/${appointmentId}`, null, { headers: headers() });
    check(again, { 'cancelling twice is fine': (answer) => answer.status === 204 });
    const next = send(booking(first, freshPatient(clinic)));
    record(next, 'smoke-0');
    check(next, { 'the seat is bookable at once': () => next.status === 201 });
  });
}

/** @param {Clinic} clinic */
export function teardown(clinic) {
  audit([clinic]);
}

/**
 * @param {string} what
 * @param {ReturnType<typeof booking>} request
 * @param {number} status
 * @param {string} code
 */
function refuses(what, request, status, code) {
  const params = { ...request.params, responseCallback: http.expectedStatuses(status) };
  const answer = http.request(request.method, request.url, request.body, params);
  check(answer, { [`refuses ${what}`]: () => answer.status === status && parsed(answer, 'code') === code });
}
