import { h, fill } from '../shared/dom.js';
import { t } from '../shared/texts.js';
import { now } from '../shared/clinic.js';
import { dayOf, span } from '../shared/times.js';
import { call, read } from './api.js';
import { ask, button, checkbox, field, input, loaded, section, table } from './ui.js';

/** The rooms, and who has them on a day. */
export async function roomsView(place, at, go) {
  const date = at.get('date') ?? dayOf(now());
  const rooms = loaded(() => read('/api/admin/rooms'), found => table(t('nav.rooms'), [
    [t('name'), one => one.name],
    [t('seats'), one => String(one.seats), 'figure'],
    [t('description'), one => one.description ?? ''],
    [t('status'), one => t(one.active ? 'room.active' : 'room.inactive')],
    ['', one => button(t('change'), () => describe(one), 'small')],
  ], found, t('room.none')));
  const reservations = loaded(async () => {
    const [names, found] = await Promise.all([read('/api/admin/rooms'), read(`/api/admin/reservations?date=${date}`)]);
    return found.map(one => ({ ...one, room: names.find(room => room.id === one.roomId)?.name ?? one.roomId }));
  }, found => table(t('room.reservations'), [
    [t('time'), one => span(one.startAt, one.endAt), 'figure'],
    [t('room'), one => one.room],
    [t('name'), one => one.name],
    [t('status'), one => h('span', { class: `status ${one.status === 'ACTIVE' ? 'booked' : 'cancelled'}` }, t(`status.${one.status}`))],
    ['', one => one.status === 'ACTIVE' && button(t('cancel'), () => ask({
      title: t('room.cancel', { name: one.name }), why: true, danger: true, action: t('cancel.action'),
      confirm: why => call('DELETE', `/api/admin/reservations/${one.id}?reason=${encodeURIComponent(why)}`).then(() => reservations.show({ quietly: true })),
    }), 'small')],
  ], found, t('room.noReservations')));

  function describe(room) {
    const name = input({ maxlength: 100, required: true, value: room?.name ?? '' });
    const seats = input({ type: 'number', min: 1, max: 100000, required: true, value: room?.seats ?? 8 });
    const description = input({ maxlength: 500, value: room?.description ?? '' });
    const active = checkbox(t('room.active'), { checked: room?.active ?? true });
    ask({
      title: room ? room.name : t('room.add'),
      fields: [field(t('name'), name), field(t('seats'), seats), field(t('description'), description), active.element],
      action: t('save'),
      confirm: () => call(room ? 'PUT' : 'POST', room ? `/api/admin/rooms/${room.id}` : '/api/admin/rooms', {
        patience: room ? 15_000 : 0,
        body: { name: name.value, seats: Number(seats.value), active: active.box.checked, ...(description.value.trim() ? { description: description.value.trim() } : {}) },
      }).then(() => rooms.show({ quietly: true })),
    });
  }

  const day = input({ type: 'date', value: date, required: true, onchange: () => day.value && go({ view: 'rooms', date: day.value }) });
  fill(place,
    h('h1', {}, t('nav.rooms')),
    section(t('nav.rooms'), rooms.element, h('div', { class: 'actions' }, button(t('room.add'), () => describe(null)))),
    section(t('room.reservations'), h('div', { class: 'row' }, field(t('date'), day)), reservations.element));
  await Promise.all([rooms.show(), reservations.show()]);
}
