// A file that is dropped: what would become of it is read and shown first, then one button adds it.

import { Cut, decide, get, post, remove, send, wordsOf } from './api.js';
import { ask } from './ask.js';
import { announce, disclosure, either, field, figures, h, pairs, put, table, toast } from './dom.js';
import { count, distance } from './formats.js';
import { makeMap, showAll } from './map.js';
import { mapEditor } from './dropmap.js';
import { drawRoads } from './roads.js';
import { t } from './texts.js';
import { readWaiting } from './waiting.js';

/** The time between two looks at how far a file is, in milliseconds. */
const PAUSE = 500;
/** A file that is sent again shows how far it is once it takes longer, in milliseconds. */
const SOON = 1000;
/** What was cut off while it waited is sent again after so many seconds. */
const AGAIN = 30;
/** So many trips are voided at a time. */
const PART = 500;
const BUSY = ['arriving', 'looking', 'adding'];

/** The file that is being dealt with stays when its view is left, and when the page is loaded anew. */
let current = null;
const KEY = 'drop';
/** The file that waits until another one is done; its view may be left meanwhile. */
let inHand = null;

/** Notes how far the file is; null if there is none any more. */
function keep(file) {
    current = file;
    if (file) sessionStorage.setItem(KEY, file.drop);
    else sessionStorage.removeItem(KEY);
    return file;
}

/** Waits for some milliseconds, or until a signal. */
const rest = (milliseconds, signal) => new Promise((resolve) => {
    if (signal.aborted) resolve();
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); resolve(); });
});

const sum = (rows, name) => rows.reduce((total, row) => total + row[name], 0);
const tripsOf = ({ years = [] }) => sum(years, 'trips');
const refusedOf = ({ summary }) => summary.rejected + summary.conflict;

/** The numbers of a file, as they are or would be. */
const facts = (file) => pairs([
    [t('totals.trips'), count(tripsOf(file))],
    [t('distance'), distance(sum(file.years ?? [], 'distance_m'))],
    [t('drop.new'), count(file.summary.appended)],
    [t('drop.here'), count(file.summary.duplicate)],
    [t('drop.refused'), refusedOf(file) > 0 ? count(refusedOf(file)) : null],
    [t('drop.ignored'), file.summary.ignored ? count(file.summary.ignored) : null],
], { class: 'drop-facts' });

const yearsPart = ({ years = [] }) => years.length > 0 && table(t('drop.years'),
    [t('year'), figures(t('totals.trips')), figures(t('distance'))],
    years.map((row) => [String(row.year), count(row.trips), distance(row.distance_m)]),
    years.length > 1 && [t('totals.all'), count(sum(years, 'trips')), distance(sum(years, 'distance_m'))]);

/** What the reader says, in the ledger's words. */
const wordsPart = ({ failed, summary, unreadable = [], columns }) => [
    failed && h('p', { class: 'warning', role: 'alert' }, failed.message),
    !columns && unreadable.slice(0, 5).map(({ file, message }) =>
        h('p', { class: 'warning' }, `${file}: ${message}`)),
    (summary?.notes ?? []).map(({ text }) => h('p', { class: 'faint' }, text)),
    summary?.same_drives && h('p', { class: 'warning' }, t('drop.same', { n: summary.same_drives.length })),
];

const problemsPart = ({ problems = [] }) => problems.length > 0 && disclosure(t('drop.why'), (body) =>
    put(body, h('ul', { class: 'plain' }, problems.map(({ file, line, message }) =>
        h('li', null, `${file}, ${line}: ${message}`)))));

/** The roads that its trips took, on a map. */
function mapPart({ roads }, signal) {
    if (!roads?.features.length) return null;
    const element = h('div', { class: 'map' });
    const holder = h('div', { class: 'map-holder' }, element);
    // A map has to stand in the page when it is made.
    queueMicrotask(() => {
        if (!holder.isConnected) return;
        const map = makeMap(element, signal);
        showAll(map, drawRoads(map, roads).getBounds());
    });
    return holder;
}

/** What can be said of a file before it is read again. */
function sayings(options, again) {
    const [source, vehicle, zone] = ['source', 'vehicle', 'time_zone'].map((name) =>
        h('input', { maxlength: 100, autocomplete: 'off', value: options[name] ?? '' }));
    return h('details', null, h('summary', null, t('drop.say')),
        h('form', { onsubmit: (event) => {
            event.preventDefault();
            again({
                ...options, source: source.value.trim(), vehicle: vehicle.value.trim(),
                time_zone: zone.value.trim(),
            });
        } },
        h('div', { class: 'fields' }, field(t('drop.source'), source), field(t('vehicle'), vehicle),
            field(t('drop.zone'), zone, t('drop.zonehint'))),
        h('div', { class: 'buttons' }, h('button', null, t('drop.again')))));
}

