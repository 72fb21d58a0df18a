// Asking the server that the page comes from, and telling it what was decided.

import { Cut, Problem, Unreachable, wordsOf } from './failures.js';

export { Cut, Problem, Unreachable, wordsOf };

// The number of entries that a view must know to show what was written here.
let written = 0;

// Since when the server has not answered; null while it does.
let awaySince = null;

/** Since when nothing has come from the server, in milliseconds; null while it can be reached. */
export const away = () => awaySince;

// What keeps answers for when the server cannot be reached; null if nothing does.
let rows = null;

// When the oldest of what is shown instead of the server's answers was read; null while none of it is.
let keptSince = null;

/** Has answers kept, and found where nothing comes from the server. */
export const useRows = (keeper) => { rows = keeper; };

/** When the oldest of what is shown was read, in milliseconds, if it comes from what was kept; null if not. */
export const keptAt = () => keptSince;

/** Notes whether the server can be reached, and tells of a change. */
export function noteAway(isAway) {
    if (isAway === (awaySince !== null)) return;
    awaySince = isAway ? Date.now() : null;
    if (!isAway) keptSince = null;
    window.dispatchEvent(new Event('away'));
}

/** Asks the server; only what comes from the network itself is its absence. */
async function reach(path, options) {
    try {
        const answer = await fetch(path, { credentials: 'same-origin', ...options });
        noteAway(false);
        if (answer.ok && !options?.method) rows?.keep(path, answer);
        return answer;
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        noteAway(true);
        const kept = options?.method ? null : await rows?.find(path);
        if (!kept) throw new Unreachable(error.message);
        if (keptSince === null || kept.at < keptSince) {
            keptSince = kept.at;
            window.dispatchEvent(new Event('away'));
        }
        return kept.answer;
    }
}

async function ask(path, options) {
    const answer = await reach(path, options);
    const position = Number(answer.headers.get('Ledger-Position') ?? 0);
    if (answer.ok) {
        if (options?.method === 'POST') written = Math.max(written, position);
        else if (position >= written) written = 0;
        return answer;
    }
    const text = await answer.text();
    let document = null;
    try { document = JSON.parse(text); } catch { /* A proxy in between says something of its own. */ }
    // A wrong code at the login is its view's matter; any other 401 ends the session.
    if (answer.status === 401 && path !== '/session') window.dispatchEvent(new Event('signedout'));
    const problem = new Problem(answer.status, document);
    // The next read must include what someone else has decided meanwhile.
    if (problem.kind === 'changed' && problem.position !== null) {
        written = Math.max(written, problem.position + 1);
    }
    throw problem;
}

/** Only what is read from views can wait for them. */
const WAITING_NEVER = /^\/(openapi|v1\/(refused|devices|shares|drops|tokens|safekeeping|reports$))/;

/** A query as the server reads it: a space is no plus, as it would be in a form. */
export const queryText = (parameters) => parameters.toString().replaceAll('+', '%20');

function address(path, query = {}) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        if (value !== null && value !== undefined && value !== '') parameters.append(name, value);
    }
    if (written && !WAITING_NEVER.test(path)) parameters.append('at_least', written);
    const text = queryText(parameters);
    return text ? `${path}?${text}` : path;
}

/** Returns what a path answers. */
export const get = async (path, query, signal) =>
    (await ask(address(path, query), { signal })).json();

/** Returns a page of a list, with the tag for decisions about what is on it. */
export async function list(path, query, signal) {
    const answer = await ask(address(path, query), { signal });
    const position = Number(answer.headers.get('Ledger-Position') ?? 0);
    return { ...await answer.json(), tag: `"${Math.max(position, 1) - 1}"` };
}

/** Returns the items of a list, all of them unless so many are enough. */
export async function all(path, query, signal, most = Infinity) {
    const items = [];
    let cursor = null;
    do {
        const page = await get(path, { ...query, cursor }, signal);
        items.push(...page.items);
        cursor = page.has_more ? page.next_cursor : null;
    } while (cursor && items.length < most);
    return items;
}

/** Returns the groups of a total, without its last line. */
export const groups = async (query, signal) =>
    (await all('/v1/totals', query, signal)).filter(({ kind }) => kind === 'group');

/** Returns a trip with its tag, which says how far decisions about it were seen. */
export async function trip(id, signal) {
    const answer = await ask(address(`/v1/trips/${id}`), { signal });
    return { trip: await answer.json(), tag: answer.headers.get('ETag') };
}

/** Returns the lines of an answer that has one JSON value each. */
export async function lines(path, signal) {
    const text = await (await ask(path.includes('?') ? path : address(path), { signal })).text();
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

/** Returns the bytes of an answer. */
export const bytes = async (path, signal) =>
    new Uint8Array(await (await ask(path, { signal })).arrayBuffer());

/** Returns the document of the page as the server has it now. */
export const documentText = async () => (await ask('/', { cache: 'no-store' })).text();

/** Sends JSON. */
export const post = async (path, body, headers) => ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
});

