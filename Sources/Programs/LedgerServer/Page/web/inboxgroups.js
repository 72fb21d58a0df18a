// Trips of the inbox that are alike, decided about all at once.

import { known, list, wordsOf } from './api.js';
import { dialog, h, put } from './dom.js';
import { claimed, dayOf, distance, shortDay, way, word } from './formats.js';
import { nameOf } from './inboxdecisions.js';
import { wayKey } from './suggestions.js';
import { t } from './texts.js';

/** What is looked through for trips of one way: so many pages of so many. */
const LONG_PAGE = 500;
const MOST_PAGES = 40;
/** What one press decides at most; the next press goes on. */
const MOST_AT_ONCE = 1000;

/** Trips that wait for a class, page by page, each with the tag of the page that it was on. */
function waiting(query, signal) {
    let cursor = null;
    let isDone = false;
    return {
        get isDone() { return isDone; },
        async next() {
            const page = await list('/v1/trips', {
                ...query, class: 'unclassified', status: 'completed', limit: LONG_PAGE, cursor,
            }, signal);
            cursor = page.next_cursor;
            isDone = !page.has_more;
            return page.items.map((trip) => ({ ...trip, tag: page.tag }));
        },
    };
}

/** The name of the place that words are the label of; null if they were reported. */
async function placeOf(words) {
    const places = await known('places');
    return places.find(({ place, label }) => (label ?? place) === words)?.place ?? null;
}

/** Asks whether all trips of a way get a class, and says first which they are. */
export async function askForAll(group, code, routine, run, signal) {
    const text = h('p', { 'aria-live': 'polite' }, t('reading'));
    const buttons = h('div', { class: 'buttons' });
    const shown = dialog(t('inbox.all', { way: group.name }), text, buttons);
    const cancel = h('button', { type: 'button', onclick: () => shown.close() }, t('cancel'));
    put(buttons, cancel);
    const trips = [];
    try {
        const source = waiting({ place: await placeOf(group.start) }, signal);
        for (let n = 0; n < MOST_PAGES && !source.isDone && trips.length < MOST_AT_ONCE; n += 1) {
            if (!shown.open) return;
            trips.push(...(await source.next()).filter((trip) => group.has(trip)));
        }
        trips.splice(MOST_AT_ONCE);
    } catch (error) {
        if (!signal.aborted) put(text, wordsOf(error));
        return;
    }
    if (!shown.open) return;
    if (trips.length === 0) { put(text, t('inbox.empty')); return; }
    const days = trips.map(({ started_at: at }) => dayOf(at)).sort();
    put(text, t('inbox.alltext', {
        n: trips.length, from: shortDay(days[0]), to: shortDay(days.at(-1)),
        distance: distance(trips.reduce((sum, trip) => sum + claimed(trip), 0)), name: nameOf(code, routine),
    }));
    const go = h('button', {
        type: 'button', class: 'main',
        onclick: () => { shown.close(); run(trips, code, routine); },
    }, t('inbox.allgo', { n: trips.length, name: nameOf(code, routine) }));
    put(buttons, go, cancel);
    go.focus();
}

/** Trips that are alike, of those that were read: the same routine, or the same way. */
export function groupsOf(trips, suggester) {
    const groups = new Map();
    for (const trip of trips) {
        const key = wayKey(trip);
        if (!key) continue;
        const group = groups.get(key) ?? {
            name: way(trip), start: trip.from, trips: [], has: (one) => wayKey(one) === key,
            suggestion: suggester.of(trip),
        };
        group.trips.push(trip);
        groups.set(key, group);
    }
    return [...groups.values()].filter((group) => group.trips.length > 2)
        .sort((a, b) => b.trips.length - a.trips.length).slice(0, 4);
}

export function groupElement(group, isAll, ask) {
    const { suggestion } = group;
    const codes = ['business', 'commute', 'personal'].filter((code) => code !== suggestion?.class);
    return h('li', { class: 'group' },
        h('p', null, h('strong', null, group.name), ' ',
            h('span', { class: 'faint' }, t(isAll ? 'inbox.alike' : 'inbox.atleast', {
                n: group.trips.length,
            }))),
        h('div', { class: 'buttons' },
            suggestion && h('button', {
                type: 'button', class: 'main',
                onclick: () => ask(group, suggestion.class, suggestion.routine),
            }, nameOf(suggestion.class, suggestion.routine)),
            codes.map((code) => h('button', {
                type: 'button', 'aria-label': `${word('class', code)}: ${group.name}`,
                onclick: () => ask(group, code, null),
            }, word('class', code)))));
}
