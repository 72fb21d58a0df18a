// The page of one trip that is shared: what its stream says, and nothing else. It knows no session.

import { drawAround } from './ground.js';
import { attributionNodes, cornerOf, crossOriginOf, inTiles, tileAddress, tileSource } from './tiles.js';

const TEXTS = {
    en: {
        title: 'A trip', going: 'Under way', over: 'Arrived', ended: 'This link is of no more use.',
        waiting: 'Waiting for news …', now: 'Heard just now', heard: 'Last heard {time} ago',
        lost: 'No signal; last position {time} ago', distance: 'Distance', time: 'Time',
        way: 'The way since this page was opened', elsewhere: 'Open in a map',
        nowhere: 'No position yet',
    },
    nl: {
        title: 'Een rit', going: 'Onderweg', over: 'Aangekomen', ended: 'Deze link werkt niet meer.',
        waiting: 'Wachten op nieuws …', now: 'Zojuist gehoord', heard: '{time} geleden voor het laatst gehoord',
        lost: 'Geen signaal; laatste positie {time} geleden', distance: 'Afstand', time: 'Tijd',
        way: 'De weg sinds deze pagina openging', elsewhere: 'Openen in een kaart',
        nowhere: 'Nog geen positie',
    },
    de: {
        title: 'Eine Fahrt', going: 'Unterwegs', over: 'Angekommen', ended: 'Dieser Link gilt nicht mehr.',
        waiting: 'Warten auf Neues …', now: 'Gerade eben gehört', heard: 'Zuletzt gehört vor {time}',
        lost: 'Kein Signal; letzte Position vor {time}', distance: 'Strecke', time: 'Zeit',
        way: 'Der Weg, seit diese Seite offen ist', elsewhere: 'In einer Karte öffnen',
        nowhere: 'Noch keine Position',
    },
    fr: {
        title: 'Un trajet', going: 'En route', over: 'Arrivé', ended: 'Ce lien n’est plus valable.',
        waiting: 'En attente de nouvelles …', now: 'Nouvelles à l’instant', heard: 'Dernières nouvelles il y a {time}',
        lost: 'Pas de signal ; dernière position il y a {time}', distance: 'Distance', time: 'Durée',
        way: 'Le chemin depuis l’ouverture de cette page', elsewhere: 'Ouvrir dans une carte',
        nowhere: 'Pas encore de position',
    },
};

const locale = (navigator.languages ?? [navigator.language]).find((one) => TEXTS[one.split('-')[0]]) ?? 'en';
const texts = TEXTS[locale.split('-')[0]];
const t = (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
const element = (id) => document.getElementById(id);

const METERS = { km: 1000, mi: 1609.344 };
const UNITS = { km: 'kilometer', mi: 'mile' };
const distanceText = (meters, unit) => new Intl.NumberFormat(locale, {
    style: 'unit', unit: UNITS[unit], minimumFractionDigits: 1, maximumFractionDigits: 1,
}).format(meters / METERS[unit]);

/** A span of time in its two largest units, such as 1 h 5 min. */
function span(seconds) {
    const part = (value, unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
        .format(value);
    if (seconds < 60) return part(Math.max(0, Math.floor(seconds)), 'second');
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return part(minutes, 'minute');
    return `${part(Math.floor(minutes / 60), 'hour')} ${part(minutes % 60, 'minute')}`;
}

// The last message, and the time by which the server's clock is ahead of this one.
let last = null;
let ahead = 0;
let isOver = false;
let announcedAt = 0;
/** The place around which the land is shown. */
let shownAround = '';
const way = [];
const source = tileSource();
const tiles = new Map();

/** Where a position lies on a flat map around the first one, in metres. */
function flat({ lat, lon }) {
    const scale = 111320;
    const east = ((lon - way[0].lon + 540) % 360) - 180;
    return { x: east * scale * Math.cos(way[0].lat * Math.PI / 180), y: (way[0].lat - lat) * scale };
}

function shape(name, attributes, text) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== null) node.setAttribute(key, value);
    }
    if (text) node.textContent = text;
    return node;
}

/** The largest round length that is not longer than `most` units. */
function round(most) {
    const power = 10 ** Math.floor(Math.log10(most));
    return [5, 2, 1].find((step) => step * power <= most) * power;
}

/** How large a tile is shown at least, in units of the picture. */
const SMALLEST = 128;
const EQUATOR = 40075016.7;
const FEWEST = 3;
/** Degrees between lines of a graticule, and how many of them there may be on each side. */
const STEPS = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const MOST_LINES = 60;

