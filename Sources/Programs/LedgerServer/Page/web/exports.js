// Files for other programs: the trips of a list, a day or a year, or one trip with its positions.

import { queryText } from './api.js';
import { dialog, h } from './dom.js';
import { languageCode, t } from './texts.js';

/** The forms by their names; those that have no text here are called the same everywhere. */
const NAMES = { gpx: 'GPX', kml: 'KML', geojson: 'GeoJSON' };
const OF_LIST = ['excel', 'csv', 'ics', 'gpx', 'kml', 'geojson'];
const OF_TRIP = ['gpx', 'kml', 'geojson', 'csv', 'excel', 'ics'];
/** The filters of lists, which files have too; what else stands in an address is no choice of trips. */
const FILTERS = ['trip', 'from', 'to', 'class', 'vehicle', 'place', 'source', 'status', 'text'];

function addressOf(form, query) {
    const chosen = [...query].filter(([name, value]) => FILTERS.includes(name) && value);
    const parameters = new URLSearchParams([['form', form], ...chosen]);
    if (form === 'excel') parameters.set('language', languageCode());
    return `/v1/exports?${queryText(parameters)}`;
}

/** Offers the forms as links. */
function offer(query) {
    const forms = query.has('trip') ? OF_TRIP : OF_LIST;
    const shown = dialog(t('export.title'),
        h('ul', { class: 'plain exports' }, forms.map((form) => h('li', null, h('a', {
            class: 'button', href: addressOf(form, query), download: '', onclick: () => shown.close(),
        }, NAMES[form] ?? t(`export.${form}`))))),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'main', onclick: () => shown.close() }, t('close'))));
}

/**
 * A button that offers files.
 *
 * @param queryOf returns what they are about: filters of the list, or `trip`
 */
export const exportButton = (queryOf) => h('button', {
    type: 'button', class: 'quiet export', 'aria-haspopup': 'dialog',
    onclick: () => offer(new URLSearchParams(queryOf())),
}, `${t('export.title')}…`);
