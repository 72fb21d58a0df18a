// The map: the ground, a graticule, a scale, places and tracks. Without tiles nothing leaves the machine.

import { known, settings } from './api.js';
import { h, put } from './dom.js';
import { addGround } from './ground.js';
import { t, language } from './texts.js';
import { hasMaps } from './nomap.js';
import { attributionNodes, crossOriginOf, tileSource } from './tiles.js';

const STEPS = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005];
/** A map that no view has moved in this time shows where it began. */
const UNMOVED_MILLISECONDS = 1500;

/** Where a map looks before it is told where, and how far from there is elsewhere, in meters. */
const START = { center: [50, 8], zoom: 4 };
const ELSEWHERE = 50000;
const still = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Degrees with a letter of the compass (0 is north, 1 east, …): one for more and one for less than 0. */
function degrees(value, [positive, negative], step) {
    const digits = Math.max(0, Math.ceil(-Math.log10(step)));
    const text = Math.abs(value).toLocaleString(language(), {
        minimumFractionDigits: digits, maximumFractionDigits: digits,
    });
    return `${text}° ${t('map.compass')[value < 0 ? negative : positive]}`;
}

function label(latitude, longitude, text, kind) {
    const icon = L.divIcon({ className: `degree ${kind}`, html: h('span', null, text), iconSize: null });
    return L.marker([latitude, longitude], { icon, interactive: false, keyboard: false });
}

/** Lines of latitude and longitude with their degrees, not closer than their numbers are wide. */
function drawGraticule(map, layer) {
    layer.clearLayers();
    const bounds = map.getBounds();
    const size = map.getSize();
    const perDegree = size.x / (bounds.getEast() - bounds.getWest());
    const step = STEPS.findLast((candidate) => candidate * perDegree >= 95) ?? STEPS[0];
    const line = (points) => L.polyline(points, { className: 'graticule', interactive: false, weight: 1 });
    const xOf = (longitude) => map.latLngToContainerPoint([bounds.getNorth(), longitude]).x;
    const yOf = (latitude) => map.latLngToContainerPoint([latitude, bounds.getWest()]).y;
    const top = map.containerPointToLatLng([0, 0]).lat;
    const right = map.containerPointToLatLng([size.x, 0]).lng;
    for (let n = Math.ceil(bounds.getWest() / step); n * step < bounds.getEast(); n += 1) {
        const longitude = n * step;
        layer.addLayer(line([[bounds.getSouth(), longitude], [bounds.getNorth(), longitude]]));
        // The buttons of the map stand at the left, the degrees of latitude at the right.
        if (xOf(longitude) < 40 || xOf(longitude) > size.x - 75) continue;
        layer.addLayer(label(top, longitude, degrees(longitude, [1, 3], step), 'east'));
    }
    for (let n = Math.ceil(bounds.getSouth() / step); n * step < bounds.getNorth(); n += 1) {
        const latitude = n * step;
        layer.addLayer(line([[latitude, bounds.getWest()], [latitude, bounds.getEast()]]));
        if (yOf(latitude) > size.y - 20) continue;
        layer.addLayer(label(latitude, right, degrees(latitude, [0, 2], step), 'north'));
    }
}

/** Puts tiles below all else, and whose they are in a corner; `tell` hears whether any can be had. */
function addTiles(map, source, tell) {
    const words = h('div', { class: 'attribution' }, attributionNodes(source));
    const control = L.control({ position: 'bottomright' });
    control.onAdd = () => words;
    control.addTo(map);
    map.getContainer().classList.add('attributed');
    const layer = L.tileLayer(source.template, {
        className: 'tiles', maxZoom: 18, crossOrigin: crossOriginOf(source) ?? false,
    });
    let areThere = null;
    const note = (isLoaded) => {
        // One tile that fails, such as one of the open sea, says nothing about the others.
        if (areThere === isLoaded || (areThere && !isLoaded)) return;
        areThere = isLoaded;
        put(words, attributionNodes(source), !isLoaded && ` · ${t('map.notiles')}`);
        tell(isLoaded);
    };
    layer.on('tileload', () => note(true));
    layer.on('tileerror', () => note(false));
    layer.addTo(map);
}

