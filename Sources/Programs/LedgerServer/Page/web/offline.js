// Reading without a network, where the page is installed or its reader wants it: the page's files are kept by
// its worker, and what was read of the ledger is kept here. Rows are kept for seven days at most, and not
// longer than the session; none are kept for a token that sees a part of the ledger only.

import { useRows } from './api.js';
import { h } from './dom.js';
import { t } from './texts.js';

const ROWS = 'rows';
const WANTED = 'offline';
const KEPT_AT = 'Kept-At';
const WORKER = '/worker.js';
/** Older rows are not shown, in milliseconds. */
const OLD = 7 * 24 * 3600 * 1000;
/** So many answers are kept at most; the ones that were read first go first. */
const MOST = 600;
/** What is kept: lists and trips. Devices, links, the log and reports are not. */
const KEPT = /^\/v1\/(status|trips|totals|places|vehicles|fields|routines|inbox|visits|roads|safekeeping)\b/;

const isThere = () => window.isSecureContext && 'caches' in window && 'serviceWorker' in navigator;

/** Whether the page runs as an app of its own. */
const isInstalled = () => window.matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;

/** Whether files and rows are kept: as its reader says, else if the page is installed. */
function keeps() {
    const wanted = localStorage.getItem(WANTED);
    return isThere() && (wanted === null ? isInstalled() : wanted === 'yes');
}

/** Whether the session may read all of the ledger; what it reads is kept only then. */
let seesAll = false;

/** The address of an answer without what only says how new it must be. */
function nameOf(path) {
    const { pathname, searchParams } = new URL(path, location.origin);
    searchParams.delete('at_least');
    const query = searchParams.toString();
    return query ? `${pathname}?${query}` : pathname;
}

/** Forgets all that was read. */
export async function forgetRows() {
    seesAll = false;
    if ('caches' in window) await caches.delete(ROWS).catch(() => false);
}

const isFresh = (answer) => Date.now() - Number(answer.headers.get(KEPT_AT)) < OLD;

async function store(path, answer) {
    const headers = new Headers(answer.headers);
    headers.set(KEPT_AT, String(Date.now()));
    const body = await answer.blob();
    const cache = await caches.open(ROWS);
    // The session may have ended meanwhile.
    if (seesAll) await cache.put(nameOf(path), new Response(body, { status: 200, headers }));
}

/** Removes what is too old or too much. */
async function tidy() {
    const cache = await caches.open(ROWS);
    const names = await cache.keys();
    for (const [index, name] of names.entries()) {
        const answer = await cache.match(name);
        if (index < names.length - MOST || !answer || !isFresh(answer)) await cache.delete(name);
    }
}

/** What `api.js` does with answers: keeps them, and finds them where nothing comes from the server. */
const rows = {
    keep(path, answer) {
        if (!keeps() || !KEPT.test(path)) return;
        if (path.startsWith('/v1/status')) {
            const scopes = (answer.headers.get('Ledger-Scopes') ?? '').split(' ');
            seesAll = answer.headers.get('Ledger-Sight') === 'everything'
                && ['read', 'admin'].some((scope) => scopes.includes(scope));
            if (!seesAll) forgetRows();
        }
        // A full disk is no reason to show nothing.
        if (seesAll) store(path, answer.clone()).catch(() => {});
    },
    async find(path) {
        if (!keeps() || !KEPT.test(path)) return null;
        try {
            const cache = await caches.open(ROWS);
            const answer = await cache.match(nameOf(path));
            return answer && isFresh(answer) ? { answer, at: Number(answer.headers.get(KEPT_AT)) } : null;
        } catch {
            return null;
        }
    },
};

async function keepFiles() {
    await navigator.serviceWorker.register(WORKER, { updateViaCache: 'none' });
    await tidy();
}

/** Forgets files and rows, as they are not wanted any more. */
async function forgetAll() {
    await forgetRows();
    for (const one of await navigator.serviceWorker.getRegistrations()) {
        const script = (one.active ?? one.waiting ?? one.installing)?.scriptURL ?? '';
        if (new URL(script, location.origin).pathname === WORKER) await one.unregister();
    }
    for (const name of await caches.keys()) if (name.startsWith('page ')) await caches.delete(name);
}

/** Begins to keep what is wanted; without it, all but reading without a network works. */
export function startKeeping() {
    useRows(rows);
    const begin = () => { if (keeps()) keepFiles().catch(() => {}); };
    begin();
    window.addEventListener('appinstalled', begin);
    window.addEventListener('signedout', () => { forgetRows(); });
}

let asking = null;
window.addEventListener('beforeinstallprompt', (event) => { asking = event; });

/** What the settings say of it: whether it is wanted, and a button that installs, where the browser offers it. */
export function keepingPart() {
    if (!isThere()) return null;
    const box = h('input', { type: 'checkbox', checked: keeps(), onchange: async () => {
        localStorage.setItem(WANTED, box.checked ? 'yes' : 'no');
        await (box.checked ? keepFiles() : forgetAll()).catch(() => {});
    } });
    const offer = asking;
    const button = offer && !isInstalled() && h('button', { type: 'button', onclick: () => {
        asking = null;
        offer.prompt();
        button.remove();
    } }, t('offline.install'));
    return [h('label', { class: 'check offline' }, box, t('offline.wanted')),
        h('p', { class: 'faint' }, t('offline.text')), button];
}
