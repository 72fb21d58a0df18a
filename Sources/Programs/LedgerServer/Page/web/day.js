// A day: its stays and trips on one map and one strip of time, along which it is driven again.

import { all, get } from './api.js';
import { samples } from './chart.js';
import { h, put } from './dom.js';
import {
    claimed, clock, clockOfDay, clocks, count, dayOf, distance, duration, hours, longDay, secondsBetween,
    today, wall, way, word,
} from './formats.js';
import { addPlaces, drawTrack, makeMap, mark, points, printAll, showAll } from './map.js';
import { addRoads, daysBefore } from './roads.js';
import { t } from './texts.js';

const HOURS = 24;
const DAY_SECONDS = HOURS * 3600;
const MOST_POINTS = 600;
/** Keys move the play head by so many seconds. */
const STEP = 60;
const LEAP = 900;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The seconds of the wall clock since a day began; those before it and after it are its edges. */
function secondsOf(time, day) {
    const seconds = (wall(time) - new Date(`${day}T00:00Z`)) / 1000;
    return Math.max(0, Math.min(DAY_SECONDS, seconds));
}

/** What happened on a day: trips, and stays at places, in the order in which they began. */
async function partsOf(day, signal) {
    const query = { from: day, to: day };
    const [trips, visits] = await Promise.all([
        all('/v1/trips', { ...query, limit: 500 }, signal), all('/v1/visits', { ...query, limit: 500 }, signal),
    ]);
    const parts = [
        ...trips.map((trip) => ({
            kind: 'trip', from: trip.started_at, to: trip.ended_at ?? new Date().toISOString(), trip,
        })),
        ...visits.map((visit) => ({
            kind: 'stay', from: visit.entered_at, to: visit.left_at ?? new Date().toISOString(), visit,
        })),
    ];
    return parts.sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

/** The name of a place as people read it. */
const labelOf = (places, name) => places.find(({ place }) => place === name)?.label ?? name;

const titleOf = (part) => (part.kind === 'trip'
    ? `${clocks(part.trip.started_at, part.trip.ended_at)} ${way(part.trip)}, ${distance(claimed(part.trip))}`
    : `${part.name}, ${t('day.stayed', { time: duration(secondsBetween(part.from, part.to)) })}`);

/** The strip: a bar of 24 hours with what happened, and the play head on it. */
function makeStrip(day, parts, onMove) {
    const share = (seconds) => `${(seconds / DAY_SECONDS * 100).toFixed(3)}%`;
    const pieces = parts.map((part) => {
        const [from, to] = [secondsOf(part.from, day), secondsOf(part.to, day)];
        const element = h('span', {
            class: part.kind === 'trip' ? `piece drive class-${part.trip.class}` : 'piece stay',
            title: titleOf(part),
        }, part.kind === 'stay' && h('span', null, part.name));
        element.style.left = share(from);
        element.style.width = share(Math.max(0, to - from));
        return element;
    });
    const scale = Array.from({ length: HOURS / 3 - 1 }, (_, index) => {
        const hour = (index + 1) * 3;
        const element = h('span', null, clockOfDay(hour * 3600));
        element.style.left = share(hour * 3600);
        return element;
    });
    const head = h('span', { class: 'head', 'aria-hidden': 'true' });
    const slider = h('div', {
        class: 'strip', role: 'slider', tabindex: '0', 'aria-label': t('day.strip'), 'aria-valuemin': '0',
        'aria-valuemax': String(DAY_SECONDS),
    }, pieces, head);
    let at = 0;
    const moveTo = (seconds) => {
        at = Math.max(0, Math.min(DAY_SECONDS, Math.round(seconds)));
        head.style.left = share(at);
        slider.setAttribute('aria-valuenow', String(at));
        slider.setAttribute('aria-valuetext', onMove(at));
    };
    const follow = ({ clientX }) => {
        const box = slider.getBoundingClientRect();
        moveTo((clientX - box.left) / box.width * DAY_SECONDS);
    };
    slider.addEventListener('pointerdown', (event) => {
        slider.setPointerCapture(event.pointerId);
        follow(event);
    });
    slider.addEventListener('pointermove', (event) => {
        if (slider.hasPointerCapture(event.pointerId)) follow(event);
    });
    slider.addEventListener('keydown', (event) => {
        const to = {
            ArrowLeft: at - STEP, ArrowDown: at - STEP, ArrowRight: at + STEP, ArrowUp: at + STEP,
            PageDown: at - LEAP, PageUp: at + LEAP, Home: 0, End: DAY_SECONDS,
        }[event.key];
        if (to === undefined) return;
        event.preventDefault();
        // The same arrows lead to other days elsewhere.
        event.stopPropagation();
        moveTo(to);
    });
    return {
        element: h('div', { class: 'of-strip' }, slider,
            h('div', { class: 'scale', 'aria-hidden': 'true' }, scale)),
        moveTo,
    };
}

/** Where one was at so many seconds of the day, and what was happening. */
function makePlace(day, parts) {
    const timed = parts.map((part) => ({
        ...part, begin: secondsOf(part.from, day), end: secondsOf(part.to, day),
        fixes: (part.samples ?? []).map(({ time, position }) => ({ at: secondsOf(time, day), position })),
    }));
    return (at) => {
        const part = timed.find(({ begin, end, kind }) => kind === 'trip' && at >= begin && at <= end)
            ?? timed.find(({ begin, end }) => at >= begin && at <= end) ?? null;
        if (part?.kind === 'stay') return { part, position: part.position };
        const fixes = part?.fixes ?? [];
        const next = fixes.findIndex((fix) => fix.at >= at);
        if (fixes.length === 0) return { part, position: null };
        if (next <= 0) return { part, position: fixes.at(next).position };
        const [a, b] = [fixes[next - 1], fixes[next]];
        const rate = b.at === a.at ? 1 : (at - a.at) / (b.at - a.at);
        return { part, position: a.position.map((value, axis) => value + (b.position[axis] - value) * rate) };
    };
}

/** The times of something on a day; what began before it or ends after it has no clock there. */
function timesOn(day, { from, to, isOpen }) {
    if (isOpen && dayOf(from) === day) return clocks(from, null);
    if (dayOf(from) === day && dayOf(to) === day) return clocks(from, to);
    return `${dayOf(from) === day ? clock(from) : '…'} – ${!isOpen && dayOf(to) === day ? clock(to) : '…'}`;
}

const listItem = (day) => (part) => h('li', { class: `of-${part.kind}` },
    h('span', { class: 'times' }, timesOn(day, part)),
    part.kind === 'trip'
        ? h('a', { href: `#/trip/${part.trip.id}` }, h('span', { class: `swatch class-${part.trip.class}` }),
            h('span', { class: 'way' }, way(part.trip)),
            h('span', { class: 'length' }, distance(claimed(part.trip))),
            h('span', { class: 'notes' }, [word('class', part.trip.class), part.trip.purpose]
                .filter(Boolean).join(' · ')))
        : h('span', { class: 'stayed' }, h('strong', null, part.name),
            h('span', { class: 'faint' }, duration(secondsBetween(part.from, part.to)))));

/** The figures of the day. */
function figures(parts) {
    const trips = parts.filter(({ kind }) => kind === 'trip').map(({ trip }) => trip);
    const driven = trips.reduce((sum, trip) => sum + claimed(trip), 0);
    const seconds = trips.reduce((sum, { started_at: from, ended_at: to }) =>
        sum + (to ? secondsBetween(from, to) : 0), 0);
    return h('div', { class: 'figures' },
        h('p', null, h('strong', null, distance(driven)), h('span', null, t('distance'))),
        h('p', null, h('strong', null, count(trips.length)),
            h('span', null, t('totals.ntrips', { n: trips.length }))),
        h('p', null, h('strong', null, hours(seconds)), h('span', null, t('totals.driving'))));
}

/** The row that leads to the day before, to any day, to the day after, and to paper. */
function steps(day) {
    const go = (to) => { location.hash = `#/day/${to}`; };
    const chosen = h('input', {
        type: 'date', value: day, max: today(), 'aria-label': t('totals.day'),
        onchange: ({ target }) => { if (DAY.test(target.value)) go(target.value); },
    });
    const after = daysBefore(day, -1);
    return h('div', { class: 'buttons steps' },
        h('a', { class: 'button', href: `#/day/${daysBefore(day, 1)}`, 'aria-label': t('day.before') }, '←'),
        chosen,
        after <= today()
            && h('a', { class: 'button', href: `#/day/${after}`, 'aria-label': t('day.after') }, '→'),
        h('button', { type: 'button', class: 'end-of-row', onclick: () => window.print() }, t('print')));
}

/** Draws the trips of the day in the colours of their classes; returns where all of it is. */
async function drawDay(map, parts, signal) {
    const layer = L.featureGroup().addTo(map);
    const bounds = L.latLngBounds([]);
    const trips = parts.filter(({ kind }) => kind === 'trip');
    const tracks = await Promise.allSettled(trips.map(({ trip }) =>
        get(`/v1/trips/${trip.id}/track`, { max: MOST_POINTS }, signal)));
    if (signal.aborted) return bounds;
    tracks.forEach(({ value: track }, index) => {
        if (!track || points(track).length < 2) return;
        trips[index].samples = samples(track);
        bounds.extend(drawTrack(layer, track, `of-class class-${trips[index].trip.class}`));
    });
    const stays = parts.filter(({ kind, position }) => kind === 'stay' && position);
    const places = new Map(stays.map((part) => [part.visit.place, part]));
    [...places.values()].forEach((part, index) => {
        const point = [part.position[1], part.position[0]];
        bounds.extend(point);
        mark(point, String(index + 1), 'start', part.name).addTo(layer);
    });
    return bounds;
}

export async function show({ main, heading, subject, signal }) {
    const day = DAY.test(subject ?? '') ? subject : today();
    put(heading, longDay(day));
    document.title = `${longDay(day)} · Trip Ledger`;
    const [parts, places] = await Promise.all([partsOf(day, signal), all('/v1/places', {}, signal)]);
    if (signal.aborted) return;
    for (const part of parts.filter(({ kind }) => kind === 'stay')) {
        const place = places.find((one) => one.place === part.visit.place);
        part.name = labelOf(places, part.visit.place);
        part.position = place ? [place.lon, place.lat] : null;
        part.isOpen = !part.visit.left_at;
    }
    const element = h('div', { class: 'map' });
    const holder = h('div', { class: 'map-holder' }, element);
    const said = h('output', { class: 'reading' });
    const sheet = h('div', { class: 'sheet' }, steps(day), figures(parts));
    main.append(sheet, holder);
    window.addEventListener('keydown', (event) => {
        if (event.target.closest('input, select, textarea, dialog, .map')) return;
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === 'ArrowLeft') location.hash = `#/day/${daysBefore(day, 1)}`;
        if (event.key === 'ArrowRight' && day < today()) location.hash = `#/day/${daysBefore(day, -1)}`;
    }, { signal });
    if (parts.length === 0) sheet.append(h('p', null, t('day.nothing')));
    const map = makeMap(element, signal);
    addPlaces(map, signal);
    const bounds = await drawDay(map, parts, signal);
    if (signal.aborted) return;
    if (bounds.isValid()) {
        showAll(map, bounds);
        printAll(map, bounds, signal);
        map.fire('letters');
    }
    addRoads(map, signal).then((roads) => { if (!bounds.isValid() && !signal.aborted) showAll(map, roads); });
    if (parts.length === 0) return;
    const placeAt = makePlace(day, parts);
    const cursor = L.circleMarker([0, 0], { radius: 8, className: 'cursor', interactive: false });
    const strip = makeStrip(day, parts, (at) => {
        const { part, position } = placeAt(at);
        if (position) cursor.setLatLng([position[1], position[0]]).addTo(map); else cursor.remove();
        const what = part ? titleOf(part) : t('day.unknown');
        const words = `${clockOfDay(Math.min(at, DAY_SECONDS - 1), true)} · ${what}`;
        put(said, words);
        return words;
    });
    sheet.append(h('section', { 'aria-label': t('day.strip') }, strip.element, said),
        h('ol', { class: 'plain day-list' }, parts.map(listItem(day))));
    const first = parts.find(({ kind }) => kind === 'trip') ?? parts[0];
    strip.moveTo(secondsOf(first.from, day));
}
