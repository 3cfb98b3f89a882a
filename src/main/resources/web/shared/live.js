import { credentials, problem, wait } from './api.js';

const SILENCE_MILLIS = 40_000;
const HIDDEN_MILLIS = 30_000;
const LONGEST_PAUSE = 20_000;

/**
 * Follows a stream of events for as long as anybody looks. `events` are callbacks by name of event, given the parsed data;
 * `onState` hears 'connecting', 'live', 'lost' (trying again) or 'refused' with the Problem (given up: there is nothing to follow).
 * When the service has no stream to spare, `fallback` is called at every attempt instead.
 *
 * By `fetch` and not by EventSource, which hides the heartbeat that tells a dead connection from a quiet day, gives up at a 503,
 * and knows nothing of Retry-After. Returns a function that ends it.
 */
export function follow(path, { events, onState = () => {}, fallback }) {
  let end = new AbortController();
  let hidden = null;

  async function run(signal) {
    let pause = 1_000;
    for (let attempt = 0; !signal.aborted; attempt++) {
      let asked = 0;
      try {
        if (attempt === 0) onState('connecting');
        const hint = await read(path, signal, events, () => {
          attempt = 0;
          onState('live');
        });
        pause = hint ?? pause;
      } catch (error) {
        if (signal.aborted) return;
        if (error.status >= 400 && error.status < 500 && error.status !== 429) {
          onState('refused', error);
          return;
        }
        asked = (error.retryAfter ?? 0) * 1000;
        if (error.status === 503) fallback?.();
      }
      if (signal.aborted) return;
      onState('lost');
      const longer = Math.min(pause * 1.6 ** attempt, LONGEST_PAUSE);
      await wait(Math.max(asked, longer / 2) + Math.random() * longer / 2, signal).catch(() => {});
    }
  }

  function start() {
    end = new AbortController();
    run(end.signal);
  }

  // Browsers allow few connections to one server; a tab nobody sees should not keep one for itself.
  function look() {
    clearTimeout(hidden);
    if (document.hidden) hidden = setTimeout(() => end.abort(), HIDDEN_MILLIS);
    else if (end.signal.aborted) start();
  }

  document.addEventListener('visibilitychange', look);
  start();
  return () => {
    document.removeEventListener('visibilitychange', look);
    clearTimeout(hidden);
    end.abort();
  };
}

/** Reads one connection to its end; resolves to the pause the service asks for, if it did. */
async function read(path, signal, events, onOpen) {
  const connection = new AbortController();
  const abort = () => connection.abort();
  signal.addEventListener('abort', abort, { once: true });
  addEventListener('offline', abort);
  let watchdog = setTimeout(abort, SILENCE_MILLIS);
  const alive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(abort, SILENCE_MILLIS);
  };
  let retry = null;
  try {
    const response = await fetch(path, {
      headers: { ...credentials(), Accept: 'text/event-stream' },
      signal: connection.signal,
      cache: 'no-store',
    });
    if (!response.ok) throw problem(response, await response.text());
    onOpen();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      alive();
      const blocks = (rest + value.replaceAll('\r\n', '\n')).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        const event = parse(block);
        retry = event.retry ?? retry;
        if (event.data !== '') events[event.name]?.(JSON.parse(event.data));
      }
    }
    return retry;
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', abort);
    removeEventListener('offline', abort);
    connection.abort();
  }
}

function parse(block) {
  const event = { name: 'message', data: '', retry: null };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event.name = value;
    else if (field === 'data') event.data += (event.data ? '\n' : '') + value;
    else if (field === 'retry') event.retry = Number.parseInt(value, 10);
  }
  return event;
}
