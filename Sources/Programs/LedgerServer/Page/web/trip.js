// A trip: its way and speed, what it was for, and what its distance is made of.

import { get, known, options, trip as readTrip } from './api.js';
import { disclosure, h, pairs, put, redraw, shown } from './dom.js';
import {
    claimed, clock, dayOf, distance, duration, longDay, meters, moment, secondsBetween, speed, way, word,
} from './formats.js';
import { makeChart, samples } from './chart.js';
import { makeCorrections, makeDecider } from './corrections.js';
import { makeDetails } from './details.js';
import { showExplanation, showHistory } from './evidence.js';
import { listen } from './live.js';
import { addEarlierTracks, addPlaces, drawTrack, makeMap, mark, points, printAll, showAll } from './map.js';
import { pictureOf, save } from './picture.js';
import { makeReplay } from './replay.js';
import { shareButton } from './share.js';
import { t } from './texts.js';

function summary(trip) {
    const gaps = trip.gaps.count > 0 ? t('trip.gaps', {
        n: trip.gaps.count, time: duration(trip.gaps.seconds), way: meters(trip.gaps.meters),
    }) : null;
    const end = trip.ended_at ?? new Date().toISOString();
    return h('div', { class: 'summary' },
        h('div', { class: 'figures' },
            h('p', null, h('strong', null, distance(claimed(trip))), h('span', null, t('distance'))),
            h('p', null, h('strong', null, duration(secondsBetween(trip.started_at, end))),
                h('span', null, t('duration'))),
            h('p', null,
                h('strong', null, trip.moving_s > 0 ? speed(trip.distance_m / trip.moving_s) : '–'),
                h('span', null, t('speed.average'))),
            h('p', null, h('strong', null, speed(trip.max_speed_mps ?? 0)), h('span', null, t('speed.top')))),
        pairs([
            [t('when'), `${longDay(dayOf(trip.started_at))}, ${clock(trip.started_at)}–${
                trip.ended_at ? clock(trip.ended_at) : t('trip.running')}`],
            [t('status'), trip.status !== 'completed' && word('status', trip.status)],
            [t('distance.measured'), trip.adjusted_distance_m !== undefined && distance(trip.distance_m)],
            [t('distance.excluded'), trip.excluded_distance_m && distance(trip.excluded_distance_m)],
            [t('trip.unrecorded'), trip.unrecorded_before_m && distance(trip.unrecorded_before_m)],
            [t('gaps'), gaps],
            [t('source'), trip.source],
            [t('trip.begun'), word('started', trip.started_by)],
            [t('trip.ended'), trip.ended_by && word('ended', trip.ended_by)],
            [t('trip.overlaps'), trip.overlaps
                && h('a', { href: `#/trip/${trip.overlaps}` }, t('trip.other'))],
        ].map(([term, value]) => [term, value || null])));
}

/** The map with the way, and the chart; one cursor moves in both. */
function showWay(holder, track, trip, signal) {
    const element = h('div', { class: 'map' });
    holder.append(element);
    const map = makeMap(element, signal);
    const circles = addPlaces(map, signal);
    addEarlierTracks(map, signal);
    const line = points(track);
    if (line.length < 2) {
        const ends = [trip.start, trip.end].filter(Boolean).map(({ lat, lon }) => [lat, lon]);
        ends.forEach((point, index) => mark(point, 'AB'[index], 'start', '').addTo(map));
        if (ends.length > 0) showAll(map, L.latLngBounds(ends));
        return { map, circles, chart: null, replay: null };
    }
    const layer = L.featureGroup().addTo(map);
    const bounds = drawTrack(layer, track);
    showAll(map, bounds);
    printAll(map, bounds, signal);
    mark(line[0], 'A', 'start', t('trip.start')).addTo(map);
    if (trip.ended_at) mark(line.at(-1), 'B', 'start', t('trip.end')).addTo(map);
    map.fire('letters');
    const cursor = L.circleMarker(line[0], { radius: 7, className: 'cursor', interactive: false });
    const all = samples(track);
    const chart = makeChart(all, (sample) => {
        cursor.setLatLng([sample.position[1], sample.position[0]]).addTo(map);
    }, signal);
    // The other way round: the point of the way that is nearest to the pointer.
    const toNearest = ({ latlng }) => {
        const near = map.latLngToContainerPoint(latlng);
        let best = null;
        let shortest = 30;
        for (const sample of all) {
            const [lon, lat] = sample.position;
            const away = map.latLngToContainerPoint([lat, lon]).distanceTo(near);
            if (away < shortest) { best = sample; shortest = away; }
        }
        if (best) chart.moveTo(best);
    };
    let isPlaying = false;
    const replay = makeReplay(all, { chart, map, cursor, onPlay: (plays) => { isPlaying = plays; } }, signal);
    // While it is driven again, a pointer that lies on the map does not hold it.
    map.on('mousemove click', (event) => { if (!isPlaying || event.type === 'click') toNearest(event); });
    return { map, circles, chart, replay };
}

