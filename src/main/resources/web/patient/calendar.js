import { h, fill, icon } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { clinic, now } from '../shared/clinic.js';
import { day, dayOf, moment, month, monthAndYear, placeInWeek, plusDays, weekday } from '../shared/times.js';

/** The most the service tells of at once. */
const LONGEST = 42;

const COUNTED = new Set(['free', 'later', 'full']);

/**
 * Whole weeks from today on, as many as are open for booking and the day that opens next. Which days have free seats is
 * told by colour, by number and in words.
 */
export function calendar({ onChoose, onRange }) {
  const today = dayOf(now());
  const start = plusDays(today, -placeInWeek(today));
  const reach = clinic.openingDays + 1 + placeInWeek(today) + 1;
  const length = Math.min(Math.ceil(reach / 7) * 7, LONGEST);

  let page = 0;
  let days = new Map();
  let chosen = null;
  let reachable = null;

  const title = h('h3', { id: 'calendar-title', 'aria-live': 'polite' });
  const previous = h('button', { class: 'round', type: 'button', 'aria-label': t('calendar.earlier'), onclick: () => turn(-1) }, icon('back'));
  const following = h('button', { class: 'round', type: 'button', 'aria-label': t('calendar.later'), onclick: () => turn(1) }, icon('next'));
  const body = h('tbody', { onkeydown: keys });
  const element = h('div', { class: 'calendar' },
    h('div', { class: 'heading' }, title, h('div', { class: 'turns' }, previous, following)),
    h('table', { role: 'grid', 'aria-labelledby': 'calendar-title' },
      h('thead', {}, h('tr', {}, Array.from({ length: 7 }, (_, i) =>
        h('th', { scope: 'col' }, h('abbr', { title: weekday(plusDays(start, i), 'long') }, weekday(plusDays(start, i))))))),
      body),
    h('p', { class: 'legend', 'aria-hidden': 'true' },
      h('span', { class: 'key free' }, t('calendar.free')), h('span', { class: 'key later' }, t('calendar.opens')), h('span', { class: 'key full' }, t('calendar.full'))));

  const first = () => plusDays(start, page * length);
  const last = () => plusDays(first(), length - 1);

  function turn(by) {
    page = Math.max(0, page + by);
    reachable = null;
    draw();
    onRange();
  }

  /** Of the range shown, the days that are not over. */
  function range() {
    return { from: first() < today ? today : first(), to: last() };
  }

  /** Shows what is known: a map from date to `{free, slots, opensAt}`. */
  function show(known, date) {
    days = known;
    if (date && date !== chosen && (date < first() || date > last())) {
      const weeks = Math.floor((Date.parse(date) - Date.parse(start)) / 86_400_000 / length);
      if (weeks >= 0 && weeks < 60 && weeks !== page) {
        page = weeks;
        chosen = date;
        draw();
        onRange();
        return;
      }
    }
    chosen = date;
    draw();
  }

  function draw() {
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.date : null;
    const dates = Array.from({ length }, (_, i) => plusDays(first(), i));
    fill(title, monthAndYear(range().from), month(range().from) === month(last()) ? '' : ` – ${monthAndYear(last())}`);
    previous.disabled = page === 0;
    const tab = [focused, reachable, chosen, dates.find(date => days.get(date)?.free > 0), today, dates[0]].find(date => dates.includes(date));
    fill(body, Array.from({ length: length / 7 }, (_, week) =>
      h('tr', {}, dates.slice(week * 7, week * 7 + 7).map(date => cell(date, date === tab)))));
    if (focused) button(focused)?.focus();
  }

  function cell(date, tab) {
    const known = days.get(date);
    const kind = date < today ? 'past' : kindOf(known);
    const number = Number(date.slice(8));
    return h('td', { role: 'gridcell', 'aria-selected': date === chosen ? 'true' : 'false' },
      h('button', {
        type: 'button', class: `day ${kind}`, dataset: { date }, tabindex: tab ? '0' : '-1',
        'aria-disabled': kind === 'past' || kind === 'none' ? 'true' : null,
        'aria-current': date === today ? 'date' : null,
        'aria-label': `${day(date)}: ${words(kind, known)}`,
        onclick: () => kind !== 'past' && kind !== 'none' && onChoose(date),
      },
      h('span', { class: 'number' }, number === 1 ? h('small', {}, month(date, 'short')) : null, String(number)),
      COUNTED.has(kind) && h('span', { class: 'count' }, kind === 'free' ? String(known.free) : kind === 'later' ? t('calendar.soon') : t('calendar.none'))));
  }

  function words(kind, known) {
    switch (kind) {
      case 'free': return t('calendar.seats', { n: known.free });
      case 'later': return t('calendar.opensAt', { time: moment(known.opensAt, true) });
      case 'full': return t('calendar.full');
      case 'past': return t('calendar.past');
      default: return t('calendar.closed');
    }
  }

  function button(date) {
    return body.querySelector(`[data-date="${date}"]`);
  }

  function keys(event) {
    const date = event.target.dataset?.date;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -placeInWeek(date ?? today), End: 6 - placeInWeek(date ?? today) };
    if (!date || !(event.key in steps)) return;
    event.preventDefault();
    const to = plusDays(date, steps[event.key]);
    if (to < start) return;
    if (to < first() || to > last()) turn(to < first() ? -1 : 1);
    reachable = to;
    draw();
    button(to)?.focus();
  }

  draw();
  return { element, show, range };
}

export function kindOf(known) {
  if (!known) return 'none';
  if (known.free > 0) return 'free';
  return known.opensAt ? 'later' : 'full';
}
