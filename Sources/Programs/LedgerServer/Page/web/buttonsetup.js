// Setting a button up: a token that can only press GO and STOP, by two addresses for automations.

import { known, may, post, wordsOf } from './api.js';
import { choice, field, h, put } from './dom.js';
import { codeImage, copyButton } from './secrets.js';
import { languageCode, t } from './texts.js';

/** What was made: both addresses, with their codes, and the steps of each kind of automation. */
function madePart(made, close) {
    const address = (words, text, code) => [
        h('h4', null, words), codeImage(code, t('button.code', { name: words })), h('pre', null, text),
        h('div', { class: 'buttons' }, copyButton(text, `${t('setup.copyone')}: ${words}`)),
    ];
    return h('div', { class: 'card setup' },
        h('h3', { tabindex: '-1' }, t('setup.made', { name: made.name })),
        h('p', { class: 'warning' }, t('button.once')),
        h('p', null, made.intro),
        h('ul', null, made.steps.map((step) => h('li', null, step))),
        address('GO', made.go, made.go_qr_svg), address('STOP', made.stop, made.stop_qr_svg),
        made.remarks.map((remark) => h('p', { class: 'faint' }, remark)),
        h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: close }, t('setup.done'))));
}

/**
 * The form that makes a button.
 *
 * @param sources the names of the sources that there are
 */
export async function buttonPart(sources, changed) {
    if (!may('admin')) return null;
    const vehicles = await known('vehicles');
    const name = h('input', { required: true, maxlength: 64, autocomplete: 'off', placeholder: 'car' });
    const source = h('input', {
        required: true, maxlength: 64, autocomplete: 'off', list: 'button-sources',
    });
    // It stands there again when the form is used once more.
    source.defaultValue = sources[0] ?? '';
    const vehicle = choice([['', '–'], ...vehicles.map((one) => [one.vehicle, one.vehicle])], '');
    const result = h('div', { 'aria-live': 'polite' });
    const form = h('form', { onsubmit: async (event) => {
        event.preventDefault();
        try {
            const answer = await post('/v1/buttons', {
                name: name.value.trim(), source: source.value.trim(), url: location.origin,
                language: languageCode(), ...(vehicle.value ? { vehicle: vehicle.value } : {}),
            });
            put(result, madePart(await answer.json(), () => put(result)));
            changed();
            result.querySelector('h3').focus();
            form.reset();
        } catch (error) {
            put(result, h('p', { class: 'warning' }, error.detail || wordsOf(error)));
        }
    } },
    h('p', { class: 'faint' }, t('button.text')),
    h('div', { class: 'fields' }, field(t('setup.name'), name), field(t('button.source'), source),
        field(t('vehicle'), vehicle)),
    h('datalist', { id: 'button-sources' }, sources.map((one) => h('option', { value: one }))),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('button.make'))));
    return h('details', { class: 'new-button' },
        h('summary', null, t('button.title')), h('div', null, form, result));
}
