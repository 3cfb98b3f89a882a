// @ts-check
// The recount that ends every script. k6 ignores what `handleSummary` finds when it sets its exit code, so the audit runs
// in `teardown()` and speaks through counters whose thresholds fail the run.
import http from 'k6/http';
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';
import { unaccounted } from './appointments.js';
import { allSlots } from './clinic.js';
import { BASE_URL, headers, number } from './settings.js';

/** @typedef {import('./clinic.js').Clinic} Clinic */

const taken = new Counter('seats_taken');
const oversold = new Counter('seats_oversold');
const violations = new Counter('invariant_violations');
const audits = new Counter('audits_done');

/** To be spread into a script's thresholds: no audit, no success. */
export const soundness = {
  audits_done: ['count==1'],
  seats_oversold: ['count==0'],
  seats_unaccounted: ['count==0'],
  invariant_violations: ['count==0'],
};

// A cached list may be this much older than the last booking.
const SETTLE_SECONDS = number('SETTLE', 5);

/** @param {Clinic[]} clinics whose slots only this script books */
export function audit(clinics) {
  sleep(SETTLE_SECONDS);
  clinics.forEach(recount);
  violations.add(countViolations());
  audits.add(1);
}

/** @param {Clinic} clinic */
function recount(clinic) {
  const slots = allSlots(clinic);
  for (const slot of slots) {
    const seats = slot.capacity - slot.remaining;
    taken.add(seats);
    unaccounted.add(-seats);
    oversold.add(Math.max(0, seats - slot.capacity));
  }
  const missing = clinic.slotIds.filter((id) => !slots.some((slot) => slot.id === id));
  if (missing.length > 0) {
    throw new Error(`slots vanished: ${missing}`);
  }
}

function countViolations() {
  const answer = http.get(`${BASE_URL}/api/admin/invariants`, { headers: headers(), tags: { name: 'invariants' } });
  if (answer.status !== 200) {
    throw new Error(`the invariants could not be checked: ${answer.status} ${answer.body}`);
  }
  /** @type {{ok: boolean, violations: {invariant: string, count: number}[]}} */
  const verdict = /** @type {any} */ (answer.json());
  const count = verdict.violations.reduce((sum, violation) => sum + violation.count, 0);
  return verdict.ok ? count : Math.max(1, count);
}