/**
 * Sends a file as it is, and resolves to what the server says of it.
 *
 * @param tell hears which part of it has gone, from 0 to 1
 */
export function send(path, file, tell) {
    return new Promise((resolve, reject) => {
        // Only this kind of request says how far it is.
        const request = new XMLHttpRequest();
        request.open('POST', path);
        request.setRequestHeader('Content-Type', 'application/octet-stream');
        request.upload.onprogress = ({ loaded, total }) => tell(total ? loaded / total : 0);
        // A server that refuses a file ends the connection in the midst of it.
        request.onerror = () => reject(new Cut());
        request.onload = () => {
            let said = null;
            try { said = JSON.parse(request.responseText); } catch { /* As of a proxy. */ }
            if (request.status === 401) window.dispatchEvent(new Event('signedout'));
            if (request.status >= 200 && request.status < 300) resolve(said);
            else reject(new Problem(request.status, said, Number(request.getResponseHeader('Retry-After')) || null));
        };
        request.send(file);
    });
}

/** Has the server forget something that a query names. */
export const remove = (path, query) =>
    ask(`${path}?${queryText(new URLSearchParams(query))}`, { method: 'DELETE' });

// The request that was not answered last, which may have been stored: what it asks for, its name, and when it
// was sent. What is asked for again soon, and before anything else, is taken for the same.
let unanswered = null;
const SOON = 5 * 60_000;

/** A name for a request. Where the page comes without TLS, the browser has no `randomUUID`. */
const newName = () => [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Asks for decisions, of which all are stored or none. What is asked for again because no answer came is
 * stored once, whether the browser sends it again by itself or the user presses again.
 *
 * @param decisions each as the command would be asked for it
 * @param tag of the trips that they are about: nothing is stored if something was decided about one since
 * @returns what became of each: where it is stored, what it changed, and what takes it back
 * @throws Problem `refused`, in the words of the ledger, or `changed`
 */
export async function decide(decisions, tag) {
    const content = JSON.stringify([decisions, tag]);
    const isAgain = unanswered?.content === content && Date.now() - unanswered.at < SOON;
    const name = isAgain ? unanswered.name : newName();
    const asked = { content, name, at: Date.now() };
    unanswered = asked;
    try {
        const answer = await post('/v1/decisions', { decisions }, {
            'Idempotency-Key': name, ...(tag ? { 'If-Match': tag } : {}),
        });
        const { decisions: decided } = await answer.json();
        if (unanswered === asked) unanswered = null;
        return decided.map((one) => ({ ...one, position: one.position ?? one.of }));
    } catch (error) {
        // A failure of the server, or of a proxy before it, leaves open whether it was stored.
        if (error instanceof Problem && error.status < 500 && unanswered === asked) unanswered = null;
        throw error;
    }
}

/** Returns what can be decided about a trip now. */
export const options = (id, signal) => get(`/v1/trips/${id}/options`, {}, signal);

/** Trades the code of a link for a session. */
export const signIn = (code) => post('/session', { code });

/** Ends the session. */
export const signOut = () => ask('/session', { method: 'DELETE' });

const lists = new Map();

/** Returns a list that seldom changes: places, vehicles, fields or routines. */
export function known(name) {
    if (!lists.has(name)) {
        const reading = get(`/v1/${name}`).then(({ items }) => items);
        reading.catch(() => lists.delete(name));
        lists.set(name, reading);
    }
    return lists.get(name);
}

/** Forgets a list that has changed. */
export const forget = (name) => lists.delete(name);

/** The zone and units of the ledger, from its status. */
export const settings = { time_zone: 'UTC', units: 'km' };

// What the session allows, as the server said last.
let scopes = [];

/** Whether the session allows one of several things: what it does not is not offered. */
export const may = (...wanted) => wanted.some((scope) => scopes.includes(scope));

/** Reads the status, and with it the settings and what the session allows. */
export async function status(signal) {
    const answer = await ask(address('/v1/status'), { signal });
    scopes = (answer.headers.get('Ledger-Scopes') ?? '').split(' ');
    const now = await answer.json();
    settings.time_zone = now.time_zone;
    settings.units = now.units;
    return now;
}

/** The names of the rates that the ledger set for itself, by which trips can be claimed too; none for a guest. */
export async function ownRates(signal) {
    try {
        const rates = await all('/v1/rates', { own: 'yes' }, signal);
        return [...new Set(rates.map(({ jurisdiction }) => jurisdiction))].sort();
    } catch (error) {
        // Who sees a part of the ledger only sees no rates.
        if (error instanceof Problem && error.status === 403) return [];
        throw error;
    }
}

/** The country of the ledger, by whose rates trips are claimed; undefined if it has none. */
export async function countryOf(signal) {
    const { items } = await get('/v1/settings', {}, signal);
    return items.find(({ setting, to_come: later }) => setting === 'country' && !later)?.value;
}
