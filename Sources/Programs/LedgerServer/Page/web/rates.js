// The rates that hold, and those to come: of the country, and the ledger's own, which are set, replaced and ended.

import { all, countryOf, decide, may, post, settings, wordsOf } from './api.js';
import { choice, dialog, field, figures, h, table, toast } from './dom.js';
import { shortDay, today, word } from './formats.js';
import { draw, failed } from './settingspart.js';
import { t } from './texts.js';

const CLASSES = ['business', 'commute', 'medical', 'charity', 'moving'];

/** Sets a rate, and offers to take that back; resolves to whether it was taken. */
async function setRate(members, changed) {
    try {
        const answer = await post('/v1/rates', members);
        const [{ undo }] = (await answer.json()).decisions;
        toast(t('saved'), undo && t('undo'), undo && (() => decide([undo]).then(changed, (error) =>
            toast(wordsOf(error)))));
        changed();
        return true;
    } catch (error) {
        toast(error.detail || wordsOf(error));
        return false;
    }
}

/** The form that sets a rate of one's own, and `fill`, which begins another one in the place of one. */
function rateForm(changed) {
    const name = h('input', {
        required: true, maxlength: 64, autocomplete: 'off', pattern: '[a-z][a-z0-9_\\-]*', placeholder: 'company',
    });
    const rate = h('input', { required: true, type: 'number', step: 'any', min: '0', inputmode: 'decimal' });
    const per = choice([['km', t('settings.km')], ['mi', t('settings.mi')]], settings.units);
    const currency = h('input', {
        required: true, maxlength: 3, pattern: '[A-Z]{3}', autocomplete: 'off', placeholder: 'EUR',
    });
    const from = h('input', { required: true, type: 'date', value: `${today().slice(0, 4)}-01-01` });
    const kind = choice(CLASSES.map((code) => [code, word('class', code)]), 'business');
    const form = h('form', { onsubmit: (event) => {
        event.preventDefault();
        setRate({
            name: name.value, rate: rate.value, per: per.value, currency: currency.value, from: from.value,
            class: kind.value,
        }, changed);
    } },
    h('p', { class: 'faint' }, t('rates.text')),
    h('div', { class: 'fields' }, field(t('rates.name'), name, t('rates.namehint')),
        field(t('rates.rate'), rate), field(t('rates.per'), per), field(t('rates.currency'), currency),
        field(t('from'), from), field(t('class'), kind)),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save'))));
    const element = h('details', null, h('summary', null, t('rates.set')), form);
    return {
        element,
        fill(old) {
            const known = [[name, old.jurisdiction], [rate, old.tiers[0].rate], [per, old.unit],
                [currency, old.currency], [from, today()], [kind, old.classes[0]]];
            for (const [control, value] of known) control.value = value;
            element.open = true;
            rate.select();
            rate.focus();
        },
    };
}

/** The first day of a rate as it was set; its name ends with it. Nothing if the form could not have set it. */
function setFrom({ id, jurisdiction, classes, shape, vehicles }) {
    const [, day] = /\.(\d{4}-\d\d-\d\d)$/.exec(id) ?? [];
    const isOurs = id === `${jurisdiction}.${classes[0]}.${day}` && CLASSES.includes(classes[0]);
    return isOurs && classes.length === 1 && shape === 'flat' && vehicles.length === 0 ? day : null;
}

const membersOf = (rate, to) => ({
    name: rate.jurisdiction, rate: rate.tiers[0].rate, per: rate.unit, currency: rate.currency, from: setFrom(rate), to,
    class: rate.classes[0],
});

/** Says of the rates in whose place one stands when they ended: else they would hold again after it. */
async function endEarlier(rate, own) {
    const isBefore = (one) => one.to !== null && one.to < setFrom(rate);
    for (const one of own) {
        const isAlike = one.jurisdiction === rate.jurisdiction && one.classes[0] === rate.classes[0] && setFrom(one);
        const stretches = own.filter(({ id }) => id === one.id);
        if (one.id !== rate.id && isAlike && stretches.every(isBefore) && one === stretches.at(0)) {
            await post('/v1/rates', membersOf(one, one.to));
        }
    }
}

/**
 * Asks for the last day of a rate.
 *
 * @param own all rates of the ledger's own, the latest first
 */
function endRate(rate, own, changed) {
    const first = setFrom(rate);
    const last = h('input', { type: 'date', required: true, min: first, value: rate.to ?? today() });
    if (last.value < first) last.value = first;
    const shown = dialog(`${t('rates.end')}: ${rate.jurisdiction}`, h('form', { onsubmit: async (event) => {
        event.preventDefault();
        try {
            await endEarlier(rate, own);
        } catch (error) {
            toast(error.detail || wordsOf(error));
            return;
        }
        if (await setRate(membersOf(rate, last.value), changed)) shown.close();
    } },
    h('p', null, t('rates.endtext')),
    field(t('rates.lastday'), last),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save')),
        h('button', { type: 'button', onclick: () => shown.close() }, t('cancel')))));
}

const HEADS = () => [t('rates.name'), t('class'), figures(t('rates.rate')), t('rates.per'), t('from'), t('to')];

const cellsOf = (rate, name) => [
    name, rate.classes.map((code) => word('class', code)).join(', '), `${rate.rates} ${rate.currency}`, rate.unit,
    shortDay(rate.from), rate.to === null ? '–' : shortDay(rate.to),
];

/** The rates of the country from today on, and all that the ledger set for itself. */
export async function ratesPart(holder, signal) {
    const [country, own] = await Promise.all([countryOf(signal), all('/v1/rates', { own: 'yes' }, signal)]);
    const ofCountry = country ? await all('/v1/rates', { jurisdiction: country }, signal) : [];
    if (signal.aborted) return;
    own.sort((one, other) => other.from.localeCompare(one.from));
    const coming = ofCountry.filter(({ to }) => to === null || to >= today());
    const again = () => ratesPart(holder, signal).catch((error) => failed(holder, error, signal));
    const form = rateForm(again);
    const act = (does, words, rate, run) => h('button', {
        type: 'button', class: `quiet ${does}`, 'aria-label': `${words}: ${rate.jurisdiction}, ${shortDay(rate.from)}`,
        onclick: run,
    }, words);
    draw(holder,
        coming.length === 0 ? h('p', null, t(country ? 'rates.none' : 'rates.nocountry'))
            : table(t('rates.title'), HEADS(), coming.map((rate) => cellsOf(rate, rate.id))),
        own.length > 0 && h('h3', null, t('rates.own')),
        own.length > 0 && table(t('rates.own'), [...HEADS(), ''],
            own.map((rate) => [
                ...cellsOf(rate, rate.jurisdiction),
                may('admin') && setFrom(rate) && h('span', { class: 'buttons' },
                    act('replace-rate', t('rates.replace'), rate, () => form.fill(rate)),
                    act('end-rate', `${t('rates.end')}…`, rate, () => endRate(rate, own, again))),
            ])),
        may('admin') && form.element);
}