/** Makes the part of the view that takes a file. */
export function makeDropPart(signal) {
    const holder = h('div', { class: 'drop', 'aria-live': 'off' });
    const meter = h('progress', { max: '1' });
    const words = h('p', { role: 'status' });
    let options = {};
    /** What is known of the columns of a table, and what was said of them. */
    let columns = null;
    let hasTaken = false;
    let isWaiting = false;

    /** Shows how far something is: a part from 0 to 1, or `null` where that is not known. */
    function showProgress(text, part) {
        if (!meter.isConnected) put(holder, words, meter);
        if (words.textContent !== text) put(words, text);
        if (part === null) meter.removeAttribute('value');
        else meter.value = part;
        meter.setAttribute('aria-label', text);
    }

    function showFailure(error) {
        if (error.name === 'AbortError') return;
        keep(null);
        showStart(wordsOf(error));
    }

    function showStart(failure = null) {
        const input = h('input', { type: 'file', onchange: () => {
            if (input.files.length > 0) take(input.files[0]);
        } });
        put(holder, failure && h('p', { class: 'warning', role: 'alert' }, failure),
            h('div', { class: 'drop-target card' }, field(t('drop.choose'), input, t('drop.formats'))));
    }

    async function take(file) {
        if (isWaiting || (current && BUSY.includes(current.stage))) {
            toast(t('drop.onlyone'));
            return;
        }
        options = {};
        columns = null;
        hasTaken = true;
        isWaiting = file === inHand;
        try {
            const arrived = await arrive(file);
            if (!arrived) return;
            keep(arrived);
            await follow();
        } catch (error) {
            inHand = null;
            showFailure(error);
        } finally {
            isWaiting = false;
        }
    }

    /**
     * Sends a file, and again while another one is in the way: one that asks keeps its place. Resolves to
     * null if the file is given up, or its view is left.
     */
    async function arrive(file) {
        const giving = new AbortController();
        const ends = either(signal, giving.signal);
        let pause = isWaiting ? AGAIN : null;
        for (;;) {
            const began = Date.now();
            const tell = (part) => {
                if (giving.signal.aborted || (isWaiting && Date.now() - began < SOON)) return;
                showProgress(t('drop.sending', { name: file.name }), part);
            };
            tell(0);
            try {
                const arrived = await send(`/v1/drops?name=${encodeURIComponent(file.name)}`, file, tell);
                if (giving.signal.aborted) {
                    await remove(`/v1/drops/${arrived.drop}`);
                    return null;
                }
                inHand = null;
                return arrived;
            } catch (error) {
                // A large file that is refused is cut off, and nothing is heard of the reason.
                pause = error.retryAfter ?? (error instanceof Cut ? pause : null);
                if (giving.signal.aborted) return null;
                if (pause === null) throw error;
            }
            isWaiting = true;
            inHand = file;
            if (!signal.aborted) showWaiting(file, giving);
            await rest(pause * 1000, ends);
            if (ends.aborted) return null;
        }
    }

    /** Says that a file waits for another one. */
    function showWaiting(file, giving) {
        if (holder.querySelector('.drop-waits')) return;
        put(holder, h('section', { class: 'card drop-waits' }, h('h2', null, file.name),
            h('p', { role: 'status' }, t('drop.waits')),
            h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'give-up', onclick: () => {
                inHand = null;
                giving.abort();
                showStart();
            } }, t('drop.giveup')))));
    }

    /** Waits until nothing is done with the file any more, and shows it. */
    async function follow() {
        while (BUSY.includes(current.stage)) {
            const { progress, stage, name } = current;
            showProgress(t(stage === 'adding' ? 'drop.adding' : 'drop.looking', { name }),
                progress?.of ? Math.min(1, progress.bytes / progress.of) : null);
            await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
            if (signal.aborted) return;
            keep(await get(`/v1/drops/${current.drop}`, {}, signal));
        }
        if (signal.aborted) return;
        if (current.stage === 'added') showAdded();
        else showLooked();
    }

    async function again(said) {
        options = said;
        const texts = Object.fromEntries(Object.entries(said).filter(([, text]) => text));
        try {
            keep(await (await post(`/v1/drops/${current.drop}/look`, texts)).json());
            await follow();
        } catch (error) {
            if (error.kind === 'unknown') showFailure(error);
            else if (error.kind === 'busy') toast(t('drop.next'));
            else if (error.name !== 'AbortError') toast(wordsOf(error));
        }
    }

    async function add() {
        try {
            keep(await (await post(`/v1/drops/${current.drop}/add`, {})).json());
            await follow();
        } catch (error) {
            // Where another one is next, this one lies there until that comes.
            if (error.kind === 'busy') toast(t('drop.next'));
            else showFailure(error);
        }
    }

    async function giveUp() {
        const { drop } = current;
        keep(null);
        showStart();
        try {
            await remove(`/v1/drops/${drop}`);
        } catch (error) {
            // It may have been given up already.
            if (error.kind !== 'unknown') toast(wordsOf(error));
        }
    }

    function showLooked() {
        const file = current;
        const hasNew = Boolean(file.summary?.appended) && file.stage === 'looked';
        // Of a file that could not be read it is not known whether it has something new.
        const isRead = file.summary && !file.columns && (file.summary.read > 0 || !file.unreadable);
        const title = h('h2', { tabindex: '-1' }, file.name);
        columns = file.columns ?? columns;
        const editor = columns && mapEditor(columns, (map) => {
            columns = { ...columns, map, notes: [] };
            again({ ...options, map: JSON.stringify(map) });
        });
        put(holder, h('section', { class: 'card drop-looked' }, title,
            isRead && h('p', null, hasNew ? t('drop.would', { n: tripsOf(file) })
                : t('drop.nothing')),
            wordsPart(file),
            file.columns || file.failed ? editor
                : editor && h('details', null, h('summary', null, t('drop.columns')), editor),
            isRead && facts(file), yearsPart(file), problemsPart(file),
            mapPart(file, signal),
            h('div', { class: 'buttons' },
                hasNew && h('button', { type: 'button', class: 'main add-file', onclick: add }, t('drop.add')),
                h('button', { type: 'button', class: 'give-up', onclick: giveUp }, t('drop.giveup'))),
            sayings(options, again)));
        title.focus({ preventScroll: true });
        if (isRead) announce(t('drop.would', { n: tripsOf(file) }));
    }

    function showAdded() {
        const file = current;
        const { years = [], trips = [] } = file;
        readWaiting(true);
        const title = h('h2', { tabindex: '-1' }, t('drop.added', { name: file.name }));
        put(holder, h('section', { class: 'card drop-added' }, title,
            wordsPart(file), facts(file), yearsPart(file), problemsPart(file),
            h('div', { class: 'buttons' },
                years.length > 0 && h('a', {
                    class: 'button main', href: `#/trips?from=${years[0].year}-01-01&to=${years.at(-1).year}-12-31`,
                }, t('drop.see')),
                trips.length > 0 && h('button', { type: 'button', class: 'undo', onclick: undo }, `${t('undo')}…`),
                h('button', { type: 'button', onclick: () => { keep(null); showStart(); } },
                    t('drop.another')))));
        title.focus({ preventScroll: true });
        announce(t('drop.added', { name: file.name }));
    }

    /** Voids the trips of the file; what was recorded stays. */
    async function undo() {
        const { trips, name } = current;
        const why = await ask({
            title: t('drop.undo'), action: t('drop.void', { n: trips.length }), why: 'required',
            isDangerous: true, text: [t('drop.undotext', { n: trips.length, name }), t('drop.stays')],
        });
        if (why === null) return;
        try {
            for (let start = 0; start < trips.length; start += PART) {
                showProgress(t('drop.voiding'), start / trips.length);
                await decide(trips.slice(start, start + PART).map((trip) => ({ type: 'trip_voided', trip, why })));
            }
            keep(null);
            showStart();
            toast(`${t('undone')}. ${t('drop.stays')}`);
        } catch (error) {
            toast(wordsOf(error));
            showAdded();
        }
        readWaiting(true);
    }

    /** Goes on with a file of before; one that the server has no more is none. */
    async function resume() {
        const drop = current?.drop ?? sessionStorage.getItem(KEY);
        if (!drop) return;
        try {
            const file = await get(`/v1/drops/${drop}`, {}, signal);
            // Another file may have been dropped meanwhile.
            if (hasTaken) return;
            keep(file);
        } catch (error) {
            if (hasTaken) return;
            if (error.kind === 'unknown') keep(null);
            if (error.name === 'AbortError' || error.kind === 'unknown') return;
            throw error;
        }
        await follow();
    }

    showStart();
    if (inHand) take(inHand);
    else resume().catch(showFailure);
    return { element: holder, take };
}
