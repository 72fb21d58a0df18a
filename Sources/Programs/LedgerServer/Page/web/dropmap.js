// What the columns of a table mean, where no app is known that wrote it: proposed, and changed by hand.

import { choice, field, h } from './dom.js';
import { t } from './texts.js';

/** The fields of rows, by what a row is. */
const FIELDS = {
    trips: ['started_at', 'ended_at', 'duration', 'distance', 'from', 'to', 'purpose', 'class', 'vehicle',
        'client', 'notes', 'odometer_start', 'odometer_end'],
    fixes: ['time', 'lat', 'lon', 'accuracy', 'altitude', 'speed'],
    expenses: ['time', 'amount', 'currency', 'kind', 'vehicle', 'merchant', 'notes'],
};
/** Fields whose numbers need a unit, the usual one first. */
const UNITS = {
    distance: ['km', 'mi', 'm'], odometer_start: ['km', 'mi'], odometer_end: ['km', 'mi'],
    duration: ['min', 'h', 's'], speed: ['km/h', 'mph', 'm/s', 'kn'],
};
/** Words that the page has already. */
const WORDS = {
    distance: 'distance', purpose: 'purpose', class: 'class', vehicle: 'vehicle', client: 'client', notes: 'notes',
};
/** Stands for what was proposed, where that is more than the name of a column. */
const PROPOSED = '=';

const labelOf = (name) => t(WORDS[name] ?? `drop.col.${name}`);

/** The only column that a field is, if it is just that. */
function columnOf(said) {
    if (typeof said === 'string') return said;
    const isPlain = said && typeof said.column === 'string' && !said.words;
    return isPlain ? said.column : null;
}

/** What is proposed, for people. */
const textOf = (said) => (Array.isArray(said) ? said.join(' + ')
    : Array.isArray(said.column) ? said.column.join(' + ') : String(said.value ?? said.column ?? said));

/** The controls of a field: its column, and its unit if it needs one. */
function controlsOf(name, said, names) {
    const column = columnOf(said);
    const isMore = said !== undefined && (column === null || !names.includes(column));
    const select = choice([
        ['', '–'], ...isMore ? [[PROPOSED, textOf(said)]] : [],
        ...names.filter(Boolean).map((one) => [`c${one}`, one]),
    ], isMore ? PROPOSED : column === null ? '' : `c${column}`);
    const units = UNITS[name];
    const unit = units && choice(units.map((one) => [one, one]), said?.unit ?? units[0], {
        'aria-label': t('drop.unit', { name: labelOf(name) }),
    });
    return {
        element: h('div', { class: 'map-field' }, field(labelOf(name), select), unit),
        value() {
            if (select.value === '') return undefined;
            if (select.value === PROPOSED) return said;
            const chosen = select.value.slice(1);
            return unit ? { column: chosen, unit: unit.value } : chosen;
        },
    };
}

/** A form that says what columns mean; `use` gets the map. */
export function mapEditor({ map, names, notes }, use) {
    const fields = h('div', { class: 'fields' });
    let controls = new Map();
    const rows = choice(Object.keys(FIELDS).map((kind) => [kind, t(`drop.rows.${kind}`)]), map.rows, {
        onchange: () => draw({}),
    });
    const format = h('input', { value: map.time_format ?? '', autocomplete: 'off', spellcheck: 'false' });
    function draw(columns) {
        controls = new Map(FIELDS[rows.value].map((name) => [name, controlsOf(name, columns[name], names)]));
        fields.replaceChildren(...[...controls.values()].map(({ element }) => element));
    }
    draw(map.columns);
    return h('form', { class: 'column-map', onsubmit: (event) => {
        event.preventDefault();
        const known = rows.value === map.rows ? map.columns : {};
        // What has no control here stays as it was proposed.
        const columns = Object.fromEntries(Object.entries(known).filter(([name]) => !controls.has(name)));
        for (const [name, control] of controls) {
            const said = control.value();
            if (said !== undefined) columns[name] = said;
        }
        const changed = { ...map, rows: rows.value, columns };
        if (format.value.trim()) changed.time_format = format.value.trim();
        else delete changed.time_format;
        use(changed);
    } },
    h('p', null, t('drop.table')), notes.map((note) => h('p', { class: 'faint' }, note)),
    field(t('drop.rows'), rows), fields, field(t('drop.timeformat'), format, t('drop.timehint')),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('drop.use'))));
}
