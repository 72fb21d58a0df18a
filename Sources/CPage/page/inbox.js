// Inbox: trips without a class, one key or one swipe each, and those that are alike all at once.

import { Problem, decide, list, wordsOf } from './api.js';
import { announce, dialog, h, put, toast } from './dom.js';
import { claimed, clocks, count, dayOf, distance, shortDay, way, word } from './formats.js';
import { chooseClass, classKeys } from './classes.js';
import { swipes } from './swipe.js';
import { makeSuggester, wayKey } from './suggestions.js';
import { countOn, readWaiting, waiting } from './waiting.js';
import { t } from './texts.js';

const PAGE = 50;
/** What is looked through for trips of one way: so many pages of so many. */
const LONG_PAGE = 500;
const MOST_PAGES = 40;
/** More rows than these are no help: the rest waits until some are done. */
const MOST_ROWS = 300;
/** What one press decides at most; the next press goes on. */
const MOST_AT_ONCE = 1000;
const FIRST_CLASSES = ['business', 'commute', 'personal', 'medical'];

/** What was decided, newest last: each can be undone. */
let done = [];

/** Trips without a class, page by page, each with the tag of the page that it was on. */
function makeSource(query, signal, limit = PAGE) {
    let cursor = null;
    let isDone = false;
    return {
        get isDone() { return isDone; },
        async next() {
            const page = await list('/v1/trips', { ...query, class: 'unclassified', limit, cursor }, signal);
            cursor = page.next_cursor;
            isDone = !page.has_more;
            return page.items.filter(({ status }) => status === 'completed')
                .map((trip) => ({ ...trip, tag: page.tag }));
        },
    };
}

/** The events that give trips a class, or apply a routine to them. */
const eventsOf = (trips, code, routine) => trips.map((trip) => ({
    ...(routine ? { type: 'routine_applied', routine: routine.routine }
        : { type: 'details_edited', class: code }),
    trip: trip.id, trip_started_at: trip.started_at,
}));

/** The events that take it back: what a routine said is said no more. */
function restoringEvents(trips, routine) {
    const members = { class: 'unclassified' };
    for (const name of ['title', 'purpose', 'notes', 'category', 'client', 'vehicle', 'mode']) {
        if (routine?.[name]) members[name] = null;
    }
    return trips.map((trip) => {
        const before = Object.fromEntries(Object.keys(members).map((name) =>
            [name, name === 'class' || name === 'mode' ? members[name] : trip[name] ?? null]));
        const fields = Object.keys(routine?.fields ?? {}).map((key) => [key, trip.fields?.[key] ?? null]);
        return {
            type: 'details_edited', trip: trip.id, trip_started_at: trip.started_at, ...before,
            ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}),
        };
    });
}

/** Sends events about trips, if nothing else was decided about them since they were read. */
async function send(events, trips) {
    const oldest = Math.min(...trips.map(({ tag }) => Number(tag.slice(1, -1))));
    const { receipts } = await decide(events, `"${oldest}"`);
    const position = Math.max(...receipts.map((receipt) => receipt.position ?? 0));
    for (const trip of trips) trip.tag = `"${Math.max(position, oldest)}"`;
}

const nameOf = (code, routine) => (routine ? routine.title ?? routine.routine : word('class', code));

function rowOf(trip, suggestion, act) {
    const name = `${way(trip)}, ${shortDay(dayOf(trip.started_at))}`;
    const button = (code, key) => h('button', {
        type: 'button', class: `class-${code}`, 'aria-label': `${word('class', code)}: ${name}`,
        onclick: () => act(trip, code),
    }, word('class', code), h('kbd', { 'aria-hidden': 'true' }, key));
    const proposed = suggestion && h('button', {
        type: 'button', class: `proposed class-${suggestion.class ?? 'mixed'}`,
        'aria-label': `${t('inbox.suggested')}: ${nameOf(suggestion.class, suggestion.routine)}: ${name}`,
        onclick: () => act(trip, suggestion.class, suggestion.routine),
    }, h('span', null, t(suggestion.routine ? 'inbox.routine' : 'inbox.aslast', {
        name: nameOf(suggestion.class, suggestion.routine),
    })), h('kbd', { 'aria-hidden': 'true' }, 's'));
    return h('li', { class: 'inbox-row', 'data-trip': trip.id },
        h('span', { class: 'under right', 'aria-hidden': 'true' }, word('class', 'business')),
        h('span', { class: 'under left', 'aria-hidden': 'true' }, word('class', 'personal')),
        h('div', { class: 'card' },
            h('a', { href: `#/trip/${trip.id}` },
                h('span', { class: 'times' },
                    `${shortDay(dayOf(trip.started_at))}, ${clocks(trip.started_at, trip.ended_at)}`),
                h('span', { class: 'length' }, distance(claimed(trip))),
                h('span', { class: 'way' }, way(trip))),
            proposed,
            h('div', { class: 'answers' },
                Object.entries(classKeys).filter(([, code]) => FIRST_CLASSES.includes(code))
                    .map(([key, code]) => button(code, key)),
                h('button', {
                    type: 'button', 'aria-label': `${t('inbox.other')}: ${name}`,
                    onclick: () => chooseClass(null, (code) => act(trip, code)),
                }, t('inbox.other')))));
}

