// The list of trips: filters in the address, keys, and classes with one key.

import { Problem, decide, get, known, list as readPage, status, trip as readTrip, wordsOf } from './api.js';
import { rowOf, tagAfter, tell } from './decisions.js';
import { announce, choice, clearToasts, dialog, field, h, put, toast } from './dom.js';
import { exportButton } from './exports.js';
import { claimed, dayOf, word } from './formats.js';
import { classKeys, classes, chooseClass } from './classes.js';
import { makeDesk } from './bulk.js';
import { makePaperHead, offerLog, showSums } from './listreport.js';
import { listen } from './live.js';
import { savedFilters } from './savedfilters.js';
import { makeList, slim } from './triplist.js';
import { t } from './texts.js';

const filters = ['text', 'from', 'to', 'class', 'vehicle', 'place', 'source', 'status'];
/** The states that are in no list unless they are asked for. */
const STATES = ['active', 'completed', 'abandoned', 'voided', 'merged'];

/** The list that was left last, so that "back" finds it as it was. */
let left = null;

/** After more changes than these the list is read anew. */
const MOST_CHANGES = 200;

/** How far the ledger had changed before something was read; null if that cannot be known. */
const readCursor = (signal) => get('/v1/changes/latest-cursor', {}, signal).then(({ cursor }) => cursor, () => null);

/** Whether a list with these filters may have a trip, as far as the trip itself says so. */
function mayHave(query, trip) {
    const [day, from, to] = [dayOf(trip.started_at), query.get('from'), query.get('to')];
    if ((from && day < from) || (to && day > to)) return false;
    if (['class', 'source'].some((name) => query.get(name) && query.get(name) !== trip[name])) return false;
    return query.get('status') ? trip.status === query.get('status') : ['active', 'completed'].includes(trip.status);
}

/** The trips of a filter one by one, newest first, read in pages. */
function streamOf(query, limit) {
    let cursor = null;
    let isRead = false;
    let waiting = [];
    return {
        get isDone() { return isRead && waiting.length === 0; },
        async first(signal) {
            // A page may have nothing that fits although there is more.
            while (waiting.length === 0 && !isRead) {
                const page = await readPage('/v1/trips', { ...query, limit, cursor }, signal);
                // Decisions about a trip say how far it was seen.
                waiting = page.items.map((trip) => ({ ...slim(trip), tag: page.tag }));
                cursor = page.next_cursor;
                isRead = !page.has_more;
            }
            return waiting[0] ?? null;
        },
        take: () => waiting.shift(),
    };
}

/**
 * Reads trips in pages: all in order, or those without a class before all others.
 *
 * The others are those of all other classes, put in order here: the server has no filter for them.
 */
function makeReader(query, isUnclassifiedFirst) {
    const others = classes.filter((code) => code !== 'unclassified');
    const of = (code, limit) => streamOf({ ...query, class: code }, limit);
    const rounds = isUnclassifiedFirst && !query.class
        ? [[of('unclassified', 100)], others.map((code) => of(code, 50))]
        : [[streamOf(query, 100)]];
    return {
        get isDone() { return rounds.length === 0; },
        async next(signal) {
            const trips = [];
            while (trips.length < 100 && rounds.length > 0) {
                const streams = rounds[0];
                const firsts = await Promise.all(streams.map((stream) => stream.first(signal)));
                let newest = -1;
                firsts.forEach((trip, index) => {
                    if (trip && (newest < 0 || startOf(trip) > startOf(firsts[newest]))) newest = index;
                });
                if (newest >= 0) trips.push(streams[newest].take());
                if (streams.every(({ isDone }) => isDone)) rounds.shift();
            }
            return trips;
        },
    };
}

const startOf = (trip) => Date.parse(trip.started_at);
const lengthOf = (trip) => Date.parse(trip.ended_at ?? trip.started_at) - startOf(trip);

