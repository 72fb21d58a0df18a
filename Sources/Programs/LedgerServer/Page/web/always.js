// "Always like this": what was said about a trip becomes a routine, which the ledger applies by itself to
// the trips that go the same way.

import { decide, forget, get, known, trip as readTrip, wordsOf } from './api.js';
import { classes } from './classes.js';
import { settle, tell } from './decisions.js';
import { choice, dialog, field, h, put, toast } from './dom.js';
import { dayOf, shortDay, wall, weekday, word } from './formats.js';
import { nameButtons } from './nameplace.js';
import { readWaiting } from './waiting.js';
import { t } from './texts.js';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WORKDAYS = DAYS.slice(1, 6);
/** Before any trip that a phone can have recorded. */
const BEGINNING = Date.UTC(2000, 0, 1);
/** A name of so many letters has room in an entry, whatever they are. */
const MOST_LETTERS = 60;
/** What a trip says that holds for others of its way too. */
const KEPT = ['client', 'category'];

/** The ways that trips may go for a routine, each with what the decision says of it. */
function waysOf(trip, labelOf) {
    const [from, to] = [trip.start_place, trip.end_place];
    const [start, end] = [from && labelOf(from), to && labelOf(to)];
    return [
        from && to && from !== to
            && ['both', `${start} ↔ ${end}`, { from_place: from, to_place: to, both_ways: true }],
        from && to && ['way', `${start} → ${end}`, { from_place: from, to_place: to }],
        to && ['to', t('always.to', { place: end }), { to_place: to }],
        from && ['from', t('always.from', { place: start }), { from_place: from }],
    ].filter(Boolean);
}

/** The days on which they may start: all, the working days, or the one of this trip. */
function daysOf(trip) {
    const number = wall(trip.started_at).getUTCDay();
    const day = DAYS[number];
    return [
        ['all', t('always.everyday'), null],
        WORKDAYS.includes(day) && ['work', t('always.workdays'), WORKDAYS],
        ['one', t('always.oneday', { day: weekday((number + 6) % 7) }), [day]],
    ].filter(Boolean);
}

/** From which instant on they may start: this trip, its year, or the first one of all. */
function beginningsOf(trip) {
    const at = Date.parse(trip.started_at);
    const [year] = dayOf(trip.started_at).split('-');
    // The year begins when the ledger's clock says so.
    const utc = new Date(Date.UTC(Number(year), 0, 1));
    const ofYear = 2 * utc.getTime() - wall(utc.toISOString()).getTime();
    return [
        ['trip', t('always.since', { day: shortDay(dayOf(trip.started_at)) }), at],
        ['year', t('always.since', { day: shortDay(`${year}-01-01`) }), ofYear],
        ['all', t('always.ever'), BEGINNING],
    ];
}

/** A name that no routine has yet: a routine that is saved again would lose what it was. */
function freeName(words, routines) {
    const taken = new Set(routines.map(({ routine }) => routine));
    const name = [...words].slice(0, MOST_LETTERS).join('');
    if (!taken.has(name)) return name;
    for (let number = 2; ; number += 1) if (!taken.has(`${name} ${number}`)) return `${name} ${number}`;
}

/**
 * Takes a routine back with all that it decided. To remove it would leave the trips before as they are, so
 * it is first saved again for ways from a place to itself, of which it says nothing.
 */
async function takeBack({ routine, from_place: from, to_place: to, since }, onStored) {
    const place = from ?? to;
    try {
        await decide([{
            type: 'routine_saved', routine, class: 'unclassified', from_place: place, to_place: place,
            both_ways: false, since,
        }]);
    } catch (error) {
        toast(wordsOf(error));
        return;
    }
    await settle({ type: 'routine_removed', routine }, onStored, true);
}

/** Saves the routine, says how many trips it decided, and offers to take it back. */
async function save(decision) {
    const stored = () => {
        forget('routines');
        readWaiting(true);
    };
    try {
        const before = await get('/v1/inbox/count');
        const decided = await decide([decision]);
        const after = await get('/v1/inbox/count');
        const n = Math.max(0, before.unclassified - after.unclassified);
        tell(t('always.saved', { n }), decided, () => takeBack(decision, stored));
        stored();
    } catch (error) {
        toast(wordsOf(error));
    }
}

/** The form about a trip of which at least one end is a place. */
function makeForm(trip, { labelOf, routines, close }) {
    const [ways, days, beginnings] = [waysOf(trip, labelOf), daysOf(trip), beginningsOf(trip)];
    const pick = (rows) => choice(rows.map(([code, text]) => [code, text]), rows[0][0]);
    const chosen = (select, rows) => rows.find(([code]) => code === select.value);
    const way = pick(ways);
    const day = pick(days);
    const since = pick(beginnings);
    const code = choice(classes.filter((one) => one !== 'unclassified').map((one) => [one, word('class', one)]),
        trip.class === 'unclassified' ? 'business' : trip.class);
    const purpose = h('input', { maxlength: 200, autocomplete: 'off', value: trip.purpose ?? '' });
    const kept = KEPT.filter((name) => trip[name]);
    return h('form', { onsubmit: (event) => {
        event.preventDefault();
        const [, words, pattern] = chosen(way, ways);
        const [, , weekdays] = chosen(day, days);
        const [, , begin] = chosen(since, beginnings);
        close();
        save({
            type: 'routine_saved', routine: freeName(words, routines), class: code.value, ...pattern,
            ...(weekdays ? { days: weekdays } : {}),
            ...(purpose.value.trim() ? { purpose: purpose.value.trim() } : {}),
            ...Object.fromEntries(kept.map((name) => [name, trip[name]])), since: new Date(begin).toISOString(),
        });
    } },
    h('p', null, t('always.text')),
    field(t('always.which'), way), field(t('always.days'), day), field(t('always.begin'), since),
    h('div', { class: 'fields' }, field(t('class'), code), field(t('purpose'), purpose)),
    kept.length > 0 && h('p', { class: 'faint' }, kept.map((name) => `${t(name)}: ${trip[name]}`).join(' · ')),
    h('div', { class: 'buttons' },
        h('button', { class: 'main' }, t('always.save')),
        h('button', { type: 'button', onclick: close }, t('cancel'))));
}

/** Asks for which trips that is to hold which was said about one, and has the ledger decide so by itself. */
export async function alwaysLikeThis(id) {
    const part = h('div', null, h('p', { class: 'faint' }, t('reading')));
    const shown = dialog(t('always.title'), part);
    const close = () => shown.close();
    try {
        const [{ trip }, places, routines] = await Promise.all([
            readTrip(id), known('places'), known('routines'),
        ]);
        if (!shown.open) return;
        const labelOf = (name) => places.find(({ place }) => place === name)?.label ?? name;
        // A place that is named meanwhile is one to choose at once.
        const buttons = nameButtons(trip, (name) => { if (name) alwaysLikeThis(id); }, close);
        const isOfPlaces = Boolean(trip.start_place || trip.end_place);
        const form = isOfPlaces && makeForm(trip, { labelOf, routines, close });
        put(part,
            buttons.length > 0 && h('p', { class: 'faint' }, t(isOfPlaces ? 'always.oneend' : 'always.noplace')),
            buttons.length > 0 && h('div', { class: 'buttons' }, buttons),
            form || h('div', { class: 'buttons' },
                h('button', { type: 'button', onclick: close }, t('cancel'))));
        (form || part).querySelector('select, button')?.focus();
    } catch (error) {
        put(part, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)),
            h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: close }, t('close'))));
    }
}
