// A list of any length: blocks of rows, of which only those near the screen are in the document.

import { apart, h, put } from './dom.js';
import { claimed, clocks, dayOf, distance, longDay, shortDay, way, word } from './formats.js';
import { wordsOf } from './api.js';
import { t } from './texts.js';

/** What a row shows; the rest of a trip is read when it is opened. */
export const slim = (trip) => ({
    id: trip.id, started_at: trip.started_at, ended_at: trip.ended_at, from: trip.from, to: trip.to,
    class: trip.class, purpose: trip.purpose, client: trip.client, category: trip.category, status: trip.status,
    mode: trip.mode,
    distance_m: trip.distance_m, adjusted_distance_m: trip.adjusted_distance_m, vehicle: trip.vehicle,
    gaps: trip.gaps.count, left_out: trip.left_out,
});

function rowOf(trip, onClass, withDay) {
    const notes = [
        trip.purpose && apart(trip.purpose), trip.client && apart(trip.client),
        trip.status !== 'completed' && word('status', trip.status),
        trip.mode !== 'car' && (trip.mode === 'unsure' ? t('trips.unsure') : word('mode', trip.mode)),
        trip.gaps > 0 && t('trips.gaps', { n: trip.gaps }),
        trip.left_out && t('trips.leftout'),
    ].filter(Boolean);
    return h('li', { class: 'trip-row', 'data-trip': trip.id },
        h('a', { href: `#/trip/${trip.id}` },
            h('span', { class: 'times' }, withDay && `${shortDay(dayOf(trip.started_at))} `,
                clocks(trip.started_at, trip.ended_at)),
            h('span', { class: 'way' }, way(trip)),
            h('span', { class: 'length' }, distance(claimed(trip))),
            notes.length > 0 && h('span', { class: 'notes' }, notes.join(' · '))),
        h('button', {
            type: 'button', class: `chip class-${trip.class}`,
            'aria-label': `${t('class')}: ${word('class', trip.class)}`,
            onclick: () => onClass(trip),
        }, word('class', trip.class)));
}

/**
 * Makes the list.
 *
 * @param reader what gives the next trips
 * @param kept what `keep` of a list with the same filters returned, to show it as it was; without its pages they
 *     are read anew, up to where it stood
 * @param onClass what to do when the class of a trip is pressed
 * @param decorate adds something to the row of a trip
 * @param isByDay whether trips of a day stand together, below its name
 */