/** The orders of the list beside that of the server, which is the latest first. */
const orders = {
    oldest: (a, b) => startOf(a) - startOf(b),
    longest: (a, b) => claimed(b) - claimed(a),
    shortest: (a, b) => claimed(a) - claimed(b),
    lasting: (a, b) => lengthOf(b) - lengthOf(a),
};

/** Reads trips in another order: all are read before the first is given. */
function makeSorted(query, order) {
    const stream = streamOf(query, 1000);
    let sorted = null;
    return {
        get isDone() { return sorted !== null && sorted.length === 0; },
        async next(signal) {
            if (sorted === null) {
                const all = [];
                while (await stream.first(signal)) all.push(stream.take());
                sorted = all.sort(orders[order]);
            }
            return sorted.splice(0, 100);
        },
    };
}

/** The key that selects; the class that has it elsewhere is chosen from the list of classes here. */
const SELECT = 'x';

function pressKeys() {
    const rows = [
        ['j', t('keys.next')], ['k', t('keys.previous')], ['Enter', t('keys.open')], ['e', t('keys.edit')],
        ...Object.entries(classKeys).filter(([key]) => key !== SELECT)
            .map(([key, code]) => [key, word('class', code)]),
        [SELECT, t('keys.select')], ['Shift+J, Shift+K', t('keys.extend')], ['Escape', t('bulk.none')],
        ['f', t('keys.filter')], ['/', t('finder.title')], ['?', t('keys.list')],
    ];
    const shown = dialog(t('keys.title'),
        h('dl', { class: 'keys' }, rows.map(([key, text]) =>
            h('div', null, h('dt', null, h('kbd', null, key)), h('dd', null, text)))),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'main', onclick: () => shown.close() }, t('close'))));
}

/** Gives a trip another class, and offers to take it back. */
async function classify(trip, code, list) {
    const before = trip.class;
    if (before === code) return;
    trip.class = code;
    list.refresh(trip);
    announce(`${word('class', code)}`);
    try {
        // The trip as it is now tells whether its class is still the one that is shown.
        const now = await readTrip(trip.id);
        if (now.trip.class !== before) {
            trip.class = now.trip.class;
            list.refresh(trip);
            toast(t('trip.meanwhile', { class: word('class', trip.class) }));
            return;
        }
        const [decided] = await decide([{ type: 'details_edited', trip: trip.id, class: code }], now.tag);
        trip.tag = tagAfter(decided) ?? now.tag;
        tell(word('class', code), [decided], decided.undo && (() => takeBack(trip, decided, list)),
            code === 'unclassified' ? null : trip.id);
    } catch (error) {
        trip.class = before;
        list.refresh(trip);
        toast(failureOf(error));
    }
}

/** Takes a decision about a trip back, if nothing else was decided about it since. */
async function takeBack(trip, { undo, position }, list) {
    try {
        const [decided] = await decide([undo], `"${position}"`);
        trip.class = rowOf(decided, trip.id)?.class ?? trip.class;
        trip.tag = tagAfter(decided) ?? trip.tag;
        list.refresh(trip);
        announce(word('class', trip.class));
    } catch (error) {
        toast(failureOf(error));
    }
}

const failureOf = (error) =>
    (error instanceof Problem && error.status === 412 ? t('conflict.title') : wordsOf(error));

