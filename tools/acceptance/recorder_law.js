// The law of the recorder's queue: every event and every decision that was handed in is stored at the
// server once, in order of its number, and leaves the queue only by a receipt; events come by their door,
// and decisions, which are stored all or none, by theirs.
//
// The server loses requests and answers, says 503, 429, 401 and what is no answer of its own, and
// restarts; the recorder dies before, in and after every step, and goes on with what its store kept;
// a second tab sends too; an older recorder has sent decisions as events, and has left them in the queue.
// `run(queue, seed, rounds)` returns what does not hold, as sentences.

/** Numbers of chance that a seed repeats (mulberry32). */
export function chance(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}

class Died extends Error {}

/** A store in memory: a transaction is kept whole or not at all, and the recorder may die around it. */
export class MemoryStore {
    constructor(dies) {
        this.dies = dies;
        this.kept = { notes: {}, waiting: {}, refused: {} };
    }

    async change(work) {
        if (this.dies()) throw new Died();
        const copy = structuredClone(this.kept);
        const dies = () => { if (this.dies()) throw new Died(); };
        const sorted = (part) => Object.values(part).sort((a, b) => a.sequence - b.sequence);
        const take = (sequence) => {
            dies();
            const record = copy.waiting[sequence];
            delete copy.waiting[sequence];
            return record;
        };
        const result = await work({
            async note(name) { return copy.notes[name]; },
            async setNote(name, value) { dies(); copy.notes[name] = structuredClone(value); },
            async add(records) { for (const one of records) { dies(); copy.waiting[one.sequence] = one; } },
            async first(count) { return structuredClone(sorted(copy.waiting).slice(0, count)); },
            async remove(sequence) { return take(sequence) !== undefined; },
            async refuse(sequence, reason) {
                const record = take(sequence);
                if (record) copy.refused[sequence] = { ...record, reason };
                return record !== undefined;
            },
        });
        // Others may have changed the store meanwhile: a database would have made them wait.
        this.kept = copy;
        if (this.dies()) throw new Died();
        return result;
    }
}

/** Runs transactions one after the other, as a database does. */
function oneAtATime(store) {
    let last = Promise.resolve();
    return {
        change(work) {
            const turn = last.then(() => store.change(work));
            last = turn.catch(() => {});
            return turn;
        },
    };
}

const DECISIONS = ['details_edited', 'odometer_read'];
const isDecision = ({ type }) => DECISIONS.includes(type);
const numberOf = ({ id }) => Number(id.split(':')[2]);

/** A server that keeps each id once, and is as bad as a network can be. */
class Server {
    constructor(random, refuses) {
        Object.assign(this, {
            random, refuses, log: [], stored: new Map(), isKind: false, late: [], wrong: [], warnings: 0,
        });
    }

    /** What a door answers to what it takes. */
    take({ events, decisions }) {
        if (events) return { status: 200, body: { receipts: this.receipts(events) } };
        return this.decided(decisions);
    }

    /** Stores all decisions, or refuses one of them and stores none. */
    decided(decisions) {
        for (const one of decisions) {
            const isRight = isDecision(one) && one.sequence === undefined && one.trip_started_at === undefined;
            if (!isRight) this.wrong.push(`no decision: ${JSON.stringify(one)}`);
        }
        const problem = (status, kind, members) => ({ status, body: { type: `urn:ledger:${kind}`, ...members } });
        const bad = decisions.findIndex((one) => this.refuses(one));
        if (bad >= 0) return problem(422, 'refused', { code: 'not_found', detail: 'No.', decision: bad + 1 });
        const differing = decisions.find((one) => (this.stored.get(one.id)?.sequence ?? null) !== null);
        if (differing) {
            return problem(409, 'conflict', { errors: [{ field: 'sequence', code: 'differs' }] });
        }
        return { status: 200, body: { decisions: decisions.map((one) => {
            if (this.stored.has(one.id)) return { type: one.type, receipt: 'duplicate', of: 1 };
            this.stored.set(one.id, one);
            this.log.push(one);
            const warns = one.lat % 7 === 0;
            if (warns) this.warnings += 1;
            return {
                type: one.type, receipt: 'appended', position: this.log.length - 1,
                ...(warns ? { warnings: [{ code: 'odometer_backwards', message: 'Hm.', undo: '' }] } : {}),
            };
        }) } };
    }

