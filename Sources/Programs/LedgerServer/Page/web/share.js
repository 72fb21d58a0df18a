// Links by which others see something without signing in: one trip while it goes on, without places, names
// and other trips; or one report that was handed out.

import { get, may, post, remove, wordsOf } from './api.js';
import { dialog, h, put, toast } from './dom.js';
import { moment } from './formats.js';
import { t } from './texts.js';

const wordsFor = (error) => error.detail || wordsOf(error);

/** The links that still let in, each with a button that ends it; `isMeant` chooses among them. */
export async function sharesPart(holder, isMeant) {
    const { items } = await get('/v1/shares', { limit: 100 });
    const valid = items.filter((one) => one.state === 'valid' && isMeant(one));
    const end = async ({ name }) => {
        try {
            await remove('/v1/shares', { name });
            await sharesPart(holder, isMeant);
        } catch (error) {
            toast(wordsFor(error));
        }
    };
    put(holder, valid.length > 0 && h('h3', null, t('share.valid')), h('ul', { class: 'plain' },
        valid.map((one) => h('li', null,
            `${one.name}, ${t('share.until', { time: moment(one.expires_at) })} `,
            may('admin') && h('button', {
                type: 'button', 'aria-label': `${t('share.end')}: ${one.name}`, onclick: () => end(one),
            }, t('share.end'))))),
    valid.length > 0 && !may('admin') && h('p', { class: 'faint' }, t('share.needs')));
}

async function copy(link) {
    try {
        if (navigator.share) await navigator.share({ url: link });
        else { await navigator.clipboard.writeText(link); toast(t('setup.copied')); }
    } catch (error) {
        if (error.name !== 'AbortError') toast(error.message);
    }
}

/** A link that was just made, to scan and to copy: it is shown this once. */
export const linkPart = ({ path, link = location.origin + path, qr_svg: code, expires_at: end }) => [
    h('p', { class: 'warning' }, t('share.once')),
    code && h('img', { class: 'code', alt: t('setup.code'), src: `data:image/svg+xml,${encodeURIComponent(code)}` }),
    h('pre', { tabindex: '0' }, link),
    h('p', { class: 'faint' }, t('share.until', { time: moment(end) })),
    h('div', { class: 'buttons' },
        h('button', { type: 'button', class: 'main', onclick: () => copy(link) }, t('setup.copy'))),
];

async function share(trip) {
    const result = h('div', { 'aria-live': 'polite' });
    const others = h('div');
    const isOfTrip = (one) => one.use === 'share';
    const make = async () => {
        try {
            put(result, linkPart(await (await post('/v1/shares', { trip, url: location.origin })).json()));
            result.querySelector('button').focus();
            await sharesPart(others, isOfTrip);
        } catch (error) {
            put(result, h('p', { class: 'warning' }, wordsFor(error)));
        }
    };
    const shown = dialog(t('share.title'), h('p', null, t('share.text')), result, others,
        h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'main', onclick: make }, t('share.make')),
            h('button', { type: 'button', onclick: () => shown.close() }, t('close'))));
    sharesPart(others, isOfTrip).catch((error) => put(others, h('p', { class: 'warning' }, wordsFor(error))));
}

/** The button for a trip that goes on, for those who may make a link. */
export const shareButton = (trip) => may('edit', 'admin') &&
    h('button', { type: 'button', class: 'share', onclick: () => share(trip) }, `${t('share.title')}…`);
