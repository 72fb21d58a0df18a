// A day: its stays and trips on one map and one strip of time, along which it is driven again.

import { all, get, known, wordsOf } from './api.js';
import { metersBetween, samples } from './chart.js';
import { either, focusInstead, h, put, toast } from './dom.js';
import {
    claimed, clock, clockHour, clockSeconds, clocks, count, counts, dayOf, distance, duration, hours, lengthOfDay,
    longDay, secondsBetween, secondsInto, secondsUntil, timeAt, today, way, word,
} from './formats.js';
import { exportButton } from './exports.js';
import { addPlaces, drawTrack, makeMap, mark, points, printAll, showAll } from './map.js';
import { isUnnamed, nameThisPlace } from './nameplace.js';
import { addRoads, daysBefore } from './roads.js';
import { t } from './texts.js';

const HOURS = 24;
const MOST_POINTS = 600;
/** Keys move the play head by so many seconds. */
const STEP = 60;
const LEAP = 900;
/** A day is driven again so many times faster. */
const RATE = 120;
/** A reader who wants no motion sees a position at a time, a second each. */
const STEP_MILLISECONDS = 1000;
/** A trip that began so many days before may reach into a day: one over a ferry, or of a camper. */
const LONGEST_DAYS = 14;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The seconds since a day began; times before it and after it are at its edges. */
const secondsOf = (time, day) => Math.max(0, Math.min(lengthOfDay(day), secondsInto(day, time)));

/** Where nothing was driven in between, a trip begins so near to where the one before ended, in metres. */
const SAME_METERS = 400;
/** Who only passes a light has not stayed, in seconds. */
const LEAST_STAY = 120;

/** The name of a place as people read it. */
const labelOf = (places, name) => places.find(({ place }) => place === name)?.label ?? name;

/** Stays at places, as the ledger has them. */
const visitsOf = (visits, places) => visits.map((visit) => {
    const place = places.find((one) => one.place === visit.place);
    return {
        kind: 'stay', from: visit.entered_at, to: visit.left_at ?? new Date().toISOString(),
        source: visit.source, isOpen: !visit.left_at, name: labelOf(places, visit.place),
        position: place ? [place.lon, place.lat] : null,
    };
});

/** Whether a stay is one of those, for most of its time. */
const isAmong = (stays, one) => stays.some((other) => other.source === one.source
    && Math.min(Date.parse(other.to), Date.parse(one.to))
        - Math.max(Date.parse(other.from), Date.parse(one.from))
        > (Date.parse(one.to) - Date.parse(one.from)) / 2);

/** Stays between a trip and the next one of the same device, where that begins where the first ended. */
function staysBetween(trips) {
    const stays = [];
    const last = new Map();
    for (const trip of trips) {
        const before = last.get(trip.source);
        last.set(trip.source, trip);
        if (!before?.ended_at || !before.end || !trip.start) continue;
        const position = [before.end.lon, before.end.lat];
        const isThere = metersBetween(position, [trip.start.lon, trip.start.lat]) <= SAME_METERS;
        if (!isThere || secondsBetween(before.ended_at, trip.started_at) < LEAST_STAY) continue;
        const isNamed = !isUnnamed(before.to);
        stays.push({
            kind: 'stay', from: before.ended_at, to: trip.started_at, source: trip.source, position,
            name: isNamed ? before.to : t('day.unnamed'), isUnnamed: !isNamed,
        });
    }
    return stays;
}

/**
 * What happened on a day: trips, and stays, in the order in which they began. What began days before may
 * reach into it, and what one has left on the day after was stayed at until then.
 */
async function partsOf(day, signal) {
    const [read, visits, places] = await Promise.all([
        all('/v1/trips', { from: daysBefore(day, LONGEST_DAYS), to: daysBefore(day, -1), limit: 500 }, signal),
        all('/v1/visits', { from: day, to: day, limit: 500 }, signal), known('places'),
    ]);
    const eve = daysBefore(day, 1);
    const near = read.filter(({ ended_at: end }) => !end || dayOf(end) >= eve);
    near.sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));
    const trips = near.map((trip) => ({
        kind: 'trip', from: trip.started_at, to: trip.ended_at ?? new Date().toISOString(), trip,
        isOpen: !trip.ended_at,
    }));
    const stays = visitsOf(visits, places);
    const others = staysBetween(near).filter((one) => !isAmong(stays, one));
    return [...trips, ...stays, ...others]
        .filter(({ from, to }) => dayOf(from) <= day && dayOf(to) >= day)
        .sort((a, b) => Date.parse(a.from) - Date.parse(b.from));
}

