// The heat map of a year: a field for each day, the darker the further was driven. A press on a day, or its
// key, leads to it.

import { h, put, svg } from './dom.js';
import { distance, longDay, month, shortDay, weekday } from './formats.js';
import { t } from './texts.js';

const SIZE = 12;
const LEFT = 28;
const TOP = 16;
const WEEK = 7;
const DAY_MILLISECONDS = 86400000;
const SHADES = 4;

const nameOf = (date) => date.toISOString().slice(0, 10);

/** The days of a year by their names, such as 2026-03-14, each with the place of its field. */
function fieldsOf(year) {
    const first = new Date(Date.UTC(year, 0, 1));
    const shift = (first.getUTCDay() + 6) % WEEK;
    const fields = [];
    for (let day = new Date(first); day.getUTCFullYear() === year; day.setUTCDate(day.getUTCDate() + 1)) {
        const number = Math.round((day - first) / DAY_MILLISECONDS) + shift;
        fields.push({
            name: nameOf(day), isFirst: day.getUTCDate() === 1,
            x: LEFT + Math.floor(number / WEEK) * SIZE, y: TOP + number % WEEK * SIZE,
        });
    }
    return fields;
}

/** The steps between days that keys make: a column of the heat map is a week. */
const STEPS = {
    ArrowUp: -1, ArrowDown: 1, ArrowLeft: -WEEK, ArrowRight: WEEK, PageUp: -4 * WEEK, PageDown: 4 * WEEK,
};

/**
 * Makes the heat map.
 *
 * @param days rows of totals by the names of their days
 */
export function makeCalendar(year, days) {
    const lengths = [...days.values()].map((row) => row.distance_m).sort((a, b) => a - b);
    const shade = (meters) => 1 + Math.min(SHADES - 1, Math.floor(SHADES * lengths.findIndex((one) =>
        one >= meters) / Math.max(1, lengths.length)));
    const fields = fieldsOf(year);
    const said = ({ name }, write = shortDay) => {
        const row = days.get(name);
        return `${write(name)}: ${row ? `${distance(row.distance_m)}, ${
            t('roads.same', { n: row.trips })}` : t('totals.nothing')}`;
    };
    const words = h('output', { class: 'reading' });
    const rects = fields.map((field) => svg('rect', {
        class: `shade-${days.get(field.name)?.distance_m > 0 ? shade(days.get(field.name).distance_m) : 0}`,
        id: `day-${field.name}`, role: 'option', 'aria-selected': 'false', 'aria-label': said(field),
        'data-day': field.name, x: field.x, y: field.y, width: SIZE - 2, height: SIZE - 2, rx: 2,
    }, svg('title', null, said(field))));
    const months = fields.filter(({ isFirst }) => isFirst)
        .map(({ name, x }) => svg('text', { x, y: 11, 'aria-hidden': 'true' }, month(name.slice(0, 7))));
    const weekdays = [0, 2, 4].map((index) =>
        svg('text', { x: 0, y: TOP + index * SIZE + 9, 'aria-hidden': 'true' }, weekday(index)));
    const picture = svg('svg', {
        viewBox: `0 0 ${LEFT + 2 + 54 * SIZE} ${TOP + 2 + WEEK * SIZE}`, class: 'calendar', role: 'listbox',
        tabindex: '0', 'aria-label': t('totals.calendar', { n: days.size, year: String(year) }),
    }, rects, months, weekdays);
    let index = Math.max(0, fields.findLastIndex(({ name }) => days.has(name)));
    const choose = (next) => {
        rects[index].setAttribute('aria-selected', 'false');
        index = Math.max(0, Math.min(fields.length - 1, next));
        rects[index].setAttribute('aria-selected', 'true');
        picture.setAttribute('aria-activedescendant', rects[index].id);
        rects[index].scrollIntoView({ block: 'nearest', inline: 'nearest' });
        put(words, said(fields[index], longDay));
    };
    const open = (name) => { location.hash = `#/day/${name}`; };
    picture.addEventListener('click', ({ target }) => { if (target.dataset.day) open(target.dataset.day); });
    picture.addEventListener('pointermove', ({ target }) => {
        const field = fields.find(({ name }) => name === target.dataset.day);
        if (field) put(words, said(field, longDay));
    });
    picture.addEventListener('focus', () => choose(index));
    picture.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const next = { Home: 0, End: fields.length - 1 }[event.key]
            ?? (Object.hasOwn(STEPS, event.key) ? index + STEPS[event.key] : null);
        if (next !== null) choose(next);
        else if (event.key === 'Enter' || event.key === ' ') open(fields[index].name);
        else return;
        event.preventDefault();
    });
    return [h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': t('totals.days') }, picture), words];
}
