// Totals of a year: bars of its months by class, and a calendar, the darker the further was driven.

import { all, groups, wordsOf } from './api.js';
import { choice, disclosure, field, h, put, svg, table, turns } from './dom.js';
import { makeCalendar } from './calendar.js';
import { exportButton } from './exports.js';
import { count, distance, hours, longDay, month, today, word } from './formats.js';
import { classes } from './classes.js';
import { t } from './texts.js';

const pad = (number) => String(number).padStart(2, '0');

/** The first and last day of a month. */
function daysOf(year, number) {
    const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
    return { from: `${year}-${pad(number)}-01`, to: `${year}-${pad(number)}-${last}` };
}

const link = (period, text) => h('a', { href: `#/trips?from=${period.from}&to=${period.to}` }, text);

/** Metres of each class, for each of the twelve months. */
const monthsOf = (year, signal) => Promise.all(Array.from({ length: 12 }, async (_, index) => {
    const period = daysOf(year, index + 1);
    const rows = await groups({ by: 'class', ...period }, signal);
    return {
        name: `${year}-${pad(index + 1)}`,
        period,
        byClass: new Map(rows.map((row) => [row.name, row])),
        trips: rows.reduce((sum, row) => sum + row.trips, 0),
        meters: rows.reduce((sum, row) => sum + row.distance_m, 0),
        seconds: rows.reduce((sum, row) => sum + row.driving_s, 0),
    };
}));

function bars(months, used) {
    const width = 640;
    const height = 220;
    const base = height - 24;
    const most = Math.max(1, ...months.map(({ meters }) => meters));
    const step = width / 12;
    const parts = [];
    months.forEach((item, index) => {
        let top = base;
        for (const code of used) {
            const tall = (item.byClass.get(code)?.distance_m ?? 0) / most * (base - 22);
            if (tall <= 0) continue;
            top -= tall;
            parts.push(svg('rect', {
                class: `class-${code}`, x: index * step + 6, y: top.toFixed(1), width: step - 12,
                height: tall.toFixed(1),
            }, svg('title', null, `${month(item.name, 'long')}: ${word('class', code)} ${
                distance(item.byClass.get(code).distance_m)}`)));
        }
        const middle = (index + 0.5) * step;
        if (item.meters > 0) {
            parts.push(svg('text', { x: middle, y: top - 6, 'text-anchor': 'middle' },
                distance(item.meters).replace(/[\s  ]*(km|mi)$/, '')));
        }
        parts.push(svg('text', { x: middle, y: height - 6, 'text-anchor': 'middle' }, month(item.name)));
    });
    return svg('svg', {
        viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': t('totals.bars'),
    }, parts);
}

const legend = (used) => h('ul', { class: 'legend' }, used.map((code) =>
    h('li', null, h('span', { class: `swatch class-${code}`, 'aria-hidden': 'true' }), word('class', code))));

/** One line about recorded ways that are no trips, which leads to them; nothing if there are none. */
function leftOut(uncounted, { from, to }) {
    const sum = (ending) => Object.entries(uncounted ?? {})
        .filter(([name]) => name.endsWith('_m') === ending)
        .reduce((total, [, value]) => total + value, 0);
    const n = sum(false);
    if (n === 0) return null;
    return h('p', { class: 'faint' },
        h('a', { href: `#/trips?from=${from}&to=${to}&status=abandoned` },
            t('totals.uncounted', { n, distance: distance(sum(true)) })));
}

