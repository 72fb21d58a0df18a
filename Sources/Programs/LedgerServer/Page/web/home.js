// What a driver wants to see first: how far, how long and for how much today, this week, this month and this
// year; what waits for a decision; and whether all that keeps the ledger safe is as it should be.

import { all, countryOf, get, groups, lines, may, ownRates } from './api.js';
import { classes, jurisdictions } from './classes.js';
import { choice, field, h, put, turns } from './dom.js';
import { ago, count, distance, hours, money, today, word } from './formats.js';
import { daysBefore } from './roads.js';
import { seal, sealPart, signedHead } from './seal.js';
import { t } from './texts.js';
import { readWaiting, waitingInAll } from './waiting.js';

const COUNTRY = 'jurisdiction';
const DAY = 24 * 3600 * 1000;
/** A copy, a signature or a phone that is older asks for a look, in days. */
const FRESH = { backup: 7, signed: 31, phone: 2 };
/** A phone that was silent for so many days is in use no more. */
const SILENT = 30;
const MOST_PHONES = 4;

/** The periods up to today, each with its first day. */
function periodsTo(day) {
    const weekday = (new Date(`${day}T00:00Z`).getUTCDay() + 6) % 7;
    return [
        ['today', day], ['week', daysBefore(day, weekday)], ['month', `${day.slice(0, 8)}01`],
        ['year', `${day.slice(0, 5)}01-01`],
    ].map(([name, from]) => ({ name, from, to: day }));
}

const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

/** What a claim for some days says: the sums, and its lines. */
async function claimOf(country, { from, to }, signal) {
    const query = new URLSearchParams({ jurisdiction: country, from, to });
    const rows = await lines(`/v1/reports/claim?${query}`, signal);
    return {
        amounts: rows.find(({ kind }) => kind === 'total')?.amounts ?? [],
        lines: rows.filter(({ kind }) => kind === 'line'),
    };
}

const amountsText = (amounts) => amounts.map(({ amount, currency }) => money(amount, currency)).join(' + ');

function tile(period) {
    const [way, rest, pay] = [h('strong', null, '–'), h('span', { class: 'faint' }), h('span', { class: 'pay' })];
    const address = period.name === 'today' ? `#/day/${period.to}`
        : `#/trips?from=${period.from}&to=${period.to}`;
    return {
        element: h('a', { class: 'tile', href: address, 'data-period': period.name },
            h('span', { class: 'period' }, t(`home.${period.name}`)), way, rest, pay),
        fill(rows) {
            const trips = sum(rows, 'trips');
            put(way, distance(sum(rows, 'distance_m')));
            put(rest, trips === 0 ? t('totals.nothing')
                : `${hours(sum(rows, 'driving_s'))} · ${count(trips)} ${t('totals.ntrips', { n: trips })}`);
        },
        pay(claim) { put(pay, amountsText(claim.amounts)); },
    };
}

/** The year by class: a bar, and below it what each class is worth. */
function classPart(rows, claim) {
    const used = classes.filter((code) => rows.some(({ name, distance_m: way }) => name === code && way > 0));
    const meters = Math.max(1, sum(rows, 'distance_m'));
    const row = (code) => rows.find(({ name }) => name === code);
    const worth = (code) => {
        const sums = new Map();
        for (const line of claim?.lines ?? []) {
            if (line.class !== code || line.amount === null) continue;
            sums.set(line.currency, (sums.get(line.currency) ?? 0) + Number(line.amount));
        }
        return amountsText([...sums].map(([currency, amount]) => ({ amount, currency })));
    };
    if (used.length === 0) return null;
    return h('section', { class: 'by-class', 'aria-label': t('home.byclass') },
        h('h2', null, t('home.byclass')),
        h('div', { class: 'shares', 'aria-hidden': 'true' }, used.map((code) => {
            const part = h('span', { class: `class-${code}` });
            part.style.flexGrow = String(row(code).distance_m / meters);
            return part;
        })),
        h('ul', { class: 'plain worth' }, used.map((code) => h('li', null,
            h('span', { class: `swatch class-${code}`, 'aria-hidden': 'true' }),
            h('span', null, word('class', code)),
            h('span', { class: 'amount' }, distance(row(code).distance_m)),
            h('span', { class: 'amount pay' }, worth(code))))));
}

/** How far a class is on the way to where its rate changes, or its limit lies. */
function thresholdsOf(claim, day) {
    const found = new Map();
    for (const line of claim.lines) {
        if (!line.threshold_m || line.year_from > day || line.year_to < day) continue;
        found.set(`${line.class} ${line.threshold_m}`, line);
    }
    return [...found.values()].map((line) => {
        const [done, most] = [line.counted_before_m + line.counted_after_m, line.threshold_m];
        const isOver = done > most;
        const name = t(`home.${line.shape === 'limit' ? 'limit' : 'threshold'}`, {
            class: word('class', line.class), most: distance(most),
        });
        return h('div', { class: `threshold class-${line.class}${isOver ? ' over' : ''}` },
            h('p', null, h('span', null, name), h('span', { class: 'amount' }, distance(done))),
            h('progress', { max: String(most), value: Math.min(done, most), 'aria-label': name }),
            isOver && h('p', { class: 'faint' }, t(line.shape === 'limit' ? 'home.overlimit' : 'home.passed', {
                way: distance(done - most),
            })));
    });
}

const light = (state, name, words, href) => h('li', null,
    h('span', { class: 'light', 'data-state': state, 'aria-hidden': 'true' }),
    h('span', null, href ? h('a', { href }, name) : name), h('span', { class: 'faint' }, words));

