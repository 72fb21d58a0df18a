// The trips that wait in the inbox, and the decisions about them.

import { decide, list } from './api.js';
import { rowOf } from './decisions.js';
import { word } from './formats.js';

/** What waits, page by page, each with what it waits for, and the tag of the page that it was on. */
export function makeSource(signal, limit) {
    let cursor = null;
    let isDone = false;
    return {
        get isDone() { return isDone; },
        async next() {
            const page = await list('/v1/inbox', { limit, cursor }, signal);
            cursor = page.next_cursor;
            isDone = !page.has_more;
            return waitingTrips(page);
        },
    };
}

/**
 * The trips of a page of the inbox. Each says what it waits for: `class`, `purpose`, or `twin`, a
 * word about another trip of its drive.
 */
export const waitingTrips = ({ items, tag }) => items.map((trip) => ({ ...trip, tag }));

/** The decisions that give trips a class, or apply a routine to them. */
export const classing = (trips, code, routine) => trips.map(({ id }) => (routine
    ? { type: 'routine_applied', trip: id, routine: routine.routine }
    : { type: 'details_edited', trip: id, class: code }));

/** The decision that says what a trip was for. */
export const saying = (trip, purpose) => ({ type: 'details_edited', trip: trip.id, purpose });

/** Where this page has decided about a trip last: what it was read with may be older. */
const decidedAt = new Map();

const seenAt = ({ id, tag }) => Math.max(Number(tag.slice(1, -1)), decidedAt.get(id) ?? 0);

/**
 * Decides about trips, if nothing else was decided about them since they were read.
 *
 * @returns what became of the decisions, and the trips as they are then, with what they wait for now
 */
export async function send(decisions, trips) {
    const decided = await decide(decisions, `"${Math.min(...trips.map(seenAt))}"`);
    const rows = new Map(decided.map((one) => [one.trip, rowOf(one, one.trip)]));
    const position = Math.max(...decided.map((one) => one.position ?? 0));
    for (const { id } of trips) decidedAt.set(id, position);
    return {
        decided,
        trips: trips.map((trip) => {
            const row = rows.get(trip.id);
            return { ...trip, ...row, waits_for: row?.waits_for ?? null };
        }),
    };
}

/** What a decision is called. */
export const nameOf = (code, routine) => (routine ? routine.title ?? routine.routine : word('class', code));
