// Reports: shown, printed and downloaded as the command makes them. The choices stand in the
// address.

import { all, countryOf, get, known, ownRates, queryText, settings, wordsOf } from './api.js';
import { choice, disclosure, either, field, h, put, table } from './dom.js';
import { moment, shortDay, word } from './formats.js';
import { classes, jurisdictions } from './classes.js';
import { handOutButton, linksButton } from './handout.js';
import { has, languageCode, t } from './texts.js';
import { yearsOf } from './years.js';

/** What is chosen first; the rest stands in a part that opens. */
const COMMON = ['year', 'jurisdiction', 'vehicle', 'class', 'private_as'];
/** What is not chosen here: the format by its button, and what follows from the page. */
const ELSEWHERE = ['format', 'download', 'language', 'units'];
/** The choice that is remembered. */
const COUNTRY = 'jurisdiction';
/** The reports that go by the rates of a country. */
const BY_RATES = ['claim', 'methods'];
/** How long nothing else is chosen before a report is made, in milliseconds. */
const PAUSE = 300;
/** Pixels that a border takes. */
const EDGE = 2;
const DOWNLOADS = ['csv', 'pdf', 'json'];

const labelOf = (parameter) => (has(`param.${parameter.name}`) ? t(`param.${parameter.name}`)
    : parameter.name.replaceAll('_', ' '));
const wordOf = (name, value) => (name === 'class' ? word('class', value)
    : name === COUNTRY ? word('land', value) : has(`param.${value}`) ? t(`param.${value}`) : value);

/**
 * The control of a parameter: a list where there are words, a field of its form else.
 *
 * @param lists the years, the vehicles, and the names of the ledger's own rates
 */
function controlOf(parameter, value, { years, vehicles, rates }) {
    const { name, form, words } = parameter;
    const options = name === 'year' ? years : name === 'vehicle' ? vehicles.map(({ vehicle }) => vehicle)
        : name === COUNTRY ? words ?? [...jurisdictions, ...rates] : name === 'class' ? classes : words;
    if (options && form !== 'words') {
        if (options.length === 1 && options[0] === 'yes') {
            return h('input', { type: 'checkbox', checked: value === 'yes' });
        }
        const known = value && !options.includes(value) ? [...options, value] : options;
        return choice([['', parameter.required ? '–' : t('any')],
            ...known.map((one) => [one, wordOf(name, one)])], value);
    }
    return h('input', {
        type: form === 'day' ? 'date' : form === 'number' ? 'number' : form === 'month' ? 'month' : 'text',
        min: parameter.minimum, max: parameter.maximum, value: value ?? '', autocomplete: 'off',
        // Firefox has no field for months, and shows one for text.
        placeholder: form === 'month' ? '2026-03' : undefined,
    });
}

/** Ways to say which days: one at a time. */
const PERIODS = [['year'], ['month'], ['day'], ['from', 'to']];

/** Empties what says other days than the control that was just set. */
function leaveOnePeriod(controls, changed) {
    const [parameter] = [...controls].find(([, control]) => control === changed) ?? [];
    const mine = PERIODS.find((names) => names.includes(parameter?.name));
    if (!mine || !valueOf(changed)) return;
    for (const [{ name, required }, control] of controls) {
        if (!required && !mine.includes(name) && PERIODS.flat().includes(name)) control.value = '';
    }
}

const valueOf = (control) => (control.type === 'checkbox' ? (control.checked ? 'yes' : '') : control.value);

/** The form of a report; `apply` gets what was chosen. */
function reportForm(report, query, lists, apply) {
    const parameters = report.parameters.filter(({ name }) => !ELSEWHERE.includes(name));
    const isCommon = (parameter) => COMMON.includes(parameter.name) || parameter.required;
    const controls = new Map(parameters.map((parameter) =>
        [parameter, controlOf(parameter, query.get(parameter.name), lists)]));
    const make = (parameter) => {
        const control = controls.get(parameter);
        return control.type === 'checkbox' ? h('label', { class: 'check' }, control, labelOf(parameter))
            : field(labelOf(parameter), control);
    };
    const rare = parameters.filter((parameter) => !isCommon(parameter));
    return h('form', {
        class: 'tools',
        onsubmit: (event) => event.preventDefault(),
        onchange: ({ target }) => {
            leaveOnePeriod(controls, target);
            const next = new URLSearchParams();
            for (const [{ name }, control] of controls) {
                if (valueOf(control)) next.set(name, valueOf(control));
            }
            apply(next);
        },
    },
    h('div', { class: 'fields' }, parameters.filter(isCommon).map(make)),
    rare.length > 0 && h('details', { open: rare.some(({ name }) => query.has(name)) },
        h('summary', null, t('reports.more')), h('div', { class: 'fields' }, rare.map(make))));
}

