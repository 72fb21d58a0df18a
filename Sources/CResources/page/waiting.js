// How many trips wait for a class or a purpose: read seldom, and counted on by what is decided here.

import { get } from './api.js';

const KEPT_MILLISECONDS = 60000;
let known = null;
let readAt = 0;

/** How many have no class, as it was known last; null if it never was. */
export const waiting = () => known?.unclassified ?? null;

/** How many business trips have no purpose; null if it is not known. */
export const withoutPurpose = () => known?.without_purpose ?? null;

function tell(numbers) {
    known = numbers;
    window.dispatchEvent(new Event('waitingchanged'));
}

/** Counts decisions of this page: -1 for a trip that has a class now, or a purpose. */
export function countOn(step, purposes = 0) {
    if (known === null) return;
    tell({
        unclassified: Math.max(0, known.unclassified + step),
        without_purpose: Math.max(0, known.without_purpose + purposes),
    });
}

/** Reads the numbers, unless they were read a short while ago. */
export async function readWaiting(isChanged = false) {
    if (!isChanged && Date.now() - readAt < KEPT_MILLISECONDS) return;
    readAt = Date.now();
    try {
        tell(await get('/v1/inbox/count'));
    } catch {
        readAt = 0;
    }
}
