// Asks for the purpose of a drive once it has ended.

import { settings } from '../api.js';
import { classes } from '../classes.js';
import { choice, field, h } from '../dom.js';
import { clock, distance, word } from '../formats.js';
import { timeText } from './facts.js';
import { say } from './texts.js';

/** The classes of most drives. */
const USUAL = classes.slice(0, 4);

/**
 * Makes the form.
 *
 * @param one the drive that has ended
 * @param known the vehicles of the ledger
 * @param onSave is given what was said
 * @param onSkip is called if nothing is to be said
 */
export function makeDescribe(one, { vehicles = [] }, onSave, onSkip) {
    const purpose = h('input', { maxlength: 200, autocomplete: 'off' });
    const kind = choice(classes.map((code) => [code, word('class', code)]), 'unclassified');
    // The usual ones are pressed; the list has the others too.
    const buttons = USUAL.map((code) => h('button', {
        type: 'button', class: `class-${code}`, 'aria-pressed': 'false',
        onclick: () => { kind.value = code; showKind(); },
    }, word('class', code)));
    const showKind = () => buttons.forEach((button, index) =>
        button.setAttribute('aria-pressed', String(USUAL[index] === kind.value)));
    kind.addEventListener('change', showKind);
    const list = h('datalist', { id: 'recorder-vehicles' },
        vehicles.map(({ vehicle }) => h('option', { value: vehicle })));
    const vehicle = h('input', {
        maxlength: 200, autocomplete: 'off', list: list.id, value: one.vehicle ?? '',
    });
    const reading = h('input', { type: 'number', min: 0, step: 'any', inputmode: 'decimal' });
    const problem = h('p', { class: 'warning', role: 'alert', hidden: true }, say('reading.vehicle'));

    function save(event) {
        event.preventDefault();
        const said = {};
        if (purpose.value.trim()) said.purpose = purpose.value.trim();
        if (kind.value !== 'unclassified') said.class = kind.value;
        const name = vehicle.value.trim();
        if (name && name !== one.vehicle) said.vehicle = name;
        if (reading.value !== '') {
            if (!name && !one.vehicle) {
                problem.hidden = false;
                vehicle.focus();
                return;
            }
            Object.assign(said, { reading: Number(reading.value), unit: settings.units });
        }
        if (Object.keys(said).length > 0) onSave(said);
        else onSkip();
    }

    const [from, to] = [one.startedAt, one.endedAt].map((at) => clock(timeText(at)));
    return h('section', { class: 'card describe', 'aria-labelledby': 'describe-title' },
        h('h2', { id: 'describe-title', tabindex: '-1' }, say('describe')),
        h('p', { class: 'faint' }, say('describe.when', { from, to, distance: distance(one.distance) })),
        h('form', { onsubmit: save },
            h('div', { class: 'choices', role: 'group', 'aria-label': say('class') }, buttons),
            h('div', { class: 'fields' },
                field(say('purpose'), purpose),
                field(say('class'), kind),
                field(say('vehicle'), vehicle),
                field(say('reading', { unit: settings.units }), reading, say('reading.hint'))),
            list, problem,
            h('div', { class: 'buttons' },
                h('button', { class: 'main' }, say('save')),
                h('button', { type: 'button', onclick: onSkip }, say('describe.skip')))));
}