/** Asks whether all trips of a way get a class, and says first which they are. */
async function askForAll(group, code, routine, run, signal) {
    const text = h('p', { 'aria-live': 'polite' }, t('reading'));
    const buttons = h('div', { class: 'buttons' });
    const shown = dialog(t('inbox.all', { way: group.name }), text, buttons);
    const cancel = h('button', { type: 'button', onclick: () => shown.close() }, t('cancel'));
    put(buttons, cancel);
    const trips = [];
    try {
        const source = makeSource({ place: group.place }, signal, LONG_PAGE);
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
        n: count(trips.length), from: shortDay(days[0]), to: shortDay(days.at(-1)),
        distance: distance(trips.reduce((sum, trip) => sum + claimed(trip), 0)), name: nameOf(code, routine),
    }));
    const go = h('button', {
        type: 'button', class: 'main',
        onclick: () => { shown.close(); run(trips, code, routine); },
    }, t('inbox.allgo', { n: count(trips.length), name: nameOf(code, routine) }));
    put(buttons, go, cancel);
    go.focus();
}

/** Trips that are alike, of those that were read: the same routine, or the same way. */
function groupsOf(trips, suggester) {
    const groups = new Map();
    for (const trip of trips) {
        const key = wayKey(trip);
        if (!key) continue;
        const group = groups.get(key) ?? {
            name: way(trip), place: trip.start_place, trips: [], has: (one) => wayKey(one) === key,
            suggestion: suggester.of(trip),
        };
        group.trips.push(trip);
        groups.set(key, group);
    }
    return [...groups.values()].filter((group) => group.trips.length > 2)
        .sort((a, b) => b.trips.length - a.trips.length).slice(0, 4);
}