/** Good while it is fresh; what is old, or never was, asks for a look. */
const stateOf = (at, days) => (at && Date.now() - Date.parse(at) < days * DAY ? 'good' : 'look');
const agoOf = (at) => (at ? ago(Date.now() - Date.parse(at)) : t('home.never'));

/** When the last of the entries that a head covers was stored; null for those who may not read the log. */
async function coveredAt(head, signal) {
    try {
        const [entry] = await lines(`/v1/log?from=${head.size - 1}&limit=1`, signal);
        return entry?.recorded_at ?? null;
    } catch {
        return null;
    }
}

/** The sources that say nothing on a day on which they have always driven lately. */
async function silentSources(signal) {
    const { items } = await get('/v1/devices', { limit: 1000 }, signal).catch(() => ({ items: [] }));
    return new Set(items.filter(({ silent_since: since }) => since !== null).flatMap(({ sources }) => sources));
}

/** The lights: the last copy, the last signature, and each phone that is in use. */
async function drawLights(holder, sources, signal) {
    const isOwner = may('admin', 'audit');
    const kept = isOwner ? await get('/v1/safekeeping', {}, signal).catch(() => null) : null;
    const head = kept?.signed_size ? await signedHead(signal).catch(() => null) : null;
    const [signedAt, silent] = await Promise.all([head && coveredAt(head, signal), silentSources(signal)]);
    if (signal.aborted) return null;
    const phones = sources.filter(({ last_position: position, latest_at: at }) =>
        position && Date.now() - Date.parse(at) < SILENT * DAY)
        .sort((a, b) => b.latest_at.localeCompare(a.latest_at)).slice(0, MOST_PHONES);
    put(holder, h('h2', null, t('home.safe')), h('ul', { class: 'plain lights' },
        kept && light(stateOf(kept.backup_at, FRESH.backup), t('home.backup'), agoOf(kept.backup_at)),
        isOwner && light(stateOf(signedAt, FRESH.signed), t('home.signed'),
            head ? agoOf(signedAt) : t('home.never'), '#/proof'),
        phones.map(({ source, latest_at: at }) =>
            (silent.has(source) ? light('look', source, t('home.silent', { time: agoOf(at) }), '#/devices')
                : light(stateOf(at, FRESH.phone), source, agoOf(at), '#/devices')))));
    return head;
}

/** What waits for a decision, as one button; nothing stands there while nothing does. */
function waitingPart(signal) {
    const link = h('a', { class: 'button waits', href: '#/inbox', hidden: true });
    const draw = () => {
        const number = waitingInAll();
        link.hidden = !number;
        put(link, h('strong', null, number > 999 ? `${count(999)}+` : count(number ?? 0)), ' ',
            t('home.wait', { n: number ?? 0 }), h('span', { 'aria-hidden': 'true' }, '→'));
    };
    window.addEventListener('waitingchanged', draw, { signal });
    draw();
    return link;
}

/** Asks whose rates are meant, where neither ledger nor browser knows it. */
function countryPart(rates, again) {
    const codes = [...jurisdictions, ...rates];
    const select = choice([['', '–'], ...codes.map((code) => [code, word('land', code)])], '', {
        onchange: () => {
            localStorage.setItem(COUNTRY, select.value);
            again();
        },
    });
    return field(t('home.country'), select);
}

/** Makes the part of the first view; `update` reads its figures again, those of money too. */
export function makeHome(signal) {
    const tiles = h('div', { class: 'periods' });
    const byClass = h('div');
    const limits = h('div', { class: 'thresholds' });
    const asking = h('div');
    const lights = h('section', { class: 'keeping' });
    const element = h('div', { class: 'home' }, waitingPart(signal), tiles, asking, byClass, limits, lights,
        sealPart(signal));

    const next = turns(signal);
    /** The tiles of a day, and the claim of its year as it was read last. */
    let of = { day: null, shown: [], claim: null };

    async function drawMoney({ shown }, periods, yearRows, its) {
        // That of the ledger, else what was chosen in this browser.
        const country = await countryOf(its) ?? localStorage.getItem(COUNTRY);
        if (!country) {
            const rates = await ownRates(its);
            put(asking, countryPart(rates, () => drawMoney(of, periods, yearRows, its).catch(() => {})));
            return;
        }
        put(asking);
        // The year says the most, so it is asked for first. The server makes few claims at once.
        for (const period of [...periods].reverse()) {
            const claim = await claimOf(country, period, its);
            if (its.aborted) return;
            shown[periods.indexOf(period)].pay(claim);
            if (period.name !== 'year') continue;
            of.claim = claim;
            put(byClass, classPart(yearRows, claim));
            put(limits, thresholdsOf(claim, period.to));
        }
    }

    async function update(sources) {
        const its = next();
        const day = today();
        const periods = periodsTo(day);
        const now = of.day === day ? of : { day, shown: periods.map(tile), claim: null };
        const elements = now.shown.map((one) => one.element);
        if (tiles.children.length === 0) put(tiles, elements);
        readWaiting();
        const rows = await Promise.all(periods.map(({ from, to }) => groups({ by: 'class', from, to }, its)));
        if (its.aborted) return;
        now.shown.forEach((one, index) => one.fill(rows[index]));
        if (now !== of) put(tiles, elements);
        of = now;
        put(byClass, classPart(rows.at(-1), of.claim));
        // What takes longer comes when it is there: without rates of a country, all but money stands.
        drawMoney(of, periods, rows.at(-1), its).catch(() => {});
        drawLights(lights, sources, its).then((head) => { if (head) seal(head); }).catch(() => {});
    }

    return {
        element,
        update,
        /** Whether its figures are those of another day than today. */
        isOld: () => of.day !== null && of.day !== today(),
    };
}
