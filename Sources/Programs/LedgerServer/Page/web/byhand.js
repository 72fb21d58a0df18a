// A trip that no device recorded, and something that was paid: forms that ask for the same decisions as
// `ledger report-trip` and `ledger expense`.

import { known, settings } from './api.js';
import { classes } from './classes.js';
import { settle } from './decisions.js';
import { choice, field, h, toast } from './dom.js';
import { today, unitMeters, wall, word } from './formats.js';
import { t } from './texts.js';
import { readWaiting } from './waiting.js';

const KINDS = ['toll', 'parking', 'fuel', 'charging', 'other'];
const HOUR = 3600 * 1000;
const CURRENCY = 'currency';

/** A time of the ledger's zone with its offset, as the ledger takes it. */
export function zoned(local) {
    const shown = Date.parse(`${local}Z`);
    const offsetAt = (instant) => wall(new Date(instant).toISOString()).getTime() - instant;
    // The offset of the wall's instant itself, which the first guess is hours away from.
    const offset = offsetAt(shown - offsetAt(shown));
    const minutes = Math.abs(Math.round(offset / 60000));
    const two = (part) => String(part).padStart(2, '0');
    return `${local.slice(0, 16)}:00${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const input = (attributes) => h('input', { autocomplete: 'off', ...attributes });
const text = (most = 200) => input({ maxlength: most });
const said = (control) => control.value.trim() || undefined;

/** The list of vehicles as choices of a text field, which takes others too. */
export async function vehicleInput() {
    const vehicles = await known('vehicles').catch(() => []);
    const names = h('datalist', { id: 'vehicle-names' }, vehicles.map(({ vehicle }) =>
        h('option', { value: vehicle })));
    return { control: input({ maxlength: 200, list: 'vehicle-names' }), names };
}

/** The form of a trip. */
export async function tripForm() {
    const day = today();
    const [start, end] = ['08:00', '09:00'].map((time) =>
        input({ type: 'datetime-local', required: true, value: `${day}T${time}` }));
    const way = input({ type: 'number', required: true, min: '0', step: 'any', inputmode: 'decimal' });
    const [from, to, purpose, client] = [text(), text(), text(), text()];
    const notes = text(1000);
    const { control: vehicle, names } = await vehicleInput();
    const kind = choice(classes.map((code) => [code, word('class', code)]), 'business');
    const form = h('form', { onsubmit: async (event) => {
        event.preventDefault();
        if (Date.parse(`${end.value}Z`) < Date.parse(`${start.value}Z`)) {
            toast(t('add.order'));
            end.focus();
            return;
        }
        await settle({
            type: 'trip_reported', started_at: zoned(start.value), ended_at: zoned(end.value),
            distance_m: Math.round(Number(way.value) * unitMeters() * 1000) / 1000, from: said(from), to: said(to),
            purpose: said(purpose), client: said(client), notes: said(notes), vehicle: said(vehicle),
            class: kind.value,
        }, ({ type }) => {
            readWaiting(true);
            if (type === 'trip_reported') for (const one of [way, from, to, purpose, notes]) one.value = '';
        });
    } },
    h('div', { class: 'fields' },
        field(t('add.start'), start), field(t('add.end'), end),
        field(t('correct.distance', { unit: settings.units }), way),
        field(t('add.from'), from), field(t('add.to'), to), field(t('purpose'), purpose),
        field(t('client'), client), field(t('vehicle'), vehicle), field(t('class'), kind),
        field(t('notes'), notes)), names,
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save'))));
    start.addEventListener('change', () => {
        if (!start.value || end.value > start.value) return;
        end.value = new Date(Date.parse(`${start.value}Z`) + HOUR).toISOString().slice(0, 16);
    });
    return form;
}

let forms = 0;

/** The words for what is paid for. */
export const kindOf = (code) => t(`add.kind.${code}`);

/**
 * The form of something that was paid.
 *
 * @param expense what is corrected; what is emptied in the form stays as it was, as with the command
 * @param trip the id of the trip for which it is paid
 * @param onStored is told that it was stored, or taken back
 */
export async function expenseForm({ expense = null, trip = null, onStored = () => {} } = {}) {
    const kind = choice(KINDS.map((code) => [code, kindOf(code)]), expense?.kind ?? 'parking');
    const amount = input({
        type: 'number', required: true, min: '0', step: 'any', inputmode: 'decimal', value: expense?.amount ?? '',
    });
    const currency = input({
        required: true, pattern: '[A-Z]{3}', maxlength: 3, autocapitalize: 'characters',
        value: expense?.currency ?? localStorage.getItem(CURRENCY) ?? '',
    });
    currency.addEventListener('input', () => { currency.value = currency.value.toUpperCase(); });
    const day = input({ type: 'date', required: true, value: expense?.day ?? today() });
    const [merchant, notes] = [text(), text(1000)];
    const { control: vehicle, names } = await vehicleInput();
    names.id = `expense-vehicles-${forms += 1}`;
    vehicle.setAttribute('list', names.id);
    const texts = { vehicle, merchant, notes };
    for (const [name, control] of Object.entries(texts)) control.value = expense?.[name] ?? '';
    /** What is said otherwise than it was. */
    const others = () => Object.fromEntries(Object.entries({ day, ...texts })
        .map(([name, control]) => [name, said(control)])
        .filter(([name, value]) => value && value !== expense?.[name]));
    return h('form', { onsubmit: async (event) => {
        event.preventDefault();
        if (!expense) localStorage.setItem(CURRENCY, currency.value);
        await settle({
            type: 'expense_recorded', ...(expense ? { corrects_expense: expense.expense } : {}),
            kind: kind.value, amount: Number(amount.value), currency: currency.value, ...others(),
            ...(trip ? { trip } : {}),
        }, (decision) => {
            if (!expense && !decision.void) for (const one of [amount, merchant, notes]) one.value = '';
            onStored();
        });
    } },
    h('div', { class: 'fields' },
        field(t('add.kind'), kind), field(t('add.amount'), amount), field(t('add.currency'), currency, t('add.iso')),
        field(t('add.day'), day), field(t('add.merchant'), merchant), field(t('vehicle'), vehicle),
        field(t('notes'), notes)), names,
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save'))));
}
