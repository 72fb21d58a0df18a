// Where trips end most often that is no place yet: to name one takes one form.

import { get, wordsOf } from './api.js';
import { focusInstead, h, put } from './dom.js';
import { ago } from './formats.js';
import { mark } from './map.js';
import { nameThisPlace } from './nameplace.js';
import { t } from './texts.js';

/** So many are enough to go on with: when some have names, the next come. */
const MOST_STOPS = 12;
/** What was only passed once needs no name. */
const LEAST_TRIPS = 2;

const rowOf = (stop, number, onSaved) => h('li', { class: 'stop-row' },
    h('span', null,
        h('span', { class: 'faint', 'aria-hidden': 'true' }, String(number)), ' ',
        h('strong', null, stop.called ?? `${stop.lat.toFixed(4)}, ${stop.lon.toFixed(4)}`),
        h('span', { class: 'faint' }, ' ', t('stops.trips', { n: stop.trips }), ' · ',
            ago(Date.now() - Date.parse(stop.last_at)))),
    h('span', { class: 'buttons' },
        h('a', { class: 'button', href: `#/trip/${stop.last_trip}` }, t('stops.last')),
        h('button', {
            type: 'button', class: 'name-place', onclick: () => nameThisPlace(stop, onSaved),
        }, `${t('places.namethis')}…`)));

/**
 * Makes the part, with a mark on the map for each stop; it is hidden while there is nothing to name.
 *
 * @param onSaved is told when a place was named here, or is none any more
 */
export function makeStops(map, onSaved, signal) {
    const marks = L.featureGroup().addTo(map);
    const rows = h('ul', { class: 'plain' });
    const element = h('section', { class: 'stops', hidden: true },
        h('h2', null, t('stops.title')), h('p', { class: 'faint' }, t('stops.text')), rows);

    async function read() {
        const { items } = await get('/v1/stops', { limit: MOST_STOPS }, signal);
        if (signal.aborted) return;
        const often = items.filter(({ trips }) => trips >= LEAST_TRIPS);
        const hadFocus = element.contains(document.activeElement);
        put(rows, often.map((stop, index) => rowOf(stop, index + 1, saved)));
        marks.clearLayers();
        often.forEach(({ lat, lon, trips }, index) => marks.addLayer(
            mark([lat, lon], String(index + 1), 'start', t('stops.trips', { n: trips }))));
        map.fire('letters');
        element.hidden = often.length === 0;
        if (hadFocus) focusInstead(rows.querySelector('button'));
    }

    const readOrSay = () => read().catch((error) => {
        if (!signal.aborted) put(rows, h('li', { class: 'warning' }, wordsOf(error)));
    });

    function saved() {
        onSaved();
        readOrSay();
    }

    const reading = readOrSay();
    return { element, bounds: reading.then(() => marks.getBounds()) };
}
