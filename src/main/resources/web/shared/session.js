/**
 * Who uses the page. In the embedded default the viewer chooses a number, for trying out. Otherwise the clinic's portal leads here
 * with its token in the fragment of the address, `/#token=…`: fragments are sent to no server and stand in no log. The token is taken
 * out of the address at once and kept until the tab is closed.
 */
const settings = document.querySelector('meta[name="daybreak"]')?.dataset ?? {};
const TOKEN = 'daybreak.token';
const PATIENT = 'daybreak.patient';
const listeners = new Set();
const memory = new Map();

/** Whether a token says who it is. */
export const byToken = settings.signIn === 'token';

/** Where patients sign in, or an empty text. */
export const portal = settings.portal ?? '';

takeFromAddress();
addEventListener('hashchange', takeFromAddress);

function takeFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    history.replaceState(history.state, '', location.pathname + location.search);
    store(sessionStorage, TOKEN, given);
    changed();
  }
}

/** The token to send, or null. */
export function token() {
  const known = read(sessionStorage, TOKEN);
  return known && !isExpired(known) ? known : null;
}

/** The number of the patient who uses the page, or null while nobody is signed in. */
export function patientId() {
  const known = token();
  if (!known) return byToken ? null : Number(read(localStorage, PATIENT)) || chooseAnyone();
  // A dot in the name looks inside another claim.
  const claim = (settings.patientClaim || 'patient_id').split('.').reduce((value, name) => value?.[name], claims(known));
  const id = Number(claim ?? NaN);
  return Number.isSafeInteger(id) ? id : null;
}

/** Only where no token decides. */
export function choosePatient(id) {
  forget();
  store(localStorage, PATIENT, String(id));
  changed();
}

/** The service does not know this token, or no longer. */
export function signedOut() {
  if (forget()) changed();
}

/** Tells whether there was a token. */
function forget() {
  const known = read(sessionStorage, TOKEN) !== null;
  memory.delete(TOKEN);
  try {
    sessionStorage.removeItem(TOKEN);
  } catch {
    // It was in memory only.
  }
  return known;
}

/** Calls back whenever it is somebody else, or nobody any more. */
export function onPatient(listener) {
  listeners.add(listener);
}

function changed() {
  listeners.forEach(listener => listener(patientId()));
}

// Another number for each browser: people who try it out together should not be one patient.
function chooseAnyone() {
  const id = 1000 + Math.floor(Math.random() * 9000);
  store(localStorage, PATIENT, String(id));
  return id;
}

function isExpired(known) {
  const until = claims(known).exp;
  return typeof until === 'number' && until * 1000 < Date.now();
}

function claims(known) {
  try {
    const payload = known.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(payload), character => character.charCodeAt(0))));
  } catch {
    return {};
  }
}

function read(storage, name) {
  try {
    return storage.getItem(name) ?? memory.get(name) ?? null;
  } catch {
    return memory.get(name) ?? null;
  }
}

function store(storage, name, value) {
  memory.set(name, value);
  try {
    storage.setItem(name, value);
  } catch {
    // Browsers that allow no storage forget it when the page is left.
  }
}