async function showYear(holder, year, signal) {
    put(holder, h('p', { class: 'faint' }, t('reading')));
    const whole = { from: `${year}-01-01`, to: `${year}-12-31` };
    const [months, lines] = await Promise.all([
        monthsOf(year, signal), all('/v1/totals', { by: 'day', ...whole }, signal),
    ]);
    if (signal.aborted) return;
    const dayRows = lines.filter(({ kind }) => kind === 'group');
    const { uncounted } = lines.find(({ kind }) => kind === 'total') ?? {};
    const days = new Map(dayRows.map((row) => [row.name, row]));
    const used = classes.filter((code) => months.some(({ byClass }) => byClass.has(code)));
    const sum = (key) => months.reduce((total, item) => total + item[key], 0);
    const ofClass = (item, code) => {
        const row = item.byClass.get(code);
        return row ? distance(row.distance_m) : '–';
    };
    const trips = sum('trips');
    const metersOf = (code) => ({ byClass }) => byClass.get(code)?.distance_m ?? 0;
    const total = (code) => distance(months.map(metersOf(code)).reduce((one, other) => one + other, 0));
    const plot = h('div', { class: 'plot', tabindex: '0', role: 'region', 'aria-label': t('totals.months') },
        bars(months, used));
    put(holder,
        h('div', { class: 'figures' },
            h('p', null, h('strong', null, distance(sum('meters'))), h('span', null, t('distance'))),
            h('p', null, h('strong', null, count(trips)), h('span', null, t('totals.ntrips', { n: trips }))),
            h('p', null, h('strong', null, hours(sum('seconds'))), h('span', null, t('totals.driving')))),
        leftOut(uncounted, whole),
        h('section', null, h('h2', null, t('totals.months')), plot,
            legend(used)),
        table(t('totals.table'),
            [
                t('totals.month'), t('totals.trips'), ...used.map((code) => word('class', code)),
                t('totals.all'),
            ],
            months.filter(({ trips }) => trips > 0).map((item) => [
                link(item.period, month(item.name, 'long')), count(item.trips),
                ...used.map((code) => ofClass(item, code)), distance(item.meters),
            ]),
            [t('totals.year'), count(trips), ...used.map(total), distance(sum('meters'))]),
        h('div', { class: 'buttons' }, exportButton(() => ({ from: `${year}-01-01`, to: `${year}-12-31` }))),
        h('section', null, h('h2', null, t('totals.days')), makeCalendar(year, days),
            h('p', { class: 'faint help' }, t('totals.keys'))),
        disclosure(t('totals.daytable'), (body) => put(body, table(t('totals.daytable'),
            [t('totals.day'), t('totals.trips'), t('distance')],
            dayRows.map((row) => [
                h('a', { href: `#/day/${row.name}` }, longDay(row.name)), count(row.trips),
                distance(row.distance_m),
            ]),
            [t('totals.year'), count(trips), distance(sum('meters'))]))));
    // On a narrow screen the newest months are those that are looked for.
    const newest = months.findLastIndex((item) => item.trips > 0) + 1;
    const calendar = holder.querySelector('.calendar').closest('.wide');
    for (const wide of [plot, calendar]) {
        wide.scrollLeft = wide.scrollWidth * newest / 12 - wide.clientWidth;
    }
}

export async function show({ main, query, signal }) {
    const years = (await groups({ by: 'year' }, signal)).map(({ name }) => name).reverse();
    if (signal.aborted) return;
    if (years.length === 0) {
        main.append(h('p', null, t('trips.none')));
        return;
    }
    const asked = query.get('year');
    const thisYear = today().slice(0, 4);
    // A year in which nothing was driven is shown as it is.
    if (/^(19|20)\d\d$/.test(asked) && !years.includes(asked)) years.push(asked);
    years.sort().reverse();
    // The last year with something in it that says something: this one unless it has only begun.
    const first = years.includes(asked) ? asked : years.find((year) => year <= thisYear) ?? years[0];
    const holder = h('div', { class: 'sheet' });
    const next = turns(signal);
    const select = choice(years.map((year) => [year, year]), first, { onchange: () => {
        history.replaceState(null, '', `#/totals?year=${select.value}`);
        const its = next();
        showYear(holder, Number(select.value), its).catch((error) => {
            if (!its.aborted) put(holder, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)));
        });
    } });
    main.append(h('div', { class: 'fields' }, field(t('year'), select)), holder);
    await showYear(holder, Number(first), next());
}
