// What the ledger decided by itself: the last trips that got their class by a routine, and what takes that
// back, for one trip or for all that are to come.

import { forget, known, list } from './api.js';
import { ask } from './ask.js';
import { settle } from './decisions.js';
import { focusInstead, h, put } from './dom.js';
import { claimed, clocks, dayOf, distance, shortDay, way, word } from './formats.js';
import { nameOf } from './inboxdecisions.js';
import { t } from './texts.js';

const MOST_TRIPS = 40;
/** What a routine can say of a trip beside its class. */
const MEMBERS = ['title', 'purpose', 'notes', 'category', 'client', 'vehicle', 'mode'];
/** Changes that come together are read once, after so many milliseconds. */
const SOON = 500;

/** The decision that makes a trip again as if its routine were not for it. */
const withdrawal = (trip, routine) => ({
    type: 'details_edited', trip: trip.id, class: 'unclassified',
    ...Object.fromEntries(MEMBERS.filter((name) => routine[name] !== undefined && trip[name] === routine[name])
        .map((name) => [name, null])),
});

/**
 * Makes the part; it is hidden while no routine applies by itself.
 *
 * @param decide carries a decision of the inbox out, which can be taken back there
 */
export function makeByRule({ decide, signal }) {
    const words = h('summary');
    const groups = h('div');
    const element = h('details', { class: 'alike by-rule', hidden: true }, words, groups);
    let trips = [];
    let routines = [];

    const rowOf = (trip, routine) => {
        const name = `${way(trip)}, ${shortDay(dayOf(trip.started_at))}`;
        return h('li', { class: 'by-rule-row', 'data-trip': trip.id },
            h('a', { href: `#/trip/${trip.id}` },
                h('span', { class: `swatch class-${trip.class}`, 'aria-hidden': 'true' }), ' ',
                `${word('class', trip.class)} · ${shortDay(dayOf(trip.started_at))}, ${
                    clocks(trip.started_at, trip.ended_at)}, ${way(trip)}, ${distance(claimed(trip))}`),
            h('button', {
                type: 'button', 'aria-label': `${t('byrule.not')}: ${name}`,
                onclick: () => takeBack(trip, routine),
            }, t('byrule.not')));
    };

    const groupOf = (routine) => {
        const its = trips.filter((trip) => trip.routine === routine.routine);
        return its.length > 0 && h('section', null,
            h('h3', null, nameOf(null, routine)),
            h('ul', { class: 'plain' }, its.map((trip) => rowOf(trip, routine))),
            h('div', { class: 'buttons' }, h('button', {
                type: 'button', class: 'quiet', 'aria-label': `${t('byrule.stop')}: ${nameOf(null, routine)}`,
                onclick: () => stop(routine),
            }, `${t('byrule.stop')}…`)));
    };

    function draw() {
        const hadFocus = element.contains(document.activeElement);
        element.hidden = trips.length === 0;
        put(words, t('byrule.title', { n: trips.length }));
        put(groups, h('p', { class: 'faint' }, t('byrule.text')), routines.map(groupOf));
        if (hadFocus) focusInstead(element.hidden ? null : words);
    }

    /** Reads the last trips that routines decided; what a person has said otherwise since is not theirs. */
    async function read() {
        routines = (await known('routines')).filter((one) => one.from_place || one.to_place);
        if (signal.aborted) return;
        const page = routines.length === 0 ? { items: [] }
            : await list('/v1/trips', { by_rule: 'yes', limit: MOST_TRIPS }, signal);
        const classOf = new Map(routines.map((one) => [one.routine, one.class]));
        trips = page.items.map((trip) => ({ ...trip, tag: page.tag, waits_for: trip.waits_for ?? null }))
            .filter((trip) => classOf.get(trip.routine) === trip.class && trip.class !== 'unclassified');
        draw();
    }

    function takeBack(trip, routine) {
        trips = trips.filter(({ id }) => id !== trip.id);
        draw();
        decide({
            trips: [trip], decisions: [withdrawal(trip, routine)],
            said: `${word('class', 'unclassified')}: ${way(trip)}`,
        });
    }

    async function stop(routine) {
        const answer = await ask({
            title: t('byrule.stop'), action: t('byrule.stop'), isDangerous: true,
            text: [t('byrule.stoptext', { name: nameOf(null, routine) })],
        });
        if (answer === null) return;
        await settle({ type: 'routine_removed', routine: routine.routine }, () => {
            forget('routines');
            readSoon();
        });
    }

    let reading = null;
    function readSoon() {
        reading ??= setTimeout(() => {
            reading = null;
            read().catch(() => { /* The next change, or the end of the session, says more. */ });
        }, SOON);
    }
    signal.addEventListener('abort', () => clearTimeout(reading));
    read().catch(() => { /* The inbox does without it; the list of trips shows what it would. */ });
    return {
        element,
        /** A trip was changed: it may be one of them, or be one no more. */
        hear(trip) {
            const isListed = trips.some(({ id }) => id === trip.id);
            if (isListed || trip.flags?.includes('by_rule')) readSoon();
        },
    };
}
