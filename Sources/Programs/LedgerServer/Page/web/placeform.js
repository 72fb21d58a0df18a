// The form of a place, and what moves it on the map: its middle and its edge. The fields say the same, so
// that no pointer is needed.

import { forget, known } from './api.js';
import { ask } from './ask.js';
import { settle } from './decisions.js';
import { field, h } from './dom.js';
import { meters } from './formats.js';
import { dot } from './map.js';
import { t } from './texts.js';

const CHECKS = ['skip', 'notify_on_entry', 'notify_on_exit'];
const LEAST_METERS = 10;
const METERS_PER_DEGREE = 111320;

/** Where the handle of the radius stands: at the east of the circle. */
const eastOf = ({ lat, lon, radius }) =>
    [lat, lon + radius / (METERS_PER_DEGREE * Math.max(0.01, Math.cos(lat * Math.PI / 180)))];

/** The middle and the edge of a circle as what can be dragged; `onMove` gets position and radius. */
function makeHandles(map, circle, shape, onMove) {
    const middle = dot([shape.lat, shape.lon], '✥', t('places.middle')).addTo(map);
    const edge = dot(eastOf(shape), '↔', t('places.edge')).addTo(map);
    const draw = (moved) => {
        circle.setLatLng([shape.lat, shape.lon]);
        circle.setRadius(shape.radius);
        if (moved !== middle) middle.setLatLng([shape.lat, shape.lon]);
        if (moved !== edge) edge.setLatLng(eastOf(shape));
    };
    middle.on('drag', () => {
        const { lat, lng } = middle.getLatLng();
        Object.assign(shape, { lat, lon: lng });
        draw(middle);
        onMove();
    });
    edge.on('drag', () => {
        const away = map.distance([shape.lat, shape.lon], edge.getLatLng());
        shape.radius = Math.max(LEAST_METERS, Math.round(away / 10) * 10);
        draw(edge);
        onMove();
    });
    edge.on('dragend', () => draw(null));
    // Its name would cover both.
    const name = (isEdited) => {
        circle.isEdited = isEdited;
        map.fire('letters');
    };
    name(true);
    return { draw, remove: () => { middle.remove(); edge.remove(); name(false); } };
}

const saving = (place) => ({
    type: 'place_saved', place: place.place, lat: place.lat, lon: place.lon, radius_m: place.radius_m,
    label: place.label ?? null, ...Object.fromEntries(CHECKS.map((name) => [name, Boolean(place[name])])),
});

/** Decides about places, and offers to take it back. */
const sendPlace = (decision, onSaved) => settle(decision, ({ type, place }) => {
    forget('places');
    onSaved(type === 'place_saved' ? place : null);
});

/** Refuses the name of a place that there is: to save it again would move that one. */
function expectNewName(input) {
    known('places').then((places) => {
        const taken = new Set(places.map(({ place }) => place));
        const check = () => input.setCustomValidity(taken.has(input.value.trim()) ? t('places.taken') : '');
        input.addEventListener('input', check);
        check();
    }, () => { /* The form says it when it cannot be saved. */ });
}

/**
 * Makes the form.
 *
 * @param place as it is stored, or `isNew` with where it is to be, and how others have `called` it;
 *   `isShort` shows the name first, and the rest on demand
 * @param onSaved is told the name of the place that there is now
 */
