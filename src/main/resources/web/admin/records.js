import { h, fill } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { moment } from '../shared/times.js';
import { call, read } from './api.js';
import { button, explain, field, input, loaded, section, select, table } from './ui.js';

const STATUSES = ['PENDING', 'SENT', 'FAILED', 'SKIPPED'];
const PAGE = 50;

/** Messages to patients with what became of them, and events that could not be delivered. */
export async function messagesView(place, at, go) {
  const status = at.get('status') ?? '';
  const chosen = select([['', t('messages.any')], ...STATUSES.map(one => [one, t(`message.${one}`)])], status, { onchange: () => go({ view: 'messages', status: chosen.value }) });
  const trouble = h('div', {});
  const attempt = (action, list) => async () => {
    fill(trouble);
    try {
      await action();
    } catch (error) {
      fill(trouble, explain(error));
    }
    list.show({ quietly: true });
  };
  const messages = loaded(() => read(`/api/admin/notifications?limit=${PAGE}${status && `&status=${status}`}`), found => table(t('nav.messages'), [
    [t('time'), one => moment(one.createdAt, true)],
    [t('patient'), one => String(one.patientId), 'figure'],
    [t('message.channel'), one => `${one.channel} · ${one.kind}`],
    [t('status'), one => [h('span', { class: `status ${one.status.toLowerCase()}` }, t(`message.${one.status}`)), one.reason && h('p', { class: 'note' }, one.reason)]],
    [t('message.text'), one => one.text && h('details', {}, h('summary', {}, t('message.show')), h('p', {}, one.to), h('pre', {}, one.text))],
    ['', one => one.status === 'FAILED' && button(t('frame.retry'), attempt(() => call('POST', `/api/admin/notifications/${one.id}/retry`), messages), 'small')],
  ], found, t('messages.none')));
  const letters = loaded(() => read('/api/admin/outbox/dead-letters'), found => table(t('letters'), [
    [t('time'), one => moment(one.deadAt, true)],
    [t('letter.event'), one => `${one.type} · ${one.aggregateType} ${one.aggregateId}`],
    [t('reason'), one => one.error],
    ['', one => button(t('letter.replay'), attempt(() => call('POST', `/api/admin/outbox/dead-letters/${one.id}/replay`), letters), 'small')],
  ], found, t('letters.none')));
  fill(place,
    h('h1', {}, t('nav.messages')), trouble,
    section(t('nav.messages'), h('div', { class: 'row' }, field(t('status'), chosen)), messages.element),
    section(t('letters'), letters.element));
  await Promise.all([messages.show(), letters.show()]);
}

/** Who changed what; whether the invariants hold; the settings in force. */
export async function trailView(place, at, go) {
  const actor = input({ value: at.get('actor') ?? '' });
  const subject = input({ value: at.get('subject') ?? '', placeholder: 'slot:1001' });
  const query = () => {
    const asked = new URLSearchParams({ limit: PAGE });
    for (const name of ['actor', 'subject', 'before']) if (at.get(name)) asked.set(name, at.get(name));
    return asked;
  };
  const trail = loaded(() => read(`/api/admin/audit?${query()}`), found => [
    table(t('nav.trail'), [
      [t('time'), one => moment(one.at, true)],
      [t('trail.actor'), one => [one.actor, one.address && h('p', { class: 'note' }, one.address)]],
      [t('trail.action'), one => one.action],
      [t('trail.subject'), one => one.subject],
      [t('reason'), one => one.reason ?? ''],
      [t('trail.change'), one => (one.before || one.after) && h('details', {}, h('summary', {}, t('trail.show')),
        one.before && [h('p', { class: 'note' }, t('trail.before')), h('pre', {}, JSON.stringify(one.before, null, 1))],
        one.after && [h('p', { class: 'note' }, t('trail.after')), h('pre', {}, JSON.stringify(one.after, null, 1))])],
    ], found, t('trail.none')),
    found.length === PAGE && button(t('trail.older'), () => go({ view: 'trail', actor: actor.value, subject: subject.value, before: found.at(-1).id })),
  ]);
  const invariants = loaded(() => read('/api/admin/invariants', { patience: 60_000 }), report => [
    h('p', { class: `banner ${report.ok ? 'good' : 'bad'}` }, h('span', {}, t(report.ok ? 'invariants.ok' : 'invariants.broken'))),
    table(t('invariants'), [
      ['', one => one.invariant],
      [t('invariants.rule'), one => one.rule],
      [t('invariants.count'), one => String(one.count), 'figure'],
    ], report.violations, ''),
  ]);
  const settings = loaded(() => read('/api/admin/settings'), found => table(t('settings'), [
    [t('name'), ([name]) => h('code', {}, name)],
    [t('settings.value'), ([, value]) => h('code', {}, value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))],
  ], Object.entries(found), ''));
  const later = (list, text) => {
    const place = h('div', {}, button(text, () => {
      fill(place, list.element);
      list.show();
    }));
    return place;
  };
  fill(place,
    h('h1', {}, t('nav.trail')),
    section(t('trail.title'),
      h('form', { class: 'row', onsubmit: event => { event.preventDefault(); go({ view: 'trail', actor: actor.value, subject: subject.value }); } },
        field(t('trail.actor'), actor), field(t('trail.subject'), subject), h('button', { class: 'button' }, t('find'))),
      trail.element),
    section(t('invariants'), later(invariants, t('invariants.count.now'))),
    section(t('settings'), later(settings, t('settings.show'))));
  await trail.show();
}