/**
 * The tiles below a picture of the way, each where its corners are.
 *
 * @param at where a position lies in the picture
 * @param scale the units of a metre
 */
function ground(at, scale, width, height) {
    const [{ lat }] = way;
    const across = EQUATOR * Math.cos(lat * Math.PI / 180) * scale;
    const z = Math.min(18, Math.floor(Math.log2(across / SMALLEST)));
    const group = element('tiles') ?? shape('g', { id: 'tiles', class: 'tiles' });
    // Half of the earth is no picture of a way.
    if (z < FEWEST) return group;
    const here = inTiles(way.at(-1), z);
    const [x, y] = at(way.at(-1));
    const size = across / 2 ** z;
    const shown = new Set();
    // Around the newest position, as far as the picture goes.
    const count = 2 ** z;
    const span = (middle, before, after) => [middle - before / size, middle + after / size]
        .map((one, index) => Math.floor(one + (index - 0.5) / 4));
    const [top, bottom] = span(here.y, y, height - y);
    const [west, east] = span(here.x, x, width - x);
    for (let row = Math.max(0, top); row <= Math.min(count - 1, bottom); row += 1) {
        for (let column = west; column <= east; column += 1) {
            const key = `${z}/${column}/${row}`;
            const [left, up] = at(cornerOf(z, column, row));
            const [right, down] = at(cornerOf(z, column + 1, row + 1));
            const image = tiles.get(key) ?? shape('image', {
                crossorigin: crossOriginOf(source),
                href: tileAddress(source, z, ((column % count) + count) % count, row),
                preserveAspectRatio: 'none',
            });
            // A little more, so that no seam shows.
            const box = { x: left, y: up, width: right - left + 0.4, height: down - up + 0.4 };
            for (const [name, value] of Object.entries(box)) image.setAttribute(name, value.toFixed(1));
            tiles.set(key, image);
            shown.add(key);
        }
    }
    for (const key of tiles.keys()) if (!shown.has(key)) tiles.delete(key);
    const images = [...tiles.values()];
    if (images.length !== group.children.length || images.some((one) => one.parentNode !== group)) {
        group.replaceChildren(...images);
    }
    return group;
}

/** Lines of latitude and longitude with their degrees: where the way lies, also without tiles. */
function graticule(place, metresAcross, width, height) {
    const parts = [];
    const first = way[0];
    const step = STEPS.find((one) => one * 111320 * 2 <= metresAcross) ?? STEPS.at(-1);
    const digits = Math.max(0, Math.ceil(-Math.log10(step)));
    const [middleLat, middleLon] = [Math.round(first.lat / step), Math.round(first.lon / step)];
    for (let n = -MOST_LINES; n <= MOST_LINES; n += 1) {
        const [lat, lon] = [(middleLat + n) * step, (middleLon + n) * step];
        const [x] = place(flat({ lat: first.lat, lon }));
        const [, y] = place(flat({ lat, lon: first.lon }));
        if (x > 0 && x < width) {
            parts.push(shape('path', { class: 'grid', d: `M${x.toFixed(1)} 0v${height}` }),
                shape('text', { class: 'degree', x: (x + 3).toFixed(1), y: 12 }, `${lon.toFixed(digits)}°`));
        }
        if (y > 14 && y < height) {
            parts.push(shape('path', { class: 'grid', d: `M0 ${y.toFixed(1)}h${width}` }),
                shape('text', { class: 'degree', x: width - 4, y: (y - 3).toFixed(1), 'text-anchor': 'end' },
                    `${lat.toFixed(digits)}°`));
        }
    }
    return parts;
}

function draw() {
    const [width, height, margin] = [400, 300, 36];
    const points = way.map(flat);
    const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
    const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
    // Never closer than 500 m, so that a parked car is no journey.
    const across = Math.max(500, Math.max(...xs) - Math.min(...xs), (Math.max(...ys) - Math.min(...ys)) * 4 / 3);
    const scale = (width - 2 * margin) / across;
    const place = (p) => [width / 2 + (p.x - middle(xs)) * scale, height / 2 + (p.y - middle(ys)) * scale];
    const at = (p) => place(p).map((value) => value.toFixed(1));
    const [x, y] = at(points.at(-1));
    const unit = METERS[last.units];
    const bar = round(across / 3 / unit) * unit;
    const name = new Intl.NumberFormat(locale, { style: 'unit', unit: UNITS[last.units], maximumSignificantDigits: 2 })
        .format(bar / unit);
    element('way').setAttribute('viewBox', `0 0 ${width} ${height}`);
    const below = source ? [ground((position) => place(flat(position)), scale, width, height)]
        : graticule(place, width / scale, width, height);
    element('way').replaceChildren(
        ...below,
        shape('polyline', { class: 'way', points: points.map((p) => at(p).join(',')).join(' ') }),
        shape('circle', { class: last.signal_lost ? 'lost' : 'here', cx: x, cy: y, r: 8 }),
        shape('path', { class: 'scale', d: `M16 ${height - 22}v6h${(bar * scale).toFixed(1)}v-6` }),
        shape('text', { x: 20, y: height - 24 }, name),
    );
}

