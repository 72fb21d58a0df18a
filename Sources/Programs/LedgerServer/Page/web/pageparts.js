// The views of the page by their names, and all else that is loaded when it is needed, and what is to be done
// if one cannot be: a browser may remember that a file did not come until the page is loaded anew, and another
// version of the program has other files.

import { documentText, wordsOf } from './api.js';
import { toast } from './dom.js';
import { others, setLanguage, t } from './texts.js';

export const views = {
    now: () => import('./now.js'),
    inbox: () => import('./inbox.js'),
    trips: () => import('./trips.js'),
    trip: () => import('./trip.js'),
    day: () => import('./day.js'),
    roads: () => import('./heat.js'),
    totals: () => import('./totals.js'),
    reports: () => import('./reports.js'),
    places: () => import('./places.js'),
    vehicles: () => import('./vehicles.js'),
    expenses: () => import('./expenses.js'),
    devices: () => import('./devices.js'),
    proof: () => import('./proof.js'),
    changes: () => import('./changes.js'),
    add: () => import('./add.js'),
    settings: () => import('./settings.js'),
};

/** What views share and need seldom. */
const parts = {
    finder: () => import('./finder.js'),
    always: () => import('./always.js'),
};

/** A view's files did not come although the server is there: the page has to be loaded anew. */
export class NotLoaded extends Error {
    constructor(isNewer) {
        super('not loaded');
        this.words = t(isNewer ? 'problem.newer' : 'problem.notloaded');
    }
}

const versionIn = (text) => /\/assets\/([^/"]+)\//.exec(text)?.[1];

/** Whether the server has another version of the page than this one. */
export async function hasNewer() {
    const now = versionIn(await documentText());
    return now !== undefined && now !== versionIn(document.querySelector('script[type=module]').src);
}

/** Loads something, once more if it did not come; says which of the two it is if it cannot be had. */
async function guarded(loading) {
    try {
        return await loading();
    } catch (error) {
        // A file with a mistake in it did come.
        if (error instanceof SyntaxError || error instanceof ReferenceError) throw error;
        const isNewer = await hasNewer();
        if (isNewer) throw new NotLoaded(true);
        return loading().catch(() => { throw new NotLoaded(false); });
    }
}

/** Returns a view, or a part of views. */
export const load = (name) => guarded(views[name] ?? parts[name]);

/** Chooses a language, and remembers it. */
export const loadLanguage = (code) => guarded(() => setLanguage(code));

/** Says why something was not loaded, and how it is had. */
export function sayNotLoaded(error) {
    if (error instanceof NotLoaded) toast(error.words, t('problem.load'), () => location.reload());
    else toast(wordsOf(error));
}

const IDLE_MILLISECONDS = 2000;

/** Loads all that may be needed when nothing else is to be done: it is there without a network then. */
export function loadAll() {
    if (navigator.onLine === false || navigator.connection?.saveData) return;
    const begin = () => [views, parts, others]
        .flatMap((one) => Object.values(one)).forEach((loading) => loading().catch(() => {}));
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(begin, { timeout: 5 * IDLE_MILLISECONDS });
    else setTimeout(begin, IDLE_MILLISECONDS);
}
