// Trips of the inbox that have a class, one line each: business trips without a purpose, which a
// log lacks, so that it is asked for here; and trips of whose drive there is another trip.

import { wordsOf } from './api.js';
import { apart, focusInstead, h, put, redraw, toast } from './dom.js';
import { claimed, clock, clocks, dayOf, distance, shortDay, way } from './formats.js';
import { makeSource, saying } from './inboxdecisions.js';
import { withTwins, withoutPurpose } from './waiting.js';
import { t } from './texts.js';

/** More rows than these are no help: the rest comes when some are done. */
const MOST_ROWS = 100;
/** What is looked through for them when the part is opened: so many pages of so many. */
const PAGE = 500;
const MOST_PAGES = 20;

/** What the controls of a trip are told apart by. */
const nameOf = (trip) =>
    `${way(trip)}, ${shortDay(dayOf(trip.started_at))}, ${clock(trip.started_at)}`;

/** A link to a trip, which says when and where it was. */
const linkTo = (trip) => h('a', { href: `#/trip/${trip.id}` },
    `${shortDay(dayOf(trip.started_at))}, ${clocks(trip.started_at, trip.ended_at)}, ${
        way(trip)}, ${distance(claimed(trip))}`);

/** The order of the rows. */
const newestFirst = (one, other) =>
    Date.parse(other.started_at) - Date.parse(one.started_at);

/** Looks for trips that wait for something, among all that waits, when their part is opened. */
function readOnceOpen(part, what, signal) {
    const readAll = async () => {
        const source = makeSource(signal, PAGE);
        for (let n = 0; n < MOST_PAGES && !source.isDone && part.trips.length < MOST_ROWS; n += 1) {
            part.add((await source.next()).filter((trip) => trip.waits_for === what));
        }
    };
    part.element.addEventListener('toggle', () => readAll().catch((error) => {
        if (!signal.aborted) toast(wordsOf(error));
    }), { once: true });
}

function rowOf(trip, decide) {
    const name = nameOf(trip);
    const text = h('input', {
        maxlength: 200, list: 'known-purposes', required: true, 'aria-label': `${t('purpose')}: ${name}`,
        placeholder: t('purpose'),
    });
    return h('li', { class: 'purpose-row', 'data-trip': trip.id },
        linkTo(trip),
        h('form', { onsubmit: (event) => {
            event.preventDefault();
            if (text.value.trim()) decide(trip, text.value.trim());
        } }, text, h('button', { 'aria-label': `${t('save')}: ${name}` }, t('save'))));
}

/**
 * Makes the part.
 *
 * @param decide carries a decision of the inbox out
 * @param purposes what earlier trips were for, to choose from
 */
export function makePurposes({ decide, purposes, signal }) {
    const words = h('summary');
    const rows = h('ul', { class: 'plain', 'aria-label': t('purpose') });
    const element = h('details', { class: 'alike purposes', hidden: true }, words,
        h('datalist', { id: 'known-purposes' }, purposes.map((value) => h('option', { value }))), rows);
    const elements = new Map();
    let trips = [];

    const sayHowMany = () => {
        const n = Math.max(trips.length, withoutPurpose() ?? 0);
        const hadFocus = element.contains(document.activeElement);
        element.hidden = n === 0;
        put(words, t('inbox.purposes', { n }));
        if (!hadFocus || n > 0) return;
        document.activeElement.blur();
        focusInstead(null);
    };

    function draw() {
        const shown = trips.slice(0, MOST_ROWS);
        const ids = new Set(shown.map(({ id }) => id));
        for (const [id, row] of elements) if (!ids.has(id)) { row.remove(); elements.delete(id); }
        let before = null;
        for (const trip of [...shown].reverse()) {
            if (!elements.has(trip.id)) {
                elements.set(trip.id, rowOf(trip, decideAbout));
                rows.insertBefore(elements.get(trip.id), before);
            }
            before = elements.get(trip.id);
        }
        sayHowMany();
    }

    function add(more) {
        const fresh = more.filter((trip) => !part.has(trip));
        if (fresh.length === 0) return;
        trips = [...trips, ...fresh].sort(newestFirst);
        draw();
    }

    /** Takes trips out; the focus goes on to the next one if it was on one of them. */
    function remove(some) {
        const gone = new Set(some.map(({ id }) => id));
        const kept = trips.filter(({ id }) => !gone.has(id));
        if (kept.length === trips.length) return;
        const focused = document.activeElement?.closest('.purpose-row')?.dataset.trip;
        const index = trips.findIndex(({ id }) => id === focused);
        const next = trips.slice(index + 1).find(({ id }) => !gone.has(id)) ?? kept.at(-1);
        trips = kept;
        draw();
        if (index < 0 || !gone.has(focused)) return;
        elements.get(next?.id)?.querySelector('input').focus();
        focusInstead(element.hidden ? null : words);
    }

    function decideAbout(trip, purpose) {
        decide({ trips: [trip], said: `${t('purpose')}: ${apart(purpose)}`, decisions: [saying(trip, purpose)] });
    }

    window.addEventListener('waitingchanged', sayHowMany, { signal });
    const part = {
        element, add, remove,
        focus: ({ id }) => elements.get(id)?.querySelector('input').focus(),
        get trips() { return trips; },
        has: ({ id }) => trips.some((trip) => trip.id === id),
    };
    readOnceOpen(part, 'purpose', signal);
    return part;
}

/** A trip with what is asked about it and its twin; the answer is given where both are shown. */
const twinRowOf = (trip) => h('li', { class: 'twin-row', 'data-trip': trip.id },
    linkTo(trip),
    h('p', null, t(`inbox.twin.${trip.asked}`), ' ',
        h('a', { href: `#/trip/${trip.twin}`, 'aria-label': `${t('trip.other')}: ${nameOf(trip)}` },
            t('trip.other'))));

/** Makes the part about trips of whose drive there is another trip. */
export function makeTwins({ signal }) {
    const words = h('summary');
    const rows = h('ul', { class: 'plain', 'aria-label': t('trip.overlaps') });
    const element = h('details', { class: 'alike twins', hidden: true }, words, rows);
    let trips = [];

    function draw() {
        redraw(() => [element], () => {
            const n = Math.max(trips.length, withTwins() ?? 0);
            element.hidden = n === 0;
            put(words, t('inbox.twins', { n }));
            put(rows, trips.slice(0, MOST_ROWS).map(twinRowOf));
        });
        if (!element.hidden || !element.contains(document.activeElement)) return;
        document.activeElement.blur();
        focusInstead(null);
    }

    const part = {
        element,
        /** Adds trips; one that is there may be asked about otherwise now. */
        add(more) {
            if (more.length === 0) return;
            const ids = new Set(more.map(({ id }) => id));
            trips = [...trips.filter(({ id }) => !ids.has(id)), ...more].sort(newestFirst);
            draw();
        },
        /** Takes trips out. */
        remove(some) {
            const gone = new Set(some.map(({ id }) => id));
            const kept = trips.filter(({ id }) => !gone.has(id));
            if (kept.length === trips.length) return;
            trips = kept;
            draw();
        },
        get trips() { return trips; },
        /** Whether a trip is one of them, or the twin of one. */
        concerns: ({ id }) => trips.some((trip) => trip.id === id || trip.twin === id),
    };
    readOnceOpen(part, 'twin', signal);
    window.addEventListener('waitingchanged', draw, { signal });
    return part;
}
