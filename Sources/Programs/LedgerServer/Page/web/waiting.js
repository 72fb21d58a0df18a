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

/** Counts on by what trips waited for, and what they wait for now: `class`, `purpose` or null. */
export function countOn(before, after) {
    if (known === null) return;
    const number = (what, list) => list.filter((one) => one === what).length;
    const step = (what) => number(what, after) - number(what, before);
    tell({
        unclassified: Math.max(0, known.unclassified + step('class')),
        without_purpose: Math.max(0, known.without_purpose + step('purpose')),
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
