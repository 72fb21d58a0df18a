// Asking before something is decided: what will happen, and why it is done.

import { dialog, field, h } from './dom.js';
import { t } from './texts.js';

/**
 * Asks, and resolves to the reason that was given, or to null if it is not to be done.
 *
 * @param about `title`, `text` (paragraphs of what will happen), `action` (what the button says),
 *   `why` (`required`, `optional`, or none to ask for), `isDangerous`
 */
export function ask({ title, text, action, why, isDangerous }) {
    return new Promise((resolve) => {
        let answer = null;
        const reason = why && h('input', {
            maxlength: 1000, autocomplete: 'off', required: why === 'required',
        });
        const form = h('form', { onsubmit: (event) => {
            event.preventDefault();
            answer = reason?.value.trim() ?? '';
            shown.close();
        } },
        text.filter(Boolean).map((part) => (part instanceof Node ? part : h('p', null, part))),
        reason && field(t('correct.why'), reason, t('correct.whyhint')),
        h('div', { class: 'buttons' },
            h('button', { class: isDangerous ? 'danger' : 'main' }, action),
            h('button', { type: 'button', onclick: () => shown.close() }, t('cancel'))));
        const shown = dialog(title, form);
        shown.addEventListener('close', () => resolve(answer));
    });
}

/**
 * Shows what was seen and what is stored now; resolves to whether to decide all the same, or to null if
 * neither was chosen.
 *
 * @param title what was changed, and `text` what can be done, if it is not one trip
 */
export function askAboutVersions(rows, title = t('conflict.title'), text = null) {
    return new Promise((resolve) => {
        let goesOn = null;
        const choose = (value) => { goesOn = value; shown.close(); };
        const shown = dialog(title, text && h('p', null, text),
            h('table', { class: 'versions' },
                h('thead', null, h('tr', null, ['conflict.field', 'conflict.seen', 'conflict.theirs']
                    .map((key) => h('th', { scope: 'col' }, t(key))))),
                h('tbody', null, rows.map(([name, seen, now]) => h('tr', null,
                    h('th', { scope: 'row' }, name), h('td', null, seen), h('td', null, now))))),
            h('div', { class: 'buttons' },
                h('button', { type: 'button', class: 'main', onclick: () => choose(false) },
                    t('conflict.keeptheirs')),
                h('button', { type: 'button', onclick: () => choose(true) }, t('conflict.allthesame'))));
        shown.addEventListener('close', () => resolve(goesOn));
    });
}
