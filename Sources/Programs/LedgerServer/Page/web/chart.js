// The speed of a trip over its time, as SVG, with a cursor for pointers, fingers and keys.

import { h, svg, put } from './dom.js';
import { clock, clockSeconds, count, dayOf, distance, nextDay, speed, speedNumber, wall } from './formats.js';
import { t } from './texts.js';

const HEIGHT = 170;
const EDGES = { left: 38, right: 10, top: 10, bottom: 22 };
/** More points than pixels show nothing more. */
const MOST_POINTS = 600;

const radians = (degrees) => degrees * Math.PI / 180;

/** Metres between two positions [longitude, latitude] on a sphere: enough where no speed was reported. */
export function metersBetween([lon1, lat1], [lon2, lat2]) {
    const a = Math.sin(radians(lat2 - lat1) / 2) ** 2
        + Math.cos(radians(lat1)) * Math.cos(radians(lat2)) * Math.sin(radians(lon2 - lon1) / 2) ** 2;
    return 2 * 6371008.8 * Math.asin(Math.min(1, Math.sqrt(a)));
}

/**
 * The points of a track with their seconds, speeds and the way so far, as it counts.
 *
 * @param leftOut the stretches of time whose metres count for nothing: each after `from`, up to `to`, in seconds
 */
export function samples(track, leftOut = []) {
    const { times, speeds = [], breaks = [] } = track.properties;
    const gaps = new Set(breaks);
    let along = 0;
    let last = null;
    return (track.geometry?.coordinates ?? []).map((position, index) => {
        const at = Date.parse(times[index]) / 1000;
        const isAfterGap = gaps.has(index);
        const step = last ? metersBetween(last.position, position) : 0;
        if (!isAfterGap && !leftOut.some(({ from, to }) => at > from && at <= to)) along += step;
        const implied = last && at > last.at && !isAfterGap ? step / (at - last.at) : 0;
        last = { position, at };
        return { position, at, time: times[index], along, isAfterGap, speed: speeds[index] ?? implied };
    });
}

/** At most a few hundred samples, of each stretch the fastest, so that no peak is lost. */
function thinned(all) {
    if (all.length <= MOST_POINTS) return all;
    const size = all.length / MOST_POINTS;
    return Array.from({ length: MOST_POINTS }, (_, n) => {
        const part = all.slice(Math.floor(n * size), Math.floor((n + 1) * size));
        const best = part.reduce((a, b) => (b.speed > a.speed ? b : a));
        return part.some(({ isAfterGap }) => isAfterGap) ? { ...best, isAfterGap: true } : best;
    });
}

/** A round step for an axis that has about so many. */
function roundStep(span, steps) {
    const rough = span / steps;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 5, 10].map((n) => n * power).find((step) => step >= rough);
}

/** Steps of time that people count in, in seconds. */
const TIME_STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 43200,
    ...[1, 2, 5, 10, 30, 100, 365, 1000].map((days) => days * 86400)];
const DAY = 86400;

function linePath(shown, x, y) {
    return shown.map((sample, index) => [
        index === 0 || sample.isAfterGap ? 'M' : 'L',
        x(sample.at).toFixed(1), ' ', y(sample.speed).toFixed(1),
    ].join('')).join('');
}

/** The times below the axis, on full steps of the wall clock; where a day begins, its name. */
function timeLabels(shown, span, width) {
    const first = shown[0].at;
    const step = TIME_STEPS.find((seconds) => span / seconds <= width / 80) ?? TIME_STEPS.at(-1);
    const ahead = wall(shown[0].time).getTime() / 1000 - Math.floor(first);
    const labels = [];
    for (let at = Math.ceil((first + ahead) / step) * step - ahead; at <= first + span; at += step) {
        const nearest = shown[indexNear(shown, at)];
        const offset = nearest.time.slice(23);
        const time = offset === 'Z' ? new Date(at * 1000).toISOString() : shifted(at, offset);
        const clockShown = wall(time).toISOString().slice(11, 16);
        const isDay = step >= DAY || (span > DAY / 4 && clockShown === '00:00');
        labels.push({ at, text: isDay ? nextDay(time, time) : clock(time) });
    }
    return labels;
}

/** The number of the sample that is nearest in time. */
const indexNear = (shown, at) => shown.reduce((best, sample, index) =>
    (Math.abs(sample.at - at) < Math.abs(shown[best].at - at) ? index : best), 0);

