import { h, fill, icon } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { announce, emptiness, failure, openDialog, reason, skeleton } from '../shared/frame.js';
import { NoAnswer } from '../shared/api.js';

/** A table; each column is [heading, cell of a row, class]. */
export function table(caption, columns, rows, empty) {
  if (rows.length === 0) return emptiness(empty);
  return h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {},
      h('caption', { class: 'visually-hidden' }, caption),
      h('thead', {}, h('tr', {}, columns.map(([heading, , kind]) => h('th', { scope: 'col', class: kind }, heading)))),
      h('tbody', {}, rows.map(row => h('tr', {}, columns.map(([, cell, kind]) => h('td', { class: kind }, cell(row))))))));
}

let ids = 0;

/** A labelled input, select or whatever `control` is. */
export function field(label, control) {
  control.id ||= `field-${++ids}`;
  return h('div', { class: 'field' }, h('label', { for: control.id }, label), control);
}

export function input(properties) {
  return h('input', properties);
}

export function select(options, chosen, properties = {}) {
  return h('select', properties, options.map(([value, text]) => h('option', { value, selected: String(value) === String(chosen) }, text)));
}

export function checkbox(label, properties = {}) {
  const box = h('input', { type: 'checkbox', ...properties });
  return { box, element: h('label', { class: 'check' }, box, h('span', {}, label)) };
}

export function button(text, action, kind = '') {
  return h('button', { class: `button ${kind}`, type: 'button', onclick: event => event.detail < 2 && action(event) }, text);
}

export function section(title, ...content) {
  return h('section', { class: 'panel' }, h('h2', {}, title), content);
}

/** A place whose content is loaded; `show` may be called again, and the last call wins. */
export function loaded(load, render) {
  const element = h('div', {});
  let turn = 0;
  async function show({ quietly = false } = {}) {
    const mine = ++turn;
    if (!quietly) fill(element, skeleton(4));
    try {
      const found = await load();
      if (mine === turn) fill(element, render(found));
    } catch (error) {
      if (mine === turn) fill(element, failure(error, show));
    }
  }
  return { element, show };
}

/** Says in words what a request was refused for, field by field where the service names fields. */
export function explain(error) {
  const text = error instanceof NoAnswer ? t('lost') : reason(error);
  const violations = error.body?.violations ?? [];
  return h('div', { class: 'banner bad', role: 'alert' }, icon('alert'),
    h('div', {}, h('p', {}, text), violations.length > 0 && h('ul', {}, violations.map(one => h('li', {}, `${one.field}: ${one.message}`)))));
}

/**
 * Asks before something is done; `fields` are shown above the buttons, `confirm` does it and may throw, which is explained in the
 * dialog and loses nothing. With `why` a reason is asked for and passed on.
 */
export function ask({ title, text, fields = [], why = false, action, danger = false, confirm, done }) {
  const given = input({ maxlength: 200, required: true });
  const trouble = h('div', {});
  const doing = h('button', { class: `button ${danger ? 'danger' : 'primary'}` }, action);
  let busy = false;
  const dialog = openDialog({ label: 'ask-title', dismissable: () => !busy },
    h('h2', { id: 'ask-title', tabindex: '-1' }, title),
    h('form', {
      class: 'step',
      onsubmit: async event => {
        event.preventDefault();
        if (busy) return;
        busy = true;
        doing.disabled = true;
        fill(trouble);
        try {
          const result = await confirm(given.value.trim());
          busy = false;
          dialog.close();
          announce(done ?? title);
          return result;
        } catch (error) {
          busy = false;
          doing.disabled = false;
          fill(trouble, explain(error));
          return null;
        }
      },
    },
    text && h('p', {}, text), fields, why && field(t('reason'), given), trouble,
    h('div', { class: 'actions' }, doing, button(t('frame.close'), () => dialog.close()))));
  (why ? given : dialog.querySelector('input, select, .button')).focus();
}
