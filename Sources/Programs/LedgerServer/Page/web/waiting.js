// How many trips wait in the inbox: read seldom, and counted on by what is decided here.

import { get } from './api.js';

const KEPT_MILLISECONDS = 60000;
let known = null;
let readAt = 0;

/** How many have no class, as it was known last; null if it never was. */
export const waiting = () => known?.unclassified ?? null;

/** How many business trips have no purpose; null if it is not known. */
export const withoutPurpose = () => known?.without_purpose ?? null;

/** How many have another trip of their drive, which is asked about; null if it is not known. */
export const withTwins = () => known?.twins ?? null;

/** How many wait for any of these; null if it is not known. */
export const waitingInAll = () => known?.waiting ?? null;

function tell(numbers) {
    known = numbers;
    window.dispatchEvent(new Event('waitingchanged'));
}

/**
 * Counts on by what trips waited for, and what they wait for now: `class`, `purpose`, `twin` or
 * null.
 */
export function countOn(before, after) {
    if (known === null) return;
    const number = (what, list) => list.filter((one) => one === what).length;
    const step = (what) => number(what, after) - number(what, before);
    const unclassified = Math.max(0, known.unclassified + step('class'));
    const purposes = Math.max(0, known.without_purpose + step('purpose'));
    const twins = Math.max(0, known.twins + step('twin'));
    tell({
        waiting: unclassified + purposes + twins, unclassified, without_purpose: purposes, twins,
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
