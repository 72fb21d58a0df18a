// Corrections of a trip: another distance, two trips or a part of one, none at all, or after all as it
// was measured. Each is asked about first, with what will happen, and can be undone.

import { Problem, settings, wordsOf } from './api.js';
import { ask, askAboutVersions } from './ask.js';
import { disclosure, field, h, put, toast } from './dom.js';
import {
    claimed, clock, clockSeconds, distance, duration, meters, moment, secondsBetween, unitMeters, way, word,
} from './formats.js';
import { neighbours } from './neighbours.js';
import { t } from './texts.js';

/** What of a trip restoring it takes back, in words. */
function undoable(trip) {
    const flags = trip.flags ?? [];
    return [
        trip.status === 'voided' && t('restore.void'),
        trip.adjusted_distance_m !== undefined && t('restore.distance', {
            set: distance(trip.adjusted_distance_m), measured: distance(trip.distance_m),
        }),
        trip.excluded_distance_m > 0 && t('restore.stretch', { way: distance(trip.excluded_distance_m) }),
        trip.parts && t('restore.merged', { n: trip.parts.length }),
        (flags.includes('split') || trip.ended_by === 'split') && trip.started_by !== 'split'
            && t('restore.split'),
    ].filter(Boolean);
}

/** From when to when, with the distance. */
const span = (from, to, length) =>
    `${clock(from)}–${to ? clock(to) : t('trip.running')}, ${distance(length)}`;

/** What two readings of a trip say otherwise. */
function differences(before, now) {
    const rows = [
        ['status', (trip) => word('status', trip.status)],
        ['when', (trip) => `${moment(trip.started_at)} – ${trip.ended_at ? moment(trip.ended_at) : ''}`],
        ['distance', (trip) => distance(claimed(trip))],
        ['class', (trip) => word('class', trip.class)],
        ...['purpose', 'client', 'vehicle', 'title', 'category', 'notes'].map((name) =>
            [name, (trip) => trip[name] ?? '–']),
    ];
    const differing = rows.filter(([, of]) => of(before) !== of(now));
    return (differing.length > 0 ? differing : rows.slice(0, 4)).map(([name, of]) =>
        [t(name), of(before), of(now)]);
}

/** What decides about a trip, and offers to undo it. */
export function makeDecider(trip, details) {
    const event = (type, members) => ({ type, trip: trip.id, trip_started_at: trip.started_at, ...members });
    const because = (why) => (why ? { why } : {});

    async function send(decision, undo, names, title) {
        try {
            const changed = await details.send(decision, names);
            const said = title ? `${title}: ${t('saved')}` : t('saved');
            toast(said, undo && t('undo'), () => undo(changed));
        } catch (error) {
            if (!(error instanceof Problem && error.status === 412)) { toast(wordsOf(error)); return; }
            const now = await details.refresh();
            if (await askAboutVersions(differences(trip, now))) await send(decision, undo, names, title);
        }
    }

    /** Takes back all that was decided about what the trip is. */
    async function restore(now = trip) {
        const list = undoable(now);
        const why = await ask({
            title: t('correct.restore'), action: t('correct.restore'), why: 'optional',
            text: [t('restore.text'), h('ul', null, list.map((line) => h('li', null, line)))],
        });
        if (why === null) return;
        await send(event('trip_restored', because(why)), null, [], t('correct.restore'));
    }

    // Restoring takes all back: where there was something before, that is said first.
    const isFirst = undoable(trip).length === 0;
    const undo = (changed) => (isFirst ? send(event('trip_restored', {}), null) : restore(changed));
    return {
        event, send, restore,
        async confirm(about, decisionOf) {
            const why = await ask(about);
            if (why !== null) await send(decisionOf(because(why)), undo, [], about.title);
        },
    };
}

function distancePart(trip, decider) {
    const length = h('input', {
        type: 'number', min: '0', step: 'any', required: true, inputmode: 'decimal',
        value: (claimed(trip) / unitMeters()).toFixed(1),
    });
    return h('form', { onsubmit: (submitted) => {
        submitted.preventDefault();
        const set = Math.round(Number(length.value) * unitMeters() * 1000) / 1000;
        decider.confirm({
            title: t('correct.adjust'), action: t('correct.adjust'), why: 'required',
            text: [t('adjust.text', { set: distance(set), measured: distance(trip.distance_m) })],
        }, (why) => decider.event('distance_adjusted', { distance_m: set, ...why }));
    } },
    h('div', { class: 'fields' }, field(t('correct.distance', { unit: settings.units }), length)),
    h('div', { class: 'buttons' }, h('button', { value: 'adjust' }, `${t('correct.adjust')}…`)));
}