function groupElement(group, isAll, ask) {
    const { suggestion } = group;
    const codes = ['business', 'commute', 'personal'].filter((code) => code !== suggestion?.class);
    return h('li', { class: 'group' },
        h('p', null, h('strong', null, group.name), ' ',
            h('span', { class: 'faint' }, t(isAll ? 'inbox.alike' : 'inbox.atleast', {
                n: count(group.trips.length),
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

export async function show({ main, signal }) {
    done = [];
    readWaiting();
    const suggester = await makeSuggester(signal);
    if (signal.aborted) return;
    const state = { trips: [], current: null, isReading: false };
    const source = makeSource({}, signal);
    const rows = h('ul', { class: 'inbox-list plain', 'aria-label': t('nav.inbox') });
    const groups = h('ul', { class: 'plain groups' });
    const groupPart = h('details', { class: 'alike', hidden: true, open: window.innerWidth > 900 },
        h('summary', null, t('inbox.groups')), groups);
    const end = h('div', { class: 'end' });
    const undo = h('button', { type: 'button', disabled: true, onclick: takeBack }, t('undo'), ' ',
        h('kbd', { 'aria-hidden': 'true' }, 'z'));
    const left = h('p', { class: 'faint' });
    main.append(h('p', { class: 'faint help' }, t('inbox.help')),
        h('div', { class: 'buttons' }, undo, left), groupPart, rows, end);

    const rowElement = (trip) => rows.querySelector(`[data-trip="${trip.id}"]`);
    const sayLeft = () => put(left, waiting() === null ? '' : t('inbox.waiting', { n: count(waiting()) }));
    window.addEventListener('waitingchanged', sayLeft, { signal });

    function choose(trip, moves) {
        rows.querySelector('.current')?.classList.remove('current');
        state.current = trip ?? null;
        const row = trip && rowElement(trip);
        row?.classList.add('current');
        if (!moves) return;
        if (!row) { (undo.disabled ? main : undo).focus(); return; }
        row.querySelector('a').focus({ preventScroll: true });
        row.scrollIntoView({ block: 'nearest' });
    }

    function drawGroups() {
        const found = groupsOf(state.trips, suggester);
        groupPart.hidden = found.length === 0;
        put(groups, found.map((group) => groupElement(group, source.isDone, (...asked) =>
            askForAll(...asked, decideAbout, signal))));
    }

    function drawEnd() {
        undo.disabled = done.length === 0;
        sayLeft();
        const isFull = state.trips.length >= MOST_ROWS;
        put(end, state.isReading ? h('p', { class: 'faint' }, t('reading'))
            : state.trips.length === 0 && source.isDone
                ? h('p', { class: 'empty' }, t('inbox.empty'), ' ',
                    h('a', { href: '#/trips' }, t('inbox.trips')))
                : isFull ? h('p', { class: 'faint' }, t('inbox.full'))
                    : !source.isDone && h('button', { type: 'button', onclick: more }, t('more')));
    }

    async function more() {
        if (state.isReading || source.isDone || state.trips.length >= MOST_ROWS) return;
        state.isReading = true;
        drawEnd();
        try {
            // A page may have nothing that fits although there is more.
            let trips = [];
            while (trips.length === 0 && !source.isDone) trips = await source.next();
            // What was decided while it was read waits no more.
            const decided = new Set(done.flatMap((one) => one.trips.map(({ id }) => id)));
            insert(trips.filter(({ id }) => !decided.has(id)));
        } catch (error) {
            if (signal.aborted) return;
            toast(wordsOf(error));
        } finally {
            state.isReading = false;
        }
        drawGroups();
        drawEnd();
    }

    /** Puts trips into the list where their times say. */
    function insert(trips) {
        for (const trip of trips) {
            if (state.trips.some(({ id }) => id === trip.id)) continue;
            const at = state.trips.findIndex(({ started_at: other }) =>
                Date.parse(other) < Date.parse(trip.started_at));
            const row = rowOf(trip, suggester.of(trip), (one, code, routine) =>
                decideAbout([one], code, routine));
            swipes(row, (isRight) => decideAbout([trip], isRight ? 'business' : 'personal'), signal);
            const before = at < 0 ? null : rowElement(state.trips[at]);
            state.trips.splice(at < 0 ? state.trips.length : at, 0, trip);
            rows.insertBefore(row, before);
        }
        if (!state.current && state.trips.length > 0) choose(state.trips[0], false);
    }

    function remove(trips) {
        const gone = new Set(trips.map(({ id }) => id));
        const hadFocus = rows.contains(document.activeElement) || document.activeElement === document.body;
        const index = state.trips.indexOf(state.current);
        const next = state.trips.slice(Math.max(0, index)).find(({ id }) => !gone.has(id))
            ?? state.trips.slice(0, Math.max(0, index)).findLast(({ id }) => !gone.has(id));
        for (const trip of trips) rowElement(trip)?.remove();
        state.trips = state.trips.filter(({ id }) => !gone.has(id));
        choose(next, hadFocus);
        if (state.trips.length < PAGE / 2) more();
    }

    /** Decides, shows it at once, and puts the trips back if it did not come to be. */
    async function decideAbout(trips, code, routine = null) {
        if (!code && !routine) return;
        const decision = { trips, routine, name: nameOf(code, routine) };
        done.push(decision);
        remove(trips);
        drawEnd();
        const said = trips.length > 1 ? `${decision.name}: ${count(trips.length)}` : decision.name;
        try {
            await send(eventsOf(trips, code, routine), trips);
        } catch (error) {
            done = done.filter((one) => one !== decision);
            if (!signal.aborted) putBack(trips);
            toast(error instanceof Problem && error.status === 412 ? t('conflict.again') : wordsOf(error));
            return;
        }
        countOn(-trips.length);
        for (const trip of trips) suggester.learn(trip, code);
        toast(said, t('undo'), takeBack);
        drawGroups();
        drawEnd();
    }

    function putBack(trips) {
        insert(trips.slice(0, MOST_ROWS));
        choose(trips[0], true);
        drawGroups();
        drawEnd();
    }

    async function takeBack() {
        const decision = done.pop();
        if (!decision) return;
        try {
            await send(restoringEvents(decision.trips, decision.routine), decision.trips);
            countOn(decision.trips.length);
            announce(t('undone'));
            if (!signal.aborted) putBack(decision.trips);
        } catch (error) {
            toast(error instanceof Problem && error.status === 412 ? t('conflict.again') : wordsOf(error));
        }
        document.getElementById('toasts').replaceChildren();
        if (!signal.aborted) drawEnd();
    }

    rows.addEventListener('focusin', (event) => {
        const id = event.target.closest('[data-trip]')?.dataset.trip;
        const trip = state.trips.find((one) => one.id === id);
        if (trip && trip !== state.current) choose(trip, false);
    });
    document.addEventListener('keydown', (event) => press(event), { signal });

    function press(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (event.target.closest?.('input, textarea, select, dialog')) return;
        const { current } = state;
        const move = { j: 1, k: -1 }[event.key];
        if (move) choose(state.trips[state.trips.indexOf(current) + move] ?? current, true);
        else if (event.key === 'z') takeBack();
        else if (event.key === 's' && current) {
            const suggestion = suggester.of(current);
            if (suggestion) decideAbout([current], suggestion.class, suggestion.routine);
        } else if (classKeys[event.key] && event.key !== 'u' && current) {
            decideAbout([current], classKeys[event.key]);
        } else return;
        event.preventDefault();
    }

    const atEnd = new IntersectionObserver((entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) more();
    }, { rootMargin: '400px 0px' });
    signal.addEventListener('abort', () => atEnd.disconnect());
    await more();
    if (!signal.aborted) atEnd.observe(end);
}
