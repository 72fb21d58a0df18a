// The map of all roads: how often each was driven in a year, or in one of its months.

import { groups, wordsOf } from './api.js';
import { choice, field, h, put, toast, turns } from './dom.js';
import { distance, month, today } from './formats.js';
import { addPlaces, makeMap, showAll } from './map.js';
import { drawRoads, roadLegend, roadsOf, usualBounds } from './roads.js';
import { t } from './texts.js';

/** How long a month is shown while all are gone through, in milliseconds. */
const SHOWN = 900;
/** A slider that moves asks when it rests, in milliseconds. */
const REST = 120;
const MONTHS = 12;

/** The days of a month of a year; those of all of it for number 0. */
function daysOf(year, number) {
    if (number === 0) return { from: `${year}-01-01`, to: `${year}-12-31` };
    const name = `${year}-${String(number).padStart(2, '0')}`;
    const last = new Date(Date.UTC(Number(year), number, 0)).getUTCDate();
    return { from: `${name}-01`, to: `${name}-${last}` };
}

export async function show({ main, query, signal }) {
    const years = (await groups({ by: 'year' }, signal)).map(({ name }) => name).reverse();
    if (signal.aborted) return;
    if (years.length === 0) {
        main.append(h('p', null, t('trips.none')));
        return;
    }
    let year = years.includes(query.get('year')) ? query.get('year')
        : years.find((one) => one <= today().slice(0, 4)) ?? years[0];
    let number = Math.min(MONTHS, Math.max(0, Number.parseInt(query.get('month') ?? '0', 10) || 0));
    let playing = null;
    let shown = null;
    let totals = new Map();

    const element = h('div', { class: 'map' });
    const title = h('strong', { class: 'of-heat' });
    const way = h('span', { class: 'faint' });
    const legend = h('div');
    const months = h('div', { class: 'months', 'aria-hidden': 'true' });
    const slider = h('input', { type: 'range', min: '0', max: String(MONTHS), step: '1', value: String(number) });
    const select = choice(years.map((one) => [one, one]), year, { onchange: () => {
        year = select.value;
        change().catch(fail);
    } });
    const button = h('button', { type: 'button', onclick: () => (playing ? pause() : play()) });
    const panel = h('section', { class: 'heat-panel card' },
        h('div', { class: 'heat-title', role: 'status' }, title, way),
        h('div', { class: 'heat-line' }, button, h('div', { class: 'heat-slider' },
            field(t('heat.month'), slider), months), field(t('year'), select)),
        legend);
    main.append(h('div', { class: 'map-holder' }, element), panel);
    const map = makeMap(element, signal);
    addPlaces(map, signal);

    const next = turns(signal);
    const fail = (error) => { if (error.name !== 'AbortError' && !signal.aborted) toast(wordsOf(error)); };
    const two = (one) => String(one).padStart(2, '0');
    const nameOf = () => (number === 0 ? year : `${month(`${year}-${two(number)}`, 'long')} ${year}`);

    function drawMonths() {
        const rows = Array.from({ length: MONTHS }, (_, index) =>
            totals.get(`${year}-${two(index + 1)}`)?.distance_m ?? 0);
        const most = Math.max(1, ...rows);
        put(months, h('span', { class: 'whole' }), rows.map((meters, index) => {
            const bar = h('span', { class: index + 1 === number || number === 0 ? 'on' : null });
            bar.style.height = `${Math.max(2, Math.round(meters / most * 28))}px`;
            return bar;
        }));
    }

    function say() {
        const rows = [...totals].filter(([name]) => number === 0 || name.endsWith(`-${two(number)}`));
        put(title, nameOf());
        put(way, distance(rows.reduce((sum, [, row]) => sum + row.distance_m, 0)));
        slider.value = String(number);
        slider.setAttribute('aria-valuetext', nameOf());
        button.textContent = playing ? `❚❚ ${t('replay.pause')}` : `▶ ${t('replay.play')}`;
        drawMonths();
    }

    async function draw(isFirst) {
        const wanted = `${year} ${number}`;
        say();
        const roads = await roadsOf(daysOf(year, number));
        if (signal.aborted || wanted !== `${year} ${number}`) return;
        shown?.remove();
        shown = drawRoads(map, roads);
        put(legend, roads.features.length > 0 ? roadLegend(roads) : h('p', { class: 'faint' }, t('roads.none')));
        if (isFirst) showAll(map, usualBounds(shown));
    }

    /** Another year has other months, and other roads to show at once. */
    async function change() {
        const its = next();
        const rows = await groups({ by: 'month', ...daysOf(year, 0) }, its);
        if (its.aborted) return;
        totals = new Map(rows.map((row) => [row.name, row]));
        keep();
        await draw(true);
    }

    const keep = () => history.replaceState(null, '', `#/roads?year=${year}${number ? `&month=${number}` : ''}`);

    let resting = null;
    slider.addEventListener('input', () => {
        number = Number(slider.value);
        pause();
        clearTimeout(resting);
        resting = setTimeout(() => {
            keep();
            draw(false).catch(fail);
        }, REST);
    });

    function pause() {
        clearInterval(playing);
        playing = null;
        say();
    }

    function play() {
        number = number === MONTHS ? 1 : number + 1;
        playing = setInterval(() => {
            if (number === MONTHS) { number = 0; pause(); } else number += 1;
            draw(false).catch(fail);
        }, SHOWN);
        draw(false).catch(fail);
    }

    signal.addEventListener('abort', () => {
        clearInterval(playing);
        clearTimeout(resting);
    });
    await change();
}
