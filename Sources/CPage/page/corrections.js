// Corrections of a trip: another distance, no trip at all, or after all as it was measured.

import { Problem, settings, wordsOf } from './api.js';
import { field, h, toast } from './dom.js';
import { claimed, unitMeters } from './formats.js';
import { t } from './texts.js';

/** Makes the part; `details.send` appends a decision with the tag of the trip. */
export function makeCorrections(trip, details) {
    const isVoided = trip.status === 'voided';
    const canRestore = isVoided || trip.adjusted_distance_m !== undefined || trip.excluded_distance_m > 0;
    const why = h('input', { required: true, maxlength: 1000, autocomplete: 'off' });
    const length = h('input', {
        type: 'number', min: '0', step: 'any', required: true, inputmode: 'decimal',
        value: (claimed(trip) / unitMeters()).toFixed(1),
    });
    const event = (type, members) => ({ type, trip: trip.id, trip_started_at: trip.started_at, ...members });

    async function send(decision, undo) {
        try {
            await details.send(decision);
            toast(t('saved'), undo && t('undo'), () => send(undo, null));
        } catch (error) {
            toast(error instanceof Problem && error.status === 412 ? t('conflict.again') : wordsOf(error));
        }
    }

    const restore = event('trip_restored', {});
    const form = h('form', { onsubmit: (submitted) => {
        submitted.preventDefault();
        const reason = why.value.trim();
        if (submitted.submitter?.value === 'void') {
            send(event('trip_voided', { why: reason }), restore);
        } else {
            const meters = Math.round(Number(length.value) * unitMeters() * 1000) / 1000;
            send(event('distance_adjusted', { distance_m: meters, why: reason }), restore);
        }
    } },
    h('div', { class: 'fields' },
        field(t('correct.distance', { unit: settings.units }), length),
        field(t('correct.why'), why, t('correct.whyhint'))),
    h('div', { class: 'buttons' },
        h('button', { value: 'adjust' }, t('correct.adjust')),
        h('button', { value: 'void', class: 'danger' }, t('correct.void'))));

    return h('details', { open: isVoided },
        h('summary', null, t('correct.title')),
        isVoided ? h('p', null, t('correct.voided')) : form,
        canRestore && h('div', { class: 'buttons' },
            h('button', {
                type: 'button', class: isVoided ? 'main' : null, onclick: () => send(restore, null),
            }, t('correct.restore'))));
}
