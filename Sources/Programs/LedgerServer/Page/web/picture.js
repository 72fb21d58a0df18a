// The map as it is drawn here, as an SVG file: the way with its gaps, places and ends.

import { svg } from './dom.js';
import { points } from './map.js';

const CAPTION = 34;

/**
 * A picture of the part of the map that is shown, with a line of words below it.
 *
 * @param circles those of the places, which know where their names have room
 */
export function pictureOf(map, track, places, circles, words) {
    const { x: width, y: height } = map.getSize();
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const at = (lat, lon) => map.latLngToContainerPoint([lat, lon]);
    const way = points(track).map(([lat, lon]) => at(lat, lon));
    const breaks = new Set(track.properties.breaks ?? []);
    const line = (isGap) => way.map(({ x, y }, index) =>
        `${index === 0 || breaks.has(index) !== isGap ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
    const text = (x, y, content, more) => svg('text', {
        x: x.toFixed(1), y: y.toFixed(1), fill: colour('ink'), 'font-family': 'sans-serif',
        'font-size': 13,
        stroke: colour('land'), 'stroke-width': 3, 'paint-order': 'stroke', ...more,
    }, content);
    const isSeen = ({ lat, lon }) => map.getBounds().contains([lat, lon]);
    const parts = places.filter(isSeen).flatMap((place) => {
        const { x, y } = at(place.lat, place.lon);
        const [side, pixels] = (circles.get(place.place)?.named ?? '').split(' ');
        const away = Number(pixels);
        const degrees = place.radius_m / 111320 / Math.cos(place.lat * Math.PI / 180);
        const east = at(place.lat, place.lon + degrees);
        return [
            svg('circle', {
                cx: x.toFixed(1), cy: y.toFixed(1), r: Math.max(3, east.x - x).toFixed(1),
                fill: colour('place'), 'fill-opacity': 0.2, stroke: colour('place'),
            }),
            side && text(x + (side === 'left' ? -away : away), y + 4, place.label ?? place.place,
                { 'text-anchor': side === 'left' ? 'end' : 'start' }),
        ];
    });
    const path = (isGap, more) => svg('path', {
        d: line(isGap), fill: 'none', 'stroke-linejoin': 'round', ...more,
    });
    const end = ({ x, y }, letter) => [
        svg('circle', {
            cx: x, cy: y, r: 10, fill: colour('card'), stroke: colour('ink'), 'stroke-width': 2,
        }),
        text(x, y + 4.5, letter, { 'text-anchor': 'middle', 'font-weight': 700 }),
    ];
    const picture = svg('svg', {
        xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height + CAPTION}`, width,
        height: height + CAPTION,
    },
    svg('title', null, words),
    svg('rect', { width, height: height + CAPTION, fill: colour('card') }),
    svg('svg', { width, height, viewBox: `0 0 ${width} ${height}` },
        svg('rect', { width, height, fill: colour('land') }),
        path(false, { stroke: colour('track'), 'stroke-width': 4 }),
        path(true, { stroke: colour('gap'), 'stroke-width': 3, 'stroke-dasharray': '7 8' }),
        parts, way.length > 0 && [end(way[0], 'A'), end(way.at(-1), 'B')]),
    text(12, height + 22, words, { stroke: 'none' }));
    return new XMLSerializer().serializeToString(picture);
}
