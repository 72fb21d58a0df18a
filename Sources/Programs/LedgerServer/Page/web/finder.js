// Searching everything by words: trips, expenses, places, vehicles, routines, devices, days and views.

import { all, get, known, status, wordsOf } from './api.js';
import { kindOf } from './byhand.js';
import { apart, dialog, h, put } from './dom.js';
import { claimed, clock, dayOf, distance, longDay, money, shortDay, way } from './formats.js';
import { views } from './pageparts.js';
import { language, t } from './texts.js';

/** The most results of a kind that are shown, and the time that the next letter may take, in milliseconds. */
const [MOST, PAUSE] = [6, 200];

/** Views that are about nothing in particular. */
const VIEWS = Object.keys(views).filter((name) => !['trip', 'day'].includes(name));
const SECTIONS = ['settings', 'rates', 'rules', 'access', 'safe'];

const holds = (text, words) => {
    const low = String(text ?? '').toLocaleLowerCase();
    return words.every((word) => low.includes(word));
};

const at = (view, name, value) => `#/${view}?${name}=${encodeURIComponent(value)}`;

/** The parts of a day in the order in which the language writes them. */
const orderOfDays = () => new Intl.DateTimeFormat(language()).formatToParts(new Date())
    .map(({ type }) => type).filter((type) => ['day', 'month', 'year'].includes(type));

/** The day that a text names, such as 2025-12-31, 31.12.2025, 31-12-2025 or 12/31/2025; nothing if it is none. */
export function dayIn(text) {
    const [, one, mark, other, third] = /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})$/.exec(text) ?? [];
    if (!mark) return null;
    const two = (part) => part.padStart(2, '0');
    const named = (year, month, day) => {
        const name = `${year}-${two(month)}-${two(day)}`;
        const date = new Date(`${name}T00:00Z`);
        return year.length === 4 && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(name) ? name : null;
    };
    if (one.length > 2) return named(one, other, third);
    // With slashes the month may stand first; where it cannot be one, it is the day.
    const isMonthFirst = mark === '/' && orderOfDays().indexOf('month') < orderOfDays().indexOf('day');
    return isMonthFirst ? named(third, one, other) ?? named(third, other, one)
        : named(third, other, one) ?? (mark === '/' ? named(third, one, other) : null);
}

/** The latest expenses in which the words stand; one more than is shown tells that there are more. */
function expensesOf(words, expenses) {
    return expenses.filter(({ kind, vehicle, merchant, notes, amount, currency, day }) =>
        holds([kindOf(kind), vehicle, merchant, notes, amount, currency, day].join(' '), words))
        .slice(0, MOST + 1).map((expense) => ({
            kind: t('nav.expenses'), href: `#/expenses?from=${expense.day}&to=${expense.day}`,
            text: [shortDay(expense.day), kindOf(expense.kind), money(expense.amount, expense.currency),
                expense.merchant, expense.notes].filter(Boolean).join(' · '),
        }));
}

/** What the page knows without asking for trips. */
async function namesOf(text, words, reading) {
    const [places, vehicles, routines, now] = await reading;
    const found = [];
    const add = (kind, href, name) => found.push({ kind, href, text: name });
    const day = dayIn(text);
    if (day) add(t('nav.day'), `#/day/${day}`, longDay(day));
    for (const name of VIEWS) {
        if (holds(t(`nav.${name}`), words)) add(t('finder.view'), `#/${name}`, t(`nav.${name}`));
    }
    for (const name of SECTIONS) {
        if (holds(t(`${name}.title`), words)) add(t('nav.settings'), '#/settings', t(`${name}.title`));
    }
    for (const { place, label } of places) {
        if (holds(`${place} ${label ?? ''}`, words)) add(t('place'), at('trips', 'place', place), label ?? place);
    }
    for (const { vehicle, plate, make, model } of vehicles) {
        if (holds([vehicle, plate, make, model].join(' '), words)) {
            add(t('vehicle'), at('trips', 'vehicle', vehicle), [vehicle, plate].filter(Boolean).join(' · '));
        }
    }
    for (const { routine, title } of routines) {
        const name = title ?? routine;
        if (holds(`${routine} ${title ?? ''}`, words)) add(t('finder.routine'), at('trips', 'text', name), name);
    }
    for (const { source } of now.sources) {
        if (holds(source, words)) add(t('source'), at('trips', 'source', source), source);
    }
    return found;
}