/** Makes a map in an element, and takes it away when the view is left. */
export function makeMap(element, signal) {
    element.setAttribute('role', 'region');
    element.setAttribute('aria-label', t('map.label'));
    if (!hasMaps) {
        element.classList.add('none');
        put(element, h('p', { class: 'faint' }, t('map.none')));
        return L.map(element);
    }
    const source = tileSource();
    const map = L.map(element, {
        // Between two zooms, tiles are blurred.
        attributionControl: false, zoomControl: false, zoomSnap: source ? 1 : 0.5,
        maxZoom: 18, worldCopyJump: true,
        // An animation of the zoom goes on after a map has been taken away, and fails then.
        zoomAnimation: false, fadeAnimation: false, markerZoomAnimation: false, inertia: !still(),
        trackResize: false,
    });
    // Lines have their words beside the map. Alone, they would be read out as a picture without a name.
    map.getPane('overlayPane').setAttribute('aria-hidden', 'true');
    L.control.zoom({ zoomInTitle: t('map.in'), zoomOutTitle: t('map.out') }).addTo(map);
    L.control.scale({ metric: settings.units === 'km', imperial: settings.units === 'mi' }).addTo(map);
    const graticule = L.layerGroup().addTo(map);
    // On tiles, lines of latitude and longitude are in the way.
    let hasGround = source !== null;
    const drawLines = () => { if (hasGround) graticule.clearLayers(); else drawGraticule(map, graticule); };
    map.on('moveend viewreset resize', drawLines);
    map.setView(START.center, START.zoom);
    if (!source) addGround(map, signal);
    if (source) {
        // Tiles are asked for where the view looks, not where every map begins.
        const begin = () => {
            clearTimeout(waiting);
            map.off('moveend', beginThere);
            addTiles(map, source, (areThere) => {
                hasGround = areThere;
                drawLines();
            });
        };
        // A map that gets its size moves too, and looks where it did.
        const beginThere = () => {
            const isThere = map.getZoom() === START.zoom && map.distance(map.getCenter(), START.center) < ELSEWHERE;
            if (!isThere) begin();
        };
        const waiting = setTimeout(begin, UNMOVED_MILLISECONDS);
        map.on('moveend', beginThere);
        signal.addEventListener('abort', () => clearTimeout(waiting));
    }
    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }));
    observer.observe(element);
    signal.addEventListener('abort', () => {
        observer.disconnect();
        // Work that Leaflet has put off must find nothing to draw.
        map.off();
        map.remove();
    });
    return map;
}

/** Shows all of something, with room around it. */
export function showAll(map, bounds) {
    if (bounds?.isValid()) map.fitBounds(bounds, { padding: [28, 28], maxZoom: 16, animate: false });
}

/** Makes a map of the size of paper while it is printed, with all of something on it. */
export function printAll(map, bounds, signal) {
    const turn = (isPrinting) => {
        document.documentElement.classList.toggle('printing', isPrinting);
        map.invalidateSize({ animate: false });
        showAll(map, bounds);
    };
    window.addEventListener('beforeprint', () => turn(true), { signal });
    window.addEventListener('afterprint', () => turn(false), { signal });
}

/** Half of a mark with a letter, in pixels, and a little more. */
const MARK = 13;

