// Vehicles with what their odometers showed, and what they drove.

import { all, forget, known, settings } from './api.js';
import { settle } from './decisions.js';
import { choice, field, h, pairs, put } from './dom.js';
import { count, distance, moment, shortDay, word } from './formats.js';
import { t } from './texts.js';

/** Decides something about a vehicle. */
const send = (decision, onSaved) => settle(decision, () => {
    forget('vehicles');
    onSaved();
});

function readingForm(vehicle, onSaved) {
    const unit = vehicle.odometer?.unit ?? settings.units;
    const value = h('input', {
        type: 'number', required: true, min: '0', step: 'any', inputmode: 'decimal',
        placeholder: vehicle.odometer ? String(vehicle.odometer.value) : '',
    });
    return h('form', { onsubmit: (event) => {
        event.preventDefault();
        send({
            type: 'odometer_read', vehicle: vehicle.vehicle, value: Number(value.value), unit, method: 'typed',
        }, onSaved);
    } },
    h('div', { class: 'fields' }, field(t('vehicles.reading', { unit }), value)),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('vehicles.read'))));
}

const KINDS = ['car', 'van', 'motorcycle', 'moped', 'bicycle', 'other'];

/** The form that registers a vehicle, or says otherwise what is known of one. */
function vehicleForm(vehicle, onSaved) {
    const text = (name) => h('input', { maxlength: 200, autocomplete: 'off', value: vehicle?.[name] ?? '' });
    const name = h('input', { required: true, maxlength: 200, autocomplete: 'off' });
    const [plate, make, model] = ['plate', 'make', 'model'].map(text);
    const kind = choice([...vehicle && !vehicle.vehicle_kind ? [['', '–']] : [],
        ...KINDS.map((code) => [code, word('kind', code)])], vehicle ? vehicle.vehicle_kind : 'car');
    const since = h('input', { type: 'date', value: vehicle?.in_service_since ?? '' });
    const electric = h('input', { type: 'checkbox', checked: Boolean(vehicle?.electric) });
    const said = (control) => control.value.trim() || null;
    return h('form', { onsubmit: (event) => {
        event.preventDefault();
        send({
            type: 'vehicle_registered', vehicle: vehicle?.vehicle ?? name.value.trim(), plate: said(plate),
            make: said(make), model: said(model), vehicle_kind: kind.value || null,
            in_service_since: said(since),
            // What is not known stays so unless it is said.
            ...(electric.checked || vehicle?.electric !== null ? { electric: electric.checked } : {}),
        }, onSaved);
    } },
    h('div', { class: 'fields' },
        !vehicle && field(t('vehicles.name'), name), field(t('vehicles.plate'), plate),
        field(t('vehicles.kind'), kind), field(t('vehicles.make'), make), field(t('vehicles.modelname'), model),
        field(t('vehicles.since'), since),
        h('label', { class: 'check' }, electric, t('vehicles.electric'))),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save'))));
}

function card(vehicle, total, onSaved) {
    const { odometer } = vehicle;
    return h('article', { class: 'card' },
        h('h2', null, vehicle.vehicle),
        pairs([
            [t('vehicles.odometer'), odometer && `${count(odometer.value)} ${odometer.unit}`],
            [t('vehicles.readat'), odometer && moment(odometer.read_at)],
            [t('vehicles.plate'), vehicle.plate],
            [t('vehicles.model'), [vehicle.make, vehicle.model].filter(Boolean).join(' ')],
            [t('vehicles.kind'), vehicle.vehicle_kind && word('kind', vehicle.vehicle_kind)],
            [t('vehicles.electric'), vehicle.electric === null ? null : t(vehicle.electric ? 'yes' : 'no')],
            [t('vehicles.since'), vehicle.in_service_since && shortDay(vehicle.in_service_since)],
            [t('vehicles.driven'), total && distance(total.distance_m)],
            [t('totals.trips'), total && h('a', {
                href: `#/trips?vehicle=${encodeURIComponent(vehicle.vehicle)}`,
            }, count(total.trips))],
        ]),
        h('details', null, h('summary', null, t('vehicles.new')), readingForm(vehicle, onSaved)),
        h('details', { class: 'edit' }, h('summary', null, t('vehicles.edit')), vehicleForm(vehicle, onSaved)));
}

export async function show({ main, signal }) {
    const holder = h('div', { class: 'cards' });
    main.append(holder, h('details', null, h('summary', null, t('vehicles.add')), vehicleForm(null, () => draw())));
    async function draw() {
        const [vehicles, totals] = await Promise.all([
            known('vehicles'), all('/v1/totals', { by: 'vehicle' }, signal),
        ]);
        if (signal.aborted) return;
        const of = new Map(totals.filter(({ kind }) => kind === 'group').map((row) => [row.name, row]));
        put(holder, vehicles.map((vehicle) => card(vehicle, of.get(vehicle.vehicle), draw)),
            vehicles.length === 0 && h('p', null, t('vehicles.none')));
    }
    await draw();
}
