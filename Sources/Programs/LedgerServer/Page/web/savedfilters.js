// Filters of the list of trips that a reader has named, kept in this browser.

import { ask } from './ask.js';
import { dialog, field, h, put, toast } from './dom.js';
import { t } from './texts.js';

const KEY = 'saved-filters';
const MOST = 30;

/** The saved filters, in the order of their names; what is none of them is left out. */
function read() {
    try {
        const all = JSON.parse(localStorage.getItem(KEY) ?? '[]');
        return all.filter(({ name, query }) => typeof name === 'string' && typeof query === 'string');
    } catch {
        return [];
    }
}

const write = (all) => localStorage.setItem(KEY, JSON.stringify(all));

/** Asks for a name; resolves to it, or to null. */
function askForName() {
    return new Promise((resolve) => {
        let answer = null;
        const name = h('input', { required: true, maxlength: 60, autocomplete: 'off' });
        const shown = dialog(t('filters.save'), h('form', { onsubmit: (event) => {
            event.preventDefault();
            answer = name.value.trim() || null;
            shown.close();
        } },
        field(t('setup.name'), name),
        h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('save')),
            h('button', { type: 'button', onclick: () => shown.close() }, t('cancel')))));
        shown.addEventListener('close', () => resolve(answer));
    });
}

/**
 * The saved filters as buttons, and one that saves those that are chosen now.
 *
 * @param current returns the query of the filters that are chosen
 * @param apply gets the query of those that were pressed
 */
export function savedFilters(current, apply) {
    const holder = h('div', { class: 'saved-filters' });
    async function save() {
        const query = current();
        const name = query ? await askForName() : null;
        if (!query) toast(t('filters.nothing'));
        if (name === null) return;
        const all = [...read().filter((one) => one.name !== name), { name, query }];
        write(all.sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST));
        draw();
    }
    async function forgetOne(name) {
        const answer = await ask({
            title: t('filters.forget'), text: [t('filters.forgettext', { name })], action: t('filters.forget'),
        });
        if (answer === null) return;
        write(read().filter((one) => one.name !== name));
        draw();
    }
    function draw() {
        put(holder,
            read().map(({ name, query }) => [
                h('button', { type: 'button', class: 'saved-filter', onclick: () => apply(query) }, name),
                h('button', {
                    type: 'button', class: 'quiet', 'aria-label': `${t('filters.forget')}: ${name}`,
                    onclick: () => forgetOne(name),
                }, '×'),
            ]),
            h('button', { type: 'button', class: 'quiet save-filter', onclick: save }, `${t('filters.save')}…`));
    }
    draw();
    return holder;
}