/** Where names of places stand: right or left of them, where no name or mark is covered. */
function withRoom(map, places) {
    const bounds = map.getBounds();
    const taken = [];
    map.eachLayer((layer) => {
        if (!layer.isLetter) return;
        const { x, y } = map.latLngToContainerPoint(layer.getLatLng());
        taken.push({ left: x - MARK, right: x + MARK, y, high: MARK + 12 });
    });
    const sides = new Map();
    for (const place of places) {
        if (!bounds.contains([place.lat, place.lon])) continue;
        const { x, y } = map.latLngToContainerPoint([place.lat, place.lon]);
        const width = 22 + 8 * (place.label ?? place.place).length;
        const isAtMark = taken.some((box) => box.high && x > box.left && x < box.right
            && Math.abs(y - box.y) < box.high);
        const away = isAtMark ? 2 * MARK : 6;
        for (const side of ['right', 'left']) {
            const left = side === 'right' ? x + away : x - away - width;
            const isFree = taken.every((box) => left > box.right || left + width < box.left
                || Math.abs(y - box.y) > (box.high ?? 24));
            if (!isFree) continue;
            taken.push({ left, right: left + width, y });
            sides.set(place, { side, away });
            break;
        }
    }
    return sides;
}

/** Names the places on the screen, as far as their names have room. */
function showNames(map, places, circles) {
    const sides = withRoom(map, places);
    for (const place of places) {
        const circle = circles.get(place.place);
        const where = circle.isEdited ? null : sides.get(place);
        const now = where ? `${where.side} ${where.away}` : null;
        if (now === (circle.named ?? null)) continue;
        circle.named = now;
        circle.unbindTooltip();
        if (!where) continue;
        circle.bindTooltip(h('span', null, place.label ?? place.place), {
            permanent: true, direction: where.side, className: 'place-name',
            offset: [(where.away - 6) * (where.side === 'right' ? 1 : -1), 0],
        });
    }
}

/** The circles of the places, with their names. */
export async function addPlaces(map, signal, onClick) {
    const circles = new Map();
    const places = await known('places');
    if (signal.aborted) return circles;
    const group = L.featureGroup().addTo(map);
    for (const place of places) {
        const circle = L.circle([place.lat, place.lon], {
            radius: place.radius_m, className: 'place', weight: 1.5, interactive: Boolean(onClick),
        }).addTo(group);
        // A list shows the same places as the map: the tab key need not go through all circles.
        circle.getElement()?.setAttribute('tabindex', '-1');
        if (onClick) circle.on('click', () => onClick(place));
        circles.set(place.place, circle);
    }
    const nameThem = () => showNames(map, places, circles);
    map.on('moveend letters', nameThem);
    signal.addEventListener('abort', () => {
        map.off('moveend letters', nameThem);
        group.remove();
    });
    nameThem();
    return circles;
}

/** The points of a track as Leaflet wants them. */
export const points = (track) => (track.geometry?.coordinates ?? []).map(([lon, lat]) => [lat, lon]);

/**
 * Draws a track into a layer: what was measured as a line, the straight ways across gaps dashed.
 *
 * `breaks` of a track are the numbers of the points that come after a gap.
 */
export function drawTrack(layer, track, kind = '') {
    const way = points(track);
    const breaks = new Set(track.properties.breaks ?? []);
    const add = (part, name) => layer.addLayer(L.polyline(part, {
        className: `${name} ${kind}`, interactive: false, smoothFactor: 1.2,
    }));
    let part = [];
    way.forEach((point, index) => {
        if (breaks.has(index)) {
            if (part.length > 1) add(part, 'track');
            add([way[index - 1], point], 'track gap');
            part = [];
        }
        part.push(point);
    });
    if (part.length > 1) add(part, 'track');
    return L.latLngBounds(way);
}

/** A mark with a letter or sign; the sign tells it from others also without colours. */
export function mark(point, sign, kind, title) {
    const html = h('span', { title }, sign);
    const icon = L.divIcon({ className: `mark ${kind}`, html, iconSize: [22, 22] });
    const marker = L.marker(point, { icon, interactive: false, keyboard: false });
    // Names of places leave room for letters, not for the many signs of what was ignored.
    marker.isLetter = !kind.startsWith('verdict');
    return marker;
}

/** What can be dragged on a map; a form beside it does the same. */
export function dot(point, sign, title) {
    const html = h('span', { title }, sign);
    const icon = L.divIcon({ className: 'mark handle', html, iconSize: [28, 28] });
    return L.marker(point, { icon, draggable: true, autoPan: true, keyboard: false });
}
