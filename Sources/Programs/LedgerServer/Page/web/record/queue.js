// Recorded events and decisions on their way to the ledger: numbers, batches, receipts, and when to
// try again.
//
// Reports of the device go to the door of events. Decisions of a person, made perhaps without a
// network, go to the door of decisions, which may refuse them. Both go in the order of their numbers.
//
// Nothing here knows of a page, a network or a disk: a store, a sender and chance are given to it, so
// that a law can lose, repeat and kill all of it. The store has one method, `change(work)`, which runs
// `work(book)` as one transaction: all of it is kept, or nothing. The book has
//
//     note(name), setNote(name, value)   values by name
//     add(records)                       records that wait, by their sequence numbers
//     first(count)                       the first of them in order
//     remove(sequence)                   takes one out; whether it was there
//     refuse(sequence, reason)           puts one aside; whether it was there
//     refused(), retry(), forget(sequence)   what was put aside; back to what waits; away with one
//     waiting()                          how many wait

/** The most events of a request; the server takes 10,000. */
export const MOST = 500;

const FACTS = new Set(['fix_recorded', 'go_pressed', 'stop_pressed', 'authorization_changed',
    'location_failed', 'motion_changed']);
/** What a session that may record may say of its own device. */
const REPORTED = new Set([...FACTS, 'odometer_read']);
const MOST_WARNINGS = 20;
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60000;

/** The id of a recorder's event: no other recorder has it, and no other event of this one. */
export const eventID = (device, sequence) => `recorder:${device}:${sequence}`;

/** How long to wait after so many failures: anything up to a bound that doubles, in milliseconds. */
export const pauseAfter = (failures, random) =>
    Math.round(random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 16)));

const isFact = ({ event }) => FACTS.has(event.type);

/** The records that go to one door, of those that wait. */
function batchOf(records) {
    const end = records.findIndex((record) => isFact(record) !== isFact(records[0]));
    return end < 0 ? records : records.slice(0, end);
}

/**
 * Records as their door takes them: under its name, which is also that of their list.
 *
 * A decision has no number of a sender, and the ledger finds out by itself when the trip started.
 */
function itemsOf(batch) {
    const events = batch.map(({ event }) => event);
    if (isFact(batch[0])) return { events };
    return { decisions: events.map(({ sequence, trip_started_at: start, ...decision }) => decision) };
}

const isReceipt = (one, index) => one?.line === index + 1 && typeof one.receipt === 'string';
const isOurs = (body) => typeof body?.type === 'string' && body.type.startsWith('urn:ledger:');
const say = (...parts) => parts.filter(Boolean).join('. ');

/** What the receipts of a batch come to; null if they are not those of the batch. */
function readReceipts(batch, receipts) {
    if (!Array.isArray(receipts) || receipts.length !== batch.length) return null;
    if (!receipts.every(isReceipt)) return null;
    const verdict = { settled: [], refused: [] };
    receipts.forEach((receipt, index) => {
        const { sequence } = batch[index];
        const { receipt: kind } = receipt;
        if (kind === 'appended' || kind === 'duplicate') verdict.settled.push(sequence);
        else if (kind === 'rejected' || kind === 'conflict' || kind === 'passed_over') {
            const reason = { code: receipt.code ?? kind, message: receipt.message ?? '' };
            if (receipt.fields) reason.message = receipt.fields.join(', ');
            verdict.refused.push({ sequence, reason });
        }
        // Events that were held back wait for another turn.
    });
    return verdict;
}

/** What became of decisions, all of which are stored; null if these are not those of the batch. */
function readDecided(batch, decided) {
    if (!Array.isArray(decided) || decided.length !== batch.length) return null;
    if (!decided.every((one, index) => one?.type === batch[index].event.type && one.receipt)) return null;
    const warned = decided.flatMap(({ type, warnings = [] }) =>
        warnings.map(({ message }) => ({ type, message })));
    return { settled: batch.map(({ sequence }) => sequence), refused: [], warned };
}

/**
 * Whether a decision is in the ledger already as an event with its number: an older recorder may have sent
 * it so, and have left it in the queue because no answer came. Then it differs in its number alone.
 */
const isKnown = (batch, { type, errors }) => batch.length === 1 && !isFact(batch[0])
    && type === 'urn:ledger:conflict' && errors?.length === 1 && errors[0].field === 'sequence';

/**
 * Judges an answer to a batch.
 *
 * @param batch the records that were sent
 * @param answer its status, the document in it if it is one, and `Retry-After` in milliseconds
 * @returns what is settled, refused and warned of, and what to do next: `go` on, send `less`, `wait`, or
 *     stop because the session is over (`signedOut`) or may not record (`barred`)
 */