const titleOf = (part) => (part.kind === 'trip'
    ? `${clocks(part.trip.started_at, part.trip.ended_at)} ${way(part.trip)}, ${distance(claimed(part.trip))}`
    : `${part.name}, ${t('day.stayed', { time: duration(secondsBetween(part.from, part.to)) })}`);

/** The strip: a bar of the hours of a day with what happened, and the play head on it. */
function makeStrip(day, parts, onMove) {
    const length = lengthOfDay(day);
    const share = (seconds) => `${(seconds / length * 100).toFixed(3)}%`;
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
        const element = h('span', null, clockHour(hour));
        element.style.left = share(secondsUntil(day, hour));
        return element;
    });
    const head = h('span', { class: 'head', 'aria-hidden': 'true' });
    const slider = h('div', {
        class: 'strip', role: 'slider', tabindex: '0', 'aria-label': t('day.strip'), 'aria-valuemin': '0',
        'aria-valuemax': String(length),
    }, pieces, head);
    let at = 0;
    const moveTo = (seconds) => {
        at = Math.max(0, Math.min(length, Math.round(seconds)));
        head.style.left = share(at);
        slider.setAttribute('aria-valuenow', String(at));
        slider.setAttribute('aria-valuetext', onMove(at));
    };
    const follow = ({ clientX }) => {
        const box = slider.getBoundingClientRect();
        moveTo((clientX - box.left) / box.width * length);
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
            PageDown: at - LEAP, PageUp: at + LEAP, Home: 0, End: length,
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
        at: () => at,
    };
}

/** Drives the trips of the day again from where the play head is; stays are left out. */
function makePlayer(day, parts, strip, said, signal) {
    const spans = parts.filter(({ kind }) => kind === 'trip')
        .map(({ from, to }) => ({ begin: secondsOf(from, day), end: secondsOf(to, day) }));
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)');
    let playing = null;
    const button = h('button', {
        type: 'button', class: 'play', onclick: () => (playing ? pause() : play()),
    });
    const say = () => {
        button.textContent = playing ? `❚❚ ${t('replay.pause')}` : `▶ ${t('replay.play')}`;
        // What runs is not read out at every step.
        said.setAttribute('aria-live', playing ? 'off' : 'polite');
    };
    const onward = (at) => {
        const span = spans.find(({ end }) => end > at);
        return span ? Math.max(at, span.begin) : null;
    };

    function tick(before) {
        const again = () => {
            if (!playing) return;
            const now = performance.now();
            const to = onward(strip.at() + (now - before) / 1000 * RATE);
            if (to === null) { pause(); return; }
            strip.moveTo(to);
            tick(now);
        };
        playing = isStill.matches
            ? { stop: clearTimeout, id: setTimeout(again, STEP_MILLISECONDS) }
            : { stop: cancelAnimationFrame, id: requestAnimationFrame(again) };
    }

    function play() {
        if (onward(strip.at()) === null) strip.moveTo(spans[0].begin);
        tick(performance.now());
        say();
    }

    function pause() {
        playing?.stop.call(window, playing.id);
        playing = null;
        say();
    }

    document.addEventListener('visibilitychange', () => { if (document.hidden) pause(); }, { signal });
    signal.addEventListener('abort', pause);
    say();
    return spans.length > 0 && h('div', { class: 'buttons' }, button);
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

const listItem = (day, onNamed) => (part) => h('li', { class: `of-${part.kind}` },
    h('span', { class: 'times' }, timesOn(day, part)),
    part.kind === 'trip'
        ? h('a', { href: `#/trip/${part.trip.id}` }, h('span', { class: `swatch class-${part.trip.class}` }),
            h('span', { class: 'way' }, way(part.trip)),
            h('span', { class: 'length' }, distance(claimed(part.trip))),
            h('span', { class: 'notes' }, [
                word('class', part.trip.class), part.trip.purpose, part.trip.left_out && t('trips.leftout'),
            ].filter(Boolean).join(' · ')))
        : h('span', { class: 'stayed' }, h('strong', null, part.name),
            part.isUnnamed && h('button', {
                type: 'button', class: 'name-place',
                onclick: () => nameThisPlace({ lat: part.position[1], lon: part.position[0] }, onNamed),
            }, `${t('places.namethis')}…`),
            h('span', { class: 'faint' }, part.isOpen ? t('places.there')
                : duration(secondsBetween(part.from, part.to)))));

