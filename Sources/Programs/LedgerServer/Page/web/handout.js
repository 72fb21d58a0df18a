// Handing a report out: the ledger notes the SHA-256 of its bytes, and a link shows it to those who have the
// link, with what proves it.

import { may, post, settings, wordsOf } from './api.js';
import { dialog, h, put } from './dom.js';
import { linkPart, sharesPart } from './share.js';
import { keptKeys, parseKeys } from './signatures.js';
import { languageCode, t } from './texts.js';

const wordsFor = (error) => error.detail || wordsOf(error);

/** The request for a report as JSON, of choices as they stand in an address. */
function requestOf(report, choices) {
    const request = { version: 1, report: report.report, format: 'html' };
    const names = new Set(report.parameters.map(({ name }) => name));
    if (names.has('language')) request.language = languageCode();
    if (names.has('units')) request.units = settings.units;
    for (const { name, form, words } of report.parameters) {
        const value = choices.get(name);
        if (!value || ['format', 'download', 'language', 'units'].includes(name)) continue;
        if (form === 'number') request[name] = Number(value);
        else if (words?.length === 1 && words[0] === 'yes') request[name] = true;
        else request[name] = value;
    }
    return request;
}

/** The key of the log's owner, as this browser keeps it: it goes along with a link. */
async function ownKey() {
    const { keys } = await parseKeys(keptKeys());
    return keys.find(({ isWitness }) => !isWitness)?.text;
}

/** Makes links of a report that was handed out, and lists those that let in. */
function linksPart(id) {
    const result = h('div', { 'aria-live': 'polite' });
    const others = h('div');
    const isOfIt = (one) => one.report === id;
    const failed = (error) => put(result, h('p', { class: 'warning' }, wordsFor(error)));
    const make = async () => {
        try {
            const key = await ownKey();
            const asked = { report: id, url: location.origin, ...(key ? { key } : {}) };
            put(result, linkPart(await (await post('/v1/shares', asked)).json()),
                h('p', { class: 'faint' }, t(key ? 'handed.withkey' : 'handed.nokey')));
            result.querySelector('button').focus();
            await sharesPart(others, isOfIt);
        } catch (error) {
            failed(error);
        }
    };
    sharesPart(others, isOfIt).catch(failed);
    return [
        h('p', null, t('handed.linktext', { name: id })),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'main make-link', onclick: make }, t('share.make'))),
        result, others,
    ];
}

const closing = (close) => h('div', { class: 'buttons' },
    h('button', { type: 'button', onclick: close }, t('close')));

/** Shows the links of a report that was handed out. */
function showLinks(id) {
    const shown = dialog(t('handed.link'), h('div', { class: 'handing' }, linksPart(id)), closing(() => shown.close()));
}

/** Asks whether a report is to be handed out as it is shown, and does so. */
function handOut(report, choices, done) {
    const body = h('div', { class: 'handing' });
    const failure = h('div', { 'aria-live': 'polite' });
    const issue = async (button) => {
        button.disabled = true;
        put(failure, h('p', { class: 'faint' }, t('reports.making')));
        try {
            const { id } = await (await post('/v1/reports/issued', requestOf(report, choices))).json();
            put(failure);
            put(body, h('p', { role: 'status' }, t('handed.done', { name: id }), ' ',
                h('code', null, 'ledger head --sign')), linksPart(id));
            body.querySelector('button.make-link').focus();
            done();
        } catch (error) {
            button.disabled = false;
            put(failure, h('p', { class: 'warning' }, wordsFor(error)));
        }
    };
    put(body, h('p', null, t('handed.text')), h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'main hand-out', onclick: ({ target }) => issue(target) },
            t('handed.do'))));
    const shown = dialog(t('handed.do'), body, failure, closing(() => shown.close()));
}

/** The button that hands a report out, for those who may. */
export const handOutButton = (report, choices, done) => may('edit', 'admin') && h('button', {
    type: 'button', class: 'hand-out', onclick: () => handOut(report, choices, done),
}, `${t('handed.do')}…`);

/** The button that shows the links of a report that was handed out, for those who may make some. */
export const linksButton = ({ id }) => (may('edit', 'admin') ? h('button', {
    type: 'button', 'aria-label': `${t('handed.link')}: ${id}`, onclick: () => showLinks(id),
}, `${t('handed.link')}…`) : '');
