// The way of a trip on the map, its speed and its replay, with one cursor in all three. They are drawn
// anew when the trip becomes another way.

import { get, lines } from './api.js';
import { makeChart, samples } from './chart.js';
import { either, h, put } from './dom.js';
import { addPlaces, drawTrack, makeMap, mark, points, printAll, showAll } from './map.js';
import { makeReplay } from './replay.js';
import { addRoads } from './roads.js';
import { colourBySpeed, speedLegend } from './speeds.js';
import { t } from './texts.js';

/** Pixels from the way within which a pointer on the map moves the cursor. */
const NEAR = 30;

/** What decides the way of a trip; of one that goes on, only that it does. */
export const courseOf = (trip) => JSON.stringify(trip.status === 'active' ? ['active'] : [trip.status,
    trip.started_at, trip.ended_at, trip.distance_m, trip.excluded_distance_m, trip.parts, trip.merged_into]);

/** A trip without a track: where it began and ended, if that is known. */
function drawEnds(layer, map, trip) {
    const ends = [trip.start, trip.end].filter(Boolean).map(({ lat, lon }) => [lat, lon]);
    ends.forEach((point, index) => mark(point, 'AB'[index], 'start', '').addTo(layer));
    if (ends.length > 0) showAll(map, L.latLngBounds(ends));
}

/** The chart and the replay of a way, whose cursor the map shows too. */
function makeCursor(layer, map, all, signal) {
    const [lon, lat] = all[0].position;
    const cursor = L.circleMarker([lat, lon], { radius: 7, className: 'cursor', interactive: false });
    const chart = makeChart(all, ({ position }) => {
        cursor.setLatLng([position[1], position[0]]).addTo(layer);
    }, signal);
    // The other way round: the point of the way that is nearest to the pointer.
    const toNearest = ({ latlng }) => {
        const near = map.latLngToContainerPoint(latlng);
        let best = null;
        let shortest = NEAR;
        for (const sample of all) {
            const [east, north] = sample.position;
            const away = map.latLngToContainerPoint([north, east]).distanceTo(near);
            if (away < shortest) { best = sample; shortest = away; }
        }
        if (best) chart.moveTo(best);
    };
    let isPlaying = false;
    const onPlay = (plays) => { isPlaying = plays; };
    const replay = makeReplay(all, { chart, map, cursor: cursorOn(cursor, layer), onPlay }, signal);
    // While it is driven again, a pointer that lies on the map does not hold it.
    const point = (event) => { if (!isPlaying || event.type === 'click') toNearest(event); };
    map.on('mousemove click', point);
    signal.addEventListener('abort', () => map.off('mousemove click', point));
    return { chart, replay };
}

/** The cursor as the replay moves it: it stays in the layer of its way. */
const cursorOn = (cursor, layer) => ({
    setLatLng(point) {
        cursor.setLatLng(point);
        return { addTo: () => cursor.addTo(layer) };
    },
});

/** The stretches of time that a person left out: each after `from`, up to `to`, in seconds. */
async function leftOutOf(trip, signal) {
    if (!trip.excluded_distance_m) return [];
    const stretches = [];
    let from = -Infinity;
    // The last line is the trip itself.
    for (const step of (await lines(`/v1/trips/${trip.id}/explanation`, signal)).slice(0, -1)) {
        const at = Date.parse(step.occurred_at) / 1000;
        if (!step.excluded_m) {
            if (step.added_m > 0) from = at;
        } else if (stretches.at(-1)?.from === from) {
            stretches.at(-1).to = at;
        } else {
            stretches.push({ from, to: at });
        }
    }
    return stretches;
}

function drawWay(map, track, leftOut, trip, signal) {
    const layer = L.featureGroup().addTo(map);
    signal.addEventListener('abort', () => layer.remove());
    const line = points(track);
    if (line.length < 2) {
        drawEnds(layer, map, trip);
        return { chart: null, replay: null };
    }
    const bounds = drawTrack(layer, track);
    showAll(map, bounds);
    printAll(map, bounds, signal);
    mark(line[0], 'A', 'start', t('trip.start')).addTo(layer);
    if (trip.ended_at) mark(line.at(-1), 'B', 'start', t('trip.end')).addTo(layer);
    map.fire('letters');
    const all = samples(track, leftOut);
    colourBySpeed(layer, all);
    return makeCursor(layer, map, all, signal);
}

/** Makes the map in a holder, and the part that stands in the sheet. */
export function makeWay(holder, signal) {
    const place = h('div', { class: 'map' });
    holder.append(place);
    const map = makeMap(place, signal);
    const element = h('div', null, h('p', { class: 'faint' }, t('reading')));
    let drawing = new AbortController();
    let placing = new AbortController();
    let course = null;
    const way = {
        map,
        element,
        circles: null,
        chart: null,
        track: null,
        /** Reads the way and draws it, unless it is the one that is shown; returns whether it did so. */
        async follow(trip) {
            if (course === courseOf(trip)) return false;
            course = courseOf(trip);
            const its = course;
            const [track, leftOut] = await Promise.all([
                get(`/v1/trips/${trip.id}/track`, { max: 2000 }, signal),
                // The way is shown without it too, as where the server is away.
                leftOutOf(trip, signal).catch(() => []),
            ]);
            if (signal.aborted || its !== course) return false;
            drawing.abort();
            drawing = new AbortController();
            const { chart, replay } = drawWay(map, track, leftOut, trip, either(signal, drawing.signal));
            Object.assign(way, { chart, track });
            const controls = () => [...element.querySelectorAll('[tabindex], button, input, select')];
            const focused = controls().indexOf(document.activeElement);
            put(element, chart
                ? h('section', { 'aria-label': t('chart.title') }, h('h2', null, t('chart.title')),
                    speedLegend(), chart.element,
                    replay)
                : h('p', { class: 'faint' }, t('trip.notrack')));
            // The same control of the new chart, or of its replay, has the focus then.
            if (focused >= 0) controls()[focused]?.focus({ preventScroll: true });
            return true;
        },
        showRoads: () => addRoads(map, signal),
        /** Shows the places that there are now. */
        showPlaces() {
            placing.abort();
            placing = new AbortController();
            way.circles = addPlaces(map, either(signal, placing.signal));
        },
    };
    way.showPlaces();
    return way;
}
