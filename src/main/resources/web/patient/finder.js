import { h, icon, fill, keyed, toggle } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { get } from '../shared/api.js';
import { announce, emptiness, failure, skeleton } from '../shared/frame.js';

const PAGE = 50;
const TYPING_MILLIS = 200;

/** The list of doctors and vaccination clinics, by name and specialty. */
export function finder({ go, route }) {
  const name = h('input', { type: 'search', id: 'find-name', autocomplete: 'off', placeholder: t('find.placeholder'), oninput: later });
  const specialty = h('select', { id: 'find-specialty', onchange: search }, h('option', { value: '' }, t('find.all')));
  const list = h('ul', { class: 'doctors' });
  const more = h('button', { class: 'button', type: 'button', hidden: true, onclick: next }, t('find.more'));
  const state = h('div', {});
  const element = h('section', { class: 'finder', 'aria-labelledby': 'find-title' },
    h('h1', { id: 'find-title' }, t('find.title')),
    h('form', { role: 'search', onsubmit: event => { event.preventDefault(); search(); } },
      h('div', { class: 'field search' }, h('label', { for: 'find-name' }, t('find.name')), h('div', { class: 'with-icon' }, icon('search'), name)),
      h('div', { class: 'field' }, h('label', { for: 'find-specialty' }, t('find.specialty')), specialty)),
    list, state, more);

  let found = [];
  let searching = new AbortController();
  let typing;

  function later() {
    clearTimeout(typing);
    typing = setTimeout(search, TYPING_MILLIS);
  }

  async function search() {
    clearTimeout(typing);
    await load([], true);
  }

  async function next() {
    await load(found, false);
    list.children[found.length - 1]?.querySelector('a')?.focus();
  }

  async function load(before, isNew) {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    if (found.length === 0) fill(state, skeleton(6));
    try {
      const query = new URLSearchParams({ limit: PAGE });
      if (name.value.trim()) query.set('name', name.value.trim());
      if (specialty.value) query.set('specialty', specialty.value);
      if (before.length > 0) query.set('after', before.at(-1).id);
      const page = await get(`/api/doctors?${query}`, { signal });
      found = [...before, ...page];
      more.hidden = page.length < PAGE;
      fill(state, found.length === 0 && nobody());
      if (isNew && (name.value || specialty.value)) announce(t('find.count', { n: found.length }));
      draw();
    } catch (error) {
      if (signal.aborted) return;
      found = before;
      draw();
      fill(state, failure(error, search));
    }
  }

  function nobody() {
    return name.value || specialty.value
      ? emptiness(t('find.nobody'), h('button', { class: 'button', type: 'button', onclick: clear }, t('find.clear')))
      : emptiness(t('find.none'));
  }

  function clear() {
    name.value = '';
    specialty.value = '';
    name.focus();
    search();
  }

  function draw() {
    const at = route();
    keyed(list, found, doctor => doctor.id, doctor => h('li', {},
      h('a', {
        href: `/?doctor=${doctor.id}`,
        onclick: event => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          go({ doctor: doctor.id, move: route().move });
        },
      }, h('span', { class: 'portrait', 'aria-hidden': 'true' }, initials(doctor.name)),
      h('span', { class: 'who' }, h('strong', {}, doctor.name), h('span', {}, doctor.specialty)),
      icon('next'))),
    (item, doctor) => toggle(item.firstChild, 'aria-current', doctor.id === at.doctor, 'true'));
  }

  async function specialties() {
    try {
      const names = await get('/api/specialties');
      specialty.append(...names.map(one => h('option', { value: one.name }, `${one.name} (${one.doctors})`)));
    } catch {
      // The search by name still works.
    }
  }

  specialties();
  search();
  return { element, show: draw };
}

function initials(name) {
  const words = name.replace(/^(Dr|Prof|Mr|Ms|Mrs)\.?\s+/i, '').split(/\s+/).filter(Boolean);
  return (words.length > 1 ? words[0][0] + words.at(-1)[0] : (words[0] ?? '?').slice(0, 2)).toUpperCase();
}
