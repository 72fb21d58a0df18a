// Numbers, dates and names as a reader of the chosen language writes them, in the ledger's units.

import { settings } from './api.js';
import { apart } from './direction.js';
import { language, t, has } from './texts.js';

const METERS = { km: 1000, mi: 1609.344 };
const formats = new Map();

// Making a format is slow; a list of trips needs thousands of them.
function format(Kind, options) {
    const key = `${Kind.name} ${language()} ${JSON.stringify(options)}`;
    if (!formats.has(key)) formats.set(key, new Kind(language(), options));
    return formats.get(key);
}

const number = (value, options) => format(Intl.NumberFormat, options).format(value);

/** The wall clock at a time, as if it were UTC: by its own offset, else in the ledger's zone. */
export function wall(time) {
    if (!time.endsWith('Z')) return new Date(`${time.slice(0, 19)}Z`);
    const parts = format(Intl.DateTimeFormat, {
        timeZone: settings.time_zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit',
        hour: '2-digit', minute: '2-digit', second: '2-digit', calendar: 'iso8601', numberingSystem: 'latn',
    }).formatToParts(new Date(time));
    const of = (type) => parts.find((part) => part.type === type).value.padStart(2, '0');
    const day = [of('year'), of('month'), of('day')].join('-');
    return new Date(`${day}T${of('hour')}:${of('minute')}:${of('second')}Z`);
}

const QUARTER = 15 * 60 * 1000;
const DAY = 96 * QUARTER;
const zoneOffsets = new Map();

// Milliseconds by which the ledger's zone is ahead of UTC at an instant; clocks change on a quarter of an hour.
function zoneOffset(instant) {
    const start = Math.floor(instant / QUARTER) * QUARTER;
    const key = `${settings.time_zone} ${start}`;
    if (!zoneOffsets.has(key)) zoneOffsets.set(key, wall(new Date(start).toISOString()).getTime() - start);
    return zoneOffsets.get(key);
}

// Whether the zone's clocks show at another instant what they show at this one: the hour that comes twice.
const showsAgain = (instant) => [-DAY, DAY].some((day) => {
    const [here, other] = [zoneOffset(instant), zoneOffset(instant + day)];
    return here !== other && zoneOffset(instant + here - other) === other;
});

// Milliseconds by which the clock of a time is ahead of UTC.
const ahead = (time) => (time.endsWith('Z') ? zoneOffset(Date.parse(time))
    : wall(time).getTime() - Math.floor(Date.parse(time) / 1000) * 1000);

// The instant at which the ledger's zone shows a wall clock, given as if it were UTC; where clocks leave it out,
// the one at which they are put forward.
function instantOf(shown) {
    const guess = shown - zoneOffset(shown - zoneOffset(shown));
    return Math.max(guess, shown - zoneOffset(guess));
}

const midnight = (day) => Date.parse(`${day}T00:00Z`);

/** How many seconds a day of the ledger's zone has: an hour more or less where clocks change. */
export const lengthOfDay = (day) => (instantOf(midnight(day) + DAY) - instantOf(midnight(day))) / 1000;

/** The seconds from the beginning of a day until the ledger's zone shows an hour of it. */
export const secondsUntil = (day, hour) =>
    (instantOf(midnight(day) + hour * 4 * QUARTER) - instantOf(midnight(day))) / 1000;

/** The seconds from the beginning of a day to a time; one of another zone stands where its own clock says. */
export function secondsInto(day, time) {
    const instant = Date.parse(time);
    const isOurs = ahead(time) === zoneOffset(instant);
    return ((isOurs ? instant : instantOf(wall(time).getTime())) - instantOf(midnight(day))) / 1000;
}

/** The time so many seconds after a day began. */
export const timeAt = (day, seconds) => new Date(instantOf(midnight(day)) + seconds * 1000).toISOString();

