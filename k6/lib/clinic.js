// @ts-check
// A doctor of the script's own, so that nobody else books the slots it counts.
import http from 'k6/http';
import { fail } from 'k6';
import { BASE_URL, headers } from './settings.js';

/**
 * @typedef {object} Clinic
 * @property {string} name
 * @property {number} doctorId
 * @property {string} date
 * @property {number[]} slotIds in order of start
 * @property {number} capacity of each slot
 * @property {number} run tells this run's patients from those of other runs
 */

/**
 * @typedef {object} Slot
 * @property {number} id
 * @property {string} startAt
 * @property {number} capacity
 * @property {number} remaining
 * @property {string} state
 */

const WEEKDAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY'];
const SLOT_MINUTES = 10;
const FIRST_MINUTE = 6 * 60;

/**
 * Creates a doctor with one day of slots, three days ahead: open for booking whatever the clinic's zone.
 * Fails the test when that is refused, so call it from `setup()`.
 *
 * @param {string} name
 * @param {number} slots at most 100
 * @param {number} capacity
 * @returns {Clinic}
 */
export function publish(name, slots, capacity) {
  const day = new Date(Date.now() + 3 * 86400000);
  const date = day.toISOString().slice(0, 10);
  const doctorId = Number(create('/api/admin/doctors', { name: `Load ${name} ${Date.now()}`, specialty: 'load test' }).id);
  create(`/api/admin/doctors/${doctorId}/schedules`, {
    fromDate: date,
    toDate: date,
    weekdays: [WEEKDAYS[day.getUTCDay()]],
    startTime: clock(FIRST_MINUTE),
    endTime: clock(FIRST_MINUTE + slots * SLOT_MINUTES),
    slotMinutes: SLOT_MINUTES,
    capacity,
  });
  const clinic = { name, doctorId, date, slotIds: [], capacity, run: 1 + Math.floor(Math.random() * 131071) };
  const published = allSlots(clinic);
  if (published.length !== slots || published.some((slot) => slot.remaining !== capacity)) {
    fail(`published ${slots} slots of ${capacity} seats, found ${JSON.stringify(published)}`);
  }
  return { ...clinic, slotIds: published.map((slot) => slot.id) };
}

/** @param {Pick<Clinic, 'doctorId' | 'date'>} clinic */
export function slotsUrl(clinic) {
  return `${BASE_URL}/api/doctors/${clinic.doctorId}/slots?date=${clinic.date}`;
}

/**
 * The day's slots, the full ones included.
 *
 * @param {Pick<Clinic, 'doctorId' | 'date'>} clinic
 * @returns {Slot[]}
 */
export function allSlots(clinic) {
  const answer = http.get(`${slotsUrl(clinic)}&include=all`, { headers: headers(), tags: { name: 'recount' } });
  if (answer.status !== 200) {
    fail(`the slots of doctor ${clinic.doctorId} could not be read: ${answer.status} ${answer.body}`);
  }
  return /** @type {any} */ (answer.json());
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {any}
 */
function create(path, body) {
  const answer = http.post(BASE_URL + path, JSON.stringify(body), { headers: headers(), tags: { name: 'publish' } });
  if (answer.status !== 201) {
    fail(`POST ${path} was answered ${answer.status} ${answer.body}`);
  }
  return answer.json();
}

/** @param {number} minute of the day */
function clock(minute) {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
