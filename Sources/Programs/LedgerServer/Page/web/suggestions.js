// Suggestions for a trip without a class: the routine that the ledger finds, else one that is for
// such ways from a later day on, else the details of such a way before.

import { get, known } from './api.js';
import { classes } from './classes.js';

const EARLIER_TRIPS = 200;
const MOST_PURPOSES = 40;
/** Words of an end that is no place and was not reported: where it was. */
const POSITION = /^-?\d+\.\d+, -?\d+\.\d+$/;

/** Two ways are alike if both ends have the same words; null if one has none but its position. */
export function wayKey(trip) {
    const ends = [trip.from, trip.to];
    return ends.every((words) => words && !POSITION.test(words)) ? JSON.stringify(ends) : null;
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Whether a routine is for trips between two places, and a trip goes so; `labels` are those of places. */
function isFor(routine, trip, labels) {
    if (!routine.from_place && !routine.to_place) return false;
    const [from, to] = [routine.from_place, routine.to_place].map((place) => labels.get(place) ?? place);
    const goes = (a, b) => (!from || trip.from === a) && (!to || trip.to === b);
    const day = DAYS[new Date(`${trip.started_at.slice(0, 10)}T00:00Z`).getUTCDay()];
    return (goes(from, to) || (routine.both_ways && goes(to, from)))
        && (!routine.days || routine.days.includes(day));
}

/** Reads routines and earlier trips, and returns what tells a suggestion for a trip. */
export async function makeSuggester(signal) {
    const earlier = classes.filter((code) => code !== 'unclassified').slice(0, 4)
        .map((code) => get('/v1/trips', { class: code, limit: EARLIER_TRIPS / 4 }, signal));
    const [routines, places, ...pages] = await Promise.all([
        known('routines'), known('places'), ...earlier,
    ]);
    const labels = new Map(places.map(({ place, label }) => [place, label ?? place]));
    const trips = pages.flatMap(({ items }) => items);
    const said = new Map();
    for (const trip of trips) {
        const key = wayKey(trip);
        if (key && !(said.get(key)?.started_at > trip.started_at)) said.set(key, trip);
    }
    return {
        /** What earlier trips were for, each once. */
        purposes: [...new Set(trips.map(({ purpose }) => purpose).filter(Boolean))].slice(0, MOST_PURPOSES),
        /** Remembers what was just decided. */
        learn(trip, code) {
            if (code && wayKey(trip)) said.set(wayKey(trip), { started_at: trip.started_at, class: code });
        },
        of(trip) {
            const routine = routines.find(({ routine: name }) => name === trip.fits)
                ?? routines.find((one) => isFor(one, trip, labels));
            if (routine) return { routine, class: routine.class ?? null };
            const before = said.get(wayKey(trip));
            return before ? { routine: null, class: before.class } : null;
        },
    };
}
