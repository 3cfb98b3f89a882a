import { h, icon, fill } from '../shared/dom.js';
import { loadTexts, t } from '../shared/texts.js';
import { get } from '../shared/api.js';
import { clinic, loadClinic, now } from '../shared/clinic.js';
import { emptiness, failure, frame, skeleton } from '../shared/frame.js';
import { day, moment, span, zoneName } from '../shared/times.js';

/** A doctor's day on paper: every slot that is not closed, and room to write. */
async function start() {
  await loadTexts('print');
  const main = frame({ title: 'Daybreak' });
  main.className = 'sheet';
  const query = new URLSearchParams(location.search);
  const doctor = Number(query.get('doctor'));
  const date = query.get('date') ?? '';
  if (!doctor || !/^\d{4}-\d\d-\d\d$/.test(date)) {
    fill(main, emptiness(t('print.which'), h('a', { class: 'button', href: '/' }, t('print.back'))));
    return;
  }
  await show(main, doctor, date);
}

async function show(main, id, date) {
  fill(main, skeleton(8));
  try {
    const [, doctor, all] = await Promise.all([loadClinic(), get(`/api/doctors/${id}`), get(`/api/doctors/${id}/slots?date=${date}&include=all`)]);
    const slots = all.filter(slot => slot.state !== 'CLOSED');
    document.title = `${doctor.name}, ${day(date)}`;
    fill(main,
      h('div', { class: 'heading' },
        h('div', {}, h('h1', {}, doctor.name), h('p', {}, `${doctor.specialty} · ${day(date)} ${date.slice(0, 4)}`)),
        h('button', { class: 'button', type: 'button', onclick: () => print() }, icon('print'), t('print.print'))),
      slots.length === 0 ? emptiness(t('print.empty')) : table(slots),
      h('p', { class: 'note' }, t('print.as', { time: moment(now()), zone: zoneName(clinic.zone, slots[0]?.startAt) })));
  } catch (error) {
    fill(main, failure(error, () => show(main, id, date)));
  }
}

function table(slots) {
  return h('table', {},
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, t('print.time')),
      h('th', { scope: 'col', class: 'figure' }, t('print.taken')),
      h('th', { scope: 'col', class: 'figure' }, t('print.free')),
      h('th', { scope: 'col', class: 'remarks' }, t('print.remarks')))),
    h('tbody', {}, slots.map(slot => h('tr', {},
      h('th', { scope: 'row' }, span(slot.startAt, slot.endAt)),
      h('td', { class: 'figure' }, String(slot.capacity - slot.remaining)),
      h('td', { class: 'figure' }, String(slot.remaining)),
      h('td', {})))));
}

start();
