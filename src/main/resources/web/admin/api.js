import { send } from '../shared/api.js';
import { byToken, token } from '../shared/session.js';

const STORED = 'daybreak.admin';
let memory = null;
let onEnd = () => {};

/** Calls back when the login is over: it expired, or was ended elsewhere. */
export function onSignedOut(listener) {
  onEnd = listener;
}

/** The service does not know the login any more. */
export function signedOut() {
  store(null);
  onEnd();
}

function stored() {
  try {
    return sessionStorage.getItem(STORED);
  } catch {
    return memory;
  }
}

function store(value) {
  memory = value;
  try {
    if (value === null) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, value);
  } catch {
    // Then the login lasts as long as the page.
  }
}

/** Whether the service asks for credentials; where it does not, the page may be used without a login. */
export const asksForCredentials = byToken;

/** Whether there is something to show the service: a login, or the portal's token of somebody who works here. */
export function hasCredentials() {
  return stored() !== null || token() !== null;
}

/** What to send with a request that is made without this module. */
export function adminHeaders() {
  const known = stored();
  return known === null ? {} : { 'X-Admin-Token': known };
}

export async function login(name, password) {
  const answer = await send('POST', '/api/admin/login', { body: { name, password }, patience: 0 });
  store(answer.token);
}

export async function logout() {
  try {
    if (stored() !== null) await send('POST', '/api/admin/logout', { headers: adminHeaders(), patience: 5_000 });
  } finally {
    store(null);
  }
}

/** As `send`, in the name of whoever is logged in. */
export async function call(method, path, options = {}) {
  try {
    return await send(method, path, { patience: 15_000, ...options, headers: { ...adminHeaders(), ...options.headers } });
  } catch (error) {
    if (error.status === 401) signedOut();
    throw error;
  }
}

export function read(path, options) {
  return call('GET', path, options);
}

/** All doctors by name, page by page: staff choose from the whole list. */
export async function allDoctors() {
  const found = [];
  for (;;) {
    const page = await read(`/api/doctors?limit=200${found.length > 0 ? `&after=${found.at(-1).id}` : ''}`);
    found.push(...page);
    if (page.length < 200) return found;
  }
}