export function judge(batch, { status, body, retryAfter = 0 }) {
    const nothing = { settled: [], refused: [], warned: [], retryAfter };
    const reason = { code: String(status), message: say(body?.title, body?.detail) };
    if (status === 200) {
        const verdict = isFact(batch[0]) ? readReceipts(batch, body?.receipts)
            : readDecided(batch, body?.decisions);
        if (verdict === null) return { ...nothing, then: 'wait', reason: { code: 'no-receipts' } };
        const isEmpty = verdict.settled.length + verdict.refused.length === 0;
        return { ...nothing, ...verdict, then: isEmpty ? 'wait' : 'go', reason };
    }
    if (status === 401) return { ...nothing, then: 'signedOut', reason };
    if (status === 413 && batch.length > 1) return { ...nothing, then: 'less', reason };
    // An answer of a proxy in between says nothing about an event.
    if (![400, 403, 409, 413, 422].includes(status) || !isOurs(body)) {
        return { ...nothing, then: 'wait', reason };
    }
    // A refusal says which decision it is about. None is stored: the others are asked for again.
    if (body.type === 'urn:ledger:refused' && batch[body.decision - 1]) {
        const { sequence } = batch[body.decision - 1];
        const refusal = { code: body.code ?? 'refused', message: body.detail ?? '' };
        return { ...nothing, refused: [{ sequence, reason: refusal }], then: 'go', reason };
    }
    if (batch.length > 1) return { ...nothing, then: 'less', reason };
    const [{ sequence, event }] = batch;
    if (isKnown(batch, body)) return { ...nothing, settled: [sequence], then: 'go', reason };
    if (status === 403 && REPORTED.has(event.type)) return { ...nothing, then: 'barred', reason };
    reason.code = body.type.slice('urn:ledger:'.length);
    return { ...nothing, refused: [{ sequence, reason }], then: 'go', reason };
}

/** The queue of a recorder. */
export class Queue {
    #store; #send; #random; #newDevice; #most; #size;
    #failures = 0;

    /**
     * @param store keeps everything, see above
     * @param send sends `{ events }` or `{ decisions }` and returns the answer; throws if none came
     * @param random a number from 0 up to 1
     * @param newDevice a name that no other recorder has
     */
    constructor({ store, send, random, newDevice, most = MOST }) {
        this.#store = store;
        this.#send = send;
        this.#random = random;
        this.#newDevice = newDevice;
        this.#most = most;
        this.#size = most;
    }

    /**
     * Takes events in, and numbers them, in the transaction that notes what they change.
     *
     * @param make is given the notes `drive` and `ended`, and a function that names the events by their
     *     indices; it returns `facts`, and the `notes` that change; null if there is nothing to take in
     * @returns the events, or null
     */
    async hand(make) {
        return this.#store.change(async (book) => {
            const numbers = await book.note('numbers') ?? { device: this.#newDevice(), next: 1, stored: 0 };
            const { device, next } = numbers;
            const notes = { drive: await book.note('drive') ?? null, ended: await book.note('ended') ?? [] };
            const made = make(notes, (index) => eventID(device, next + index));
            if (!made) return null;
            const records = made.facts.map((fact, index) => ({
                sequence: next + index,
                event: { ...fact, id: eventID(device, next + index), sequence: next + index },
            }));
            await book.add(records);
            for (const [name, value] of Object.entries(made.notes ?? {})) await book.setNote(name, value);
            await book.setNote('numbers', { ...numbers, next: next + records.length });
            return records.map(({ event }) => event);
        });
    }

    /**
     * Sends what waits longest, and notes the receipts. Only one round may run at a time.
     *
     * @returns `state`: `rest` if nothing waits, `sent`, or why nothing went: `waiting`, `signedOut`,
     *     `barred`; the `pause` in milliseconds until another round makes sense; and of what was sent
     *     whether that was `all` that waited
     */
    async round() {
        const size = this.#size;
        const first = await this.#store.change((book) => book.first(size));
        if (first.length === 0) return { state: 'rest', pause: 0 };
        const batch = batchOf(first);
        const verdict = judge(batch, await this.#ask(batch));
        if (verdict.settled.length + verdict.refused.length > 0) await this.#settle(verdict);
        const { then, reason } = verdict;
        if (then === 'less') {
            this.#size = Math.max(1, batch.length >> 1);
            return { state: 'sent', pause: 0, all: false, reason };
        }
        if (then === 'go') {
            this.#failures = 0;
            this.#size = Math.min(this.#most, this.#size * 2);
            const gone = verdict.settled.length + verdict.refused.length;
            return { state: 'sent', pause: 0, all: gone === first.length && first.length < size };
        }
        this.#failures += 1;
        const pause = Math.max(verdict.retryAfter, pauseAfter(this.#failures, this.#random));
        return { state: then === 'wait' ? 'waiting' : then, pause, reason };
    }

    /** Forgets how often it failed: the network is back, or the owner signed in. */
    encourage() { this.#failures = 0; }

    async #ask(batch) {
        try {
            return await this.#send(itemsOf(batch));
        } catch {
            return { status: 0, body: null };
        }
    }

    /** A receipt counts once, in the transaction in which its event leaves. */
    async #settle({ settled, refused, warned }) {
        await this.#store.change(async (book) => {
            const numbers = await book.note('numbers');
            let stored = 0;
            for (const sequence of settled) stored += await book.remove(sequence) ? 1 : 0;
            for (const { sequence, reason } of refused) await book.refuse(sequence, reason);
            if (warned.length > 0) {
                const before = await book.note('warned') ?? [];
                await book.setNote('warned', [...before, ...warned].slice(-MOST_WARNINGS));
            }
            await book.setNote('numbers', { ...numbers, stored: numbers.stored + stored });
        });
    }
}
