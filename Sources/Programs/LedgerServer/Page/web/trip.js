// A trip: its way and speed, what it was for, and what its distance is made of.

import { alwaysLikeThis } from './always.js';
import { known, lines, options, trip as readTrip, wordsOf } from './api.js';
import { disclosure, either, h, pairs, put, redraw, shown, toast } from './dom.js';
import {
    claimed, clock, clocks, dayOf, distance, duration, longDay, meters, moment, secondsBetween, speed, way, word,
} from './formats.js';
import { makeCorrections, makeDecider } from './corrections.js';
import { makeDetails } from './details.js';
import { clearMarks, showExplanation, showHistory } from './evidence.js';
import { exportButton } from './exports.js';
import { save } from './keepfile.js';
import { listen } from './live.js';
import { nameButtons } from './nameplace.js';
import { pictureOf } from './picture.js';
import { shareButton } from './share.js';
import { t } from './texts.js';
import { courseOf, makeWay } from './tripway.js';

/** The evidence of a trip that goes on is read again so often, in milliseconds: it costs the server more and more. */
const RENEWED = 10000;

/** What decides what can be corrected of a trip; of one that goes on, each fix changes other things. */
const standOf = (trip) => JSON.stringify([courseOf(trip), trip.excluded_distance_m, trip.adjusted_distance_m,
    trip.class, trip.from, trip.to]);

/** The day and the times of a trip; the day of its end too if it is another one. */
function when({ started_at: start, ended_at: end }) {
    const begun = `${longDay(dayOf(start))}, ${clock(start)}`;
    if (!end) return `${begun}–${t('trip.running')}`;
    if (dayOf(start) === dayOf(end)) return `${begun}–${clock(end)}`;
    return `${begun} – ${longDay(dayOf(end))}, ${clock(end)}`;
}

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
            [t('when'), when(trip)],
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

/** What leads to the other parts of a trip that was split or merged; they are asked for. */
async function drawParts(holder, trip, ask) {
    const link = (id, words) => h('a', { href: `#/trip/${id}` }, words);
    const merged = (trip.parts ?? []).filter((id) => id !== trip.id);
    const isSecond = trip.started_by === 'split';
    const isFirst = trip.ended_by === 'split';
    const found = isSecond || isFirst ? await ask() : {};
    const half = (other, key) => other && h('p', null, link(other.trip.id,
        `${t(key)}: ${way(other.trip)}, ${clocks(other.trip.started_at, other.trip.ended_at)}`));
    put(holder,
        isSecond && half(found.previous, 'trip.firsthalf'), isFirst && half(found.next, 'trip.secondhalf'),
        merged.length > 0 && h('p', null, t('trip.mergedof'), ' ',
            merged.map((id, index) => [index > 0 && ', ', link(id, t('trip.part', { number: String(index + 2) }))])));
}

