// Corrections of a trip: another distance, two trips or a part of one, none at all, or after all as
// it was measured. Each is asked about first, with what will happen, and can be undone. The ledger
// says what can be decided now, and why something cannot.

import { Problem, settings, wordsOf } from './api.js';
import { ask, askAboutVersions } from './ask.js';
import { tell } from './decisions.js';
import { field, h, put, toast } from './dom.js';
import {
    claimed, clock, clocks, clockSeconds, dayOf, distance, duration, meters, moment, shortDay, unitMeters, way, word,
} from './formats.js';
import { t } from './texts.js';

/** What restoring a trip takes back, in words: by what the ledger calls it. */
const RESTORED = {
    voided: () => t('restore.void'),
    adjusted: (trip) => t('restore.distance', {
        set: distance(trip.adjusted_distance_m ?? 0), measured: distance(trip.distance_m),
    }),
    excluded: (trip) => t('restore.stretch', { way: distance(trip.excluded_distance_m ?? 0) }),
    merged: (trip) => t('restore.merged', { n: trip.parts?.length ?? 2 }),
    split: () => t('restore.split'),
};

/** The days and times of start and end, with the distance. */
const span = (from, to, length) => `${shortDay(dayOf(from))}, ${
    to ? clocks(from, to) : `${clock(from)}–${t('trip.running')}`}, ${distance(length)}`;

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

/**
 * Returns a function that decides about a trip, and offers to take it back.
 *
 * @param options returns what can be decided about the trip as it is shown
 */
export function makeDecider(trip, details, options) {
    const about = (type, members) => ({ type, trip: trip.id, ...members });
    const reason = (why) => (why ? { why } : {});

    async function send(decision, { names = [], title = null, isUndo = false } = {}) {
        // The other decisions that restoring takes back were there before this one.
        const before = await options().then(({ restores }) => restores, () => null);
        try {
            const { decided, trip: now } = await details.send(decision, names);
            const back = !isUndo && decided.undo;
            // Of a trip that was split, what is taken back is that of the whole.
            const whole = decision.type === 'trip_split' ? trip : now;
            tell(title ? `${title}: ${t('saved')}` : t(isUndo ? 'undone' : 'saved'), [decided],
                back && (() => takeBack(decided, whole, before, names)));
        } catch (error) {
            if (!(error instanceof Problem && error.status === 412)) { toast(wordsOf(error)); return; }
            const now = await details.refresh();
            if (await askAboutVersions(differences(trip, now))) await send(decision, { names, title, isUndo });
        }
    }

    /** Takes a decision back. Restoring takes all back: where there was something before, that is said. */
    async function takeBack({ undo, undo_takes_back: restores = [] }, whole, before, names) {
        const isMore = restores.length > 1 || before === null || before.length > 0;
        if (restores.length > 0 && isMore) await restore(restores, whole, undo);
        else await send(undo, { names, isUndo: true });
    }

    /** Takes back all that was decided about what the trip is, once it was said what that is. */
    async function restore(restores, whole = trip, decision = about('trip_restored', {})) {
        const why = await ask({
            title: t('correct.restore'), action: t('correct.restore'), why: 'optional',
            text: [t('restore.text'), h('ul', null,
                restores.map((name) => h('li', null, RESTORED[name]?.(whole) ?? name)))],
        });
        if (why === null) return;
        await send({ ...decision, ...reason(why) }, { title: t('correct.restore'), isUndo: true });
    }

    return {
        about, send, restore,
        async confirm(question, decisionOf) {
            const why = await ask(question);
            if (why !== null) await send(decisionOf(reason(why)), { title: question.title });
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
        }, (why) => decider.about('distance_adjusted', { distance_m: set, ...why }));
    } },
    h('div', { class: 'fields' }, field(t('correct.distance', { unit: settings.units }), length)),
    h('div', { class: 'buttons' }, h('button', { value: 'adjust' }, `${t('correct.adjust')}…`)));
}

/** Why something cannot be decided, in the ledger's words. */
const refusalText = ({ detail }) => h('p', { class: 'faint refusal' }, detail);

/** Splitting at the cursor. */
function splitPart(trip, decider, chart, signal) {
    const shown = h('strong', { class: 'moment' });
    const sayCursor = () => {
        const sample = chart.current();
        shown.textContent = `${clockSeconds(sample.time)}, ${distance(sample.along)}`;
    };
    chart.onMove(sayCursor, signal);
    sayCursor();

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
        }, (why) => decider.about('trip_split', { split_at: time, ...why }));
    }

    return [h('p', null, t('split.cursor'), ' ', shown),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: split }, `${t('split.do')}…`))];
}

