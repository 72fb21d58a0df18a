// The form of what a trip was for. It says only what was changed, takes it back, and shows both versions
// when the trip was changed meanwhile.

import { Problem, decide, trip as readTrip, wordsOf } from './api.js';
import { tell } from './decisions.js';
import { choice, field, h, put, toast } from './dom.js';
import { way, word } from './formats.js';
import { classes } from './classes.js';
import { t } from './texts.js';

const MODES = ['car', 'bus', 'rail', 'bicycle', 'foot', 'unsure'];
const TYPES = { number: 'number', date: 'date', url: 'url', email: 'email' };

/** What was typed about trips and not saved, while the page is open. */
const drafts = new Map();

/** What a form says of a custom field; null if nothing. */
function fieldControl(definition, value) {
    const { value_type: type, options } = definition;
    if (type === 'boolean') {
        return choice([['', '–'], ['true', t('yes')], ['false', t('no')]],
            value === undefined ? '' : String(value));
    }
    if (type === 'select') {
        return choice([['', '–'], ...options.map((option) => [option, option])], value ?? '');
    }
    return h('input', {
        type: TYPES[type] ?? 'text', step: type === 'number' ? 'any' : null, value: value ?? '',
    });
}

function fieldValue(definition, text) {
    if (text === '') return null;
    if (definition.value_type === 'boolean') return text === 'true';
    return definition.value_type === 'number' ? Number(text) : text;
}

/** What a trip says: the members that the form has, null for what is not said. */
function saidOf(trip, fields) {
    const said = { class: trip.class, mode: trip.mode };
    for (const name of ['purpose', 'client', 'title', 'category', 'vehicle', 'notes']) {
        said[name] = trip[name] ?? null;
    }
    for (const { key } of fields) said[`fields.${key}`] = trip.fields?.[key] ?? null;
    return said;
}

/** The decision that says these members. */
function editOf(trip, members) {
    const edit = { type: 'details_edited', trip: trip.id };
    for (const [name, value] of Object.entries(members)) {
        if (name.startsWith('fields.')) (edit.fields ??= {})[name.slice(7)] = value;
        else edit[name] = value;
    }
    return edit;
}

/** The members that a decision says. */
function membersOf({ type, trip, fields = {}, ...members }) {
    const own = Object.entries(fields).map(([key, value]) => [`fields.${key}`, value]);
    return { ...members, ...Object.fromEntries(own) };
}

const shown = (name, value) => {
    if (value === null || value === '') return '–';
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return name === 'class' || name === 'mode' ? word(name, value) : String(value);
};

function makeControls(trip, { vehicles, fields }) {
    const text = (name, most) =>
        h('input', { maxlength: most, value: trip[name] ?? '', autocomplete: 'off' });
    const list = h('datalist', { id: 'known-vehicles' },
        vehicles.map(({ vehicle }) => h('option', { value: vehicle })));
    const vehicle = text('vehicle', 200);
    vehicle.setAttribute('list', list.id);
    const controls = {
        class: choice(classes.map((code) => [code, word('class', code)]), trip.class),
        purpose: text('purpose', 200),
        client: text('client', 200),
        vehicle,
        notes: h('textarea', { rows: 2, maxlength: 4000, value: trip.notes ?? '' }),
        title: text('title', 200),
        category: text('category', 200),
        mode: choice(MODES.map((code) => [code, word('mode', code)]), trip.mode),
    };
    for (const definition of fields) {
        controls[`fields.${definition.key}`] = fieldControl(definition, trip.fields?.[definition.key]);
    }
    return { controls, list };
}

/**
 * Makes the form.
 *
 * @param answer the trip and its tag
 * @param known vehicles and custom fields, and the signal of the view
 * @param onChange is told the trip as it is after a decision
 */
