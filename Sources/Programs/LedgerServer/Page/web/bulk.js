// The desk for many trips: they are selected, added up, and decided about at once.

import { Problem, decide, trip as readTrip, wordsOf } from './api.js';
import { ask, askAboutVersions } from './ask.js';
import { vehicleInput } from './byhand.js';
import { chooseClass } from './classes.js';
import { tagAfter, tell, undosOf } from './decisions.js';
import { announce, apart, dialog, field, h, put, toast } from './dom.js';
import { claimed, dayOf, distance, shortDay, way, word } from './formats.js';
import { showSums, sumOf } from './listreport.js';
import { slim } from './triplist.js';
import { t } from './texts.js';

/** The most decisions of one request, of which all are stored or none, and how many trips are read at a time. */
const [MOST, READERS] = [500, 6];

/** Asks for details that trips may share; resolves to what was typed, or to null. */
async function askForDetails(number) {
    const { control: vehicle, names } = await vehicleInput();
    return new Promise((resolve) => {
        let answer = null;
        const inputs = Object.fromEntries(['purpose', 'client', 'category'].map((name) =>
            [name, h('input', { maxlength: 1000, autocomplete: 'off' })]));
        inputs.vehicle = vehicle;
        const shown = dialog(t('bulk.details'), h('form', { onsubmit: (event) => {
            event.preventDefault();
            const typed = Object.entries(inputs).map(([name, { value }]) => [name, value.trim()]);
            const said = typed.filter(([, value]) => value !== '');
            answer = said.length > 0 ? Object.fromEntries(said) : null;
            shown.close();
        } },
        h('p', { class: 'faint' }, t('bulk.detailstext', { n: number })),
        Object.entries(inputs).map(([name, input]) => field(t(name), input)), names,
        h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save')),
            h('button', { type: 'button', onclick: () => shown.close() }, t('cancel')))));
        shown.addEventListener('close', () => resolve(answer));
    });
}

/** Sends decisions in several requests; what was stored before one failed is given with the failure. */
async function sendAll(decisions, tag) {
    const decided = [];
    try {
        for (let at = 0; at < decisions.length; at += MOST) {
            const stored = await decide(decisions.slice(at, at + MOST), tag);
            // What is stored together is taken back together, if nothing else was decided since.
            const last = Math.max(...stored.map((one) => one.position ?? 0));
            decided.push(...stored.map((one) => ({ ...one, last })));
        }
    } catch (error) {
        return { decided, error };
    }
    return { decided, error: null };
}

const isChanged = (error) => error instanceof Problem && error.status === 412;

/** The tag of the trip that was read first: nothing may have been decided about any of them since. */
const oldestTag = (trips) => trips.map(({ tag }) => tag)
    .reduce((one, other) => (Number(one?.slice(1, -1)) < Number(other?.slice(1, -1)) ? one : other));

/** What is shown of a trip that people say. */
const saidOf = (trip) => [
    word('class', trip.class),
    ...[trip.purpose, trip.client, trip.category, trip.vehicle].map((said) => said && apart(said)),
    trip.status !== 'completed' && word('status', trip.status), distance(claimed(trip)),
].filter(Boolean).join(' · ');

/**
 * Reads trips anew; resolves to those of which something else is stored than was seen, with both.
 *
 * @param seen what was shown of each when the reader decided, by its id: what came since was not seen
 */
async function readAnew(trips, seen) {
    const changed = [];
    const rest = [...trips];
    const read = async () => {
        for (let trip = rest.shift(); trip; trip = rest.shift()) {
            const { trip: now, tag } = await readTrip(trip.id);
            Object.assign(trip, slim(now), { tag });
            const [before, after] = [seen.get(trip.id), saidOf(trip)];
            if (before !== after) changed.push({ trip, before, after });
            seen.set(trip.id, after);
        }
    };
    await Promise.all(Array.from({ length: READERS }, read));
    return changed;
}

