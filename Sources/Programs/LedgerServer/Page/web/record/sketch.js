// The way of a drive as it grows, drawn by the recorder itself: it needs no map, no server and no network.

import { h, put, svg } from '../dom.js';
import { meters } from '../formats.js';
import { say } from './texts.js';

const WIDTH = 320;
const HEIGHT = 200;
const EDGE = 26;
/** Less than so many metres fill no picture. */
const LEAST_METERS = 200;
const METERS_PER_DEGREE = 111195;
/** The scale is as long as the longest of these that fits in a third of the picture. */
const STEPS = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000];

/** Lays a way flat in the picture; returns its points, and how many pixels a metre is long. */
function laid(way) {
    const middle = way[0];
    const stretch = Math.max(0.01, Math.cos(middle[0] * Math.PI / 180));
    const flat = way.map(([lat, lon]) => {
        const east = ((lon - middle[1] + 540) % 360) - 180;
        return [east * stretch * METERS_PER_DEGREE, (middle[0] - lat) * METERS_PER_DEGREE];
    });
    const [xs, ys] = [flat.map(([x]) => x), flat.map(([, y]) => y)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const wide = Math.max(...xs) - left;
    const tall = Math.max(...ys) - top;
    const scale = Math.min((WIDTH - 2 * EDGE) / Math.max(wide, LEAST_METERS),
        (HEIGHT - 2 * EDGE) / Math.max(tall, LEAST_METERS));
    const [right, down] = [(WIDTH - wide * scale) / 2, (HEIGHT - tall * scale) / 2];
    return {
        scale, points: flat.map(([x, y]) => [(x - left) * scale + right, (y - top) * scale + down]),
    };
}

/** Makes the picture; `update` is given the way: places [latitude, longitude], with `null` for a pause. */
export function makeSketch() {
    const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': say('sketch') });
    const element = h('div', { class: 'sketch', hidden: true }, picture);
    let drawn = '';
    return {
        element,
        update(way) {
            const places = way.filter(Boolean);
            const key = `${way.length} ${places.at(-1)}`;
            element.hidden = places.length < 2;
            if (element.hidden || key === drawn) return;
            drawn = key;
            const { scale, points } = laid(places);
            let index = 0;
            let isNew = true;
            const path = way.map((place) => {
                if (!place) { isNew = true; return ''; }
                const [x, y] = points[index];
                index += 1;
                const step = `${isNew ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
                isNew = false;
                return step;
            }).join('');
            const length = STEPS.findLast((step) => step * scale <= WIDTH / 3) ?? STEPS[0];
            const bar = HEIGHT - 12;
            const [first, last] = [points[0], points.at(-1)];
            put(picture,
                svg('path', { class: 'way', d: path }),
                svg('circle', { class: 'begin', cx: first[0], cy: first[1], r: 5 }),
                svg('circle', { class: 'here', cx: last[0], cy: last[1], r: 7 }),
                svg('path', { class: 'bar', d: `M12 ${bar - 5}v5h${(length * scale).toFixed(1)}v-5` }),
                svg('text', { x: 16, y: bar - 5 }, meters(length)));
        },
    };
}
