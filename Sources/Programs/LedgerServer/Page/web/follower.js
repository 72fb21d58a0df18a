// The ways of running trips on the map: each new position goes on from the last, and the whole way is read
// again now and then, for it costs the server more the longer the trip is.

import { get } from './api.js';
import { h } from './dom.js';
import { drawTrack, mark, points, showAll } from './map.js';
import { t } from './texts.js';

const EVERY_MILLISECONDS = 60000;
/** After something has happened, such as a lost signal: the way has a gap then. */
const SOON_MILLISECONDS = 4000;
/** Positions farther apart in time have others between them. */
const LONG_MILLISECONDS = 30000;
/** A way that was long in coming is read less often: for a fiftieth of the time at most. */
const REST = 50;
/** A line on a screen shows no more. */
const MOST_POINTS = 600;
const MOST_NEW = 300;

/** Whether a source is on a trip. */
export const isRunning = (source) => Boolean(source.trip);

/** The members of a status that give its way another course than its positions tell. */
const turnOf = (source) => `${source.phase} ${source.signal_lost}`;

/** A running trip on the map. */
class Way {
    layer = null;

    /** The part of the way since it was read, and the time up to which it goes. */
    tail = null;

    at = 0;

    /** Its present position, and the part of the way that was not delivered yet. */
    here = null;

    rest = null;

    isReading = false;

    nextAt = 0;

    constructor(map, source) {
        this.map = map;
        this.turn = turnOf(source);
    }

    /** Reads the whole way, if it is time to; returns its bounds then. */
    async read(source, signal) {
        if (turnOf(source) !== this.turn) this.readSoon();
        this.turn = turnOf(source);
        if (this.isReading || Date.now() < this.nextAt) return null;
        this.isReading = true;
        const begun = performance.now();
        try {
            const track = await get(`/v1/trips/${source.trip}/track`, { max: MOST_POINTS }, signal);
            return this.isRemoved ? null : this.draw(track, source);
        } finally {
            this.isReading = false;
            // A trip without a position has no way yet.
            this.nextAt = Date.now() + Math.max(this.layer ? EVERY_MILLISECONDS : SOON_MILLISECONDS,
                REST * (performance.now() - begun));
        }
    }

    draw(track, source) {
        const way = points(track);
        this.layer?.remove();
        this.layer = null;
        if (way.length === 0) return null;
        this.layer = L.featureGroup().addTo(this.map);
        const bounds = drawTrack(this.layer, track);
        this.tail = L.polyline([way.at(-1)], { className: 'track', interactive: false, smoothFactor: 1.2 });
        this.here = mark(way.at(-1), '●', 'here', source.source);
        this.at = Date.parse(track.properties.times.at(-1));
        this.rest = L.polyline([way.at(-1), way.at(-1)], { className: 'track gap rest', interactive: false });
        for (const part of [this.tail, this.rest, mark(way[0], 'A', 'start', t('trip.start')), this.here]) {
            this.layer.addLayer(part);
        }
        this.goOn(source);
        return bounds.extend(this.here.getLatLng());
    }

    /** Goes on to the position of a status; returns it if there is one. */
    goOn({ last_position: position, last_position_at: time, latest_at: latest }) {
        if (!this.layer || !position) return null;
        const point = [position.lat, position.lon];
        const at = Date.parse(time);
        // An app may say where it is while positions before that still wait to be delivered.
        if (at > this.at && at <= Date.parse(latest)) this.lengthen(point, at);
        this.here.setLatLng(point);
        this.rest.setLatLngs([this.tail.getLatLngs().at(-1), point]);
        return point;
    }

    lengthen(point, at) {
        // Fixes that came at once had positions before the last one.
        if (at - this.at > LONG_MILLISECONDS) this.readSoon();
        this.at = at;
        this.tail.addLatLng(point);
        const all = this.tail.getLatLngs();
        // Until it is read again, every second one is enough.
        if (all.length > MOST_NEW) this.tail.setLatLngs(all.filter((_, index) => index % 2 === 0));
    }

    readSoon() { this.nextAt = Math.min(this.nextAt, Date.now() + SOON_MILLISECONDS); }

    remove() {
        this.isRemoved = true;
        this.layer?.remove();
    }
}

/** Draws the ways of the running trips, and follows the newest until the map is touched. */
export function makeFollower(map, signal) {
    const ways = new Map();
    let isFollowing = true;
    let bounds = null;
    const release = () => { isFollowing = false; button.hidden = false; };
    const button = h('button', {
        type: 'button', class: 'follow', hidden: true,
        onclick: () => { isFollowing = true; button.hidden = true; if (bounds) showAll(map, bounds); },
    }, t('now.follow'));
    map.on('dragstart', release);
    map.getContainer().addEventListener('wheel', release, { signal, passive: true });
    map.getContainer().addEventListener('keydown', release, { signal });
    // Near an edge it moves to the middle at once: step by step, each step would draw the map anew.
    const goTo = (point) => {
        const size = map.getSize();
        const edge = Math.min(60, size.x / 4, size.y / 4);
        const { x, y } = map.latLngToContainerPoint(point);
        if (Math.min(x, y, size.x - x, size.y - y) < edge) map.panTo(point, { animate: false });
    };

    async function follow(way, source, isFirst) {
        const point = way.goOn(source);
        if (isFirst && point) {
            bounds?.extend(point);
            if (isFollowing) goTo(point);
        }
        const drawn = await way.read(source, signal);
        if (!isFirst || !drawn) return;
        const isNew = bounds === null;
        bounds = drawn;
        if (!isFollowing) return;
        if (isNew) showAll(map, bounds); else goTo(way.here.getLatLng());
    }

    return {
        button,
        /** News that was told meanwhile was not heard: the ways are read with the next status. */
        readAgain() { for (const way of ways.values()) way.nextAt = 0; },
        update(sources) {
            const running = sources.filter(isRunning);
            const ids = new Set(running.map(({ trip }) => trip));
            for (const [id, way] of ways) if (!ids.has(id)) { way.remove(); ways.delete(id); }
            running.forEach((source, index) => {
                if (!ways.has(source.trip)) ways.set(source.trip, new Way(map, source));
                follow(ways.get(source.trip), source, index === 0).catch(() => {});
            });
            return running.length > 0;
        },
    };
}
