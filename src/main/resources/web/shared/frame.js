import { h, icon, say, fill } from './dom.js';
import { LANGUAGES, chooseLanguage, language, t } from './texts.js';

const polite = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

/**
 * Puts the frame around a page: skip link, brand, `links` and `tools`, the switch of languages, a line that says when the
 * network is gone, and the place that is read out. Returns the main element.
 */
export function frame({ title, links = [], tools = [], footer = [] }) {
  const main = h('main', { id: 'main', tabindex: '-1' });
  document.body.replaceChildren(
    h('a', { class: 'skip', href: '#main', onclick: event => { event.preventDefault(); main.focus(); } }, t('frame.skip')),
    h('header', { class: 'top' },
      h('div', { class: 'bar' },
        h('a', { class: 'brand', href: location.pathname }, h('img', { src: new URL('../icon.svg', import.meta.url), alt: '', width: 28, height: 28 }), h('span', {}, title)),
        h('nav', { 'aria-label': t('frame.pages') }, links),
        h('div', { class: 'tools' }, tools, languageSwitch()))),
    offlineLine(),
    main,
    h('footer', { class: 'bottom' }, footer),
    polite);
  return main;
}

/** Has a screen reader say it when it is done with what it is saying. */
export function announce(text) {
  polite.textContent = '';
  setTimeout(() => say(polite, text), 60);
}

function languageSwitch() {
  return h('label', { class: 'language' },
    h('span', { class: 'visually-hidden' }, t('frame.language')),
    icon('globe'),
    h('select', {
      onchange: event => {
        chooseLanguage(event.target.value);
        location.reload();
      },
    }, Object.entries(LANGUAGES).map(([code, name]) =>
      h('option', { value: code, lang: code, selected: code === language }, name))));
}

function offlineLine() {
  const line = h('div', { class: 'offline', role: 'status' });
  const show = () => {
    line.hidden = navigator.onLine;
    fill(line, navigator.onLine ? null : [icon('alert'), h('span', {}, t('frame.offline'))]);
  };
  addEventListener('online', show);
  addEventListener('offline', show);
  show();
  return line;
}

/** Something that could not be shown: why, and a way to try again. */
export function failure(error, retry) {
  return h('div', { class: 'state', role: 'alert' },
    icon('alert'),
    h('p', {}, reason(error)),
    retry && h('button', { class: 'button', onclick: retry }, t('frame.retry')));
}

/** Nothing to show, and what to do about it. */
export function emptiness(text, ...more) {
  return h('div', { class: 'state' }, h('p', {}, text), more);
}

/** What stands where something is still to come; the sizes are those of what will be there. */
export function skeleton(rows) {
  return h('div', { class: 'skeleton', 'aria-busy': 'true' },
    h('span', { class: 'visually-hidden' }, t('frame.loading')),
    Array.from({ length: rows }, () => h('div', { class: 'bone' })));
}

/** A failure in words: those of this page, or else those of the service. */
export function reason(error) {
  const code = error?.code;
  if (!code) return t('frame.unreachable');
  return error.body?.detail ?? t('frame.unreachable');
}

/**
 * Opens a dialog. The browser keeps the focus in it and gives it back afterwards. `onClose` is called however it is closed;
 * unless `dismissable()` says otherwise, Escape and a click beside it close it.
 */
export function openDialog({ label, onClose = () => {}, dismissable = () => true }, ...content) {
  const dialog = h('dialog', { 'aria-labelledby': label });
  fill(dialog, ...content);
  dialog.addEventListener('cancel', event => {
    if (!dismissable()) event.preventDefault();
  });
  dialog.addEventListener('click', event => {
    // The second click of a double click was meant for what opened the dialog.
    if (event.target === dialog && event.detail < 2 && dismissable()) dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
