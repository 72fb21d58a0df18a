// The link that lets the next browser in, made by a page that is signed in.

import { post, wordsOf } from './api.js';
import { choice, field, h, put } from './dom.js';
import { clock } from './formats.js';
import { copyButton, codeImage } from './secrets.js';
import { t } from './texts.js';

const RIGHTS = ['same', 'edit', 'read'];

/** What was made: the code to scan, and the link; both are shown once. */
function madePart(made, close) {
    return h('div', { class: 'card setup' },
        h('h3', { tabindex: '-1' }, t('setup.made', { name: made.name })),
        h('p', { class: 'warning' }, t('next.once', { time: clock(made.expires_at) })),
        codeImage(made.qr_svg),
        h('pre', null, made.link),
        h('div', { class: 'buttons' }, copyButton(made.link),
            h('button', { type: 'button', onclick: close }, t('setup.done'))));
}

/** The form that makes a link. */
export function nextLinkPart(changed) {
    const name = h('input', { maxlength: 64, autocomplete: 'off' });
    const rights = choice(RIGHTS.map((one) => [one, t(`next.${one}`)]), 'same');
    const result = h('div', { 'aria-live': 'polite' });
    const form = h('form', { onsubmit: async (event) => {
        event.preventDefault();
        const said = name.value.trim();
        try {
            const answer = await post('/v1/links', {
                url: location.origin, rights: rights.value, ...(said ? { name: said } : {}),
            });
            put(result, madePart(await answer.json(), () => put(result)));
            result.querySelector('h3').focus();
            form.reset();
            changed();
        } catch (error) {
            put(result, h('p', { class: 'warning' }, error.detail || wordsOf(error)));
        }
    } },
    h('p', { class: 'faint' }, t('next.text')),
    h('div', { class: 'fields' }, field(t('next.who'), name, t('next.whohint')),
        field(t('next.rights'), rights)),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('next.make'))));
    return h('details', { class: 'next-link' }, h('summary', null, t('next.title')), h('div', null, form, result));
}
