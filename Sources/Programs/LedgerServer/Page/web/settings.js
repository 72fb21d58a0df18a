// Settings: what the ledger goes by, its rates and rules, who has access, and how it is kept safe.

import { get, may, post, settings, status, wordsOf } from './api.js';
import { accessPart } from './access.js';
import { ask } from './ask.js';
import { jurisdictions } from './classes.js';
import { settle } from './decisions.js';
import { choice, field, h, pairs, table, toast } from './dom.js';
import { ago, count, moment } from './formats.js';
import { nextLinkPart } from './nextlink.js';
import { ratesPart } from './rates.js';
import { draw, failed } from './settingspart.js';
import { language, languages, t } from './texts.js';

/** How long between two looks at a backup that is being made, in milliseconds. */
const PAUSE = 1500;

/** The name of a country in the reader's language. */
const countryName = (code) => new Intl.DisplayNames(language(), { type: 'region' }).of(code.toUpperCase());

/** The zones that this browser knows. */
const zones = () => Intl.supportedValuesOf?.('timeZone') ?? [settings.time_zone];

/** The choices of a setting with the one that is set, if it is none of them. */
const withCurrent = (pairsOfChoice, value, name = (code) => code) =>
    (value && !pairsOfChoice.some(([code]) => code === value) ? [...pairsOfChoice, [value, name(value)]]
        : pairsOfChoice);

/** The controls of the ledger's settings, by their names. */
function controlsOf(now) {
    const of = (name) => now.get(name) ?? '';
    const open = ['', t('settings.unset')];
    return {
        units: choice([['km', t('settings.km')], ['mi', t('settings.mi')]], of('units')),
        time_zone: h('input', {
            required: true, autocomplete: 'off', spellcheck: 'false', list: 'zones', value: of('time_zone'),
        }),
        country: choice(withCurrent([open, ...jurisdictions.map((code) => [code, t(`land.${code}`)])],
            of('country'), countryName), of('country')),
        language: choice(withCurrent([open, ...languages], of('language')), of('language')),
        paper: choice([open, ['a4', 'A4'], ['letter', 'Letter']], of('paper')),
        keeper: h('input', { maxlength: 200, autocomplete: 'name', value: of('keeper') }),
    };
}

const HINTS = new Set(['time_zone', 'country', 'language', 'keeper']);

/** The form of the ledger's settings; what was changed is one decision, which can be taken back. */
async function ledgerPart(holder, signal, changed) {
    const { items } = await get('/v1/settings', {}, signal);
    if (signal.aborted) return;
    const now = new Map(items.filter(({ applies_to: source, to_come: later }) => !source && !later)
        .map(({ setting, value }) => [setting, value]));
    const controls = controlsOf(now);
    const isOwner = may('admin');
    if (!isOwner) for (const control of Object.values(controls)) control.disabled = true;
    const submit = async (event) => {
        event.preventDefault();
        const said = Object.entries(controls).map(([name, { value }]) => [name, value.trim()])
            .filter(([name, value]) => value !== (now.get(name) ?? ''));
        if (said.length === 0) {
            toast(t('details.nothing'));
            return;
        }
        await settle({
            type: 'settings_changed', ...Object.fromEntries(said.map(([name, value]) => [name, value || null])),
        }, async () => {
            // Zone and units are those of all that is shown from now on.
            await status(signal).catch(() => {});
            await ledgerPart(holder, signal, changed).catch((error) => failed(holder, error, signal));
            changed();
        });
    };
    draw(holder, h('form', { class: 'ledger-settings', onsubmit: submit },
        h('datalist', { id: 'zones' }, zones().map((zone) => h('option', { value: zone }))),
        h('div', { class: 'fields' }, Object.entries(controls).map(([name, control]) =>
            field(t(`ledger.${name}`), control, HINTS.has(name) ? t(`ledger.${name}hint`) : null))),
        isOwner ? h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save')))
            : h('p', { class: 'faint' }, t('settings.needs'))));
}

