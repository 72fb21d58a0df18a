// The store of the recorder's queue in the browser's own database, which outlives page and browser.

const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
});

function open(name) {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
        request.result.createObjectStore('notes');
        request.result.createObjectStore('waiting', { keyPath: 'sequence' });
        request.result.createObjectStore('refused', { keyPath: 'sequence' });
    };
    return done(request);
}

/** What a transaction can do; see the queue. Only requests of the database may be awaited in it. */
function bookOf(transaction) {
    const [notes, waiting, refused] = ['notes', 'waiting', 'refused']
        .map((name) => transaction.objectStore(name));
    return {
        note: (name) => done(notes.get(name)),
        setNote: (name, value) => done(notes.put(value, name)),
        async add(records) { for (const record of records) await done(waiting.add(record)); },
        first: (count) => done(waiting.getAll(null, count)),
        async remove(sequence) {
            if (await done(waiting.count(sequence)) === 0) return false;
            await done(waiting.delete(sequence));
            return true;
        },
        async refuse(sequence, reason) {
            const record = await done(waiting.get(sequence));
            if (!record) return false;
            await done(waiting.delete(sequence));
            await done(refused.put({ ...record, reason }));
            return true;
        },
        refused: () => done(refused.getAll()),
        async retry() {
            for (const { sequence, event } of await done(refused.getAll())) {
                await done(waiting.put({ sequence, event }));
            }
            await done(refused.clear());
        },
        forget: (sequence) => done(refused.delete(sequence)),
        waiting: () => done(waiting.count()),
    };
}

/** The store; the database is opened at the first use, and again if the browser has closed it. */
export class DatabaseStore {
    #name; #database = null;

    constructor(name = 'recorder') { this.#name = name; }

    async #opened() {
        this.#database ??= open(this.#name);
        try {
            const database = await this.#database;
            const forget = () => { this.#database = null; };
            database.onclose = forget;
            database.onversionchange = () => { database.close(); forget(); };
            return database;
        } catch (error) {
            this.#database = null;
            throw error;
        }
    }

    /** Runs a transaction: what it wrote is on the disk when this returns, or not at all. */
    change(work) { return this.#run('readwrite', work); }

    /** Runs a transaction that only reads. */
    look(work) { return this.#run('readonly', work); }

    async #run(mode, work) {
        const database = await this.#opened();
        const transaction = database.transaction(
            ['notes', 'waiting', 'refused'], mode, { durability: 'strict' });
        const ended = new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () =>
                reject(transaction.error ?? new DOMException('The transaction was ended.', 'AbortError'));
        });
        let result;
        try {
            result = await work(bookOf(transaction));
        } catch (error) {
            ended.catch(() => {});
            try { transaction.abort(); } catch { /* It has ended by itself. */ }
            throw error;
        }
        await ended;
        return result;
    }
}