    /** An older recorder sends what waits as events, and hears no answer. */
    hearOlder(waiting) {
        for (const event of waiting) {
            if (this.stored.has(event.id) || this.refuses(event)) continue;
            this.stored.set(event.id, event);
            this.log.push(event);
        }
    }

    receipts(events) {
        if (events.some(isDecision)) this.wrong.push('a decision comes to the door of events');
        if (events.length === 0) this.wrong.push('nothing is sent');
        return events.map((event, index) => {
            const line = index + 1;
            if (this.refuses(event)) {
                return { line, receipt: 'rejected', code: 'invalid_value', message: 'No.' };
            }
            const old = this.stored.get(event.id);
            if (old) {
                const isSame = JSON.stringify(old) === JSON.stringify(event);
                return isSame ? { line, receipt: 'duplicate', of: 1 }
                    : { line, receipt: 'conflict', with: 1, fields: ['lat'] };
            }
            this.stored.set(event.id, event);
            this.log.push(event);
            return { line, receipt: 'appended', position: this.log.length - 1 };
        });
    }

    async answer(items) {
        const copy = structuredClone(items);
        const count = (items.events ?? items.decisions).length;
        if (this.isKind) return this.take(copy);
        const dice = Math.floor(this.random() * 14);
        if (dice === 0) throw new TypeError('the request is lost');
        if (dice === 1) { this.take(copy); throw new TypeError('the answer is lost'); }
        if (dice === 2) return { status: 503, body: { type: 'urn:ledger:busy' }, retryAfter: 2000 };
        if (dice === 3) return { status: 200, body: null };
        if (dice === 4) return { status: 401, body: { type: 'urn:ledger:token-unknown' } };
        if (dice === 5) {
            // It restarts while it stores: the first few events are in, of decisions all or none, and no
            // answer comes.
            const most = Math.floor(this.random() * count);
            if (copy.events && most > 0) this.take({ events: copy.events.slice(0, most) });
            throw new TypeError('the server restarts');
        }
        if (dice === 6) return { status: 502, body: null };
        if (dice === 7) return { status: 400, body: null };
        if (dice === 8 && count > 1) return { status: 413, body: null };
        if (dice === 9) {
            // A request that was given up arrives after all, with the next one.
            this.late.push(copy);
            throw new TypeError('given up');
        }
        for (const old of this.late.splice(0)) this.take(old);
        return this.take(copy);
    }
}

async function surviving(work) {
    try {
        return await work();
    } catch (error) {
        if (error instanceof Died || error.name === 'AbortError') return undefined;
        throw error;
    }
}

/**
 * One life of a recorder.
 *
 * @param module the queue's module
 * @param makeStore makes the store, given what says that the recorder dies now
 */
