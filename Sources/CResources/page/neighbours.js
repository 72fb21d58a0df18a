// The trips of the same device before and after a trip: those that it may be one with.

import { get } from './api.js';
import { dayOf } from './formats.js';

const DAYS_AFTER = [3, 60];
const MOST_PAGES = 4;

const at = (trip) => Date.parse(trip.started_at);
const isOther = (trip, one) => one.id !== trip.id && one.status === 'completed';

async function before(trip, signal) {
    let cursor = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
        const read = await get('/v1/trips', {
            source: trip.source, to: dayOf(trip.started_at), limit: 50, cursor,
        }, signal);
        const found = read.items.find((one) => isOther(trip, one) && at(one) < at(trip));
        if (found || !read.has_more) return found ?? null;
        cursor = read.next_cursor;
    }
    return null;
}

async function after(trip, signal) {
    const day = dayOf(trip.started_at);
    for (const days of DAYS_AFTER) {
        const last = new Date(Date.parse(`${day}T00:00Z`) + days * 86400000).toISOString().slice(0, 10);
        let [cursor, found, isRead] = [null, null, false];
        for (let page = 0; page < MOST_PAGES && !isRead; page += 1) {
            const read = await get('/v1/trips', {
                source: trip.source, from: day, to: last, limit: 200, cursor,
            }, signal);
            found = read.items.findLast((one) => isOther(trip, one) && at(one) > at(trip)) ?? found;
            isRead = !read.has_more;
            cursor = read.next_cursor;
        }
        // What was not read to its end may have a nearer one.
        if (found && isRead) return found;
    }
    return null;
}

/** Reads the trips before and after; null where there is none near. */
export const neighbours = (trip, signal) => Promise.all([before(trip, signal), after(trip, signal)]);