/** Splitting at the cursor, and leaving out what lies between two places of it. */
function cursorPart(trip, decider, chart) {
    const shown = h('strong', { class: 'moment' });
    const stretch = { from: null, to: null };
    const words = h('output', null, '–');
    const leave = h('button', { type: 'button', disabled: true, onclick: exclude }, `${t('exclude.do')}…`);
    const sayCursor = () => {
        const sample = chart.current();
        shown.textContent = `${clockSeconds(sample.time)}, ${distance(sample.along)}`;
    };
    chart.onMove(sayCursor);
    sayCursor();

    function take(end) {
        stretch[end] = chart.current();
        const { from, to } = stretch;
        const isWhole = from && to && from.at < to.at;
        words.textContent = [from, to].map((one) => (one ? clockSeconds(one.time) : '…')).join(' – ')
            + (isWhole ? `, ${meters(to.along - from.along)}` : '');
        leave.disabled = !isWhole;
    }

    function split() {
        const { time, along } = chart.current();
        decider.confirm({
            title: t('split.do'), action: t('split.do'), why: 'optional',
            text: [
                t('split.text', { at: clockSeconds(time) }),
                h('ol', null,
                    h('li', null, span(trip.started_at, time, along)),
                    h('li', null, span(time, trip.ended_at, Math.max(0, chart.length() - along)))),
                t('split.keeps', { class: word('class', trip.class) }),
            ],
        }, (why) => decider.event('trip_split', { split_at: time, ...why }));
    }

    function exclude() {
        const { from, to } = stretch;
        decider.confirm({
            title: t('exclude.do'), action: t('exclude.do'), why: 'required',
            text: [t('exclude.text', {
                from: clockSeconds(from.time), to: clockSeconds(to.time), way: meters(to.along - from.along),
            })],
        }, (why) => decider.event('stretch_excluded', { from_time: from.time, to_time: to.time, ...why }));
    }

    return h('div', { class: 'group' },
        h('p', null, t('split.cursor'), ' ', shown),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: split }, `${t('split.do')}…`)),
        h('p', null, t('exclude.stretch'), ' ', words),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => take('from') }, t('exclude.from')),
            h('button', { type: 'button', onclick: () => take('to') }, t('exclude.to')), leave));
}

function mergeButton(trip, other, isAfter, decider) {
    const [first, second] = isAfter ? [trip, other] : [other, trip];
    const merge = () => decider.confirm({
        title: t('merge.do'), action: t('merge.do'), why: 'optional',
        text: [
            t('merge.text', { way: `${first.from ?? '?'} → ${second.to ?? '?'}` }),
            h('ol', null, [first, second].map((one) => h('li', null,
                [way(one), span(one.started_at, one.ended_at, claimed(one)), word('class', one.class)]
                    .join(', ')))),
            t('merge.gap', {
                time: duration(Math.max(0,
                    secondsBetween(first.ended_at ?? first.started_at, second.started_at))),
            }),
            t('merge.keeps', { class: word('class', first.class) }),
        ],
    }, (why) => ({ type: 'trips_merged', trips: [first.id, second.id], ...why }));
    return h('li', null,
        h('a', { href: `#/trip/${other.id}` }, `${way(other)}, ${moment(other.started_at)}`),
        h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: merge },
            `${t(isAfter ? 'merge.after' : 'merge.before')}…`)));
}

function mergePart(trip, decider, signal) {
    return disclosure(t('merge.title'), async (body) => {
        put(body, h('p', { class: 'faint' }, t('reading')));
        const found = await neighbours(trip, signal);
        put(body, h('ul', { class: 'plain' }, found.map((other, index) =>
            other && mergeButton(trip, other, index === 1, decider))),
        found.every((other) => !other) && h('p', { class: 'faint' }, t('merge.none')));
    });
}

/** Makes the part; `details.send` appends a decision with the tag of the trip. */
export function makeCorrections(trip, details, { chart, signal, isOpen }) {
    const decider = makeDecider(trip, details);
    const back = undoable(trip);
    const restore = back.length > 0 && h('div', { class: 'buttons' }, h('button', {
        type: 'button', class: 'restore', onclick: () => decider.restore(),
    }, `${t(trip.parts ? 'correct.apart' : 'correct.restore')}…`));
    const summary = h('summary', null, t('correct.title'));
    if (trip.status === 'voided' || trip.status === 'merged') {
        return h('details', { open: true }, summary, h('div', null,
            h('p', null, t(trip.status === 'voided' ? 'correct.voided' : 'correct.merged'), ' ',
                trip.merged_into && h('a', { href: `#/trip/${trip.merged_into}` }, t('trip.other'))),
            restore));
    }
    const isOver = trip.status === 'completed';
    const voided = () => decider.confirm({
        title: t('correct.void'), action: t('correct.void'), why: 'required', isDangerous: true,
        text: [t('void.text', { distance: distance(claimed(trip)) })],
    }, (why) => decider.event('trip_voided', why));
    return h('details', { open: isOpen, class: 'corrections' }, summary, h('div', null,
        restore,
        distancePart(trip, decider),
        chart && isOver && cursorPart(trip, decider, chart),
        isOver && mergePart(trip, decider, signal),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'danger', onclick: voided }, `${t('correct.void')}…`))));
}
