// A place that is named where its name is missed: at an end of a trip, in a day, among unnamed stops.

import { dialog, h, put } from './dom.js';
import { addPlaces, makeMap } from './map.js';
import { placeForm } from './placeform.js';
import { addRoads } from './roads.js';
import { t } from './texts.js';

/** How far a place reaches as a rule, in metres. */
const USUAL_METERS = 150;
/** So close, a street and its neighbours are to be seen. */
const ZOOM = 16;
/** How an end is called that has no name: by its degrees. */
const DEGREES = /^-?\d+\.\d+, -?\d+\.\d+$/;

/** Whether an end of a trip is called by its degrees alone, or by nothing. */
export const isUnnamed = (words) => !words || DEGREES.test(words);

/**
 * Asks for the name of a place.
 *
 * @param where `lat` and `lon`, and if they are known `radius_m` and how others have `called` it
 * @param onSaved is told the name of the place; null if it was taken back
 */
export function nameThisPlace(where, onSaved) {
    const leaving = new AbortController();
    const { signal } = leaving;
    const element = h('div', { class: 'map' });
    const part = h('div');
    const shown = dialog(t('places.namethis'), h('div', { class: 'map-holder' }, element), part);
    const map = makeMap(element, signal);
    map.setView([where.lat, where.lon], ZOOM, { animate: false });
    addPlaces(map, signal).catch(() => { /* It is a map without other places then. */ });
    addRoads(map, signal);
    const radius = where.radius_m ?? USUAL_METERS;
    const circle = L.circle([where.lat, where.lon], { radius, className: 'place', weight: 1.5 }).addTo(map);
    const form = placeForm({ ...where, radius_m: radius }, {
        map, circle, isNew: true, isShort: true,
        onSaved: (name) => {
            if (shown.open) shown.close();
            onSaved(name);
        },
        onCancel: () => shown.close(),
    });
    put(part, h('p', { class: 'faint' }, t('places.nametext')), form.element);
    shown.addEventListener('close', () => {
        form.close();
        leaving.abort();
    });
    form.focus();
}

/** What names the ends of a trip that have no name yet: a button for each; `onSaved` as above. */
export function nameButtons({ from, to, start, end }, onSaved, onPress = () => {}) {
    return [[from, start, 'trip.namestart'], [to, end, 'trip.nameend']]
        .filter(([words, point]) => point && isUnnamed(words))
        .map(([, { lat, lon }, key]) => h('button', {
            type: 'button', class: 'name-place',
            onclick: () => {
                onPress();
                nameThisPlace({ lat, lon }, onSaved);
            },
        }, `${t(key)}…`));
}