/**
 * Makes the desk of a list.
 *
 * @param list returns the list that is shown
 * @param query returns the filters of that list
 */
export function makeDesk({ list, query, signal }) {
    const selected = new Map();
    let anchor = null;
    let isDeciding = false;
    const bar = h('div', { class: 'desk', role: 'region', 'aria-label': t('bulk.title'), hidden: true });

    const rows = (id) => document.querySelectorAll(`.trip-row[data-trip="${id}"]`);

    function mark(id) {
        for (const row of rows(id)) {
            row.classList.toggle('selected', selected.has(id));
            const box = row.querySelector('input.pick');
            if (box) box.checked = selected.has(id);
        }
    }

    function draw() {
        const trips = [...selected.values()];
        bar.hidden = trips.length === 0;
        const focused = bar.contains(document.activeElement) ? document.activeElement.dataset.does : null;
        const act = (does, words, run, kind) => h('button', {
            type: 'button', class: kind, 'data-does': does, disabled: isDeciding, onclick: run,
        }, words);
        const { meters, rest } = sumOf(trips, query());
        put(bar,
            h('p', { class: 'desk-sum', role: 'status' }, h('strong', null, t('bulk.count', { n: trips.length })),
                ` · ${distance(meters)}`, rest && ` · ${rest}`),
            h('div', { class: 'buttons' },
                act('class', `${t('class')}…`, () => chooseClass(null, setClass), 'main'),
                act('details', `${t('details.title')}…`, setDetails),
                act('void', `${t('bulk.void')}…`, voidAll),
                act('sums', t('trips.sum'), () => showSums([...selected.values()], query())),
                act('all', t('bulk.all'), all),
                act('none', t('bulk.none'), none)));
        if (focused) bar.querySelector(`[data-does=${focused}]`)?.focus();
    }

    function set(trips, isSelected) {
        for (const trip of trips) {
            if (isSelected) selected.set(trip.id, trip); else selected.delete(trip.id);
            mark(trip.id);
        }
        draw();
    }

    /** Selects a trip or not; with `isRange`, all from the one before up to it. */
    function toggle(trip, isRange) {
        const trips = list().trips();
        const [from, to] = [anchor, trip.id].map((id) => trips.findIndex((one) => one.id === id));
        const isSelected = !selected.has(trip.id);
        if (isRange && from >= 0 && to >= 0) {
            set(trips.slice(Math.min(from, to), Math.max(from, to) + 1), true);
        } else {
            set([trip], isSelected);
        }
        anchor = trip.id;
        announce(t('bulk.count', { n: selected.size }));
    }

    const all = () => set(list().trips(), true);

    function none() {
        set([...selected.values()], false);
        anchor = null;
    }

    /** Shows what became of the trips. */
    function take(decided) {
        for (const one of decided) {
            for (const row of one.trips ?? []) {
                list().take(row);
                const trip = selected.get(row.id);
                if (trip) Object.assign(trip, slim(row), { tag: tagAfter(one) ?? trip.tag });
            }
        }
        for (const id of selected.keys()) mark(id);
        draw();
    }

    /**
     * Decides about trips as they were seen. Where others have decided meanwhile, that is shown, and the reader
     * says whether to leave these trips out.
     */
    async function decideAll(trips, make) {
        const decided = [];
        const seen = new Map(trips.map((trip) => [trip.id, saidOf(trip)]));
        for (let rest = trips.filter(make); rest.length > 0;) {
            const sent = await sendAll(rest.map(make), oldestTag(rest));
            decided.push(...sent.decided);
            rest = rest.slice(sent.decided.length);
            if (!isChanged(sent.error) || signal.aborted) return { decided, error: sent.error };
            try {
                const changed = await readAnew(rest, seen);
                for (const { trip } of changed) list().refresh(trip);
                const goesOn = changed.length === 0 || await askAboutVersions(
                    changed.map(({ trip, before, after }) =>
                        [`${shortDay(dayOf(trip.started_at))}, ${way(trip)}`, before, after]),
                    t('bulk.changed', { n: changed.length }), t('bulk.changedtext'));
                if (goesOn === null) break;
                rest = rest.filter((trip) => (goesOn || !changed.some((one) => one.trip === trip)) && make(trip));
            } catch (error) {
                return { decided, error };
            }
        }
        return { decided, error: null };
    }

    /** Decides about all that are selected, and offers to take that back. */
    async function act(words, make) {
        if (isDeciding || selected.size === 0) return;
        isDeciding = true;
        draw();
        const { decided, error } = await decideAll([...selected.values()], make);
        isDeciding = false;
        if (signal.aborted) return;
        take(decided);
        const undos = undosOf(decided);
        if (error) toast(error.detail || wordsOf(error), undos.length > 0 && t('undo'), () => takeBack(decided));
        else if (decided.length === 0) toast(t('details.nothing'));
        else {
            // One of many like it says what is to be known.
            const warnings = new Map(decided.flatMap((one) => one.warnings ?? []).map((one) => [one.message, one]));
            tell(t('bulk.done', { what: words, n: decided.length }), [{ warnings: [...warnings.values()].slice(0, 3) }],
                undos.length > 0 && (() => takeBack(decided)));
        }
    }

    /** Takes decisions back, if nothing else was decided about their trips since. */
    async function takeBack(decided) {
        let failed = null;
        for (const last of new Set(decided.map((one) => one.last).reverse())) {
            const undos = undosOf(decided.filter((one) => one.last === last)).reverse();
            const { decided: undone, error } = await sendAll(undos, `"${last}"`);
            if (signal.aborted) return;
            take(undone);
            failed = error ?? failed;
        }
        if (!failed) toast(t('undone'));
        else toast(isChanged(failed) ? t('conflict.title') : wordsOf(failed));
    }

    const setClass = (code) => act(word('class', code), (trip) =>
        (trip.class === code ? null : { type: 'details_edited', trip: trip.id, class: code }));

    async function setDetails() {
        const said = await askForDetails(selected.size);
        if (said) await act(t('details.title'), ({ id }) => ({ type: 'details_edited', trip: id, ...said }));
    }

    async function voidAll() {
        const why = await ask({
            title: t('bulk.void'), text: [t('bulk.voidtext', { n: selected.size })], action: t('bulk.void'),
            why: 'required', isDangerous: true,
        });
        if (why !== null) {
            await act(t('bulk.void'), (trip) =>
                (trip.status === 'voided' ? null : { type: 'trip_voided', trip: trip.id, why }));
        }
    }

    return {
        element: bar,
        /** Adds to a row what selects it. */
        decorate(row, trip) {
            const box = h('input', {
                type: 'checkbox', class: 'pick', checked: selected.has(trip.id),
                'aria-label': `${t('bulk.select')}: ${way(trip)}`,
                onclick: (event) => toggle(trip, event.shiftKey),
            });
            row.classList.toggle('selected', selected.has(trip.id));
            row.prepend(h('label', { class: 'picker' }, box));
        },
        toggle,
        /** A button that shows the boxes where a narrow screen has no room for them as a rule. */
        switch(holder) {
            const press = () => {
                const isOn = holder.classList.toggle('selecting');
                button.setAttribute('aria-pressed', String(isOn));
                if (!isOn) none();
            };
            const button = h('button', {
                type: 'button', class: 'quiet select-mode', 'aria-pressed': 'false', onclick: press,
            }, t('bulk.select'));
            return button;
        },
        /** Selects the next row too, or the one before. */
        extend(step) {
            const before = list().current();
            list().move(step);
            const trip = list().current();
            if (!trip) return;
            set([before, trip].filter(Boolean), true);
            anchor = trip.id;
        },
        setClass,
        none,
        get isEmpty() { return selected.size === 0; },
    };
}