/** The form above the list; `apply` gets the query when something was chosen. */
async function filterForm(query, sources, apply) {
    const [vehicles, places] = await Promise.all([known('vehicles'), known('places')]);
    const any = ['', t('any')];
    const controls = {
        text: h('input', {
            type: 'search', maxlength: 200, autocomplete: 'off', value: query.get('text') ?? '',
        }),
        from: h('input', { type: 'date', value: query.get('from') ?? '' }),
        to: h('input', { type: 'date', value: query.get('to') ?? '' }),
        class: choice([any, ...classes.map((code) => [code, word('class', code)])],
            query.get('class')),
        vehicle: choice([any, ...vehicles.map(({ vehicle }) => [vehicle, vehicle])], query.get('vehicle')),
        place: choice([any, ...places.map(({ place, label }) => [place, label ?? place])],
            query.get('place')),
        source: choice([any, ...sources.map(({ source }) => [source, source])], query.get('source')),
        status: choice([['', t('trips.counting')], ...STATES.map((code) => [code, word('status', code)])],
            query.get('status')),
    };
    const first = h('input', { type: 'checkbox', checked: query.has('todo') });
    const order = choice([['', t('order.newest')], ...Object.keys(orders).map((code) => [code, t(`order.${code}`)])],
        query.get('order'));
    const read = () => {
        const next = new URLSearchParams();
        for (const name of filters) if (controls[name].value) next.set(name, controls[name].value);
        if (first.checked) next.set('todo', '1');
        if (order.value) next.set('order', order.value);
        apply(next);
    };
    const form = h('form', { class: 'fields', onsubmit: (event) => event.preventDefault(), onchange: read },
        filters.map((name) => field(t(name === 'text' ? 'trips.text' : name), controls[name])),
        field(t('order.title'), order),
        h('label', { class: 'check' }, first, t('trips.todo')),
        h('button', {
            type: 'reset',
            // The controls have their new values only after the event.
            onclick: (event) => {
                event.preventDefault();
                for (const control of Object.values(controls)) control.value = '';
                order.value = '';
                first.checked = false;
                read();
            },
        }, t('trips.all')));
    const chosen = [...query.keys()].length;
    return h('details', { class: 'filters', open: chosen > 0 },
        h('summary', null, t('filters')), form);
}

const isTyping = (element) =>
    element?.closest?.('input:not([type=checkbox]), textarea, select, dialog, [contenteditable]');

