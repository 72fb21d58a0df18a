// What waits in the inbox, what is decided about it, and what takes it back.

import { decide, list, trip as readTrip } from './api.js';
import { word } from './formats.js';

/** What a trip waits for, by what it says: its class, its purpose, or nothing. */
export function waitsFor(trip) {
    if (trip.status !== undefined && trip.status !== 'completed') return null;
    if (trip.class === 'unclassified') return 'class';
    return trip.class === 'business' && !trip.purpose && !trip.title ? 'purpose' : null;
}

/** What waits, page by page, each with the tag of the page that it was on. */
export function makeSource(signal, limit) {
    let cursor = null;
    let isDone = false;
    return {
        get isDone() { return isDone; },
        async next() {
            const page = await list('/v1/inbox', { limit, cursor }, signal);
            cursor = page.next_cursor;
            isDone = !page.has_more;
            return page.items.map((trip) => ({ ...trip, tag: page.tag }));
        },
    };
}

/** What a routine says of a trip, beside its class. */
const SAID = ['title', 'purpose', 'notes', 'category', 'client', 'vehicle', 'mode'];

/** The event that says something of a trip. */
const edit = (trip, members) => ({
    type: 'details_edited', trip: trip.id, trip_started_at: trip.started_at, ...members,
});

/** The events that give trips a class, or apply a routine to them. */
export const eventsOf = (trips, code, routine) => trips.map((trip) => (routine
    ? { type: 'routine_applied', routine: routine.routine, trip: trip.id, trip_started_at: trip.started_at }
    : edit(trip, { class: code })));

/** The event that says what a trip was for, or, with null, takes it back. */
export const purposeEvent = (trip, purpose) => edit(trip, { purpose });

/** Reads what a routine would change of trips, as far as it is not known: taking back needs it. */
export async function readSaid(trips, routine) {
    if (!routine || ![...SAID, 'fields'].some((name) => routine[name])) return;
    // What was read by its way has all of it.
    for (const trip of trips.filter(({ source }) => source === undefined)) {
        Object.assign(trip, (await readTrip(trip.id)).trip);
    }
}

/** The events that take it back: what a routine said is said no more. */
export function restoringEvents(trips, routine) {
    const members = { class: 'unclassified' };
    for (const name of SAID) if (routine?.[name]) members[name] = null;
    return trips.map((trip) => {
        const before = Object.fromEntries(Object.keys(members).map((name) =>
            [name, name === 'class' || name === 'mode' ? members[name] : trip[name] ?? null]));
        const fields = Object.keys(routine?.fields ?? {}).map((key) => [key, trip.fields?.[key] ?? null]);
        return edit(trip, { ...before, ...(fields.length > 0 ? { fields: Object.fromEntries(fields) } : {}) });
    });
}

/** Sends events about trips, if nothing else was decided about them since they were read. */
export async function send(events, trips) {
    const oldest = Math.min(...trips.map(({ tag }) => Number(tag.slice(1, -1))));
    const { receipts } = await decide(events, `"${oldest}"`);
    const position = Math.max(...receipts.map((receipt) => receipt.position ?? 0));
    for (const trip of trips) trip.tag = `"${Math.max(position, oldest)}"`;
}

/** What a decision is called. */
export const nameOf = (code, routine) => (routine ? routine.title ?? routine.routine : word('class', code));
