import { h, fill } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { now } from '../shared/clinic.js';
import { announce } from '../shared/frame.js';
import { dayOf, moment, plusDays, weekday } from '../shared/times.js';
import { allDoctors, call, read } from './api.js';
import { ask, button, checkbox, explain, field, input, loaded, section, select, table } from './ui.js';

const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const A_MONDAY = '2026-10-05';

function nameOf(day, style = 'short') {
  return weekday(plusDays(A_MONDAY, WEEKDAYS.indexOf(day)), style);
}

/** Appointments that stand in the way of a change, as far as the service names them. */
function inTheWay(body) {
  return [
    h('p', {}, t('affected', { n: body.count })),
    table(t('affected.title'), [
      [t('time'), one => moment(one.startAt)],
      [t('patient'), one => String(one.patientId)],
      [t('status'), one => t(`status.${one.status}`)],
    ], body.appointments ?? [], ''),
  ];
}

/** A doctor's working hours: what stands, and new ones with a look at what they would make. */
export async function schedulesView(place, at, go) {
  const doctors = await allDoctors();
  const doctor = at.get('doctor') ?? doctors[0]?.id ?? '';
  const choice = select(doctors.map(one => [one.id, one.name]), doctor, { onchange: () => go({ view: 'schedules', doctor: choice.value }) });
  const list = loaded(() => (doctor ? read(`/api/admin/doctors/${doctor}/schedules`) : Promise.resolve([])), found => table(t('schedules.standing'), [
    [t('schedule.days'), one => one.weekdays.map(day => nameOf(day)).join(', ')],
    [t('schedule.hours'), one => `${one.startTime} – ${one.endTime}`],
    [t('schedule.slots'), one => (one.mode === 'FLEXIBLE' ? t('schedule.flexible') : t('schedule.each', { minutes: one.slotMinutes, seats: one.capacity }))],
    [t('schedule.valid'), one => `${one.fromDate} – ${one.toDate ?? t('schedule.open')}`],
    ['', one => button(t('schedule.end'), () => end(one), 'small')],
  ], found, t('schedules.none')));

  async function end(one) {
    const path = `/api/admin/schedules/${one.id}`;
    const effect = await call('DELETE', `${path}?dryRun=true`).catch(error => error);
    const affected = effect.code === 'SCHEDULE_AFFECTS_APPOINTMENTS';
    if (effect instanceof Error && !affected) {
      fill(trouble, explain(effect));
      return;
    }
    ask({
      title: t('schedule.endTitle'),
      text: affected ? null : t('schedule.endText', { n: effect.withdrawnSlots }),
      fields: affected ? inTheWay(effect.body) : [],
      why: affected, danger: true, action: affected ? t('schedule.endForce', { n: effect.body.count }) : t('schedule.end'),
      confirm: why => call('DELETE', affected ? `${path}?force=true&reason=${encodeURIComponent(why)}` : path).then(() => list.show()),
    });
  }

  const trouble = h('div', {});
  fill(place,
    h('h1', {}, t('nav.schedules')),
    h('div', { class: 'row' }, field(t('doctor'), choice), button(t('doctor.add'), addDoctor)),
    trouble,
    section(t('schedules.standing'), list.element),
    doctor && section(t('schedule.new'), hours(doctor, () => list.show({ quietly: true }))));
  await list.show();

  function addDoctor() {
    const name = input({ maxlength: 200, required: true });
    const specialty = input({ maxlength: 200, required: true });
    ask({
      title: t('doctor.add'), fields: [field(t('name'), name), field(t('specialty'), specialty)], action: t('save'),
      confirm: async () => go({ view: 'schedules', doctor: (await call('POST', '/api/admin/doctors', { body: { name: name.value, specialty: specialty.value }, patience: 0 })).id }),
    });
  }
}

