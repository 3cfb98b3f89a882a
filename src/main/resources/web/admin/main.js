import { h, fill, toggle } from '../shared/dom.js';
import { loadTexts, t } from '../shared/texts.js';
import { clinic, loadClinic } from '../shared/clinic.js';
import { failure, frame, reason, skeleton } from '../shared/frame.js';
import { zoneName } from '../shared/times.js';
import { asksForCredentials, hasCredentials, login, logout, onSignedOut } from './api.js';
import { dayView, patientView } from './day.js';
import { closuresView, schedulesView } from './calendar.js';
import { roomsView } from './rooms.js';
import { messagesView, trailView } from './records.js';
import { figuresView } from './figures.js';
import { field } from './ui.js';

const VIEWS = {
  day: dayView, patient: patientView, schedules: schedulesView, closures: closuresView,
  rooms: roomsView, messages: messagesView, trail: trailView, figures: figuresView,
};

let main;
let links;
let leave = h('button', { class: 'button small', type: 'button', hidden: true });
let withoutLogin = false;
let end = () => {};
let turn = 0;

/** Goes to a view; empty values are left out of the address. */
function go(to) {
  const query = new URLSearchParams(Object.entries(to).filter(([, value]) => value !== '' && value !== null && value !== undefined));
  history.pushState(null, '', `/admin?${query}`);
  show();
}

async function show() {
  end();
  end = () => {};
  const mine = ++turn;
  if (!hasCredentials() && !withoutLogin) {
    signIn();
    return;
  }
  leave.hidden = withoutLogin && !hasCredentials();
  const at = new URLSearchParams(location.search);
  const name = at.get('view') in VIEWS ? at.get('view') : 'day';
  for (const [view, link] of links) toggle(link, 'aria-current', view === name, 'page');
  links.forEach(link => { link.hidden = false; });
  document.title = `${t(`nav.${name}`)} · Daybreak`;
  const place = h('div', { class: 'view' });
  fill(main, skeleton(6));
  try {
    const stop = await VIEWS[name](place, at, go);
    if (mine !== turn) stop?.();
    else {
      end = stop ?? (() => {});
      fill(main, place);
    }
  } catch (error) {
    if (mine === turn && (hasCredentials() || withoutLogin)) fill(main, failure(error, show));
  }
}

function signIn(message = null) {
  leave.hidden = true;
  links.forEach(link => { link.hidden = true; });
  document.title = `${t('login.title')} · Daybreak`;
  const name = h('input', { required: true, autocomplete: 'username', maxlength: 100 });
  const password = h('input', { type: 'password', required: true, autocomplete: 'current-password', maxlength: 200 });
  const trouble = h('p', { class: 'banner bad', role: 'alert', hidden: message === null }, message);
  const submit = h('button', { class: 'button primary' }, t('login.submit'));
  fill(main, h('form', {
    class: 'login panel',
    onsubmit: async event => {
      event.preventDefault();
      submit.disabled = true;
      try {
        await login(name.value, password.value);
        withoutLogin = false;
        show();
      } catch (error) {
        trouble.hidden = false;
        fill(trouble, reason(error));
        submit.disabled = false;
        password.select();
      }
    },
  },
  h('h1', {}, t('login.title')), trouble, field(t('login.name'), name), field(t('login.password'), password),
  h('div', { class: 'actions' }, submit,
    !asksForCredentials && h('button', { class: 'button', type: 'button', onclick: () => { withoutLogin = true; show(); } }, t('login.without'))),
  !asksForCredentials && h('p', { class: 'note' }, t('login.withoutNote'))));
  name.focus();
}

async function start() {
  await loadTexts('admin');
  links = new Map(Object.keys(VIEWS).map(view => [view, h('a', {
    href: `/admin?view=${view}`,
    onclick: event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go({ view });
    },
  }, t(`nav.${view}`))]));
  leave = h('button', { class: 'button small', type: 'button', hidden: true, onclick: async () => { await logout().catch(() => {}); show(); } }, t('login.leave'));
  const footer = h('p', {});
  main = frame({ title: 'Daybreak', links: [...links.values()], tools: leave, footer });
  main.className = 'admin';
  onSignedOut(() => {
    end();
    turn++;
    signIn(t('login.over'));
  });
  for (;;) {
    fill(main, skeleton(4));
    try {
      await loadClinic();
      break;
    } catch (error) {
      await new Promise(resolve => fill(main, failure(error, resolve)));
    }
  }
  fill(footer, t('zone', { zone: zoneName(clinic.zone) }));
  addEventListener('popstate', show);
  show();
}

start();
