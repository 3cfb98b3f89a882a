import { language } from './texts.js';
import { token, signedOut } from './session.js';

const ATTEMPT_MILLIS = 10_000;
const PATIENCE_MILLIS = 60_000;
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8_000;

/** The service refused, and said why: `code` is one of its problem codes, `body` the problem document. */
export class Problem extends Error {
  constructor(status, body, retryAfter) {
    super(body.detail ?? `HTTP ${status}`);
    this.status = status;
    this.code = body.code ?? 'INTERNAL_ERROR';
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** No answer, however often we asked. What was asked for may have happened: ask again with the same key to know. */
export class NoAnswer extends Error {}

/** A key under which a request takes effect once, however often it is sent. */
export function newKey() {
  return crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads JSON. Asks again for a while if there is no answer. */
export function get(path, options = {}) {
  return send('GET', path, { patience: 15_000, ...options });
}

/**
 * Sends a request that may be repeated: a GET, PUT or DELETE, a confirmation, or a POST with a `key`. While there is no answer, or
 * the service asks for patience (429, 502 to 504), it is sent again with the same key, after growing pauses that differ from
 * browser to browser. Resolves to the JSON answered, or null; rejects with a Problem, with NoAnswer when `patience` is over,
 * or with the reason of an aborted `signal`.
 *
 * `onPause({attempt, millis, problem})` is told of each pause.
 */
export async function send(method, path, { body, key, headers, signal, onPause, patience = PATIENCE_MILLIS } = {}) {
  const deadline = performance.now() + patience;
  for (let attempt = 1; ; attempt++) {
    let failure;
    try {
      return await once(method, path, { body, key, headers, signal });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof Problem && !isPassing(error, attempt)) throw error;
      failure = error;
    }
    const pause = pauseAfter(attempt, failure);
    if (performance.now() + pause > deadline) {
      throw failure instanceof Problem ? failure : new NoAnswer(failure.message, { cause: failure });
    }
    onPause?.({ attempt, millis: pause, problem: failure instanceof Problem ? failure : null });
    await wait(pause, signal);
  }
}

/** Whether the same request may be answered otherwise soon. An unexpected error may, but not for long. */
function isPassing(problem, attempt) {
  return problem.status === 429 || (problem.status >= 502 && problem.status <= 504) || (problem.status === 500 && attempt < 3);
}

function pauseAfter(attempt, failure) {
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
  const asked = failure instanceof Problem ? (failure.retryAfter ?? 0) * 1000 : 0;
  // Everybody was told the same number of seconds; they had better not all come back in the same one.
  return Math.max(asked, pause / 2) + Math.random() * Math.max(pause / 2, asked / 2);
}

async function once(method, path, { body, key, headers, signal }) {
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(new Error('timeout')), ATTEMPT_MILLIS);
  const abort = () => attempt.abort(signal.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    const response = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        ...credentials(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: attempt.signal,
      credentials: 'same-origin',
    });
    const text = await response.text();
    if (response.ok) return text ? JSON.parse(text) : null;
    throw problem(response, text);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** What every request to the service says of who asks, and in which language it wants to be answered. */
export function credentials() {
  const known = token();
  return { 'Accept-Language': language, ...(known ? { Authorization: `Bearer ${known}` } : {}) };
}

/** The refusal that a response is. */
export function problem(response, text) {
  if (response.status === 401) signedOut();
  let body = {};
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy between us and the service speaks another language.
  }
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return new Problem(response.status, body, Number.isNaN(seconds) ? null : seconds);
}

/** Resolves after the time, or as soon as the network is back; rejects when the signal is aborted. */
export function wait(millis, signal) {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    const stop = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      reject(signal.reason);
    };
    const timer = setTimeout(done, millis);
    addEventListener('online', done);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Fetches a file with the credentials of the page and hands it to the browser to keep. */
export async function download(path, name) {
  const response = await fetch(path, { headers: credentials() });
  if (!response.ok) throw problem(response, await response.text());
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