export function makeDetails(answer, known, onChange) {
    let { trip, tag } = answer;
    const { fields, signal } = known;
    const { controls, list } = makeControls(trip, known);
    const conflict = h('div', { 'aria-live': 'polite' });
    const labelOf = (name) => (name.startsWith('fields.')
        ? fields.find(({ key }) => key === name.slice(7)).label : t(name));
    const labels = Object.keys(controls);
    /** The texts that the controls were given, as they hold them. */
    const given = Object.fromEntries(labels.map((name) => [name, controls[name].value]));
    const rare = ['title', 'category', 'mode'];
    const element = h('section', { class: 'details' },
        h('h2', null, t('details.title')),
        conflict,
        h('form', { onsubmit: (event) => { event.preventDefault(); save(typed()); } },
            h('div', { class: 'fields' },
                labels.filter((name) => !rare.includes(name))
                    .map((name) => field(labelOf(name), controls[name]))),
            h('details', null, h('summary', null, t('details.more')),
                h('div', { class: 'fields' }, rare.map((name) => field(labelOf(name), controls[name])))),
            list,
            h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save')))));

    const valueOf = (name) => {
        const text = controls[name].value.trim();
        if (!name.startsWith('fields.')) return text === '' ? null : text;
        return fieldValue(fields.find(({ key }) => key === name.slice(7)), text);
    };

    /** What was typed, and is otherwise than the trip: a text with blanks at its ends is as it was given. */
    function typed() {
        const said = saidOf(trip, fields);
        return Object.fromEntries(labels.filter((name) => controls[name].value !== given[name])
            .map((name) => [name, valueOf(name)])
            .filter(([name, value]) => value !== said[name]));
    }

    /** Takes over what was read; what was typed meanwhile stays, unless it is named. */
    function take(read, names) {
        trip = read.trip;
        tag = read.tag;
        const said = saidOf(trip, fields);
        for (const name of names) {
            const text = said[name] === null ? '' : String(said[name]);
            if (controls[name].value !== text) controls[name].value = text;
            given[name] = controls[name].value;
        }
        if (!signal.aborted) onChange(trip);
    }

    /** Decides about the trip, and takes over what became of it, but nothing typed meanwhile. */
    async function sendNow(decision, names) {
        const texts = names.map((name) => controls[name].value);
        const [decided] = await decide([decision], tag);
        const read = await readTrip(trip.id);
        // The user has not seen yet what someone else has decided since, though it may have been
        // read: the next decision is checked against this one.
        if (decided.position !== undefined) read.tag = `"${decided.position}"`;
        take(read, names.filter((name, index) => controls[name].value === texts[index]));
        return decided;
    }

    // One decision after the other: the tag of the next is known when the one before is through.
    let sending = Promise.resolve();
    const send = (decision, names) => {
        sending = sending.catch(() => {}).then(() => sendNow(decision, names));
        return sending;
    };

    /** Puts what was typed before, and not saved, into the form again. */
    function takeDraft() {
        const draft = drafts.get(trip.id);
        drafts.delete(trip.id);
        const names = labels.filter((name) => Object.hasOwn(draft ?? {}, name));
        for (const name of names) controls[name].value = draft[name] === null ? '' : String(draft[name]);
        return names.length > 0;
    }

    // What is typed is not lost without a word: not with the view, and not with the page.
    signal.addEventListener('abort', () => {
        const left = typed();
        if (Object.keys(left).length === 0) return;
        drafts.set(trip.id, left);
        const address = `#/trip/${trip.id}`;
        setTimeout(() => toast(t('details.unsaved', { way: way(trip) }), t('now.open'), () => {
            location.hash = address;
        }));
    });
    window.addEventListener('beforeunload', (event) => {
        if (Object.keys(typed()).length > 0) event.preventDefault();
    }, { signal });
    if (takeDraft()) put(conflict, h('p', { class: 'faint' }, t('details.draft')));

    async function save(members, isUndo = false) {
        const names = Object.keys(members);
        if (names.length === 0) { toast(t('details.nothing')); return; }
        await sending.catch(() => {});
        try {
            const decided = await send(editOf(trip, members), names);
            put(conflict);
            const back = !isUndo && decided.undo;
            const isAbout = names.some((name) => name === 'class' || name === 'purpose');
            const isClassed = back && isAbout && trip.class !== 'unclassified';
            tell(t(isUndo ? 'undone' : 'saved'), [decided], back && (() => save(membersOf(back), true)),
                isClassed ? trip.id : null);
        } catch (error) {
            if (error instanceof Problem && error.status === 412) await showConflict(members);
            else toast(wordsOf(error));
        }
    }

    /** Shows what the other decision and this one say, side by side. */
    async function showConflict(members) {
        const before = saidOf(trip, fields);
        const read = await readTrip(trip.id);
        const now = saidOf(read.trip, fields);
        const names = labels.filter((name) => name in members || now[name] !== before[name]);
        // There is no conflict about details that only the other decision changed.
        take(read, names.filter((name) => !(name in members)));
        const resolve = (keepsMine) => {
            put(conflict);
            if (keepsMine) save(members); else take(read, names);
            controls.class.focus();
        };
        put(conflict, h('div', { class: 'warning' },
            h('h3', { tabindex: '-1' }, t('conflict.title')),
            h('p', null, t('conflict.text')),
            h('table', { class: 'versions' },
                h('thead', null, h('tr', null, ['conflict.field', 'conflict.theirs', 'conflict.mine']
                    .map((key) => h('th', { scope: 'col' }, t(key))))),
                h('tbody', null, names.map((name) => h('tr', null,
                    h('th', { scope: 'row' }, labelOf(name)),
                    h('td', null, shown(name, now[name])),
                    h('td', null, shown(name, name in members ? members[name] : now[name])))))),
            h('div', { class: 'buttons' },
                h('button', { type: 'button', class: 'main', onclick: () => resolve(true) },
                    t('conflict.keepmine')),
                h('button', { type: 'button', onclick: () => resolve(false) },
                    t('conflict.keeptheirs')))));
        conflict.querySelector('h3').focus();
    }

    return {
        element,
        /** Decides about the trip; returns what became of the decision, and the trip as it is then. */
        send: async (decision, names = []) => ({ decided: await send(decision, names), trip }),
        /** Reads the trip anew; what is being typed stays. */
        async refresh() {
            const mine = Object.keys(typed());
            take(await readTrip(trip.id), labels.filter((name) => !mine.includes(name)));
            return trip;
        },
        /**
         * Takes over what was decided elsewhere. While something is typed, or two versions are shown,
         * nothing changes below the reader's hands: saving it tells the conflict.
         */
        async follow() {
            await sending.catch(() => {});
            const isBusy = () => Object.keys(typed()).length > 0 || conflict.children.length > 0;
            if (isBusy()) return;
            const read = await readTrip(trip.id, signal);
            if (!isBusy()) take(read, labels);
        },
        names: labels,
        focus: () => controls.class.focus(),
    };
}