/** The figures of the day: a trip counts on the day on which it began, if it does at all. */
function figures(day, parts) {
    const begun = parts.filter(({ kind, from }) => kind === 'trip' && dayOf(from) === day)
        .map(({ trip }) => trip);
    const trips = begun.filter(counts);
    const n = begun.length - trips.length;
    const driven = trips.reduce((sum, trip) => sum + claimed(trip), 0);
    const seconds = trips.reduce((sum, { started_at: from, ended_at: to }) =>
        sum + (to ? secondsBetween(from, to) : 0), 0);
    return h('div', { class: 'figures' },
        h('p', null, h('strong', null, distance(driven)), h('span', null, t('distance'))),
        h('p', null, h('strong', null, count(trips.length)),
            h('span', null, t('totals.ntrips', { n: trips.length }))),
        h('p', null, h('strong', null, hours(seconds)), h('span', null, t('totals.driving'))),
        n > 0 && h('p', { class: 'uncounted' }, h('span', null, t('trips.uncounted', { n }))));
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
        h('button', { type: 'button', class: 'end-of-row', onclick: () => window.print() }, t('print')),
        exportButton(() => ({ from: day, to: day })));
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
    const places = new Map(stays.map((part) => [part.isUnnamed ? part.position.join() : part.name, part]));
    [...places.values()].forEach((part, index) => {
        const point = [part.position[1], part.position[0]];
        bounds.extend(point);
        mark(point, String(index + 1), 'start', part.name).addTo(layer);
    });
    return bounds;
}

/** The strip of a day with its list, and the play head on the map that goes along it. */
function makeCourse(day, parts, map, onNamed, signal) {
    const said = h('output', { class: 'reading' });
    const placeAt = makePlace(day, parts);
    const cursor = L.circleMarker([0, 0], { radius: 8, className: 'cursor', interactive: false });
    const strip = makeStrip(day, parts, (at) => {
        const { part, position } = placeAt(at);
        if (position) cursor.setLatLng([position[1], position[0]]).addTo(map); else cursor.remove();
        const what = part ? titleOf(part) : t('day.unknown');
        const words = `${clockSeconds(timeAt(day, Math.min(at, lengthOfDay(day) - 1)))} · ${what}`;
        put(said, words);
        return words;
    });
    const first = parts.find(({ kind, from }) => kind === 'trip' && dayOf(from) === day) ?? parts[0];
    return {
        elements: [
            h('section', { 'aria-label': t('day.strip') }, strip.element, said,
                makePlayer(day, parts, strip, said, signal)),
            h('ol', { class: 'plain day-list' }, parts.map(listItem(day, onNamed))),
        ],
        begin: () => strip.moveTo(secondsOf(first.from, day)),
    };
}

/** Shows a day as it is now, below its heading. */
async function draw(day, { main, heading }, onNamed, signal) {
    const parts = await partsOf(day, signal);
    if (signal.aborted) return;
    const element = h('div', { class: 'map' });
    const sheet = h('div', { class: 'sheet' }, steps(day), figures(day, parts));
    const hadFocus = main.contains(document.activeElement) && document.activeElement !== heading;
    // The heading stays where it is, for it may have the focus.
    for (const part of [...main.children]) if (part !== heading) part.remove();
    main.append(sheet, h('div', { class: 'map-holder' }, element));
    if (hadFocus) focusInstead(heading);
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
    const course = makeCourse(day, parts, map, onNamed, signal);
    sheet.append(...course.elements);
    course.begin();
}

export async function show({ main, heading, subject, signal }) {
    const day = DAY.test(subject ?? '') ? subject : today();
    put(heading, longDay(day));
    document.title = `${longDay(day)} · Trip Ledger`;
    window.addEventListener('keydown', (event) => {
        if (event.target.closest?.('input, select, textarea, dialog, .map')) return;
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        if (event.key === 'ArrowLeft') location.hash = `#/day/${daysBefore(day, 1)}`;
        if (event.key === 'ArrowRight' && day < today()) location.hash = `#/day/${daysBefore(day, -1)}`;
    }, { signal });
    let drawing = new AbortController();
    /** A place was named: what is shown is called otherwise now, and the message about it stays. */
    const again = () => {
        drawing.abort();
        drawing = new AbortController();
        const both = either(signal, drawing.signal);
        draw(day, { main, heading }, again, both).catch((error) => {
            if (!both.aborted) toast(wordsOf(error));
        });
    };
    await draw(day, { main, heading }, again, either(signal, drawing.signal));
}
