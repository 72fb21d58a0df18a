// Places: where they are, how far they reach, and when they were visited last; adding and removing them.

import { get, known, wordsOf } from './api.js';
import { either, h, put, table } from './dom.js';
import { ago, duration, moment, secondsBetween } from './formats.js';
import { addPlaces, makeMap, showAll } from './map.js';
import { addRoads } from './roads.js';
import { placeForm } from './placeform.js';
import { makeStops } from './stops.js';
import { t } from './texts.js';

const nameOf = (place) => place.label ?? place.place;

const KEPT_MILLISECONDS = 60000;
let reading = null;

/** The newest visits of all places: a server that has just taken something in finds them slowly. */
function newestVisits() {
    reading ??= get('/v1/visits', { limit: 500 }).then(({ items }) => {
        setTimeout(() => { reading = null; }, KEPT_MILLISECONDS);
        return items;
    }, (error) => {
        reading = null;
        throw error;
    });
    return reading;
}

function visitTable(items) {
    const heads = [t('places.entered'), t('places.stay'), t('source')];
    return table(t('places.visits'), heads, items.slice(0, 20).map((visit) => [
        moment(visit.entered_at),
        visit.left_at ? duration(secondsBetween(visit.entered_at, visit.left_at)) : t('places.there'),
        visit.source,
    ]));
}

/** Shows the newest visits of a place; older ones are looked for only if that is wanted. */
async function showVisits(holder, place, signal) {
    put(holder, h('p', { class: 'faint' }, t('reading')));
    const newest = (await newestVisits()).filter((visit) => visit.place === place.place);
    const ask = async () => {
        put(holder, h('p', { class: 'faint' }, t('reading')));
        const { items } = await get('/v1/visits', { place: place.place, limit: 20 }, signal);
        put(holder, items.length > 0 ? visitTable(items) : h('p', { class: 'faint' }, t('places.novisits')));
    };
    put(holder, newest.length > 0 ? visitTable(newest) : h('p', { class: 'faint' }, t('places.never')),
        newest.length < 20 && h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => ask().catch((error) => {
                if (!signal.aborted) put(holder, h('p', { class: 'warning' }, wordsOf(error)));
            }) }, t('places.older'))));
}

/** The newest visit of each place, as far as the newest visits of all reach. */
async function lastVisits() {
    const last = new Map();
    for (const visit of await newestVisits()) if (!last.has(visit.place)) last.set(visit.place, visit);
    return last;
}

/** When a place was visited last, in words. */
function visited(visit) {
    if (!visit) return t('places.never');
    return visit.left_at ? ago(Date.now() - Date.parse(visit.left_at)) : t('places.there');
}

/** A new place in the middle of the map, until it is saved or given up. */
function addPart(map, onSaved, openOnly) {
    const holder = h('div', { class: 'new-place' });
    const button = h('button', { type: 'button', onclick: begin }, t('places.add'));
    function end() {
        form?.close();
        form = null;
        put(holder, button);
    }
    let form = null;
    function begin() {
        openOnly();
        end();
        if (map.getZoom() < 12) map.setZoom(14, { animate: false });
        const { lat, lng: lon } = map.getCenter();
        const circle = L.circle([lat, lon], { radius: 150, className: 'place', weight: 1.5 }).addTo(map);
        form = placeForm({ lat, lon, radius_m: 150 }, {
            map, circle, isNew: true,
            onSaved: (name) => { end(); onSaved(name); },
            onCancel: () => { end(); button.focus(); },
        });
        put(holder, h('h2', null, t('places.add')), h('p', { class: 'faint' }, t('places.press')), form.element);
        form.focus();
    }
    put(holder, button);
    return { element: holder, end };
}

export async function show({ main, subject, signal }) {
    const element = h('div', { class: 'map' });
    const list = h('div', { class: 'sheet' });
    const sheet = h('div', { class: 'sheet' });
    main.append(h('div', { class: 'map-holder' }, element), sheet);
    const map = makeMap(element, signal);
    const parts = new Map();
    let drawing = new AbortController();
    let form = null;
    let last = new Map();

    function closeForm() {
        form?.close();
        form = null;
    }

    /** Closes all places but one: only one is moved on the map. */
    function openOnly(name) {
        for (const [other, details] of parts) if (other !== name && details.open) details.open = false;
    }

    function open(place, scrolls) {
        const details = parts.get(place.place);
        details.open = true;
        if (scrolls) details.querySelector('summary').focus();
        map.setView([place.lat, place.lon], Math.max(map.getZoom(), 14), { animate: false });
    }

    function rowOf(place, circle) {
        const body = h('div');
        const details = h('details', { class: 'place-row' },
            h('summary', null,
                h('span', { class: 'name' }, nameOf(place)),
                h('span', { class: 'faint' }, last.size > 0 ? visited(last.get(place.place)) : '')),
            body);
        details.addEventListener('toggle', async () => {
            if (!details.open) { if (form?.of === details) closeForm(); return; }
            openOnly(place.place);
            closeForm();
            adding.end();
            open(place, false);
            form = { ...placeForm(place, { map, circle, onSaved: draw }), of: details };
            const visits = h('div');
            put(body,
                h('p', { class: 'faint' },
                    h('a', { href: `#/trips?place=${encodeURIComponent(place.place)}` }, t('places.trips'))),
                form.element, visits);
            try {
                await showVisits(visits, place, signal);
            } catch (error) {
                if (!signal.aborted) put(visits, h('p', { class: 'warning' }, wordsOf(error)));
            }
        });
        return details;
    }

    /** Shows the places that there are now. */
    async function draw(opened) {
        closeForm();
        drawing.abort();
        drawing = new AbortController();
        const places = await known('places');
        if (signal.aborted) return places;
        const circles = await addPlaces(map, either(signal, drawing.signal),
            (place) => open(place, true));
        parts.clear();
        const sorted = [...places].sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
        put(list, sorted.map((place) => {
            const details = rowOf(place, circles.get(place.place));
            parts.set(place.place, details);
            return details;
        }), places.length === 0 && h('p', null, t('places.none')));
        const wanted = places.find(({ place }) => place === opened);
        if (wanted) open(wanted, true);
        return places;
    }

    const adding = addPart(map, draw, openOnly);
    sheet.append(adding.element, list);
    const places = await draw(null);
    if (signal.aborted) return;
    // The list is there first: to gather the ends of all trips takes longer.
    const stops = makeStops(map, () => draw(null), signal);
    adding.element.after(stops.element);
    // Visits and ways take longer to find than places do: the view is complete without them.
    lastVisits().then((found) => {
        if (signal.aborted) return;
        last = found;
        for (const [name, details] of parts) {
            details.querySelector('summary .faint').textContent = visited(last.get(name));
        }
    }).catch(() => {});
    const named = places.find(({ place }) => place === subject);
    const middle = L.latLngBounds(places.map(({ lat, lon }) => [lat, lon]));
    if (named) open(named, true); else showAll(map, middle);
    const bounds = await addRoads(map, signal);
    // Places of holidays are far away: to show them too would make the others invisible.
    if (signal.aborted || form) return;
    const around = bounds?.isValid() || places.length > 0 ? bounds : await stops.bounds;
    if (!signal.aborted) showAll(map, around);
}