/** The address of a report in a format: the page's language and units, unless it has no such choice. */
export function addressOf(report, query, format, isDownload) {
    const names = new Set(report.parameters.map(({ name }) => name));
    const parameters = new URLSearchParams(query);
    parameters.set('format', format);
    const isRead = format !== 'csv' && format !== 'json';
    if (names.has('language') && isRead) parameters.set('language', languageCode());
    if (names.has('units')) parameters.set('units', settings.units);
    if (isDownload) parameters.set('download', 'yes');
    return `/v1/reports/${encodeURIComponent(report.report)}?${queryText(parameters)}`;
}

/** What a frame holds instead of a report, in words; null if it is a report. */
function refusalIn(frame) {
    const shown = frame.contentDocument;
    if (!shown || shown.contentType === 'text/html') return null;
    try {
        const problem = JSON.parse(shown.body.textContent);
        const key = `problem.${(problem.type ?? '').replace('urn:ledger:', '')}`;
        return [has(key) ? t(key) : problem.title, problem.detail].filter(Boolean).join('. ');
    } catch {
        return t('reports.notmade');
    }
}

/** Whether more stands in a part than is seen of its width. */
const isCut = (part) => part.scrollWidth > part.clientWidth + EDGE;

/** Shows a report in a frame of its own: its styles are its own, and it runs nothing. */
function showReport(holder, report, query, country, signal, handedOut) {
    const needed = ({ name, required }) =>
        required || (name === COUNTRY && BY_RATES.includes(report.report) && !country);
    const missing = report.parameters.filter((parameter) => needed(parameter) && !query.get(parameter.name));
    if (missing.length > 0) {
        put(holder, h('p', null, t('reports.choose', { what: missing.map(labelOf).join(', ') })),
            missing.some(({ name }) => name === COUNTRY)
                && h('p', null, h('a', { href: '#/settings' }, t('settings.all'))));
        return;
    }
    const address = addressOf(report, query, 'html', false);
    const words = h('p', { class: 'faint', role: 'status' }, t('reports.making'));
    const sideways = h('p', { class: 'faint', hidden: true }, t('reports.sideways'));
    // Its own links and tables are reached where it is opened alone.
    const frame = h('iframe', { src: address, title: nameOf(report), class: 'report', tabindex: '-1' });
    const print = h('button', { type: 'button', class: 'main', disabled: true, onclick: () => {
        frame.contentWindow.focus();
        frame.contentWindow.print();
    } }, t('print'));
    const links = DOWNLOADS.filter((format) => report.formats.includes(format)).map((format) => h('a', {
        class: 'button', href: addressOf(report, query, format, true), download: '',
    }, `${format.toUpperCase()} ↓`));
    frame.addEventListener('load', () => {
        // Something else was chosen meanwhile.
        if (signal.aborted || !frame.contentDocument) return;
        const refusal = refusalIn(frame);
        print.disabled = Boolean(refusal);
        if (refusal) {
            put(holder, h('p', { class: 'warning', role: 'alert' }, refusal));
            return;
        }
        words.textContent = '';
        // All of it stands in the page: one thing to scroll, and nothing is cut off in print.
        const { body, documentElement: root } = frame.contentDocument;
        const grow = () => {
            // The content's own height, not the frame's: each would follow the other for ever.
            const wanted = Math.ceil(body.getBoundingClientRect().bottom - root.getBoundingClientRect().top) + EDGE;
            if (Math.abs(wanted - frame.offsetHeight) > EDGE) frame.style.height = `${wanted}px`;
            // What is wider than a narrow screen is moved sideways there, and not cut off.
            const wide = Math.max(body.scrollWidth, root.scrollWidth);
            if (wide > frame.offsetWidth + EDGE) frame.style.width = `${wide}px`;
            sideways.hidden = ![root, ...root.querySelectorAll('div')].some(isCut);
        };
        grow();
        const observer = new ResizeObserver(grow);
        observer.observe(body);
        signal.addEventListener('abort', () => observer.disconnect());
    });
    put(holder, h('div', { class: 'buttons' }, print, links, handOutButton(report, query, handedOut),
        h('a', { class: 'button quiet', href: address, target: '_blank', rel: 'noopener' },
            t('reports.alone'))),
    words, sideways, h('div', { class: 'wide of-report' }, frame));
}