export async function show({ main, heading, query, signal }) {
    // What changes after this cursor is in what is read next, or is told.
    const [now, cursor] = await Promise.all([status(signal), readCursor(signal)]);
    let seen = cursor;
    const listHolder = h('div');
    let current = query;
    let list = null;
    const desk = makeDesk({ list: () => list, query: () => current, signal });
    const paper = await makePaperHead();
    if (signal.aborted) return;

    function start(wanted, kept) {
        list?.close();
        current = wanted;
        const plain = Object.fromEntries(filters.map((name) => [name, wanted.get(name)]));
        const order = Object.hasOwn(orders, wanted.get('order') ?? '') ? wanted.get('order') : null;
        desk.none();
        list = makeList({
            kept,
            reader: order ? makeSorted(plain, order) : makeReader(plain, wanted.has('todo')),
            signal,
            onClass: (trip) => chooseClass(trip.class, (code) => classify(trip, code, list)),
            decorate: desk.decorate,
            isByDay: !order || order === 'oldest',
        });
        put(listHolder, list.element);
        return list.start();
    }

    const news = h('div', { class: 'buttons news-of-list', hidden: true }, h('span', null, t('trips.news')),
        h('button', { type: 'button', onclick: () => renew() }, t('trips.shownews')));

    function offerNews() {
        if (news.hidden) announce(t('trips.news'));
        news.hidden = false;
    }

    /** Reads the list anew, up to where it stands. */
    async function renew() {
        const { currentId, scroll } = list.keep();
        seen = await readCursor(signal);
        if (signal.aborted) return;
        if (news.contains(document.activeElement)) heading.focus({ preventScroll: true });
        news.hidden = true;
        await start(current, { currentId, scroll });
    }

    /** Shows what became of a trip of the list; says so if others may belong to it, or one does no more. */
    function hear({ kind, operation, key, row }) {
        if (kind !== 'trip') return;
        const isOther = operation === 'put' ? !list.take(row) && mayHave(current, row) : list.has(key);
        if (isOther) offerNews();
    }

    /** Hears what was told while the stream was away: it does not say that again. */
    async function catchUp() {
        try {
            if (seen === null) {
                seen = await readCursor(signal);
                if (seen !== null && !signal.aborted) offerNews();
                return;
            }
            const page = await get('/v1/changes', { cursor: seen, limit: MOST_CHANGES }, signal);
            page.items.forEach(hear);
            if (page.has_more) offerNews();
        } catch (error) {
            // The changes since then cannot be told any more; where nothing can be read the page says so itself.
            if (error instanceof Problem && !signal.aborted) offerNews();
        }
    }

    const unread = h('p', { class: 'warning on-paper', hidden: true }, t('trips.unread'));
    let isReadingAll = false;

    /** Does something with all trips of the filters: those that were not read yet are read first. */
    async function withAll(act) {
        if (isReadingAll) return;
        isReadingAll = true;
        try {
            if (!news.hidden) await renew();
            const isWhole = await list.readAll((n) => toast(t('trips.readingall', { n })));
            if (signal.aborted) return;
            clearToasts();
            if (isWhole) act(); else toast(t('problem.unreachable'));
        } finally {
            isReadingAll = false;
        }
    }

    /** Puts the list on paper as far as it was read; returns whether that is all of it. */
    function fillPaper() {
        paper.fill(list.trips(), current);
        return list.fillAll();
    }

    const print = () => withAll(() => { if (fillPaper()) window.print(); });

    const form = await filterForm(query, now.sources, (wanted) => {
        const text = wanted.toString();
        // Another filter is no other page: "back" leaves the list.
        history.replaceState(null, '', `#/trips${text ? `?${text}` : ''}`);
        start(wanted, null);
    });
    if (signal.aborted) return;
    const saved = savedFilters(() => current.toString(), (text) => { location.hash = `#/trips?${text}`; });
    main.append(
        h('div', { class: 'tools' }, form,
            h('div', { class: 'buttons' }, saved, desk.switch(listHolder),
                h('button', { type: 'button', class: 'quiet', onclick: pressKeys }, t('keys.title')),
                h('button', { type: 'button', class: 'quiet', onclick: print }, t('print')),
                h('button', {
                    type: 'button', class: 'quiet of-log', 'aria-haspopup': 'dialog',
                    onclick: () => withAll(() => offerLog(list.trips(), current)),
                }, `${t('trips.log')}…`),
                h('button', {
                    type: 'button', class: 'quiet of-sum',
                    onclick: () => withAll(() => showSums(list.trips(), current)),
                }, t('trips.sum')),
                exportButton(() => current))),
        paper.element, unread, news,
        listHolder, desk.element);

    // The print of a browser's own menu has what was read; it says so if that is not all.
    window.addEventListener('beforeprint', () => { unread.hidden = fillPaper(); }, { signal });
    document.addEventListener('keydown', (event) => {
        if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
        event.preventDefault();
        print();
    }, { signal });

    document.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
        const trip = list.current();
        if (event.key === 'j') list.move(1);
        else if (event.key === 'k') list.move(-1);
        else if (event.key === 'J') desk.extend(1);
        else if (event.key === 'K') desk.extend(-1);
        else if (event.key === SELECT && trip) desk.toggle(trip, false);
        else if (event.key === 'X' && trip) desk.toggle(trip, true);
        else if (event.key === 'Escape' && !desk.isEmpty) desk.none();
        else if (event.key === 'f') {
            form.open = true;
            form.querySelector('input').focus();
        } else if (event.key === '?') pressKeys();
        else if (event.key === 'e' && trip) location.hash = `#/trip/${trip.id}?edit=1`;
        else if (classKeys[event.key] && !desk.isEmpty) desk.setClass(classKeys[event.key]);
        else if (classKeys[event.key] && trip) classify(trip, classKeys[event.key], list);
        else return;
        event.preventDefault();
    }, { signal });

    signal.addEventListener('abort', () => {
        left = { query: current.toString(), kept: list.keep(), cursor: seen };
        list.close();
    });
    const kept = left?.query === query.toString() ? left.kept : null;
    // Where nothing has changed, or the server is away, the list is as it was.
    const isSame = seen === null || seen === left?.cursor;
    const started = start(query, kept && !isSame ? { currentId: kept.currentId, scroll: kept.scroll } : kept);
    listen({
        change: hear, resync: catchUp, connected: (isOn) => { if (isOn) catchUp(); },
    }, signal);
    await started;
}
