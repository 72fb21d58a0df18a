// The recorder: what becomes an event, and what is noted with it in the same transaction.

import { newDrive, paused, resumed, withFix } from './drive.js';
import {
    authorizationChanged, fixRecorded, locationFailed, pressed, reasonOf, timeText, tripID,
} from './facts.js';

/** A failure that goes on is told again after so long, in milliseconds. */
const AGAIN = 60000;
/** The interval of positions, in milliseconds, below which a browser's failures mean nothing. */
const QUIET = 10000;
const MOST_ENDED = 20;

/** What a recorder does with a queue and its store. Times are milliseconds since 1970. */
export class Recorder {
    #queue; #store;

    constructor(queue, store) {
        this.#queue = queue;
        this.#store = store;
    }

    /** What is noted: the numbers, the drive that goes on, those that wait for words, and the queue. */
    read() {
        return this.#store.look(async (book) => ({
            numbers: await book.note('numbers') ?? null,
            drive: await book.note('drive') ?? null,
            ended: await book.note('ended') ?? [],
            settings: await book.note('settings') ?? {},
            known: await book.note('known') ?? {},
            warned: await book.note('warned') ?? [],
            waiting: await book.waiting(),
            refused: await book.refused(),
        }));
    }

    note(name, value) { return this.#store.change((book) => book.setNote(name, value)); }

    retry() { return this.#store.change((book) => book.retry()); }

    forget(sequence) { return this.#store.change((book) => book.forget(sequence)); }

    /** GO. Nothing happens if a drive goes on already, perhaps in another tab. */
    go(at, { source, vehicle, routine }) {
        const said = { ...(vehicle ? { vehicle } : {}), ...(routine ? { routine } : {}) };
        return this.#queue.hand(({ drive }, idOf) => (drive ? null : {
            facts: [pressed('go_pressed', source, at, said)],
            notes: { drive: newDrive({ id: idOf(0), source, vehicle, routine, at }) },
        }));
    }

    /** One more position. Some browsers tell the same one again: it is passed over. */
    fix(fix) {
        return this.#queue.hand(({ drive }) => (!drive || drive.pausedAt || drive.last?.at === fix.at ? null : {
            facts: [fixRecorded(drive.source, fix)],
            notes: { drive: withFix(drive, fix) },
        }));
    }

    /** A rest within a drive: no position is taken, and the ledger sees a gap, which adds no distance. */
    pause(at) {
        return this.#queue.hand(({ drive }) => (!drive || drive.pausedAt ? null
            : { facts: [], notes: { drive: paused(drive, at) } }));
    }

    /** The end of a rest. */
    resume(at) {
        return this.#queue.hand(({ drive }) => (!drive?.pausedAt ? null
            : { facts: [], notes: { drive: resumed(drive, at) } }));
    }

    /** There is no position: told when it begins, when the reason changes, and once a minute. */
    fail(at, error) {
        return this.#queue.hand(({ drive }) => {
            const reason = reasonOf(error);
            if (!drive) return null;
            const isKnown = drive.failure?.reason === reason && at - drive.failure.at < AGAIN;
            const isBetween = reason !== 'denied' && drive.last && Math.abs(at - drive.last.at) < QUIET;
            if (isKnown || isBetween) return null;
            return {
                facts: [locationFailed(drive.source, at, error)],
                notes: { drive: { ...drive, failure: { reason, at } } },
            };
        });
    }

    /** What the permission is now: `granted`, `denied` or `prompt`. */
    permission(at, state) {
        return this.#queue.hand(({ drive }) => (!drive || drive.status === state ? null : {
            facts: [authorizationChanged(drive.source, at, state)],
            notes: { drive: { ...drive, status: state } },
        }));
    }

    /** STOP, now or at the last fix. The drive waits for words from then on. */
    stop(at, { atLastFix = false } = {}) {
        return this.#queue.hand(({ drive, ended }) => {
            if (!drive) return null;
            const endedAt = atLastFix ? drive.last?.at ?? drive.startedAt : at;
            const { id, source, vehicle, startedAt, distance, fixes } = drive;
            const one = { id, source, vehicle, startedAt, endedAt, distance, fixes };
            return {
                facts: [pressed('stop_pressed', source, endedAt)],
                // Without a position there is no trip to be asked about.
                notes: { drive: null, ended: fixes > 0 ? [one, ...ended].slice(0, MOST_ENDED) : ended },
            };
        });
    }

    /**
     * What a drive that has ended was for: `purpose`, `class`, `vehicle`, and an odometer's `reading`.
     * These are decisions: the ledger may refuse them, or warn of something.
     */
    async describe(at, one, { reading, unit, ...details }) {
        const trip = await tripID(one.source, one.id);
        const facts = [];
        if (Object.keys(details).length > 0) {
            facts.push({
                type: 'details_edited', occurred_at: timeText(at), trip, ...details,
            });
        }
        const vehicle = details.vehicle ?? one.vehicle;
        if (reading !== undefined && vehicle) {
            facts.push({
                type: 'odometer_read', source: one.source, occurred_at: timeText(one.endedAt), vehicle,
                value: reading, unit, method: 'typed',
            });
        }
        return this.#queue.hand(({ ended }) =>
            ({ facts, notes: { ended: ended.filter(({ id }) => id !== one.id) } }));
    }

    /** Asks no more about a drive. */
    skip(one) {
        return this.#queue.hand(({ ended }) =>
            ({ facts: [], notes: { ended: ended.filter(({ id }) => id !== one.id) } }));
    }
}
