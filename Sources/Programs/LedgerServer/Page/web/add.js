// Adding things: a file of another app, a trip that no device recorded, something that was paid.

import { may } from './api.js';
import { expenseForm, tripForm } from './byhand.js';
import { h } from './dom.js';
import { makeDropPart } from './dropfile.js';
import { takeDropped } from './dropzone.js';
import { t } from './texts.js';

export async function show({ main, signal }) {
    if (!may('admin', 'edit')) {
        main.append(h('p', null, t('add.notallowed')));
        return;
    }
    const [trip, expense] = await Promise.all([tripForm(), expenseForm()]);
    if (signal.aborted) return;
    const files = makeDropPart(signal);
    main.append(h('div', { class: 'sheet' }, h('p', null, t('drop.text')), files.element,
        h('details', { class: 'by-hand trip' }, h('summary', null, t('add.trip')), trip),
        h('details', { class: 'by-hand expense' }, h('summary', null, t('add.expense')), expense)));
    const takeFile = () => {
        const file = takeDropped();
        if (file) files.take(file);
    };
    window.addEventListener('filedropped', takeFile, { signal });
    takeFile();
}
