// Keeps the files of the page, where it is installed or its reader wants it, so that it opens without a
// network. Nothing of the ledger is kept here: what was read is the page's matter (offline.js).
//
// A version is the address of the files, which stands for what is in all of them; the list of files is the
// server's. The document comes from the network if there is one, so that another version is seen at once.

const VERSION = '{{assets}}';
const CACHE = `page ${VERSION}`;
const FILES = '{{files}}'.split(' ').map((name) => `${VERSION}/${name}`);

/** A network that is as slow as this is none, in milliseconds. */
const PATIENCE = 4000;

async function keep() {
    const cache = await caches.open(CACHE);
    await cache.addAll([new Request('/', { cache: 'reload' }), ...FILES]);
    await self.skipWaiting();
}

async function forgetOthers() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith('page ') && name !== CACHE)
        .map((name) => caches.delete(name)));
}

/** The document: the server's own, else the one that is kept. */
async function freshDocument(request) {
    const kept = await caches.match('/');
    if (!kept) return fetch(request);
    const late = new Promise((resolve) => { setTimeout(resolve, PATIENCE, kept); });
    const asked = fetch(request).then((answer) => (answer.ok ? answer : kept), () => kept);
    return Promise.race([asked, late]);
}

const keptFile = async (request) => await caches.match(request) ?? fetch(request);

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(forgetOthers()));
self.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== self.location.origin) return;
    if (request.mode === 'navigate' && pathname === '/') event.respondWith(freshDocument(request));
    else if (pathname.startsWith('/assets/')) event.respondWith(keptFile(request));
});