/** What stands after a time: its offset where it is not the ledger's then, or in the hour that comes twice. */
function beside(time) {
    const instant = Date.parse(time);
    const offset = ahead(time);
    if (offset === zoneOffset(instant) && !showsAgain(instant)) return '';
    const minutes = Math.abs(Math.round(offset / 60000));
    const two = (part) => String(part).padStart(2, '0');
    return ` ${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const civil = (date, options) => format(Intl.DateTimeFormat, { timeZone: 'UTC', ...options }).format(date);

/** The local day of a time, such as 2026-03-14. */
export const dayOf = (time) => wall(time).toISOString().slice(0, 10);

export const longDay = (day) => civil(new Date(`${day}T00:00Z`),
    { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
export const shortDay = (day) => civil(new Date(`${day}T00:00Z`), { dateStyle: 'medium' });
export const month = (name, width = 'short') => civil(new Date(`${name}-01T00:00Z`), { month: width });
export const weekday = (index) => civil(new Date(Date.UTC(2024, 0, 1 + index)), { weekday: 'short' });
const CLOCK = { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' };
export const clock = (time) => format(Intl.DateTimeFormat, CLOCK).format(wall(time)) + beside(time);

/** A day without its year, such as 14 Mar; the year too if it is another one than that of `from`. */
export function nextDay(time, from) {
    const [day, year] = [dayOf(time), dayOf(time).slice(0, 4)];
    return year === dayOf(from).slice(0, 4) ? civil(new Date(`${day}T00:00Z`), { day: 'numeric', month: 'short' })
        : shortDay(day);
}

/** The end of something that began at `from`: its clock, and its day if that is another one. */
export const endClock = (from, to) =>
    (dayOf(from) === dayOf(to) ? clock(to) : `${nextDay(to, from)}, ${clock(to)}`);

/** The times of start and end: what both clocks share is said once, and another day of the end is said. */
export function clocks(from, to) {
    if (!to) return `${clock(from)}–`;
    const [start, end] = [wall(from), wall(to)];
    const isOneDay = dayOf(from) === dayOf(to);
    if (!isOneDay || end < start || beside(from) !== beside(to)) return `${clock(from)} – ${endClock(from, to)}`;
    return format(Intl.DateTimeFormat, CLOCK).formatRange(start, end) + beside(from);
}
/** An hour of a day, as a clock shows it. */
export const clockHour = (hour) => civil(new Date(hour * 4 * QUARTER), { hour: 'numeric' });
export const clockSeconds = (time) => civil(wall(time), { timeStyle: 'medium' }) + beside(time);
export const moment = (time) => civil(wall(time), { dateStyle: 'medium', timeStyle: 'short' }) + beside(time);

/** Today in the ledger's zone. */
export const today = () => dayOf(new Date().toISOString());

/** A distance: two digits where it is short. */
export function distance(meters) {
    const value = meters / METERS[settings.units];
    const digits = value < 100 ? 1 : 0;
    return number(value, {
        style: 'unit', unit: settings.units === 'mi' ? 'mile' : 'kilometer',
        minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
}

/** A length in metres; from ten kilometres on it is a distance. */
export const meters = (value) => (value >= 10000 ? distance(value) : number(value, {
    style: 'unit', unit: 'meter', maximumFractionDigits: value < 10 ? 1 : 0,
}));

/** A speed of meters per second. */
export const speed = (metersPerSecond) => number(metersPerSecond * 3600 / METERS[settings.units], {
    style: 'unit', unit: settings.units === 'mi' ? 'mile-per-hour' : 'kilometer-per-hour',
    maximumFractionDigits: 0,
});

/** The same as a bare number, for the axis of a chart. */
export const speedNumber = (metersPerSecond) => metersPerSecond * 3600 / METERS[settings.units];
export const unitMeters = () => METERS[settings.units];
export const count = (value) => number(value, { maximumFractionDigits: 2 });
export const money = (amount, currency) => number(Number(amount), { style: 'currency', currency });
export const share = (value) => number(value, { style: 'percent', maximumFractionDigits: 0 });

const unit = (value, name) => number(value, { style: 'unit', unit: name, unitDisplay: 'short' });

/** A length of time: seconds below a minute, else minutes, and hours with minutes. */
export function duration(seconds) {
    if (seconds < 60) return unit(Math.max(0, Math.floor(seconds)), 'second');
    const minutes = Math.round(seconds / 60);
    if (minutes < 60) return unit(minutes, 'minute');
    const rest = minutes % 60;
    const hours = Math.floor(minutes / 60);
    if (hours >= 48) return unit(Math.floor(hours / 24), 'day');
    return unit(hours, 'hour') + (rest ? ` ${unit(rest, 'minute')}` : '');
}

/** A sum of driving: in hours however long, and in minutes below the first. */
export const hours = (seconds) => (seconds < 3570 ? duration(seconds) : unit(Math.round(seconds / 3600), 'hour'));

/** How long ago a moment was, in words. */
export function ago(milliseconds) {
    const seconds = Math.max(0, Math.round(milliseconds / 1000));
    const relative = format(Intl.RelativeTimeFormat, { style: 'short' });
    if (seconds < 90) return relative.format(-seconds, 'second');
    if (seconds < 5400) return relative.format(-Math.round(seconds / 60), 'minute');
    if (seconds < 129600) return relative.format(-Math.round(seconds / 3600), 'hour');
    if (seconds < 5184000) return relative.format(-Math.round(seconds / 86400), 'day');
    return relative.format(-Math.round(seconds / 2629800), 'month');
}

/** Seconds between two times. */
export const secondsBetween = (from, to) => (Date.parse(to) - Date.parse(from)) / 1000;

/** The metres of a trip that count: what a person set, else what was measured. */
export const claimed = (trip) => trip.adjusted_distance_m ?? trip.distance_m;

/** Whether a trip is part of sums: not while it runs, nor where another device's record of its drive counts. */
export const counts = (trip) => trip.status === 'completed' && !trip.left_out;

/** A word of the ledger in the reader's language; as it is if the page does not know it. */
export const word = (kind, code) => (has(`${kind}.${code}`) ? t(`${kind}.${code}`) : String(code));

/** What a field of a trip or of a setting is called; one of the ledger's own is named as it is there. */
export const fieldName = (name) => {
    const key = [`changed.${name}`, name].find(has);
    return key ? t(key) : name.replace(/^fields\./, '').replaceAll('_', ' ');
};

/** Why the decision of a line of a history has no effect; nothing if it has one. */
export const noEffect = ({ without_effect: reason }) =>
    (reason ? t('changes.noeffect', { why: word('obstacle', reason) }) : '');

/** Where a trip went, in words: each name by itself, so that the arrow leads from the first to the second. */
export const way = ({ from, to }) => [from, to].map((name) => apart(name ?? t('unknown'))).join(' → ');
