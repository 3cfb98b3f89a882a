import { h, fill, say } from '../shared/dom.js';
import { locale, t } from '../shared/texts.js';
import { explain } from './ui.js';
import { adminHeaders, signedOut } from './api.js';
import { credentials, Problem } from '../shared/api.js';

const EVERY_MILLIS = 2_000;
const KEPT = 60;
const WIDTH = 240;
const HEIGHT = 48;

/** What the service counts, as {name: [{labels, value}]}. */
export function parse(text) {
  const found = {};
  for (const line of text.split('\n')) {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!match) continue;
    const labels = Object.fromEntries([...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));
    (found[match[1]] ??= []).push({ labels, value: Number(match[3]) });
  }
  return found;
}

const OUTCOMES = 'daybreak_booking_outcomes_requests_total';
const BOOKED = new Set(['booked', 'replayed']);

function sum(samples = [], wanted = () => true) {
  return samples.filter(sample => wanted(sample.labels)).reduce((total, sample) => total + sample.value, 0);
}

/** Each a figure of this instance: a count that grows, shown as so many a second, or a level. */
const FIGURES = [
  { name: 'booked', grows: true, of: all => sum(all[OUTCOMES], labels => labels.outcome === 'booked') },
  { name: 'refused', grows: true, of: all => sum(all[OUTCOMES], labels => !BOOKED.has(labels.outcome) && labels.outcome !== 'slot-not-found') },
  { name: 'waiting', of: all => sum(all.daybreak_booking_waiting_requests ?? all.daybreak_booking_waiting) },
  { name: 'backlog', of: all => sum(all.daybreak_outbox_backlog_events ?? all.daybreak_outbox_backlog) },
  { name: 'subscribers', of: all => sum(all.daybreak_feed_subscribers_streams ?? all.daybreak_feed_subscribers) },
  { name: 'connections', of: all => sum(all.r2dbc_pool_acquired_connections ?? all.r2dbc_pool_acquired) },
];

/** Live figures of the instance that answers, as small charts of the last two minutes. */
export async function figuresView(place) {
  const charts = FIGURES.map(figure => ({ ...figure, ...chart(t(`figure.${figure.name}`)), seen: [] }));
  const kinds = h('ul', { class: 'plain kinds' });
  const trouble = h('div', {});
  fill(place,
    h('h1', {}, t('nav.figures')), h('p', { class: 'note' }, t('figures.note')), trouble,
    h('div', { class: 'charts' }, charts.map(one => one.element)),
    h('section', { class: 'panel' }, h('h2', {}, t('figures.refusals')), kinds));
  let last = null;

  async function look() {
    try {
      const response = await fetch('/actuator/prometheus', { headers: { ...credentials(), ...adminHeaders(), Accept: 'text/plain' }, cache: 'no-store' });
      if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})), null);
      show(parse(await response.text()), performance.now());
      fill(trouble);
    } catch (error) {
      if (error.status === 401) signedOut();
      else fill(trouble, explain(error));
    }
  }

  function show(all, at) {
    for (const one of charts) {
      const value = one.of(all);
      const rate = one.grows ? (last === null ? null : Math.max(0, (value - last.values.get(one.name)) / (at - last.at) * 1000)) : value;
      if (rate !== null) one.draw([...one.seen, rate].slice(-KEPT));
      if (rate !== null) one.seen = [...one.seen, rate].slice(-KEPT);
    }
    const refusals = (all[OUTCOMES] ?? []).filter(sample => sample.labels.of === 'booking' && !BOOKED.has(sample.labels.outcome) && sample.value > 0 && sample.labels.outcome !== 'slot-not-found');
    fill(kinds, refusals.length === 0 ? h('li', {}, t('figures.noRefusals'))
      : refusals.sort((a, b) => b.value - a.value).map(sample => h('li', {}, h('span', {}, sample.labels.outcome), h('strong', {}, format(sample.value)))));
    last = { at, values: new Map(charts.map(one => [one.name, one.of(all)])) };
  }

  await look();
  const timer = setInterval(() => !document.hidden && look(), EVERY_MILLIS);
  return () => clearInterval(timer);
}

function format(value) {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

function chart(label) {
  const number = h('strong', {}, '–');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(line);
  return {
    element: h('section', { class: 'panel chart' }, h('h2', {}, label), number, svg),
    draw(values) {
      say(number, format(values.at(-1)));
      const most = Math.max(1, ...values);
      const step = WIDTH / (KEPT - 1);
      line.setAttribute('points', values.map((value, place) => `${(WIDTH - (values.length - 1 - place) * step).toFixed(1)},${(HEIGHT - 2 - value / most * (HEIGHT - 4)).toFixed(1)}`).join(' '));
    },
  };
}
