// How many trips wait for a class: read seldom, and counted on by what is decided here.

import { get } from './api.js';

const KEPT_MILLISECONDS = 60000;
let known = null;
let readAt = 0;

/** The number as it was known last; null if it never was. */
export const waiting = () => known;

function tell(number) {
    known = number;
    window.dispatchEvent(new Event('waitingchanged'));
}

/** Counts decisions of this page: -1 for a trip that has a class now. */
export function countOn(step) {
    if (known !== null) tell(Math.max(0, known + step));
}

/** Reads the number, unless it was read a short while ago. */
export async function readWaiting() {
    if (Date.now() - readAt < KEPT_MILLISECONDS) return;
    readAt = Date.now();
    try {
        tell((await get('/v1/inbox/count')).unclassified);
    } catch {
        readAt = 0;
    }
}
