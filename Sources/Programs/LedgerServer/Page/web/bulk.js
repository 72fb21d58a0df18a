// The desk for many trips: they are selected, added up, and decided about at once.

import { Problem, decide, wordsOf } from './api.js';
import { ask } from './ask.js';
import { chooseClass } from './classes.js';
import { rowOf, tell, undosOf } from './decisions.js';
import { announce, dialog, field, h, put, toast } from './dom.js';
import { claimed, distance, way, word } from './formats.js';
import { t } from './texts.js';

/** The most decisions of one request, of which all are stored or none. */
const MOST = 500;

/** Asks for a purpose and a client; resolves to what was typed, or to null. */
function askForDetails(number) {
    return new Promise((resolve) => {
        let answer = null;
        const inputs = Object.fromEntries(['purpose', 'client', 'category'].map((name) =>
            [name, h('input', { maxlength: 1000, autocomplete: 'off' })]));
        const shown = dialog(t('bulk.details'), h('form', { onsubmit: (event) => {
            event.preventDefault();
            const typed = Object.entries(inputs).map(([name, { value }]) => [name, value.trim()]);
            const said = typed.filter(([, value]) => value !== '');
            answer = said.length > 0 ? Object.fromEntries(said) : null;
            shown.close();
        } },
        h('p', { class: 'faint' }, t('bulk.detailstext', { n: number })),
        Object.entries(inputs).map(([name, input]) => field(t(name), input)),
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
            // Only the first of several may find nothing new: the others come after it.
            decided.push(...await decide(decisions.slice(at, at + MOST), at === 0 ? tag : null));
        }
    } catch (error) {
        return { decided, error };
    }
    return { decided, error: null };
}

/**
 * Makes the desk of a list.
 *
 * @param list returns the list that is shown
 * @param showSums shows what trips add up to
 */
export function makeDesk({ list, showSums, signal }) {
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
        const meters = trips.reduce((sum, trip) => sum + claimed(trip), 0);
        put(bar,
            h('p', { class: 'desk-sum', role: 'status' }, h('strong', null, t('bulk.count', { n: trips.length })),
                ` · ${distance(meters)}`),
            h('div', { class: 'buttons' },
                act('class', `${t('class')}…`, () => chooseClass(null, setClass), 'main'),
                act('details', `${t('details.title')}…`, setDetails),
                act('void', `${t('bulk.void')}…`, voidAll),
                act('sums', t('trips.sum'), () => showSums([...selected.values()])),
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
                if (trip) Object.assign(trip, list().trips().find(({ id }) => id === row.id) ?? {});
            }
        }
        for (const id of selected.keys()) mark(id);
        draw();
    }

    /** Decides about all that are selected, and offers to take that back. */
    async function act(words, make) {
        if (isDeciding || selected.size === 0) return;
        isDeciding = true;
        draw();
        const { decided, error } = await sendAll([...selected.values()].map(make).filter(Boolean), null);
        isDeciding = false;
        if (signal.aborted) return;
        take(decided);
        const undos = undosOf(decided);
        if (error) toast(error.detail || wordsOf(error), undos.length > 0 && t('undo'), () => takeBack(decided));
        else {
            // One of many like it says what is to be known.
            const warnings = new Map(decided.flatMap((one) => one.warnings ?? []).map((one) => [one.message, one]));
            tell(t('bulk.done', { what: words, n: decided.length }), [{ warnings: [...warnings.values()].slice(0, 3) }],
                undos.length > 0 && (() => takeBack(decided)));
        }
    }

    /** Takes decisions back, if nothing else was decided about their trips since. */
    async function takeBack(decided) {
        const position = Math.max(...decided.map((one) => one.position ?? 0));
        const { decided: undone, error } = await sendAll(undosOf(decided).reverse(), `"${position}"`);
        if (signal.aborted) return;
        take(undone);
        if (!error) toast(t('undone'));
        else toast(error instanceof Problem && error.status === 412 ? t('conflict.title') : wordsOf(error));
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
