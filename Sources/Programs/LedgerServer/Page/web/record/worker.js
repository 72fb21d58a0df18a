// Keeps the recorder's files, so that it opens without a network. Nothing of the ledger is kept, and no
// other path is answered.
//
// A version is the address of the files, which stands for what is in all of them. Another version makes
// this script another one, and the browser, which asks for it anew at every visit, installs it: it
// fetches all of its files, or stays away. The document comes from the network if there is one, so that
// what is kept is seen at most until the next reload with a network.

const VERSION = '{{assets}}';
const CACHE = `recorder ${VERSION}`;
const FILES = [
    'api.js', 'classes.js', 'direction.js', 'dom.js', 'failures.js', 'formats.js', 'icon.svg', 'page.css', 'texts.js',
    'texts/de.js', 'texts/en.js', 'texts/fr.js', 'texts/nl.js', 'texts/words.js',
    'record/describe.js', 'record/drive.js', 'record/facts.js', 'record/icon-192.png', 'record/parts.js',
    'record/queue.js', 'record/record.css', 'record/record.js', 'record/recorder.js', 'record/sender.js',
    'record/sketch.js', 'record/store.js', 'record/texts.js', 'record/turn.js', 'record/watch.js',
    'record/texts/de.js', 'record/texts/en.js', 'record/texts/fr.js', 'record/texts/nl.js',
].map((name) => `${VERSION}/${name}`);

/** A network that is as slow as this is none, in milliseconds. */
const PATIENCE = 4000;

async function keep() {
    const cache = await caches.open(CACHE);
    await cache.addAll([new Request('/record', { cache: 'reload' }), ...FILES]);
    await self.skipWaiting();
}

async function forgetOthers() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith('recorder ') && name !== CACHE)
        .map((name) => caches.delete(name)));
}

/** The document: the server's own, else the one that is kept. */
async function freshDocument(request) {
    const kept = await caches.match('/record');
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
    if (request.mode === 'navigate' && pathname === '/record') event.respondWith(freshDocument(request));
    else if (pathname.startsWith('/assets/')) event.respondWith(keptFile(request));
});
