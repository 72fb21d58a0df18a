// Inbox: trips without a class, one key or one swipe each, those that are alike all at once;
// business trips without a purpose; and trips of whose drive there is another trip. Trips that are
// decided elsewhere leave it, and trips that end come into it.

import { alwaysLikeThis } from './always.js';
import { Problem, list, wordsOf } from './api.js';
import { announce, clearToasts, focusInstead, h, put, redraw, toast } from './dom.js';
import { claimed, clock, clocks, dayOf, distance, shortDay, way, word } from './formats.js';
import { makeByRule } from './byrule.js';
import { chooseClass, classKeys } from './classes.js';
import { swipes } from './swipe.js';
import { tell, undosOf } from './decisions.js';
import { classing, makeSource, nameOf, send, waitingTrips } from './inboxdecisions.js';
import { askForAll, groupElement, groupsOf } from './inboxgroups.js';
import { makePurposes, makeTwins } from './inboxpurposes.js';
import { listen } from './live.js';
import { makeSuggester } from './suggestions.js';
import { countOn, readWaiting, waiting } from './waiting.js';
import { t } from './texts.js';

const PAGE = 50;
/** More rows than these are no help: the rest waits until some are done. */
const MOST_ROWS = 300;
/** What is read at once when something has changed. */
const MOST_AGAIN = 500;
const FIRST_CLASSES = ['business', 'commute', 'personal', 'medical'];

const waitsOf = (trips) => trips.map(({ waits_for: what }) => what);

/** The id of the one trip that has a class now; null if they are several, or it has none. */
const classedOf = (trips) =>
    (trips.length === 1 && trips[0].class !== 'unclassified' ? trips[0].id : null);

/** What was decided, newest last: each can be undone. */
let done = [];

