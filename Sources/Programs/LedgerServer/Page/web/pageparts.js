// The views of the page by their names, each loaded when it is needed, and what is to be done if one
// cannot be: a browser may remember that a file did not come until the page is loaded anew, and another
// version of the program has other files.

import { documentText } from './api.js';
import { t } from './texts.js';

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
    devices: () => import('./devices.js'),
    proof: () => import('./proof.js'),
    changes: () => import('./changes.js'),
    add: () => import('./add.js'),
    settings: () => import('./settings.js'),
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

/** Returns a view. */
export async function load(name) {
    try {
        return await views[name]();
    } catch (error) {
        // A file with a mistake in it did come.
        if (error instanceof SyntaxError || error instanceof ReferenceError) throw error;
        const isNewer = await hasNewer();
        if (isNewer) throw new NotLoaded(true);
        return views[name]().catch(() => { throw new NotLoaded(false); });
    }
}

const IDLE_MILLISECONDS = 2000;

/** Loads all views when nothing else is to be done: they open without a network then, and after an upgrade. */
export function loadAll() {
    if (navigator.onLine === false || navigator.connection?.saveData) return;
    const begin = () => Object.values(views).forEach((view) => view().catch(() => {}));
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in window) requestIdleCallback(begin, { timeout: 5 * IDLE_MILLISECONDS });
    else setTimeout(begin, IDLE_MILLISECONDS);
}
