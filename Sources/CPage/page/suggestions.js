// What may fit a trip without a class: a routine, else what was said of such a way before.

import { get, known } from './api.js';
import { classes } from './classes.js';
import { metersBetween } from './chart.js';

/** As the ledger has it: places of two trips are the same up to here. */
const SAME_METERS = 250;
const EARLIER_TRIPS = 200;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const isNear = (a, b) => Boolean(a && b)
    && metersBetween([a.lon, a.lat], [b.lon, b.lat]) <= SAME_METERS;

/** Where a trip began or ended: a place, or words as they were reported; not a bare position. */
const endOf = (trip, place, words) => place ?? (trip.started_by === 'report' ? words : null);

/** Two ways are alike if both ends are the same places; null if one is none. */
export function wayKey(trip) {
    const ends = [endOf(trip, trip.start_place, trip.from), endOf(trip, trip.end_place, trip.to)];
    return ends.every(Boolean) ? JSON.stringify(ends) : null;
}

function fits(routine, trip) {
    const { from_place: from, to_place: to } = routine;
    if (from || to) {
        const goes = (a, b) => (!from || trip.start_place === a) && (!to || trip.end_place === b);
        const day = DAYS[new Date(`${trip.started_at.slice(0, 10)}T00:00Z`).getUTCDay()];
        return (goes(from, to) || (routine.both_ways && goes(to, from)))
            && (!routine.days || routine.days.includes(day));
    }
    return isNear(routine.typical_start, trip.start) && isNear(routine.typical_end, trip.end);
}

const minutesOf = (clock) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** How far apart two times of day are. */
function minutesApart(routine, trip) {
    if (!routine.typical_start_time) return 720;
    const apart = Math.abs(minutesOf(routine.typical_start_time) - minutesOf(trip.started_at.slice(11)));
    return Math.min(apart, 1440 - apart);
}

/** Reads routines and earlier trips, and returns what tells a suggestion for a trip. */
export async function makeSuggester(signal) {
    const earlier = classes.filter((code) => code !== 'unclassified').slice(0, 4)
        .map((code) => get('/v1/trips', { class: code, limit: EARLIER_TRIPS / 4 }, signal));
    const [routines, ...pages] = await Promise.all([known('routines'), ...earlier]);
    const said = new Map();
    for (const trip of pages.flatMap(({ items }) => items)) {
        const key = wayKey(trip);
        if (key && !(said.get(key)?.started_at > trip.started_at)) said.set(key, trip);
    }
    return {
        /** Remembers what was just decided. */
        learn(trip, code) {
            if (wayKey(trip)) said.set(wayKey(trip), { started_at: trip.started_at, class: code });
        },
        of(trip) {
            const routine = routines.filter((one) => fits(one, trip)).sort((a, b) =>
                minutesApart(a, trip) - minutesApart(b, trip) || b.times_used - a.times_used)[0];
            if (routine) return { routine, class: routine.class ?? null };
            const before = said.get(wayKey(trip));
            return before ? { routine: null, class: before.class } : null;
        },
    };
}
