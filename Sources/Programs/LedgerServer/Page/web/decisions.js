// Tells how decisions ended, with their warnings, and takes them back as the ledger says.

import { decide, wordsOf } from './api.js';
import { toast } from './dom.js';
import { load, sayNotLoaded } from './pageparts.js';
import { t } from './texts.js';

/** What offers to decide alike about trips that go as one does. */
const always = (id) => [`${t('always.title')}…`, () => load('always').then(
    ({ alwaysLikeThis }) => alwaysLikeThis(id), sayNotLoaded)];

/**
 * Says that something was decided, with the ledger's warnings, and offers to take it back.
 *
 * @param trip the id of the one trip that was classed, if it was one: the same can be said of others
 */
export function tell(text, decided, undo, trip = null) {
    const warnings = decided.flatMap((one) => one.warnings ?? []).map(({ message }) => message);
    toast(warnings.length > 0 ? `${text}. ${warnings.join(' ')}` : text, undo && t('undo'), undo,
        trip ? [always(trip)] : []);
}

/** The trip that a decision gave a class; null if it did not. */
const classedBy = ({ type, class: code, trip }) =>
    (type === 'details_edited' && code && code !== 'unclassified' ? trip : null);

/** The decisions that take decisions back; those that changed nothing have none. */
export const undosOf = (decided) => decided.flatMap(({ undo }) => undo ?? []);

/** The tag of trips that are seen up to a decision about them; null if it changed nothing. */
export const tagAfter = ({ position }) => (position === undefined ? null : `"${position}"`);

/** What a trip says of a decision about it, if it is shown by itself. */
export const rowOf = (decided, id) => decided.trips?.find((trip) => trip.id === id) ?? null;

/**
 * Decides something that is about no trip, and offers to take it back.
 *
 * @param onStored is told the decision that was stored: this one, or the one that takes it back
 */
export async function settle(decision, onStored, isUndo = false) {
    try {
        const decided = await decide([decision]);
        const [{ undo }] = decided;
        tell(t(isUndo ? 'undone' : 'saved'), decided,
            !isUndo && undo ? () => settle(undo, onStored, true) : null,
            isUndo ? null : classedBy(decision));
        onStored(decision);
    } catch (error) {
        toast(wordsOf(error));
    }
}
