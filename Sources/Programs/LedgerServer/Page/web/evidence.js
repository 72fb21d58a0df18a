// The evidence of a distance: the fixes with their verdicts; and the decisions of people.

import { all, lines } from './api.js';
import { figures, h, put, table } from './dom.js';
import { clockSeconds, count, fieldName, meters, moment, noEffect, speed, word } from './formats.js';
import { mark } from './map.js';
import { t, has } from './texts.js';

/** The sign of a verdict on the map, so that it needs no colour. */
const SIGNS = {
    jitter: '○', poor_accuracy: '◌', stale: '◷', impossible_speed: '»', spike: '×', after_gap: '⇥',
    null_coordinate: '∅', mock: 'M',
};
const MOST_ROWS = 60;
const MOST_MARKS = 200;

/** Every nth of what is too long; what was ignored or ended a gap goes first. */
function thinned(steps, most) {
    if (steps.length <= most) return steps;
    const isSpecial = (step) => step.gap_m > 0 || step.excluded_m > 0
        || (step.verdict && !['accepted', 'jitter'].includes(step.verdict)) || step.type !== 'fix_recorded';
    const special = steps.filter(isSpecial).slice(0, most / 2);
    const others = steps.filter((step) => !isSpecial(step));
    const size = Math.max(1, Math.ceil(others.length / (most - special.length)));
    return [...special, ...others.filter((_, index) => index % size === 0)]
        .sort((a, b) => a.position - b.position);
}

/** How many fixes had which verdict, and what they added. */
function verdicts(steps) {
    const sums = new Map();
    for (const step of steps) {
        if (!step.verdict) continue;
        const sum = sums.get(step.verdict) ?? { count: 0, meters: 0 };
        sum.count += 1;
        sum.meters += step.added_m;
        sums.set(step.verdict, sum);
    }
    return [...sums].sort((a, b) => b[1].count - a[1].count);
}

/** The marks of what did not count, by the map on which they stand. */
const marks = new WeakMap();

/** Takes the marks of what did not count from a map, and returns the layer on which they stood. */
export function clearMarks(map) {
    if (!marks.has(map)) marks.set(map, L.layerGroup().addTo(map));
    return marks.get(map).clearLayers();
}

/** Shows event by event what the distance was computed from, and marks on the map what did not count. */
export async function showExplanation(body, trip, map, signal) {
    if (!body.hasChildNodes()) put(body, h('p', { class: 'faint' }, t('reading')));
    const steps = (await lines(`/v1/trips/${trip.id}/explanation`, signal)).filter(({ type }) => type);
    const ignored = steps.filter(({ verdict }) => verdict && verdict !== 'accepted');
    const layer = clearMarks(map);
    for (const step of thinned(ignored, MOST_MARKS)) {
        mark([step.lat, step.lon], SIGNS[step.verdict] ?? '?', `verdict ${step.verdict}`,
            word('verdict', step.verdict)).addTo(layer);
    }
    const gaps = steps.reduce((sum, step) => sum + (step.gap_m ?? 0), 0);
    const few = thinned(steps, MOST_ROWS);
    put(body,
        h('p', null, t('why.text', {
            counted: steps.filter(({ verdict }) => verdict === 'accepted').length,
            ignored: ignored.length, gaps: meters(gaps),
        })),
        table(t('why.verdicts'),
            [t('why.verdict'), t('why.sign'), figures(t('why.fixes')), figures(t('why.added'))],
            verdicts(steps).map(([verdict, sum]) => [
                word('verdict', verdict), SIGNS[verdict] ?? '—', count(sum.count), meters(sum.meters),
            ])),
        few.length < steps.length
            && h('p', { class: 'faint' }, t('why.thinned', { shown: few.length, all: steps.length })),
        table(t('why.steps'),
            [t('time'), t('why.verdict'),
                ...['why.added', 'why.sum', 'speed', 'why.accuracy'].map((key) => figures(t(key)))],
            few.map((step) => [
                clockSeconds(step.occurred_at),
                step.verdict ? word('verdict', step.verdict) : word('event', step.type),
                step.gap_m > 0 ? t('why.gap', { way: meters(step.gap_m) }) : meters(step.added_m),
                meters(step.sum_m),
                step.speed === undefined ? '' : speed(step.speed),
                step.accuracy === undefined ? '' : meters(step.accuracy),
            ])));
}

const value = (item, said) => {
    if (said === null || said === undefined) return '–';
    if (['class', 'status', 'mode'].includes(item.field)) return word(item.field, said);
    if (item.field === 'distance_m') return meters(said);
    return typeof said === 'object' ? JSON.stringify(said) : String(said);
};

/** What the ledger calls what restoring a trip takes back, by the decision. */
const RESTORED = {
    trip_voided: 'voided', distance_adjusted: 'adjusted', stretch_excluded: 'excluded',
    trips_merged: 'merged', trip_split: 'split',
};

/** What a trip says in a field of its history. */
const said = (trip, name) => (name.startsWith('fields.') ? trip.fields?.[name.slice(7)] : trip[name]) ?? null;

/** The decision that says again what was said before. */
const backTo = (trip, { field, old = null }) => ({
    type: 'details_edited', trip: trip.id,
    ...(field.startsWith('fields.') ? { fields: { [field.slice(7)]: old } } : { [field]: old }),
});

/** The button that takes a decision back, if it is still in force. */
function undoOf(trip, item, isNewest, names, decider, restores) {
    let act = null;
    if (item.type in RESTORED) {
        if (isNewest && restores.includes(RESTORED[item.type])) act = () => decider.restore(restores);
    } else if (names.includes(item.field) && said(trip, item.field) === (item.new ?? null)) {
        act = () => decider.send(backTo(trip, item), { names: [item.field] });
    }
    const name = fieldName(item.field);
    return act && h('button', { type: 'button', onclick: act, 'aria-label': `${t('undo')}: ${name}` },
        t('undo'));
}

/** Shows what people decided about the trip, newest first, and takes back what is still in force. */
export async function showHistory(body, trip, names, decider, options, signal) {
    if (!body.hasChildNodes()) put(body, h('p', { class: 'faint' }, t('reading')));
    const [items, { restores }] = await Promise.all([
        all(`/v1/trips/${trip.id}/history`, {}, signal), options(),
    ]);
    if (items.length === 0) { put(body, h('p', { class: 'faint' }, t('history.none'))); return; }
    const newest = (item) => items.findLastIndex((one) => one.type === item.type && !one.without_effect);
    put(body, table(t('history.title'),
        [t('time'), ...['field', 'old', 'new', 'actor', 'why'].map((part) => t(`history.${part}`)),
            t('undo')],
        items.map((item, index) => [
            moment(item.occurred_at), fieldName(item.field),
            value(item, item.old), value(item, item.new),
            item.actor ?? item.source, [item.why, noEffect(item)].filter(Boolean).join(' · '),
            undoOf(trip, item, index === newest(item), names, decider, restores) ?? '',
        ]).reverse()));
}