const PRESETS = ['phone', 'history', 'logger'];

/** The rules of each source, and others for it. */
async function rulesPart(holder, signal) {
    const { items } = await get('/v1/rules', {}, signal);
    if (signal.aborted) return;
    const again = () => rulesPart(holder, signal).catch((error) => failed(holder, error, signal));
    const choose = async (source, select, before) => {
        const preset = select.value;
        const answer = await ask({
            title: t('rules.title'), action: t('save'),
            text: [t('rules.asktext', {
                name: source ?? t('rules.others'), preset: t(`rules.${preset}`),
            })],
        });
        if (answer === null) {
            select.value = before;
            return;
        }
        await settle({ type: 'rules_adopted', preset, ...(source ? { applies_to: source } : {}) }, again);
        await again();
    };
    draw(holder,
        h('p', { class: 'faint' }, t('rules.text')),
        table(t('rules.title'), [t('source'), t('rules.begin')], items.map(({ source, preset }) => {
            const name = source ?? t('rules.others');
            const select = choice(withCurrent(PRESETS.map((one) => [one, t(`rules.${one}`)]), preset), preset, {
                'aria-label': `${t('rules.title')}: ${name}`, disabled: !may('admin'),
            });
            select.addEventListener('change', () => choose(source, select, preset));
            return [name, select];
        })));
}

/** What was done last to keep the ledger safe, and a backup now. */
async function safePart(holder, signal) {
    const kept = await get('/v1/safekeeping', {}, signal);
    if (signal.aborted || !holder.isConnected) return;
    const when = (at) => (at === null ? t('home.never')
        : `${moment(at)} (${ago(Date.now() - Date.parse(at))})`);
    const again = () => safePart(holder, signal).catch((error) => failed(holder, error, signal));
    const begin = async () => {
        try {
            await post('/v1/backups', {});
        } catch (error) {
            toast(error.detail || wordsOf(error));
        }
        await again();
    };
    draw(holder,
        pairs([
            [t('safe.backup'), when(kept.backup_at)],
            [t('safe.entries'), kept.backup_size === null ? null : count(kept.backup_size)],
            [t('safe.signed'), kept.signed_size === null ? t('home.never')
                : t('safe.upto', { n: kept.signed_size })],
            [t('safe.scrub'), when(kept.scrub_at)],
            [t('safe.findings'), kept.scrub_findings ? count(kept.scrub_findings) : null],
        ]),
        kept.backup_problem && h('p', { class: 'warning' }, kept.backup_problem),
        may('admin') && h('div', { class: 'buttons' }, h('button', {
            type: 'button', class: 'backup', disabled: kept.backup_running, onclick: begin,
        }, t(kept.backup_running ? 'safe.running' : 'safe.now'))),
        h('p', { class: 'faint' }, t('safe.text')));
    if (kept.backup_running) setTimeout(again, PAUSE);
}

export async function show({ main, signal }) {
    await status(signal);
    if (signal.aborted) return;
    const parts = [];
    /** Adds a section, which is read beside the others. */
    const section = (name, read, ...more) => {
        const holder = h('div', { class: 'part' });
        main.append(h('section', { class: `card settings-${name}` }, h('h2', null, t(`${name}.title`)), holder, more));
        parts.push(read(holder, signal).catch((error) => failed(holder, error, signal)));
        return holder;
    };
    // The country of the ledger is that of the rates.
    section('settings', (holder) => ledgerPart(holder, signal, () =>
        ratesPart(rates, signal).catch((error) => failed(rates, error, signal))));
    const rates = section('rates', ratesPart);
    section('rules', rulesPart);
    if (may('admin')) {
        const link = nextLinkPart(() => accessPart(access, signal).catch(() => {}));
        const access = section('access', accessPart, link,
            h('p', null, h('a', { href: '#/devices' }, t('access.devices'))));
    }
    if (may('admin', 'audit')) section('safe', safePart);
    await Promise.all(parts);
}
