// Files for other programs: the trips of a list, a day or a year, or the positions of one trip.

import { queryText } from './api.js';
import { dialog, h, toast } from './dom.js';
import { languageCode, t } from './texts.js';

/** The forms by their names; those that have no text here are called the same everywhere. */
const NAMES = { gpx: 'GPX', kml: 'KML', geojson: 'GeoJSON' };
const OF_LIST = ['excel', 'csv', 'ics', 'gpx', 'kml', 'geojson'];
const OF_TRIP = ['gpx', 'kml', 'geojson', 'csv'];
/** The filters that files have too. */
const FILTERS = ['trip', 'from', 'to', 'class', 'vehicle', 'place', 'text'];

function addressOf(form, query) {
    const parameters = new URLSearchParams([['form', form], ...query]);
    if (form === 'excel') parameters.set('language', languageCode());
    return `/v1/exports?${queryText(parameters)}`;
}

/** Offers the forms as links. */
function offer(query) {
    if ([...query.keys()].some((name) => !FILTERS.includes(name))) {
        toast(t('export.filters'));
        return;
    }
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
