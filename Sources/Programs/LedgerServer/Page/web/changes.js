// Changes: every decision that people made, and every setting, newest first; the audit trail of the book.

import { lines, wordsOf } from './api.js';
import { choice, field, h, put, turns } from './dom.js';
import { clock, dayOf, fieldName, longDay, meters, noEffect, word } from './formats.js';
import { has, t } from './texts.js';
import { yearsOf } from './years.js';

/** So many lines are shown at once; more come at a press. */
const PAGE = 200;

function valueOf(line, said) {
    if (said === null || said === undefined || said === '') return '–';
    if (['class', 'status', 'mode'].includes(line.field)) return word(line.field, said);
    if (line.field === 'kind') return word('add.kind', said);
    if (line.field === 'vehicle_kind') return word('kind', said);
    if (typeof said === 'boolean') return t(said ? 'yes' : 'no');
    if (line.field === 'distance_m') return meters(Number(said));
    return typeof said === 'object' ? JSON.stringify(said) : String(said);
}

/** What the ledger says of a setting, such as `odometer of van`: of what kind it is, and which one. */
const ABOUT = /^(?:(odometer|rules|clock) of|(\w+))(?: (.*))?$/s;

/** A setting in the reader's words; of an expense the beginning of its id. */
function settingName(about) {
    const [, ofOne, other, name = ''] = ABOUT.exec(about) ?? [];
    const kind = ofOne ?? other;
    if (!has(`about.${kind}`)) return about;
    return t(`about.${kind}`, { name: kind === 'expense' ? name.slice(0, 8) : name }).trim();
}

/** What a line is about: a trip, with a link, or a setting. */
const aboutOf = (line) => (line.trip
    ? h('a', { href: `#/trip/${line.trip}` }, `${t('proof.trip')} ${line.trip.slice(0, 8)}`)
    : h('span', null, settingName(line.about ?? '')));

function item(line) {
    return h('li', { class: 'change' },
        h('span', { class: 'times' }, clock(line.occurred_at)),
        h('span', { class: 'what' }, h('strong', null, fieldName(line.field ?? '')), ' ', aboutOf(line)),
        h('span', { class: 'values' }, h('s', null, valueOf(line, line.old)), ' → ',
            h('ins', null, valueOf(line, line.new))),
        h('span', { class: 'faint who' }, [
            line.actor ?? line.source, line.why,
            line.days_after_trip > 0 && t('changes.after', { n: line.days_after_trip }), noEffect(line),
        ].filter(Boolean).join(' · ')));
}

/** The lines by the days on which they were decided, the newest first. */
function byDays(shown) {
    const days = new Map();
    for (const line of shown) {
        const day = dayOf(line.occurred_at);
        if (!days.has(day)) days.set(day, []);
        days.get(day).push(line);
    }
    return [...days].map(([day, items]) => h('section', null,
        h('h2', { class: 'day' }, longDay(day)), h('ol', { class: 'plain changes' }, items.map(item))));
}

export async function show({ main, query, signal }) {
    const { years, latest } = await yearsOf(signal);
    if (signal.aborted) return;
    const asked = query.get('year');
    const year = years.includes(asked) ? asked : latest;
    const holder = h('div', { class: 'sheet' });
    const words = h('input', {
        type: 'search', autocomplete: 'off', placeholder: t('changes.search'), value: query.get('text') ?? '',
    });
    let found = [];
    let most = PAGE;

    function draw() {
        const wanted = words.value.trim().toLowerCase();
        const fitting = wanted === '' ? found
            : found.filter((line) => JSON.stringify(line).toLowerCase().includes(wanted));
        put(holder,
            h('p', { class: 'faint', role: 'status' }, t('changes.count', { n: fitting.length })),
            fitting.length === 0 ? h('p', null, t('changes.none')) : byDays(fitting.slice(0, most)),
            fitting.length > most && h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => {
                most += PAGE;
                draw();
            } }, t('more'))));
    }

    const next = turns(signal);

    async function read(of, its) {
        put(holder, h('p', { class: 'faint' }, t('reading')));
        const parameters = new URLSearchParams({ year: of, all: 'yes' });
        const [report] = await lines(`/v1/reports/changes?${parameters}`, its);
        if (its.aborted) return;
        found = [...report?.changes ?? []].reverse();
        most = PAGE;
        draw();
    }

    const select = choice(years.map((one) => [one, one]), year, { onchange: () => {
        history.replaceState(null, '', `#/changes?year=${select.value}`);
        const its = next();
        read(select.value, its).catch((error) => {
            if (!its.aborted) put(holder, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)));
        });
    } });
    words.addEventListener('input', draw);
    main.append(h('p', { class: 'faint' }, t('changes.text')),
        h('div', { class: 'fields' }, field(t('year'), select), field(t('trips.text'), words)), holder);
    await read(year, next());
}