function rowOf(trip, suggestion, act) {
    const name = `${way(trip)}, ${shortDay(dayOf(trip.started_at))}, ${clock(trip.started_at)}`;
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
    return h('li', { class: `inbox-row${proposed ? ' proposes' : ''}`, 'data-trip': trip.id },
        h('span', { class: 'under right class-business', 'aria-hidden': 'true' }, word('class', 'business')),
        h('span', { class: 'under left class-personal', 'aria-hidden': 'true' }, word('class', 'personal')),
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

export async function show({ main, signal }) {
    done = [];
    readWaiting();
    const suggester = await makeSuggester(signal);
    if (signal.aborted) return;
    const state = { trips: [], current: null, isReading: false };
    const source = makeSource(signal, PAGE);
    const rows = h('ul', { class: 'inbox-list plain', 'aria-label': t('nav.inbox') });
    const groups = h('ul', { class: 'plain groups' });
    const groupPart = h('details', { class: 'alike', hidden: true, open: window.innerWidth > 900 },
        h('summary', null, t('inbox.groups')), groups);
    const purposes = makePurposes({ decide: carryOut, purposes: suggester.purposes, signal });
    const twins = makeTwins({ signal });
    const byRule = makeByRule({ decide: carryOut, signal });
    const end = h('div', { class: 'end' });
    const undo = h('button', { type: 'button', disabled: true, onclick: () => takeBack() }, t('undo'), ' ',
        h('kbd', { 'aria-hidden': 'true' }, 'z'));
    const left = h('p', { class: 'faint' });
    main.append(h('p', { class: 'faint help' }, t('inbox.help')),
        h('div', { class: 'buttons' }, undo, left),
        h('div', { class: 'beside' }, groupPart, purposes.element, twins.element, byRule.element),
        rows, end);

    const rowElement = (trip) => rows.querySelector(`[data-trip="${trip.id}"]`);
    const sayLeft = () => put(left, waiting() === null ? '' : t('inbox.waiting', { n: waiting() }));
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
        redraw(() => [groupPart], () => put(groups, found.map((group) =>
            groupElement(group, source.isDone, (...asked) => askForAll(...asked, decideAbout, signal)))));
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

    /** Puts what was read into its lists, unless it was decided about meanwhile. */
    function takeIn(items, since) {
        const isOurs = (one) => (one.endedAt ?? Infinity) > since;
        const decided = new Set(done.filter(isOurs).flatMap((one) => one.trips.map(({ id }) => id)));
        arrange(items.filter(({ id }) => !decided.has(id)));
    }

    /** Puts trips into the list of what they wait for. */
    function arrange(trips) {
        insert(trips.filter((trip) => trip.waits_for === 'class'));
        purposes.add(trips.filter((trip) => trip.waits_for === 'purpose'));
        twins.add(trips.filter((trip) => trip.waits_for === 'twin'));
    }

    async function more() {
        if (state.isReading || source.isDone || state.trips.length >= MOST_ROWS) return;
        state.isReading = true;
        drawEnd();
        try {
            // A page may have nothing that fits although there is more.
            const before = state.trips.length;
            while (state.trips.length === before && !source.isDone) {
                const since = performance.now();
                takeIn(await source.next(), since);
            }
        } catch (error) {
            if (signal.aborted) return;
            toast(wordsOf(error));
        } finally {
            state.isReading = false;
        }
        drawGroups();
        drawEnd();
    }

    /** Reads again what is shown: what another has decided goes, and what is new comes. */
    async function lookAgain() {
        const since = performance.now();
        const shown = [...state.trips, ...purposes.trips, ...twins.trips];
        const limit = Math.min(MOST_AGAIN, shown.length + PAGE);
        const page = await list('/v1/inbox', { limit }, signal);
        const { tag, has_more: hasMore } = page;
        const items = waitingTrips(page);
        const read = new Map(items.map((trip) => [trip.id, trip]));
        const at = (trip) => Date.parse(trip.started_at);
        const oldest = !hasMore ? -Infinity : items.length > 0 ? at(items.at(-1)) : Infinity;
        const isGone = (what) => (trip) => at(trip) >= oldest && what !== read.get(trip.id)?.waits_for;
        remove(state.trips.filter(isGone('class')), false);
        purposes.remove(purposes.trips.filter(isGone('purpose')));
        twins.remove(twins.trips.filter(isGone('twin')));
        for (const trip of [...state.trips, ...purposes.trips]) if (read.has(trip.id)) trip.tag = tag;
        // Trips beyond the rows that are shown come with later rows.
        const edge = source.isDone || state.trips.length === 0 ? -Infinity : at(state.trips.at(-1));
        takeIn(items.filter((trip) => at(trip) >= edge), since);
        drawGroups();
        drawEnd();
        readWaiting(true);
    }

    let looking = null;
    function lookSoon() {
        // Changes that come together, such as many decisions of one press, are read once.
        looking ??= setTimeout(() => {
            looking = null;
            lookAgain().catch(() => { /* The next change, or the end of the session, says more. */ });
        }, 300);
    }

    /** A trip is otherwise now: here, in another browser, or because it has just ended. */
    function hear(trip) {
        byRule.hear(trip);
        const needs = trip.waits_for ?? null;
        const listed = state.trips.find(({ id }) => id === trip.id);
        if (needs !== 'purpose') purposes.remove([trip]);
        if (listed && needs !== 'class') {
            const wasFocused = rowElement(listed).contains(document.activeElement);
            remove([listed], false);
            countOn(['class'], [needs]);
            if (wasFocused) announce(t('trip.meanwhile', { class: word('class', trip.class) }));
            drawGroups();
            drawEnd();
        }
        // What is asked about two trips of one drive stands in neither of them by itself.
        const mayAsk = twins.concerns(trip) || (!needs && trip.overlaps);
        if (mayAsk || (needs === 'purpose' ? !purposes.has(trip) : needs && !listed)) lookSoon();
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

    /** Takes trips from the list. The focus goes on to the next one only if it was on one of them. */
    function remove(trips, isOurs) {
        const gone = new Set(trips.map(({ id }) => id));
        const { activeElement: focused } = document;
        const moves = gone.has(focused?.closest('.inbox-row')?.dataset.trip)
            || (isOurs && (rows.contains(focused) || focused === document.body));
        const index = state.trips.indexOf(state.current);
        const next = state.trips.slice(Math.max(0, index)).find(({ id }) => !gone.has(id))
            ?? state.trips.slice(0, Math.max(0, index)).findLast(({ id }) => !gone.has(id));
        for (const trip of trips) rowElement(trip)?.remove();
        state.trips = state.trips.filter(({ id }) => !gone.has(id));
        choose(next, moves);
        if (state.trips.length < PAGE / 2) more();
    }

    /**
     * Decides, shows it at once, and puts back what was shown if it did not come to be.
     *
     * @param decision its `trips`, the `decisions` about them, and what is `said` of it in words
     */
    async function carryOut(decision) {
        const { trips, decisions, said } = decision;
        done.push(decision);
        take(trips, true);
        drawEnd();
        decision.sending = send(decisions, trips);
        let made;
        try {
            made = await decision.sending;
        } catch (error) {
            done = done.filter((one) => one !== decision);
            if (!signal.aborted) putBack(trips);
            fail(error);
            return;
        }
        decision.endedAt = performance.now();
        countOn(waitsOf(trips), waitsOf(made.trips));
        arrange(made.trips);
        for (const trip of made.trips) if (trip.class !== 'unclassified') suggester.learn(trip, trip.class);
        // By the key, it may have been taken back before it was stored.
        if (!decision.isTakenBack) {
            tell(said, made.decided, () => takeBack(decision), classedOf(made.trips));
        }
        drawGroups();
        drawEnd();
    }

    function fail(error) {
        const isOther = error instanceof Problem && error.status === 412;
        toast(isOther ? t('conflict.again') : wordsOf(error));
        // The user now sees what was decided meanwhile: the next decision is checked against it.
        if (isOther && !signal.aborted) lookSoon();
    }

    function decideAbout(trips, code, routine = null) {
        if (!code && !routine) return;
        const about = trips.length > 1 ? t('inbox.alike', { n: trips.length }) : way(trips[0]);
        carryOut({
            trips, decisions: classing(trips, code, routine), said: `${nameOf(code, routine)}: ${about}`,
        });
    }

    /** Takes trips from the lists. */
    function take(trips, isOurs) {
        remove(trips, isOurs);
        purposes.remove(trips);
    }

    /** Puts trips into the lists again, with the focus on the first. */
    function putBack(trips) {
        arrange(trips.slice(0, MOST_ROWS));
        const [first] = trips;
        if (first.waits_for === 'class') choose(first, true);
        else purposes.focus(first);
        drawGroups();
        drawEnd();
    }

    /** Takes a decision back: the one whose message offers it, or the last. */
    async function takeBack(decision = done.at(-1)) {
        if (!decision || decision.isTakenBack) return;
        decision.isTakenBack = true;
        done = done.filter((one) => one !== decision);
        clearToasts();
        try {
            // A decision that failed has been put back, and has said why.
            const made = await decision.sending.catch(() => null);
            if (!made) return;
            const undos = undosOf(made.decided);
            const { trips } = undos.length > 0 ? await send(undos, decision.trips) : made;
            countOn(waitsOf(made.trips), waitsOf(trips));
            announce(t('undone'));
            if (signal.aborted) return;
            take(trips, false);
            putBack(trips);
        } catch (error) {
            fail(error);
        } finally {
            if (!signal.aborted) drawEnd();
            focusInstead(null);
        }
    }

    /** Asks whether what was decided last holds for others of its way. */
    function repeat() {
        const last = done.at(-1);
        if (last?.trips.length !== 1) return;
        last.sending.then(() => alwaysLikeThis(last.trips[0].id), () => { /* It was said why. */ });
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
        else if (event.key === 'a') repeat();
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
    signal.addEventListener('abort', () => {
        atEnd.disconnect();
        clearTimeout(looking);
    });
    await more();
    if (signal.aborted) return;
    atEnd.observe(end);
    listen({
        change: ({ kind, operation, row }) => { if (kind === 'trip' && operation === 'put') hear(row); },
        resync: lookSoon,
    }, signal);
}
