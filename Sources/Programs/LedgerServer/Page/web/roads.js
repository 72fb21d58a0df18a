// The owner's own roads, the stronger the more often they were driven: the server counts them as the
// command's map does. They are what a map without tiles has in place of streets.

import { get } from './api.js';
import { h } from './dom.js';
import { today } from './formats.js';
import { t } from './texts.js';

/** The ways of so many days are the roads of a map that is about something else. */
const DAYS = 365;
/** So many readings are kept: those of a year, of its months, and a few more. */
const MOST_READ = 24;
/** What stands for how often has so many strengths. */
const LEVELS = 5;
const read = new Map();

/** Returns the roads of some days; those that were read stay for a while. */
export function roadsOf(period) {
    const key = `${period.from} ${period.to ?? ''}`;
    if (!read.has(key)) {
        const reading = get('/v1/roads', period);
        reading.catch(() => read.delete(key));
        if (read.size >= MOST_READ) read.clear();
        read.set(key, reading);
    }
    return read.get(key);
}

/** The strength of a class of roads, of so many classes: the last one is always the strongest. */
const levelOf = (index, classes) => Math.max(0, LEVELS - classes + index);

/** Draws roads below all other lines, the seldom ones lowest; returns their layer. */
export function drawRoads(map, { features }, kind = '') {
    const layer = L.featureGroup();
    features.forEach(({ geometry }, index) => {
        const lines = geometry.coordinates.map((line) => line.map(([lon, lat]) => [lat, lon]));
        layer.addLayer(L.polyline(lines, {
            className: `road road-${levelOf(index, features.length)} ${kind}`, interactive: false,
            smoothFactor: 1,
        }));
    });
    layer.addTo(map);
    [...layer.getLayers()].reverse().forEach((line) => line.bringToBack());
    return layer;
}

/** The day so many days before another. */
export function daysBefore(day, count) {
    const date = new Date(`${day}T00:00Z`);
    date.setUTCDate(date.getUTCDate() - count);
    return date.toISOString().slice(0, 10);
}

/** Where the roads are that were driven more often than others. */
export function usualBounds(layer) {
    const lines = layer.getLayers();
    return L.featureGroup(lines.slice(Math.floor(lines.length / 2))).getBounds();
}

/**
 * Shows the roads of the last year below what a map is about; returns their bounds, if there are any.
 *
 * @param kind `quiet` where something else is what counts
 */
export async function addRoads(map, signal, kind = 'quiet') {
    try {
        const roads = await roadsOf({ from: daysBefore(today(), DAYS) });
        if (signal.aborted || roads.features.length === 0) return null;
        return usualBounds(drawRoads(map, roads, kind));
    } catch {
        return null;
    }
}

const words = ({ trips_from: from, trips_to: to }) =>
    (from === to ? t('roads.same', { n: from }) : t('roads.between', { from, n: to }));

/** What the strokes of roads mean. */
export const roadLegend = ({ features }) => h('ul', { class: 'legend' },
    features.map(({ properties }, index) => h('li', null,
        h('span', { class: `stroke road-${levelOf(index, features.length)}`, 'aria-hidden': 'true' }),
        words(properties))));
