// The classes of trips, their keys, and how one is chosen.

import { dialog, h } from './dom.js';
import { word } from './formats.js';
import { t } from './texts.js';

/** The key of each class. */
export const classKeys = {
    b: 'business', c: 'commute', p: 'personal', m: 'medical', h: 'charity', v: 'moving', x: 'mixed',
    u: 'unclassified',
};

export const classes = Object.values(classKeys);

/** The countries whose rates trips can be claimed by. */
export const jurisdictions = ['us', 'gb', 'ca', 'nl', 'de', 'at', 'au', 'fr'];

/** Asks for a class. */
export function chooseClass(current, then) {
    const shown = dialog(t('class'),
        h('div', { class: 'choices' }, Object.entries(classKeys).map(([key, code]) => h('button', {
            type: 'button', class: `class-${code}`, 'aria-pressed': String(code === current),
            onclick: () => { shown.close(); then(code); },
        }, h('span', null, word('class', code)), h('kbd', { 'aria-hidden': 'true' }, key)))),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => shown.close() }, t('cancel'))));
    shown.addEventListener('keydown', (event) => {
        const code = classKeys[event.key];
        if (!code || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        shown.close();
        then(code);
    });
}