function draw(shown, width) {
    const first = shown[0].at;
    const span = Math.max(1, shown.at(-1).at - first);
    const top = Math.max(speedNumber(Math.max(...shown.map((sample) => sample.speed))), 10);
    const step = roundStep(top, 4);
    const most = Math.ceil(top / step) * step;
    const x = (at) => EDGES.left + (at - first) / span * (width - EDGES.left - EDGES.right);
    const base = HEIGHT - EDGES.bottom;
    const y = (metersPerSecond) => base - speedNumber(metersPerSecond) / most * (base - EDGES.top);
    const parts = [];
    for (let value = 0; value <= most + 1e-9; value += step) {
        const height = base - value / most * (base - EDGES.top);
        parts.push(svg('line', {
            class: 'rule', x1: EDGES.left, x2: width - EDGES.right, y1: height, y2: height,
        }));
        parts.push(svg('text', { x: EDGES.left - 6, y: height + 4, 'text-anchor': 'end' }, count(value)));
    }
    for (const { at, text } of timeLabels(shown, span, width)) {
        if (x(at) > width - 26) break;
        if (x(at) < EDGES.left + 4) continue;
        parts.push(svg('text', { x: x(at), y: HEIGHT - 5, 'text-anchor': 'middle' }, text));
    }
    parts.push(svg('path', { class: 'speed', d: linePath(shown, x, y) }));
    const cursor = svg('g', { class: 'cursor' },
        svg('line', { y1: EDGES.top, y2: base }), svg('circle', { r: 4.5 }));
    parts.push(cursor);
    return { parts, x, y, cursor };
}

/** A moment as text with an offset such as +01:00. */
function shifted(at, offset) {
    const sign = offset[0] === '-' ? -1 : 1;
    const minutes = sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6)));
    return new Date((at + minutes * 60) * 1000).toISOString().replace('Z', offset);
}

/**
 * Makes the chart; `onMove` gets the sample at which the cursor is.
 *
 * It is a slider for those who use keys or listen: arrows move by a point, page keys by a tenth.
 */
export function makeChart(all, onMove, signal) {
    const shown = thinned(all);
    const picture = svg('svg', { 'aria-hidden': 'true', height: HEIGHT });
    const words = h('output', { class: 'reading' });
    const element = h('div', {
        class: 'chart', tabindex: '0', role: 'slider', 'aria-label': t('chart.label'),
        'aria-valuemin': '0', 'aria-valuemax': String(shown.length - 1),
    }, picture);
    let index = 0;
    let drawn = null;
    const followers = new Set();

    const isLong = dayOf(all[0].time) !== dayOf(all.at(-1).time);
    const timeOf = ({ time }) =>
        (isLong ? `${nextDay(time, all[0].time)}, ${clockSeconds(time)}` : clockSeconds(time));
    const sentence = (sample) => [timeOf(sample), speed(sample.speed), distance(sample.along)].join(' · ');

    function place() {
        const sample = shown[index];
        if (drawn) {
            drawn.cursor.setAttribute('transform', `translate(${drawn.x(sample.at).toFixed(1)} 0)`);
            drawn.cursor.lastChild.setAttribute('cy', drawn.y(sample.speed));
        }
        words.textContent = sentence(sample);
        element.setAttribute('aria-valuenow', String(index));
        element.setAttribute('aria-valuetext', sentence(sample));
    }

    function move(to) {
        index = Math.max(0, Math.min(shown.length - 1, to));
        place();
        onMove(shown[index]);
        for (const follower of followers) follower(shown[index]);
    }

    const observer = new ResizeObserver(() => {
        const width = Math.round(element.clientWidth);
        if (!width) return;
        picture.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
        picture.setAttribute('width', width);
        drawn = draw(shown, width);
        put(picture, drawn.parts);
        place();
    });
    observer.observe(element);
    signal.addEventListener('abort', () => observer.disconnect());

    const follow = (event) => {
        if (!drawn) return;
        const at = event.clientX - picture.getBoundingClientRect().left;
        let nearest = 0;
        shown.forEach((sample, n) => {
            if (Math.abs(drawn.x(sample.at) - at) < Math.abs(drawn.x(shown[nearest].at) - at)) nearest = n;
        });
        move(nearest);
    };
    element.addEventListener('pointermove', follow);
    element.addEventListener('pointerdown', follow);
    element.addEventListener('keydown', (event) => {
        const tenth = Math.max(1, Math.round(shown.length / 10));
        const to = {
            ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1,
            PageDown: index - tenth, PageUp: index + tenth, Home: 0, End: shown.length - 1,
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        move(to);
    });
    return {
        element: h('div', null, element, words),
        moveTo: (sample) => move(indexNear(shown, sample.at)),
        current: () => shown[index],
        /** The metres from the first point to the last, as the points have them. */
        length: () => all.at(-1).along,
        /** Tells another of the cursor too, until a signal ends that. */
        onMove(follower, until) {
            followers.add(follower);
            until.addEventListener('abort', () => followers.delete(follower));
        },
    };
}