/** Leaving out what lies between two places of the cursor. */
function excludePart(decider, chart) {
    const stretch = { from: null, to: null };
    const words = h('output', null, '–');
    const leave = h('button', { type: 'button', disabled: true, onclick: exclude }, `${t('exclude.do')}…`);

    function take(end) {
        stretch[end] = chart.current();
        const { from, to } = stretch;
        const isWhole = from && to && from.at < to.at;
        words.textContent = [from, to].map((one) => (one ? clockSeconds(one.time) : '…')).join(' – ')
            + (isWhole ? `, ${meters(to.along - from.along)}` : '');
        leave.disabled = !isWhole;
    }

    function exclude() {
        const { from, to } = stretch;
        decider.confirm({
            title: t('exclude.do'), action: t('exclude.do'), why: 'required',
            text: [t('exclude.text', {
                from: clockSeconds(from.time), to: clockSeconds(to.time), way: meters(to.along - from.along),
            })],
        }, (why) => decider.about('stretch_excluded', { from_time: from.time, to_time: to.time, ...why }));
    }

    return [h('p', null, t('exclude.stretch'), ' ', words),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => take('from') }, t('exclude.from')),
            h('button', { type: 'button', onclick: () => take('to') }, t('exclude.to')), leave)];
}

/** A trip beside this one, and what makes one of both, or why it cannot be. */
function neighbourItem(trip, { trip: other, pause_s: pause, refusal }, isAfter, decider) {
    const [first, second] = isAfter ? [trip, other] : [other, trip];
    const merge = () => decider.confirm({
        title: t('merge.do'), action: t('merge.do'), why: 'optional',
        text: [
            t('merge.text', { way: way({ from: first.from, to: second.to }) }),
            h('ol', null, [first, second].map((one) => h('li', null,
                [way(one), span(one.started_at, one.ended_at, claimed(one)), word('class', one.class)]
                    .join(', ')))),
            t('merge.gap', { time: duration(Math.max(0, pause ?? 0)) }),
            t('merge.keeps', { class: word('class', first.class) }),
        ],
    }, (why) => ({ type: 'trips_merged', trips: [first.id, second.id], ...why }));
    return h('li', null,
        h('a', { href: `#/trip/${other.id}` }, `${way(other)}, ${moment(other.started_at)}`),
        refusal ? refusalText(refusal) : h('div', { class: 'buttons' }, h('button', {
            type: 'button', onclick: merge,
        }, `${t(isAfter ? 'merge.after' : 'merge.before')}…`)));
}

const neighbourList = (trip, { previous, next }, decider) => [
    h('ul', { class: 'plain' },
        previous && neighbourItem(trip, previous, false, decider),
        next && neighbourItem(trip, next, true, decider)),
    !previous && !next && h('p', { class: 'faint' }, t('merge.none')),
];

/**
 * Makes the part.
 *
 * @param decider decides about the trip
 * @param options returns what can be decided about it; it is asked when the part is opened
 * @param chart has the cursor; null if the trip has no way
 * @param signal ends when other corrections take the place of these
 */
export function makeCorrections(trip, decider, options, { chart, isOpen, signal }) {
    const isNone = trip.status === 'voided' || trip.status === 'merged';
    const [restoring, cutting, merging] = [h('div'), h('div', { class: 'group' }), h('div')];
    const voided = () => decider.confirm({
        title: t('correct.void'), action: t('correct.void'), why: 'required', isDangerous: true,
        text: [t('void.text', { distance: distance(claimed(trip)) })],
    }, (why) => decider.about('trip_voided', why));

    async function fill() {
        put(merging, h('p', { class: 'faint' }, t('reading')));
        try {
            const found = await options();
            put(restoring, found.restores.length > 0 && h('div', { class: 'buttons' }, h('button', {
                type: 'button', class: 'restore', onclick: () => decider.restore(found.restores),
            }, `${t(found.restores.includes('merged') ? 'correct.apart' : 'correct.restore')}…`)));
            if (chart) {
                const { split: { refusal: whole }, exclude: { refusal: all } } = found;
                put(cutting, whole ? refusalText(whole) : splitPart(trip, decider, chart, signal),
                    all ? refusalText(all) : excludePart(decider, chart));
            }
            put(merging, neighbourList(trip, found, decider));
        } catch (error) {
            if (error.name !== 'AbortError') put(merging, h('p', { class: 'warning' }, wordsOf(error)));
        }
    }

    const element = h('details', { open: isNone || isOpen, class: 'corrections' },
        h('summary', null, t('correct.title')),
        h('div', null,
            isNone && h('p', null, t(trip.status === 'voided' ? 'correct.voided' : 'correct.merged'), ' ',
                trip.merged_into && h('a', { href: `#/trip/${trip.merged_into}` }, t('trip.other'))),
            restoring,
            !isNone && [distancePart(trip, decider), cutting,
                h('details', null, h('summary', null, t('merge.title')), merging),
                h('div', { class: 'buttons' }, h('button', {
                    type: 'button', class: 'danger', onclick: voided,
                }, `${t('correct.void')}…`))]));
    element.addEventListener('toggle', fill, { once: true });
    return element;
}
