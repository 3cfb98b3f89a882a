import { clinic, now } from './clinic.js';
import { language, locale, t } from './texts.js';

const formats = new Map();

function format(zone, options, tag = locale) {
  const key = `${tag} ${zone} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(tag, { timeZone: zone, ...options }));
  return formats.get(key);
}

const TWELVE = { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' };
const TWENTY_FOUR = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY = { weekday: 'long', day: 'numeric', month: 'long' };
const SHORT_DAY = { weekday: 'short', day: 'numeric', month: 'short' };

/** The viewer's own zone. */
export function viewerZone() {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Twelve hours only where English is used to them: the halves of a day in other languages lengthen every time. */
function clock() {
  return language === 'en' && format('UTC', { hour: 'numeric' }).resolvedOptions().hour12 ? TWELVE : TWENTY_FOUR;
}

/** A time on the clinic's clock. */
export function time(instant) {
  return format(clinic.zone, clock()).format(new Date(instant));
}

/** From when to when on the clinic's clock. */
export function span(from, to) {
  return language === 'en'
    ? format(clinic.zone, clock()).formatRange(new Date(from), new Date(to))
    : `${time(from)}–${time(to)}`;
}

/** The clinic's day of an instant, such as 2026-10-12. */
export function dayOf(instant, zone = clinic.zone) {
  const parts = {};
  const options = { year: 'numeric', month: '2-digit', day: '2-digit' };
  for (const { type, value } of format(zone, options, 'en').formatToParts(new Date(instant))) parts[type] = value;
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The hour on the clinic's clock, 0 to 23. */
export function hourOf(instant) {
  return Number(format(clinic.zone, { hour: '2-digit', hourCycle: 'h23' }, 'en').format(new Date(instant)));
}

/** "Monday 12 October", of a date or an instant. */
export function day(value, short = false) {
  const options = short ? SHORT_DAY : DAY;
  return isDate(value) ? format('UTC', options).format(noon(value)) : format(clinic.zone, options).format(new Date(value));
}

export function month(date, style = 'long') {
  return format('UTC', { month: style }).format(noon(date));
}

export function monthAndYear(date) {
  return format('UTC', { month: 'long', year: 'numeric' }).format(noon(date));
}

export function weekday(date, style = 'short') {
  return format('UTC', { weekday: style }).format(noon(date));
}

/** Date and time on the clinic's clock. */
export function moment(instant, short = false) {
  return t('moment', { day: day(instant, short), time: time(instant) });
}

/** The same instant on the viewer's clock, or nothing if that shows the same. */
export function viewerTime(instant) {
  const zone = viewerZone();
  const date = new Date(instant);
  const here = format(zone, clock()).format(date);
  const sameDay = dayOf(instant, zone) === dayOf(instant);
  if (sameDay && here === time(instant)) return null;
  return sameDay ? here : t('moment', { day: format(zone, SHORT_DAY).format(date), time: here });
}

/** "in your time zone: 16:00" as a whole sentence, or nothing. */
export function viewerNote(instant) {
  const here = viewerTime(instant);
  return here && t('viewer.note', { time: here, zone: zoneName(viewerZone(), instant) });
}

/** What people call the zone at that moment. */
export function zoneName(zone, instant = now()) {
  const parts = format(zone, { timeZoneName: 'long' }).formatToParts(new Date(instant));
  return parts.find(part => part.type === 'timeZoneName')?.value ?? zone;
}

/** How long still: 4:59, 1:02:03, or days in words. */
export function countdown(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const days = Math.floor(seconds / 86400);
  const pad = value => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600) % 24;
  const rest = `${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
  if (days > 0) return t('countdown.days', { n: days, rest: `${hours}:${rest}` });
  return hours > 0 ? `${hours}:${rest}` : `${Math.floor(seconds / 60)}:${pad(seconds % 60)}`;
}

export function plusDays(date, days) {
  const moved = noon(date);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
}

/** 0 to 6, where 0 is the first day of the week where the viewer lives. */
export function placeInWeek(date) {
  return (noon(date).getUTCDay() - firstWeekday() + 7) % 7;
}

function firstWeekday() {
  const info = new Intl.Locale(locale);
  const first = (info.getWeekInfo?.() ?? info.weekInfo)?.firstDay ?? 1;
  return first % 7;
}

function isDate(value) {
  return typeof value === 'string' && value.length === 10;
}

function noon(date) {
  return new Date(`${date}T12:00:00Z`);
}

/** Calls back at once and every second, until the returned function is called. */
export function everySecond(action) {
  action();
  const timer = setInterval(action, 1000);
  return () => clearInterval(timer);
}