function hours(doctor, onPublished) {
  const tomorrow = plusDays(dayOf(now()), 1);
  const from = input({ type: 'date', value: tomorrow, required: true });
  const to = input({ type: 'date' });
  const days = WEEKDAYS.map(day => ({ day, ...checkbox(nameOf(day), { checked: day !== 'SATURDAY' && day !== 'SUNDAY', 'aria-label': nameOf(day, 'long') }) }));
  const starts = input({ type: 'time', value: '09:00', required: true });
  const ends = input({ type: 'time', value: '17:00', required: true });
  const pauseFrom = input({ type: 'time', value: '12:00' });
  const pauseTo = input({ type: 'time', value: '13:00' });
  const minutes = input({ type: 'number', min: 1, max: 1440, value: 20, required: true });
  const seats = input({ type: 'number', min: 1, max: 10000, value: 1, required: true });
  const mode = select([['SLOTS', t('schedule.fixed')], ['FLEXIBLE', t('schedule.flexible')]], 'SLOTS', {
    onchange: () => [minutes, seats].forEach(one => { one.disabled = mode.value === 'FLEXIBLE'; }),
  });
  const outcome = h('div', { class: 'outcome', role: 'status' });

  function body(dryRun) {
    return {
      fromDate: from.value,
      ...(to.value ? { toDate: to.value } : {}),
      weekdays: days.filter(one => one.box.checked).map(one => one.day),
      startTime: starts.value,
      endTime: ends.value === '00:00' ? '24:00' : ends.value,
      ...(mode.value === 'FLEXIBLE' ? { mode: 'FLEXIBLE' } : { slotMinutes: Number(minutes.value), capacity: Number(seats.value) }),
      breaks: pauseFrom.value && pauseTo.value ? [{ startTime: pauseFrom.value, endTime: pauseTo.value }] : [],
      dryRun,
    };
  }

  async function publish(dryRun) {
    fill(outcome);
    try {
      const figures = await call('POST', `/api/admin/doctors/${doctor}/schedules`, { body: body(dryRun) });
      fill(outcome, h('p', { class: `banner ${dryRun ? '' : 'good'}` }, h('span', {}, t(dryRun ? 'schedule.would' : 'schedule.done', figures))));
      if (!dryRun) onPublished();
    } catch (error) {
      fill(outcome, explain(error));
    }
  }

  return h('form', { class: 'step', onsubmit: event => { event.preventDefault(); publish(event.submitter?.value === 'preview'); } },
    h('div', { class: 'row' }, field(t('schedule.from'), from), field(t('schedule.to'), to)),
    h('fieldset', { class: 'checks' }, h('legend', {}, t('schedule.days')), days.map(one => one.element)),
    h('div', { class: 'row' }, field(t('schedule.starts'), starts), field(t('schedule.ends'), ends), field(t('schedule.pauseFrom'), pauseFrom), field(t('schedule.pauseTo'), pauseTo)),
    h('div', { class: 'row' }, field(t('schedule.mode'), mode), field(t('schedule.minutes'), minutes), field(t('seats'), seats)),
    outcome,
    h('div', { class: 'actions' },
      h('button', { class: 'button', value: 'preview' }, t('preview')),
      h('button', { class: 'button primary', value: 'publish' }, t('publish'))));
}

/** Days off: first what they would touch, then the closure itself. */
export async function closuresView(place, at, go) {
  const doctors = await allDoctors();
  const names = new Map(doctors.map(one => [one.id, one.name]));
  const doctor = at.get('doctor') ?? '';
  const whose = select([['', t('closure.clinic')], ...doctors.map(one => [one.id, one.name])], doctor, { onchange: () => go({ view: 'closures', doctor: whose.value }) });
  const path = doctor ? `/api/admin/doctors/${doctor}/closures` : '/api/admin/closures';
  const list = loaded(() => read(path), found => table(t('closures.all'), [
    [t('closure.whose'), one => (one.doctorId ? names.get(one.doctorId) ?? one.doctorId : t('closure.clinic'))],
    [t('schedule.from'), one => one.from],
    [t('schedule.to'), one => one.to],
    [t('reason'), one => one.reason ?? ''],
    ['', one => button(t('closure.reopen'), () => ask({
      title: t('closure.reopenTitle'), action: t('closure.reopen'),
      confirm: () => call('DELETE', `/api/admin/closures/${one.id}`).then(() => list.show()),
    }), 'small')],
  ], found, t('closures.none')));

  const from = input({ type: 'date', value: plusDays(dayOf(now()), 1), required: true });
  const to = input({ type: 'date', value: plusDays(dayOf(now()), 1), required: true });
  const why = input({ maxlength: 200, required: true });
  const outcome = h('div', { class: 'outcome', role: 'status' });
  const body = more => ({ from: from.value, to: to.value, ...(why.value.trim() ? { reason: why.value.trim() } : {}), ...more });

  async function look() {
    fill(outcome);
    try {
      const effect = await call('POST', path, { body: body({ dryRun: true }) });
      fill(outcome,
        h('p', {}, t('closure.would', { n: effect.closedSlots })),
        button(t('closure.close'), () => close(false), 'primary'));
    } catch (error) {
      if (error.code !== 'CLOSURE_AFFECTS_APPOINTMENTS') {
        fill(outcome, explain(error));
        return;
      }
      fill(outcome, inTheWay(error.body), button(t('closure.force', { n: error.body.count }), () => close(true), 'danger'));
    }
  }

  async function close(force) {
    try {
      const done = await call('POST', path, { body: body({ force }) });
      const text = t('closure.done', { slots: done.closedSlots, appointments: done.cancelledAppointments });
      fill(outcome, h('p', { class: 'banner good' }, h('span', {}, text)));
      announce(text);
      list.show({ quietly: true });
    } catch (error) {
      // Somebody may have booked since the look: then the list of what is in the way is shown anew.
      if (error.code === 'CLOSURE_AFFECTS_APPOINTMENTS') await look();
      else fill(outcome, explain(error));
    }
  }

  fill(place,
    h('h1', {}, t('nav.closures')),
    h('div', { class: 'row' }, field(t('closure.whose'), whose)),
    section(t('closure.new'),
      h('form', { class: 'step', onsubmit: event => { event.preventDefault(); look(); } },
        h('div', { class: 'row' }, field(t('schedule.from'), from), field(t('closure.last'), to), field(t('reason'), why)),
        h('div', { class: 'actions' }, h('button', { class: 'button primary' }, t('closure.look')))),
      outcome),
    section(t('closures.all'), list.element));
  await list.show();
}