export async function show({ main, heading, subject, query, signal }) {
    const [answer, track, vehicles, fields] = await Promise.all([
        readTrip(subject, signal), get(`/v1/trips/${subject}/track`, { max: 2000 }, signal),
        known('vehicles'), known('fields'),
    ]);
    if (signal.aborted) return;
    let { trip } = answer;
    const holder = h('div', { class: 'map-holder' });
    const sheet = h('div', { class: 'sheet' });
    main.append(holder, sheet);
    put(heading, way(trip));
    document.title = `${shown(way(trip))} · Trip Ledger`;
    const { map, circles, chart, replay } = showWay(holder, track, trip, signal);

    const head = h('div');
    const corrections = h('div');
    const evidence = h('div');

    /** Shows what follows from the trip; the form stays, for something may be typed in it. */
    function draw() {
        put(heading, way(trip));
        put(head, summary(trip));
        redraw(() => [...corrections.children, ...evidence.children], drawParts);
    }

    function drawParts() {
        const isOpen = [...corrections.children, ...evidence.children].map((part) => part.open);
        // Asked once for all parts, and before something is decided: what restoring takes back is known then.
        let asked = null;
        const ask = () => {
            asked ??= options(trip.id, signal);
            return asked;
        };
        const decider = makeDecider(trip, details, ask);
        put(corrections, makeCorrections(trip, decider, ask, { chart, isOpen: isOpen[0] }));
        put(evidence,
            disclosure(t('why.title'), (body) => showExplanation(body, trip, map, signal)),
            disclosure(t('history.title'), (body) =>
                showHistory(body, trip, details.names, decider, ask, signal)));
        // Parts that were open are open again, with their new content.
        [...evidence.children].forEach((part, index) => { part.open = Boolean(isOpen[index + 1]); });
    }

    async function savePicture() {
        const words = [way(trip), longDay(dayOf(trip.started_at)), distance(claimed(trip))].join(', ');
        const picture = pictureOf(map, track, await known('places'), await circles, words);
        save(picture, `trip-${dayOf(trip.started_at)}.svg`, 'image/svg+xml');
    }

    const details = makeDetails(answer, { vehicles, fields, signal }, (changed) => {
        trip = changed;
        window.dispatchEvent(new CustomEvent('tripchanged', { detail: trip }));
        draw();
    });
    sheet.append(
        head,
        chart
            ? h('section', { 'aria-label': t('chart.title') }, h('h2', null, t('chart.title')), chart.element,
                replay)
            : h('p', { class: 'faint' }, t('trip.notrack')),
        details.element,
        evidence,
        corrections,
        h('p', { class: 'faint' },
            `${t('trip.recorded')} ${moment(trip.recorded?.last_at ?? trip.started_at)} · `,
            h('code', null, trip.id)),
        h('div', { class: 'buttons' },
            h('a', { class: 'button', href: '#/trips', onclick: goBack }, t('trip.back')),
            chart && h('button', { type: 'button', class: 'quiet', onclick: savePicture }, t('picture.save')),
            trip.status === 'active' && shareButton(trip.id),
            h('button', { type: 'button', class: 'quiet', onclick: () => window.print() }, t('print'))));
    draw();
    let waiting = null;
    // A trip that goes on changes with each fix: it is read twice a second at most.
    const follow = () => {
        waiting ??= setTimeout(() => {
            waiting = null;
            // While a question is open, or a button is pressed, nothing changes under it.
            if (document.querySelector('dialog[open], main button:active')) { follow(); return; }
            details.follow().catch(() => { /* The next change, or the end of the session, says more. */ });
        }, 500);
    };
    signal.addEventListener('abort', () => clearTimeout(waiting));
    listen({
        change: ({ kind, key }) => { if (kind === 'trip' && key === trip.id) follow(); },
        resync: follow,
    }, signal);
    if (query.has('edit')) details.focus();
    document.addEventListener('keydown', (event) => {
        const isTyping = event.target.closest?.('input, textarea, select, dialog, [role=slider]');
        if (event.key !== 'e' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        details.focus();
    }, { signal });
}

/** Back to the list as it was left, if it was the list that was left. */
function goBack(event) {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
}