export function placeForm(place, { map, circle, isNew, isShort, onSaved, onCancel }) {
    const shape = { lat: place.lat, lon: place.lon, radius: place.radius_m };
    const number = (attributes) =>
        h('input', { type: 'number', required: true, inputmode: 'decimal', ...attributes });
    const name = h('input', {
        maxlength: 200, required: true, autocomplete: 'off', value: place.called ?? '',
    });
    if (isNew) expectNewName(name);
    // A place without a label goes by its name, and both are one to its reader.
    const label = h('input', { maxlength: 200, value: place.label ?? place.place ?? '', autocomplete: 'off' });
    const labelOf = () => {
        const text = label.value.trim();
        return text === '' || text === place.place ? null : text;
    };
    const lat = number({ min: '-90', max: '90', step: '0.00001' });
    const lon = number({ min: '-180', max: '180', step: '0.00001' });
    const radius = number({ min: String(LEAST_METERS), step: '1', inputmode: 'numeric' });
    const slider = h('input', {
        type: 'range', min: '20', max: String(Math.max(1000, place.radius_m)), step: '10',
        'aria-label': t('places.radius'),
    });
    const shown = h('output');
    const write = () => {
        lat.value = shape.lat.toFixed(5);
        lon.value = shape.lon.toFixed(5);
        radius.value = String(Math.round(shape.radius));
        slider.value = radius.value;
        shown.textContent = meters(shape.radius);
    };
    const handles = makeHandles(map, circle, shape, write);
    const read = (event) => {
        if (![lat, lon, radius].every((input) => input.checkValidity())) return;
        if (event.target === slider) radius.value = slider.value;
        Object.assign(shape, {
            lat: Number(lat.value), lon: Number(lon.value), radius: Number(radius.value),
        });
        slider.value = radius.value;
        shown.textContent = meters(shape.radius);
        handles.draw(null);
    };
    const center = () => {
        const { lat: north, lng: east } = map.getCenter();
        Object.assign(shape, { lat: north, lon: east });
        write();
        handles.draw(null);
    };
    const checks = Object.fromEntries(CHECKS.map((one) =>
        [one, h('input', { type: 'checkbox', checked: Boolean(place[one]) })]));
    const save = (event) => {
        event.preventDefault();
        sendPlace(saving({
            place: isNew ? name.value.trim() : place.place, lat: Number(lat.value), lon: Number(lon.value),
            radius_m: shape.radius, label: isNew ? null : labelOf(),
            ...Object.fromEntries(CHECKS.map((one) => [one, checks[one].checked])),
        }), onSaved);
    };
    async function remove() {
        const answer = await ask({
            title: t('places.remove'), action: t('places.remove'), isDangerous: true,
            text: [t('places.removetext', { place: place.label ?? place.place })],
        });
        if (answer === null) return;
        await sendPlace({ type: 'place_removed', place: place.place }, onSaved);
    }
    // A press on the map says where it is, as the fields do.
    const pressed = ({ latlng }) => {
        Object.assign(shape, { lat: latlng.lat, lon: latlng.lng });
        write();
        handles.draw(null);
    };
    if (isNew) map.on('click', pressed);
    write();
    const rest = [
        field(t('places.lat'), lat), field(t('places.lon'), lon), field(t('places.meters'), radius),
    ];
    const reach = h('div', { class: 'field' }, h('span', { class: 'faint' }, t('places.radius')), slider, shown);
    const ticks = CHECKS.map((one) => h('label', { class: 'check' }, checks[one], t(`places.${one}`)));
    const element = h('form', { class: 'place-form', onsubmit: save },
        h('div', { class: 'fields' },
            field(t('places.label'), isNew ? name : label), !isShort && rest, reach, !isShort && ticks),
        isShort && h('details', null, h('summary', null, t('reports.more')),
            h('div', { class: 'fields' }, rest, ticks)),
        h('div', { class: 'buttons' },
            h('button', { class: 'main' }, t('save')),
            !isShort && h('button', { type: 'button', onclick: center }, t('places.center')),
            onCancel && h('button', { type: 'button', onclick: onCancel }, t('cancel')),
            !isNew && h('button', { type: 'button', class: 'danger', onclick: remove },
                `${t('places.remove')}…`)));
    for (const input of [lat, lon, radius, slider]) input.addEventListener('input', read);
    return {
        element,
        focus: () => (isNew ? name : label).focus(),
        /** Takes the handles off the map, and leaves the circle as it is stored. */
        close() {
            handles.remove();
            if (isNew) {
                map.off('click', pressed);
                circle.remove();
            } else {
                circle.setLatLng([place.lat, place.lon]);
                circle.setRadius(place.radius_m);
            }
        },
    };
}