/** Shows where on the earth that is, unless tiles do: anew only where it would look otherwise. */
function showAround({ lat, lon }) {
    const place = `${lat.toFixed(1)} ${lon.toFixed(1)}`;
    if (source || place === shownAround) return;
    shownAround = place;
    element('around').hidden = false;
    drawAround(element('around'), lat, lon);
}

function announce() {
    const now = Date.now();
    if (now - announcedAt < 30000) return;
    announcedAt = now;
    element('announcer').textContent = `${distanceText(last.distance_m, last.units)}, ${span(last.seconds)}`;
}

/** Shows how long ago something was heard; it is right again every second. */
function tell() {
    if (isOver || !last) return;
    const now = Date.now() + ahead;
    const seconds = last.seconds + (last.state === 'going' ? (now - Date.parse(last.as_of)) / 1000 : 0);
    element('time').textContent = span(seconds);
    if (last.state === 'over') {
        element('heard').textContent = t('over');
        return;
    }
    if (!last.position_at) {
        element('heard').textContent = t('nowhere');
        return;
    }
    const age = (now - Date.parse(last.position_at)) / 1000;
    const key = last.signal_lost ? 'lost' : age < 5 ? 'now' : 'heard';
    element('heard').textContent = t(key, { time: span(age) });
}

function take(trip) {
    last = trip;
    ahead = Date.parse(trip.as_of) - Date.now();
    document.title = element('title').textContent = t(trip.state);
    element('figures').hidden = false;
    element('distance').textContent = distanceText(trip.distance_m, trip.units);
    if (trip.lat !== undefined) {
        const before = way.at(-1);
        if (!before || before.lat !== trip.lat || before.lon !== trip.lon) {
            way.push({ lat: trip.lat, lon: trip.lon });
            // A day of a position each second is more than a picture needs.
            // Every second one goes, so that no part of the way is a line.
            if (way.length > 4000) {
                way.splice(0, way.length, ...way.filter((_, n) => n % 2 === 0 || n === way.length - 1));
            }
        }
        draw();
        showAround(trip);
        const [lat, lon] = [trip.lat.toFixed(5), trip.lon.toFixed(5)];
        element('way-figure').hidden = element('place').hidden = false;
        element('coordinates').textContent = `${lat}, ${lon}`;
        element('elsewhere').href = `geo:${lat},${lon}`;
    }
    tell();
    announce();
}

function end() {
    isOver = true;
    document.title = element('title').textContent = last?.state === 'over' ? t('over') : t('title');
    element('heard').textContent = t('ended');
    element('place').hidden = true;
}

/** A stream that was refused is asked for again after so long, in milliseconds. */
const PAUSE = 5000;

function open() {
    const stream = new EventSource(`${location.pathname}/stream`);
    stream.addEventListener('trip', (event) => take(JSON.parse(event.data)));
    stream.addEventListener('over', () => {
        stream.close();
        end();
    });
    stream.onerror = () => {
        // The browser tries again by itself, unless the server says that there is nothing.
        if (stream.readyState === EventSource.CLOSED) learnWhy();
    };
}

/** The browser gives up at any answer that is no stream; only that the link is unknown ends it. */
async function learnWhy() {
    const asked = new AbortController();
    try {
        const { status } = await fetch(`${location.pathname}/stream`, { cache: 'no-store', signal: asked.signal });
        asked.abort();
        if (status === 401 || status === 404) {
            end();
            return;
        }
    } catch { /* Without a network it is tried again. */ }
    setTimeout(open, PAUSE * (1 + Math.random()));
}

document.documentElement.lang = locale;
document.title = element('title').textContent = t('title');
element('heard').textContent = t('waiting');
element('distance-label').textContent = t('distance');
element('time-label').textContent = t('time');
element('way-caption').textContent = t('way');
element('elsewhere').textContent = t('elsewhere');
if (source) element('attribution').append(...attributionNodes(source));
window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    shownAround = '';
    if (last?.lat !== undefined) showAround(last);
});
setInterval(tell, 1000);
open();