export async function show({ main, heading, subject, query, signal }) {
    const [answer, vehicles, fields] = await Promise.all([
        readTrip(subject, signal), known('vehicles'), known('fields'),
    ]);
    if (signal.aborted) return;
    let { trip } = answer;
    const holder = h('div', { class: 'map-holder' });
    const sheet = h('div', { class: 'sheet' });
    main.append(holder, sheet);
    put(heading, way(trip));
    document.title = `${shown(way(trip))} · Trip Ledger`;
    const course = makeWay(holder, signal);

    const head = h('div');
    const corrections = h('div');
    const evidence = h('div');
    const parts = h('div');

    /** Shows what follows from the trip; the form stays, for something may be typed in it. */
    function draw() {
        put(heading, way(trip));
        const canRepeat = trip.ended_at && trip.class !== 'unclassified';
        put(head, summary(trip), parts, h('div', { class: 'buttons' },
            h('a', { class: 'button', href: `#/day/${dayOf(trip.started_at)}` }, t('trip.day')),
            h('a', { class: 'button', href: `#/expenses?trip=${trip.id}` }, t('nav.expenses')),
            nameButtons(trip, nameAgain),
            canRepeat && h('button', {
                type: 'button', class: 'always', onclick: () => alwaysLikeThis(trip.id),
            }, `${t('always.title')}…`)));
        drawBelow();
    }

    /** A place was named, or is none any more: the trip is called otherwise then. */
    function nameAgain() {
        course.showPlaces();
        details.refresh().catch((error) => { if (!signal.aborted) toast(wordsOf(error)); });
    }

    const drawBelow = () => redraw(() => [...corrections.children, ...evidence.children], drawFolded);

    /** Draws the way if it is another one; what stands below it is about its cursor. */
    const drawCourse = () => course.follow(trip).then((isNew) => {
        if (!isNew) return;
        picture.hidden = !course.chart;
        drawBelow();
    }, (error) => {
        if (!signal.aborted) put(course.element, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)));
    });

    /** What is folded away stays while it says the same, with what is typed in it; the evidence is read again. */
    let folded = { stand: null, chart: null, end: new AbortController() };
    let renewing = null;
    signal.addEventListener('abort', () => clearTimeout(renewing));

    function renewEvidence() {
        renewing ??= setTimeout(() => {
            renewing = null;
            if (evidence.contains(document.activeElement?.closest('details > div'))) { renewEvidence(); return; }
            for (const part of evidence.children) part.dispatchEvent(new Event('renew'));
        }, trip.status === 'active' ? RENEWED : 0);
    }

    function drawFolded() {
        const stand = standOf(trip);
        if (folded.stand === stand && folded.chart === course.chart) { renewEvidence(); return; }
        folded.end.abort();
        folded = { stand, chart: course.chart, end: new AbortController() };
        clearMarks(course.map);
        const isOpen = [...corrections.children, ...evidence.children].map((part) => part.open);
        // Asked once for all parts, and before something is decided: what restoring takes back is known then.
        let asked = null;
        const ask = () => {
            asked ??= options(trip.id, signal);
            return asked;
        };
        const decider = makeDecider(trip, details, ask);
        put(corrections, makeCorrections(trip, decider, ask, {
            chart: course.chart, isOpen: isOpen[0], signal: either(signal, folded.end.signal),
        }));
        put(evidence,
            disclosure(t('why.title'), (body) => showExplanation(body, trip, course.map, signal)),
            disclosure(t('history.title'), (body) =>
                showHistory(body, trip, details.names, decider, ask, signal)));
        drawParts(parts, trip, ask).catch(() => { /* The corrections say why nothing can be asked. */ });
        // Parts that were open are open again, with their new content.
        [...evidence.children].forEach((part, index) => { part.open = Boolean(isOpen[index + 1]); });
    }

    async function savePicture() {
        const words = [way(trip), longDay(dayOf(trip.started_at)), distance(claimed(trip))].join(', ');
        const picture = pictureOf(course.map, course.track, await known('places'), await course.circles, words);
        save(picture, `trip-${dayOf(trip.started_at)}.svg`, 'image/svg+xml');
    }

    const details = makeDetails(answer, { vehicles, fields, signal }, (changed) => {
        trip = changed;
        draw();
        drawCourse();
    });
    async function saveProof() {
        try {
            const rows = await lines(`/v1/trips/${trip.id}/proof`, signal);
            const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
            save(text, `trip-${trip.id.slice(0, 8)}.proof.jsonl`, 'application/x-ndjson');
        } catch (error) {
            // Without a head that covers the whole trip nothing is proved.
            if (!signal.aborted) toast(error.status === 404 ? t('seal.unsigned') : wordsOf(error));
        }
    }

    const picture = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: savePicture },
        t('picture.save'));
    sheet.append(
        head,
        course.element,
        details.element,
        evidence,
        corrections,
        h('p', { class: 'faint' },
            `${t('trip.recorded')} ${moment(trip.recorded?.last_at ?? trip.started_at)} · `,
            h('code', null, trip.id)),
        h('div', { class: 'buttons' },
            h('a', { class: 'button', href: '#/trips', onclick: goBack }, t('trip.back')),
            picture,
            trip.status !== 'active'
                && h('button', { type: 'button', class: 'quiet proof-file', onclick: saveProof }, t('seal.file')),
            exportButton(() => ({ trip: trip.id })),
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
    // The rest is there before a long way is.
    await drawCourse();
    course.showRoads();
}

/** Back to the list as it was left, if it was the list that was left. */
function goBack(event) {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
}