/** The latest trips in which the words stand; one more than is shown tells that there are more. */
async function tripsOf(text, signal) {
    const { items } = await get('/v1/trips', { text, limit: MOST + 1 }, signal);
    return items.map((trip) => ({
        kind: t('nav.trip'), href: `#/trip/${trip.id}`,
        text: [`${shortDay(dayOf(trip.started_at))} ${clock(trip.started_at)}`, way(trip),
            trip.purpose && apart(trip.purpose), trip.client && apart(trip.client),
            distance(claimed(trip))].filter(Boolean).join(' · '),
    }));
}

/** The first results of each kind, in their order. */
function fewOfEach(found) {
    const counts = new Map();
    return found.filter(({ kind }) => {
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
        return counts.get(kind) <= MOST;
    });
}

/** Shows the search; Enter opens what is chosen, arrow keys choose. */
export function find() {
    const words = h('input', {
        type: 'search', maxlength: 200, autocomplete: 'off', 'aria-label': t('finder.title'),
        placeholder: t('finder.hint'), 'aria-controls': 'found',
    });
    const list = h('ul', { class: 'plain found', id: 'found' });
    const said = h('p', { class: 'faint', role: 'status' });
    const shown = dialog(t('finder.title'), h('div', { role: 'search' }, words), said, list,
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => shown.close() }, t('close'))));
    let asking = new AbortController();
    let timer = 0;
    const reading = Promise.all([known('places'), known('vehicles'), known('routines'), status()]);
    // A search says what is wrong.
    reading.catch(() => {});

    // They are read once something is searched.
    let expenses = null;

    const links = () => [...list.querySelectorAll('a')];

    function show(every, text) {
        const found = fewOfEach(every);
        put(list, found.map(({ kind, href, text: its }) => h('li', null,
            h('a', { href, onclick: () => shown.close() },
                h('span', { class: 'faint' }, kind), ' ', h('span', null, its)))),
        text && [['trips', 'finder.alltrips'], ['changes', 'finder.changes']].map(([view, key]) =>
            h('li', null, h('a', { href: at(view, 'text', text), onclick: () => shown.close() }, t(key, { text })))));
        const key = found.length < every.length ? 'finder.least' : 'finder.count';
        put(said, text ? t(key, { n: found.length }) : '');
    }

    async function search() {
        asking.abort();
        asking = new AbortController();
        const { signal } = asking;
        const text = words.value.trim();
        if (!text) {
            show([], '');
            return;
        }
        try {
            const low = text.toLocaleLowerCase().split(/\s+/);
            expenses ??= all('/v1/expenses', {});
            const [names, trips, paid] = await Promise.all([
                namesOf(text, low, reading), tripsOf(text, signal), expenses.catch(() => []),
            ]);
            if (!signal.aborted) show([...names, ...trips, ...expensesOf(low, paid)], text);
        } catch (error) {
            if (!signal.aborted && error.name !== 'AbortError') put(said, wordsOf(error));
        }
    }

    words.addEventListener('input', () => {
        clearTimeout(timer);
        timer = setTimeout(search, PAUSE);
    });
    shown.addEventListener('keydown', (event) => {
        const all = links();
        const index = all.indexOf(document.activeElement);
        // In a field of a search, this key only empties it.
        if (event.key === 'Escape') shown.close();
        else if (event.key === 'ArrowDown') (all[index + 1] ?? all[0])?.focus();
        else if (event.key === 'ArrowUp') (all[index - 1] ?? words).focus();
        else if (event.key === 'Enter' && document.activeElement === words && all.length > 0) all[0].click();
        else return;
        event.preventDefault();
    });
    shown.addEventListener('close', () => {
        clearTimeout(timer);
        asking.abort();
    });
    words.focus();
}