async function live({ Queue }, seed, makeStore) {
    const random = chance(seed);
    const wrong = [];
    let mayDie = true;
    const store = await makeStore(() => mayDie && random() < 0.02);
    const shared = oneAtATime(store);
    const isBad = ({ lat }) => lat === 91;
    const server = new Server(random, isBad);
    const handed = [];
    let asked = 0;
    let devices = 0;
    const most = 1 + Math.floor(random() * 12);
    const start = () => new Queue({
        store: shared, random, most, newDevice: () => `d${devices += 1}`,
        send: (items) => server.answer(items),
    });
    let tabs = [start(), start()];
    const hand = async (queue) => {
        const types = random() < 0.2 ? DECISIONS : ['fix_recorded', 'stop_pressed'];
        const facts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
            type: types[Math.floor(random() * 2)], trip_started_at: 0,
            lat: random() < 0.05 ? 91 : asked, name: asked += 1,
        }));
        return await surviving(() => queue.hand(({ drive }) =>
            ({ facts, notes: { drive: { count: (drive?.count ?? 0) + facts.length } } }))) !== undefined;
    };
    const sendAsBefore = () => surviving(() => shared.change(async (book) => {
        server.hearOlder(structuredClone((await book.first(most)).map(({ event }) => event)));
        return true;
    }));
    const send = async (dice) => {
        // Without the lock that a page takes, two tabs may even send at once.
        const senders = dice < 0.8 ? [tabs[Math.floor(random() * 2)]] : tabs;
        const rounds = await Promise.all(senders.map((tab) => surviving(() => tab.round())));
        return !rounds.includes(undefined);
    };
    for (let step = 0; step < 120; step += 1) {
        const before = store.numbers ? await store.numbers() : store.kept.notes.numbers?.next ?? 1;
        const dice = random();
        let isAlive = true;
        if (dice < 0.5) isAlive = await hand(tabs[0]);
        else if (dice < 0.95) isAlive = await send(dice);
        else if (dice < 0.97) isAlive = await sendAsBefore() === true;
        else isAlive = false;
        // Records in the store count as handed in, whether or not the recorder lived to learn of
        // it.
        const after = store.numbers ? await store.numbers() : store.kept.notes.numbers?.next ?? 1;
        for (let sequence = before; sequence < after; sequence += 1) handed.push(sequence);
        if (!isAlive) tabs = [start(), start()];
    }
    mayDie = false;
    server.isKind = true;
    let wasAll = false;
    for (let turn = 0; turn < 10000; turn += 1) {
        const { state, all } = await tabs[0].round();
        if (state === 'rest') break;
        if (wasAll) wrong.push(`seed ${seed}: after all was sent, something waits`);
        wasAll = all === true;
    }
    const { notes, waiting, refused } = store.all ? await store.all() : store.kept;
    const numbersOf = (events) => events.map(({ sequence }) => sequence);
    const bad = numbersOf(Object.values(refused));
    const log = server.log.map(numberOf);
    const sorted = [...log].sort((a, b) => a - b);
    const expected = handed.filter((sequence) => !bad.includes(sequence));
    const note = (isMet, sentence) => { if (!isMet) wrong.push(`seed ${seed}: ${sentence}`); };
    wrong.push(...server.wrong.map((sentence) => `seed ${seed}: ${sentence}`));
    note((notes.warned ?? []).length === 0 || server.warnings > 0, 'warned of nothing');
    note(Object.keys(waiting).length === 0, 'something waits for ever');
    note(JSON.stringify(log) === JSON.stringify(sorted), `not in order: ${log}`);
    note(new Set(log).size === log.length, 'something is stored twice');
    note(JSON.stringify(sorted) === JSON.stringify(expected), `handed in ${expected}, stored ${sorted}`);
    const hasReason = ({ event, reason }) => isBad(event) && reason.code;
    note(Object.values(refused).every(hasReason), 'refused without a reason');
    note(server.log.every((event) => !isBad(event)), 'stored what was refused');
    note((notes.numbers?.stored ?? 0) === log.length, `${notes.numbers?.stored} receipts for ${log.length}`);
    note((notes.drive?.count ?? 0) === handed.length, 'what was counted is not what was handed in');
    note(handed.every((sequence, index) => sequence === index + 1), 'the numbers have gaps');
    return { wrong, handed: handed.length, refused: bad.length };
}

/** Runs lives of recorders. */
export async function run(module, seed, lives, makeStore = async (dies) => new MemoryStore(dies)) {
    const sum = { wrong: [], handed: 0, refused: 0 };
    for (let life = 0; life < lives; life += 1) {
        const { wrong, handed, refused } = await live(module, seed + life, makeStore);
        sum.wrong.push(...wrong);
        sum.handed += handed;
        sum.refused += refused;
    }
    return sum;
}

/** The store of the page on the browser's own database, where the recorder may die around it. */
export async function databaseStore(DatabaseStore, dies) {
    const name = `law ${Math.random()}`;
    const store = new DatabaseStore(name);
    return {
        async change(work) {
            if (dies()) throw new Died();
            // To throw within a transaction ends it, as the end of a page does.
            const result = await store.change(async (book) => {
                const made = await work(book);
                if (dies()) throw new Died();
                return made;
            });
            if (dies()) throw new Died();
            return result;
        },
        numbers: () => store.change(async (book) => (await book.note('numbers'))?.next ?? 1),
        all: async () => {
            const all = await store.change(async (book) => ({
                notes: { numbers: await book.note('numbers'), drive: await book.note('drive') },
                waiting: await book.first(100000), refused: await book.refused(),
            }));
            indexedDB.deleteDatabase(name);
            return all;
        },
    };
}