const nameOf = ({ report, summary }) => (has(`report.${report}`) ? t(`report.${report}`)
    : summary ?? report);

async function issuedPart(body, signal) {
    const items = await all('/v1/reports/issued', {}, signal, 500);
    put(body, items.length === 0 ? h('p', { class: 'faint' }, t('reports.noissued'))
        : table(t('reports.issued'),
            [t('reports.name'), t('report'), t('reports.days'), t('reports.issuedat'), t('history.actor'),
                t('handed.link')],
            items.map((item) => [
                h('a', {
                    href: `/v1/reports/issued/${encodeURIComponent(item.id)}`, target: '_blank',
                    rel: 'noopener',
                }, item.id),
                nameOf(item), `${shortDay(item.first_day)} – ${shortDay(item.last_day)}`,
                moment(item.issued_at), item.actor ?? '–', linksButton(item),
            ])));
}

export async function show({ main, heading, subject, query, signal }) {
    const [{ items: reports }, { years, latest }, vehicles, country] = await Promise.all([
        get('/v1/reports', {}, signal), yearsOf(signal), known('vehicles'), countryOf(signal),
    ]);
    if (signal.aborted) return;
    const report = reports.find((one) => one.report === subject) ?? reports[0];
    const names = report.parameters.map(({ name }) => name);
    const wanted = new URLSearchParams(query);
    const isDated = ['year', 'month', 'day', 'from', 'to'].some((name) => wanted.has(name));
    // Choices for one report are kept for the next, as far as it has them.
    for (const name of [...wanted.keys()]) if (!names.includes(name)) wanted.delete(name);
    if (!isDated && names.includes('year')) {
        wanted.set('year', latest);
    }
    // The country of a report is the same next time, until another is chosen.
    if (names.includes(COUNTRY) && !wanted.has(COUNTRY) && localStorage.getItem(COUNTRY)) {
        wanted.set(COUNTRY, localStorage.getItem(COUNTRY));
    }
    // Not every report knows each country, nor rates of one's own.
    const land = report.parameters.find(({ name }) => name === COUNTRY);
    if (land?.words && !land.words.includes(wanted.get(COUNTRY))) wanted.delete(COUNTRY);
    const rates = land && !land.words ? await ownRates(signal) : [];
    if (signal.aborted) return;
    const holder = h('div', { class: 'report-holder' });
    const issued = h('div');
    const drawIssued = () => put(issued, disclosure(t('reports.issued'), (body) =>
        issuedPart(body, signal).catch((error) => put(body, h('p', { class: 'warning' }, wordsOf(error))))));
    drawIssued();
    let showing = new AbortController();
    const showIt = (choices) => {
        showing.abort();
        showing = new AbortController();
        showReport(holder, report, choices, country, either(signal, showing.signal), drawIssued);
    };
    let waiting = null;
    // A month that is typed is another one with each key: only the last is asked for.
    const showSoon = (choices) => {
        showing.abort();
        put(holder, h('p', { class: 'faint', role: 'status' }, t('reports.making')));
        clearTimeout(waiting);
        waiting = setTimeout(() => showIt(choices), PAUSE);
    };
    signal.addEventListener('abort', () => clearTimeout(waiting));
    const tabs = h('ul', { class: 'tabs', 'aria-label': t('nav.reports') });
    let chosen = wanted;
    const drawTabs = () => put(tabs, reports.map((one) => h('li', null, h('a', {
        href: `#/reports/${one.report}?${chosen}`, 'aria-current': one === report ? 'page' : null,
    }, nameOf(one)))));
    drawTabs();
    heading.textContent = `${t('nav.reports')}: ${nameOf(report)}`;
    document.title = `${nameOf(report)} · Trip Ledger`;
    const apply = (next) => {
        chosen = next;
        if (next.get(COUNTRY)) localStorage.setItem(COUNTRY, next.get(COUNTRY));
        history.replaceState(null, '', `#/reports/${report.report}?${next}`);
        drawTabs();
        showSoon(next);
    };
    main.append(tabs,
        h('p', { class: 'faint' }, languageCode() === 'en' ? report.summary : ''),
        reportForm(report, wanted, { years, vehicles, rates }, apply), holder, issued);
    showIt(wanted);
}
