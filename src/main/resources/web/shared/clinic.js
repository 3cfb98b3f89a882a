import { get } from './api.js';

/** Filled in by `loadClinic`. */
export const clinic = { zone: 'UTC', openingDays: 14, openingTime: '07:00' };

let offset = 0;
let started = Date.now() - performance.now();

/** Reads the clinic's zone and rule, and by how much the clock of this device differs from the one that decides. */
export async function loadClinic() {
  const asked = performance.now();
  const found = await get('/api/clinic');
  const answered = performance.now();
  Object.assign(clinic, found);
  started = Date.parse(found.now) - (asked + answered) / 2;
  offset = started + performance.now() - Date.now();
}

/** Now, by the clinic's clock, whatever this device's shows. Milliseconds since 1970. */
export function now() {
  return started + performance.now();
}

/** By how much this device's clock is behind, in milliseconds. */
export function clockOffset() {
  return offset;
}
