// Places: where they are, how far they reach, and when they were visited last.

import { decide, forget, get, known, wordsOf } from './api.js';
import { field, h, put, table, toast } from './dom.js';
import { ago, duration, meters, moment, secondsBetween } from './formats.js';
import { addEarlierTracks, addPlaces, makeMap, showAll } from './map.js';
import { t } from './texts.js';

const nameOf = (place) => place.label ?? place.place;

/** The form of a place; moving the slider of the radius moves the circle. */
function placeForm(place, circle, onSaved) {
    const label = h('input', { maxlength: 200, value: place.label ?? '', autocomplete: 'off' });
    const radius = h('input', {
        type: 'range', min: '20', max: String(Math.max(1000, place.radius_m)), step: '10',
        value: place.radius_m,
    });
    const shown = h('output', null, meters(place.radius_m));
    radius.addEventListener('input', () => {
        shown.textContent = meters(Number(radius.value));
        circle.setRadius(Number(radius.value));
    });
    const checks = Object.fromEntries(['skip', 'notify_on_entry', 'notify_on_exit'].map((name) =>
        [name, h('input', { type: 'checkbox', checked: place[name] })]));
    return h('form', { onsubmit: async (event) => {
        event.preventDefault();
        const saved = {
            type: 'place_saved', place: place.place, lat: place.lat, lon: place.lon,
            radius_m: Number(radius.value), label: label.value.trim() || null,
            ...Object.fromEntries(Object.entries(checks).map(([name, box]) => [name, box.checked])),
        };
        try {
            await decide([saved]);
            forget('places');
            toast(t('saved'));
            onSaved();
        } catch (error) {
            toast(wordsOf(error));
        }
    } },
    h('div', { class: 'fields' },
        field(t('places.label'), label),
        h('div', null, field(t('places.radius'), radius), shown),
        Object.entries(checks).map(([name, box]) =>
            h('label', { class: 'check' }, box, t(`places.${name}`)))),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save'))));
}

async function visitsOf(place, signal) {
    const { items } = await get('/v1/visits', { place: place.place, limit: 20 }, signal);
    if (items.length === 0) return h('p', { class: 'faint' }, t('places.novisits'));
    const heads = [t('places.entered'), t('places.stay'), t('source')];
    return table(t('places.visits'), heads, items.map((visit) => [
        moment(visit.entered_at),
        visit.left_at ? duration(secondsBetween(visit.entered_at, visit.left_at)) : t('places.there'),
        visit.source,
    ]));
}

/** The newest visit of each place, as far as the newest visits of all reach. */
async function lastVisits(signal) {
    const { items } = await get('/v1/visits', { limit: 500 }, signal);
    const last = new Map();
    for (const visit of items) if (!last.has(visit.place)) last.set(visit.place, visit);
    return last;
}

/** When a place was visited last, in words. */
function visited(visit) {
    if (!visit) return t('places.never');
    return visit.left_at ? ago(Date.now() - Date.parse(visit.left_at)) : t('places.there');
}

export async function show({ main, subject, signal }) {
    const places = await known('places');
    if (signal.aborted) return;
    const element = h('div', { class: 'map' });
    const sheet = h('div', { class: 'sheet' });
    main.append(h('div', { class: 'map-holder' }, element), sheet);
    if (places.length === 0) sheet.append(h('p', null, t('places.none')));
    const map = makeMap(element, signal);
    const circles = await addPlaces(map, signal, (place) => open(place, true));
    if (signal.aborted) return;
    const bounds = await addEarlierTracks(map, signal);
    if (signal.aborted) return;
    // Places of holidays are far away: to show them too would make the others invisible.
    showAll(map, bounds?.isValid() ? bounds : L.featureGroup([...circles.values()]).getBounds());
    const sorted = [...places].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
    const parts = new Map();

    function open(place, scrolls) {
        const details = parts.get(place.place);
        details.open = true;
        if (scrolls) details.querySelector('summary').focus();
        map.setView([place.lat, place.lon], Math.max(map.getZoom(), 14), { animate: false });
    }

    for (const place of sorted) {
        const body = h('div');
        const details = h('details', { class: 'place-row' },
            h('summary', null,
                h('span', { class: 'name' }, nameOf(place)), h('span', { class: 'faint' })),
            body);
        details.addEventListener('toggle', async () => {
            if (!details.open) return;
            open(place, false);
            put(body,
                h('p', { class: 'faint' },
                    [place.lat.toFixed(5), ', ', place.lon.toFixed(5), ' · ', meters(place.radius_m), ' · '],
                    h('a', { href: `#/trips?place=${encodeURIComponent(place.place)}` }, t('places.trips'))),
                placeForm(place, circles.get(place.place), () => {}));
            try {
                body.append(await visitsOf(place, signal));
            } catch (error) {
                if (!signal.aborted) body.append(h('p', { class: 'warning' }, wordsOf(error)));
            }
        });
        parts.set(place.place, details);
        sheet.append(details);
    }
    const asked = places.find(({ place }) => place === subject);
    if (asked) open(asked, true);
    // Visits take longer to find than places do: the view is complete without them.
    lastVisits(signal).then((last) => {
        for (const [name, details] of parts) {
            details.querySelector('summary .faint').textContent = visited(last.get(name));
        }
    }).catch(() => {});
}
