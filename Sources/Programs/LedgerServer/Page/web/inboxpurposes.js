// Business trips without a purpose: a log lacks it, so it is asked for here, one line each.

import { wordsOf } from './api.js';
import { apart, focusInstead, h, put, toast } from './dom.js';
import { claimed, clock, clocks, dayOf, distance, shortDay, way } from './formats.js';
import { makeSource, saying } from './inboxdecisions.js';
import { withoutPurpose } from './waiting.js';
import { t } from './texts.js';

/** More rows than these are no help: the rest comes when some are done. */
const MOST_ROWS = 100;
/** What is looked through for them when the part is opened: so many pages of so many. */
const PAGE = 500;
const MOST_PAGES = 20;

function rowOf(trip, decide) {
    const name = `${way(trip)}, ${shortDay(dayOf(trip.started_at))}, ${clock(trip.started_at)}`;
    const text = h('input', {
        maxlength: 200, list: 'known-purposes', required: true, 'aria-label': `${t('purpose')}: ${name}`,
        placeholder: t('purpose'),
    });
    return h('li', { class: 'purpose-row', 'data-trip': trip.id },
        h('a', { href: `#/trip/${trip.id}` },
            `${shortDay(dayOf(trip.started_at))}, ${clocks(trip.started_at, trip.ended_at)}, ${way(trip)}, ${
                distance(claimed(trip))}`),
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
        trips = [...trips, ...fresh].sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
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

    /** Looks for more of them, among all that waits. */
    async function readAll() {
        const source = makeSource(signal, PAGE);
        for (let n = 0; n < MOST_PAGES && !source.isDone && trips.length < MOST_ROWS; n += 1) {
            add((await source.next()).filter((trip) => trip.waits_for === 'purpose'));
        }
    }

    element.addEventListener('toggle', () => readAll().catch((error) => {
        if (!signal.aborted) toast(wordsOf(error));
    }), { once: true });
    window.addEventListener('waitingchanged', sayHowMany, { signal });
    const part = {
        element, add, remove,
        focus: ({ id }) => elements.get(id)?.querySelector('input').focus(),
        get trips() { return trips; },
        has: ({ id }) => trips.some((trip) => trip.id === id),
    };
    return part;
}
