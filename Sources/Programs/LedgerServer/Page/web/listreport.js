// What the trips of a list add up to, what stands above them on paper, and the report of the same days and filters.

import { get, known, wordsOf } from './api.js';
import { classes } from './classes.js';
import { dialog, h, pairs, put, table, toast } from './dom.js';
import { claimed, count, counts, dayOf, distance, shortDay, word } from './formats.js';
import { has, t } from './texts.js';

/** The choices that the mileage log has too. */
const OF_LOG = ['from', 'to', 'class', 'vehicle'];

/** The filters that stand in words beside the days, and how each is written. */
const WORDS = {
    class: (code) => word('class', code),
    vehicle: (name) => name,
    place: (name, labels) => labels.get(name) ?? name,
    text: (words) => words,
    source: (name) => name,
    status: (code) => word('status', code),
};

const nameOf = (name) => t(name === 'text' ? 'trips.text' : name);

/** The days of the filters in words. */
function daysOf(query) {
    const [from, to] = ['from', 'to'].map((name) => query.get(name));
    if (from && to) return `${shortDay(from)} – ${shortDay(to)}`;
    return from ? t('print.since', { day: shortDay(from) }) : to ? t('print.upto', { day: shortDay(to) })
        : t('print.always');
}

const metersOf = (trips) => trips.reduce((sum, trip) => sum + claimed(trip), 0);

/**
 * What trips of a list add up to: those that count, as in all totals; or all, where the filters ask for some
 * that do not.
 *
 * @returns those trips, their metres, and a sentence about how many others there are; null if there are none
 */
export function sumOf(trips, query) {
    const status = query.get('status');
    const counted = status && status !== 'completed' ? trips : trips.filter(counts);
    const n = trips.length - counted.length;
    return { counted, meters: metersOf(counted), rest: n > 0 ? t('trips.uncounted', { n }) : null };
}

/** What trips add up to by class, and whether some do not count. */
function sumParts(trips, query) {
    const { counted, meters, rest } = sumOf(trips, query);
    const used = classes.map((code) => [code, counted.filter((trip) => trip.class === code)])
        .filter(([, some]) => some.length > 0);
    return [
        table(t('trips.sum'), [t('class'), t('totals.trips'), t('distance')],
            used.map(([code, some]) => [word('class', code), count(some.length), distance(metersOf(some))]),
            [t('totals.all'), count(counted.length), distance(meters)]),
        rest && h('p', { class: 'faint uncounted' }, rest),
    ];
}

/** Puts above the trips of a print which they are, and what they add up to. */
export async function makePaperHead() {
    const element = h('div', { class: 'on-paper paper-head' });
    const labels = new Map((await known('places')).map(({ place, label }) => [place, label]));
    return {
        element,
        fill(trips, query) {
            const order = query.get('order');
            put(element, pairs([
                [t('print.period'), daysOf(query)],
                ...Object.entries(WORDS).map(([name, write]) =>
                    [nameOf(name), query.get(name) && write(query.get(name), labels)]),
                [t('order.title'), has(`order.${order}`) ? t(`order.${order}`) : null],
            ]), sumParts(trips, query));
        },
    };
}

/** Shows what trips of a list with these filters add up to. */
export function showSums(trips, query) {
    const shown = dialog(t('trips.sum'), sumParts(trips, query), h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'main', onclick: () => shown.close() }, t('close'))));
}

/**
 * Offers the mileage log of the days and filters of the list, as far as it has them.
 *
 * @param trips of the list, which say its days where the filters do not
 */
export async function offerLog(trips, query) {
    const days = trips.map(({ started_at: start }) => dayOf(start)).sort();
    if (days.length === 0) {
        toast(t('trips.none'));
        return;
    }
    const choices = new URLSearchParams([...query].filter(([name]) => OF_LOG.includes(name)));
    if (!choices.has('from')) choices.set('from', days[0]);
    if (!choices.has('to')) choices.set('to', days.at(-1));
    const others = Object.keys(WORDS).filter((name) => query.get(name) && !OF_LOG.includes(name));
    try {
        const [{ addressOf }, { items }] = await Promise.all([import('./reports.js'), get('/v1/reports')]);
        const log = items.find(({ report }) => report === 'log');
        const shown = dialog(t('trips.log'),
            pairs([
                [t('print.period'), daysOf(choices)],
                ...['class', 'vehicle'].map((name) =>
                    [nameOf(name), choices.get(name) && WORDS[name](choices.get(name))]),
            ]),
            others.length > 0 && h('p', { class: 'warning' },
                t('trips.lognot', { names: others.map(nameOf).join(', ') })),
            h('div', { class: 'buttons log-forms' },
                h('a', { class: 'button main', href: `#/reports/log?${choices}`, onclick: () => shown.close() },
                    t('trips.logshow')),
                h('a', {
                    class: 'button', href: addressOf(log, choices, 'html', false), target: '_blank', rel: 'noopener',
                }, 'HTML'),
                log.formats.includes('pdf') && h('a', {
                    class: 'button', href: addressOf(log, choices, 'pdf', true), download: '',
                }, 'PDF ↓'),
                h('button', { type: 'button', onclick: () => shown.close() }, t('close'))));
    } catch (error) {
        toast(wordsOf(error));
    }
}