export function makeList({ reader, kept, signal, onClass, decorate, isByDay }) {
    const blocks = [];
    const rows = h('div', { class: 'blocks' });
    const end = h('div', { class: 'end' });
    const element = h('div', { class: 'list' }, rows, end);
    let currentId = kept?.currentId ?? null;
    let isReading = false;
    let hasFailed = false;
    let isClosed = false;
    let source = kept?.reader ?? reader;

    function makeRow(trip) {
        const row = rowOf(trip, onClass, !isByDay);
        decorate(row, trip);
        return row;
    }

    function fill(block) {
        if (block.isFilled) return;
        block.isFilled = true;
        block.element.style.height = '';
        let day = block.before;
        let list = null;
        const parts = [];
        for (const trip of block.trips) {
            const its = isByDay ? dayOf(trip.started_at) : null;
            if (its !== day || !list) {
                list = h('ul', { class: 'trips' });
                // A day that goes on in this block has its heading in the one before.
                if (its !== day) parts.push(h('h2', { class: 'day' }, longDay(its)));
                parts.push(list);
                day = its;
            }
            const row = makeRow(trip);
            if (trip.id === currentId) row.classList.add('current');
            list.append(row);
        }
        put(block.element, parts);
    }

    function empty(block) {
        if (!block.isFilled || block.element.contains(document.activeElement)) return;
        // The space stays, so that nothing jumps.
        block.element.style.height = `${block.element.offsetHeight}px`;
        block.element.replaceChildren();
        block.isFilled = false;
    }

    const near = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            const block = blocks[Number(target.dataset.block)];
            if (isIntersecting) fill(block); else empty(block);
        }
    }, { rootMargin: '1500px 0px' });

    const atEnd = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more();
    }, { rootMargin: '800px 0px' });

    function addBlock(trips, height = null) {
        const before = blocks.at(-1)?.trips.at(-1);
        const block = {
            trips,
            before: before && isByDay ? dayOf(before.started_at) : null,
            element: h('div', { 'data-block': String(blocks.length) }),
            isFilled: false,
        };
        blocks.push(block);
        rows.append(block.element);
        // For a list that is shown again, only the rows near the screen are made.
        if (height === null) fill(block);
        else block.element.style.height = `${height}px`;
        near.observe(block.element);
    }

    async function more() {
        if (isReading || isClosed || source.isDone) return;
        isReading = true;
        hasFailed = false;
        put(end, h('p', { class: 'faint' }, t('reading')));
        try {
            const trips = await source.next(signal);
            if (isClosed) return;
            if (trips.length > 0) addBlock(trips);
            put(end, source.isDone
                ? h('p', { class: 'faint' }, t(blocks.length === 0 ? 'trips.none' : 'trips.end'))
                : h('button', { type: 'button', onclick: more }, t('more')));
        } catch (error) {
            if (isClosed || signal.aborted) return;
            hasFailed = true;
            put(end, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)),
                h('button', { type: 'button', onclick: more }, t('again')));
            return;
        } finally {
            isReading = false;
        }
        // If the end is still on the screen nothing crosses its edge again.
        atEnd.unobserve(end);
        atEnd.observe(end);
    }

    const total = () => blocks.reduce((sum, { trips }) => sum + trips.length, 0);

    /** Reads page by page until it is enough; returns whether nothing failed before. */
    async function readUntil(isEnough, tell) {
        while (!source.isDone && !isClosed && !isEnough()) {
            tell?.(total());
            // A page that is on its way is the next one.
            if (isReading) await new Promise((resolve) => { setTimeout(resolve, 50); });
            else await more();
            if (hasFailed) return false;
        }
        return !isClosed;
    }

    /** Scrolls to where the list stood, and puts the focus on the trip that had it. */
    function standAsLeft() {
        window.scrollTo(0, kept.scroll);
        const found = currentId && find(currentId);
        if (!found) return;
        fill(found.block);
        rowElement(currentId).querySelector('a').focus({ preventScroll: true });
    }

    function find(id) {
        for (const block of blocks) {
            const index = block.trips.findIndex((trip) => trip.id === id);
            if (index >= 0) return { block, index };
        }
        return null;
    }

    const rowElement = (id) => rows.querySelector(`[data-trip="${id}"]`);

    function choose(trip, block, moves) {
        rows.querySelector('.current')?.classList.remove('current');
        currentId = trip.id;
        fill(block);
        const row = rowElement(trip.id);
        row.classList.add('current');
        if (!moves) return;
        row.querySelector('a').focus({ preventScroll: true });
        row.scrollIntoView({ block: 'nearest' });
    }

    rows.addEventListener('focusin', (event) => {
        const id = event.target.closest('[data-trip]')?.dataset.trip;
        const found = id && id !== currentId ? find(id) : null;
        if (found) choose(found.block.trips[found.index], found.block, false);
    });

    return {
        element,
        async start() {
            if (kept?.pages) {
                for (const { trips, height } of kept.pages) addBlock(trips, height);
                standAsLeft();
                if (source.isDone) put(end, h('p', { class: 'faint' }, t('trips.end')));
                else atEnd.observe(end);
                return;
            }
            await more();
            if (!kept || hasFailed) return;
            const reached = () => document.documentElement.scrollHeight >= kept.scroll + window.innerHeight;
            if (await readUntil(reached)) standAsLeft();
        },
        current() {
            const found = currentId && find(currentId);
            return found ? found.block.trips[found.index] : null;
        },
        /** Moves to the next row, or the one before. */
        move(step) {
            const found = currentId && find(currentId);
            let block = found ? found.block : blocks[0];
            let index = found ? found.index + step : 0;
            if (!block) return;
            const number = blocks.indexOf(block) + (index < 0 ? -1 : index >= block.trips.length ? 1 : 0);
            if (!blocks[number]) return;
            if (blocks[number] !== block) {
                block = blocks[number];
                index = step > 0 ? 0 : block.trips.length - 1;
            }
            choose(block.trips[index], block, true);
        },
        /** Shows a trip as it is now. */
        refresh(trip) {
            const row = rowElement(trip.id);
            if (!row) return;
            const focused = row.contains(document.activeElement) ? document.activeElement.tagName : null;
            const fresh = makeRow(trip);
            if (trip.id === currentId) fresh.classList.add('current');
            row.replaceWith(fresh);
            if (focused) fresh.querySelector(focused).focus({ preventScroll: true });
        },
        /** Shows what became of a trip elsewhere, if it is in the list; returns whether it is. */
        take(changed) {
            const found = find(changed.id);
            if (found) this.refresh(Object.assign(found.block.trips[found.index], slim(changed)));
            return Boolean(found);
        },
        /** Whether a trip is in the list, as far as it was read. */
        has: (id) => find(id) !== null,
        /** Puts all rows that were read into the document; returns whether there are no others. */
        fillAll() {
            blocks.forEach(fill);
            return source.isDone;
        },
        /** Reads what is left, page by page; returns whether all of it came. */
        readAll: (tell) => readUntil(() => false, tell),
        /** The trips that were read. */
        trips: () => blocks.flatMap(({ trips }) => trips),
        keep: () => ({
            pages: blocks.map((block) => ({ trips: block.trips, height: block.element.offsetHeight })),
            currentId, reader: source, scroll: window.scrollY,
        }),
        close() {
            isClosed = true;
            near.disconnect();
            atEnd.disconnect();
        },
    };
}
