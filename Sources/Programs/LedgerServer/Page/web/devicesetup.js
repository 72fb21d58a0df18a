// Setting a phone up: a token of its own, as a code to scan and a link to open. Both are shown once.

import { get, may, post, remove, wordsOf } from './api.js';
import { ask } from './ask.js';
import { choice, field, h, put, table, toast } from './dom.js';
import { ago, count, moment } from './formats.js';
import { t } from './texts.js';

const APPS = [
    ['owntracks', 'OwnTracks'], ['overland', 'Overland'], ['traccar', 'Traccar Client'], ['colota', 'Colota'],
    ['gpslogger', 'GPSLogger'], ['osmand', 'OsmAnd'],
];

/** Apps that open a link of their own. */
const LINKED = ['owntracks', 'overland', 'colota'];

/** What was made: the code, the link, and what is to be known of it. */
function madePart(made, close) {
    const heading = h('h3', { tabindex: '-1' }, t('setup.made', { name: made.name }));
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(made.link);
            toast(t('setup.copied'));
        } catch (error) {
            toast(error.message);
        }
    };
    return h('div', { class: 'card setup' },
        heading,
        h('p', { class: 'warning' }, t('setup.once')),
        made.qr_svg && h('img', {
            class: 'code', alt: t('setup.code'),
            src: `data:image/svg+xml,${encodeURIComponent(made.qr_svg)}`,
        }),
        h('p', null, t(LINKED.includes(made.app) ? 'setup.open'
            : made.app === 'traccar' ? 'setup.traccar' : 'setup.address')),
        made.link && h('pre', null, made.link),
        (made.remarks ?? []).map((remark) => h('p', { class: 'faint' }, remark)),
        h('div', { class: 'buttons' },
            made.link && navigator.clipboard
                && h('button', { type: 'button', onclick: copy }, t('setup.copy')),
            h('button', { type: 'button', onclick: close }, t('setup.done'))));
}

/** The form that makes a token for a phone, or what it takes to be shown it. */
export function setupPart() {
    if (!may('admin')) return h('p', { class: 'faint new-device' }, t('setup.needs'));
    const name = h('input', { required: true, maxlength: 64, autocomplete: 'off', placeholder: 'phone' });
    const app = choice(APPS, 'owntracks');
    const result = h('div', { 'aria-live': 'polite' });
    const form = h('form', { onsubmit: async (event) => {
        event.preventDefault();
        try {
            const answer = await post('/v1/devices', {
                name: name.value.trim(), app: app.value, url: location.origin,
            });
            put(result, madePart(await answer.json(), () => put(result)));
            result.querySelector('h3').focus();
            form.reset();
        } catch (error) {
            put(result, h('p', { class: 'warning' }, error.detail || wordsOf(error)));
        }
    } },
    h('p', { class: 'faint' }, t('setup.text')),
    h('div', { class: 'fields' }, field(t('setup.name'), name), field(t('setup.app'), app)),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('setup.make'))));
    return h('details', { class: 'new-device' },
        h('summary', null, t('setup.title')), h('div', null, form, result));
}

/** What has delivered since the server was started, by its tokens. */
export async function heardPart(holder, signal) {
    const { items } = await get('/v1/devices', { limit: 200 }, signal);
    const revoke = async (item) => {
        const answer = await ask({
            title: t('setup.revoke'), action: t('setup.revoke'), isDangerous: true,
            text: [t('setup.revoketext', { name: item.token })],
        });
        if (answer === null) return;
        try {
            await remove('/v1/devices', { name: item.token });
            toast(t('saved'));
            await heardPart(holder, signal);
        } catch (error) {
            toast(error.detail || wordsOf(error));
        }
    };
    // A browser that wrote with its session is not a device.
    const devices = items.filter(({ door }) => !door.startsWith('/v1'));
    put(holder, devices.length > 0 && table(t('setup.heard'),
        [t('setup.name'), t('setup.app'), t('devices.heard'), t('setup.battery'), t('setup.deliveries'),
            t('devices.refused'), ''],
        devices.map((item) => [
            item.token, (item.app ?? '–').split(' ')[0],
            h('time', { datetime: item.last_contact, title: moment(item.last_contact) },
                ago(Date.now() - Date.parse(item.last_contact))),
            item.battery_percent === null ? '–' : `${count(item.battery_percent)} %`, count(item.deliveries),
            count(item.refused),
            may('admin') && h('button', {
                type: 'button', 'aria-label': `${t('setup.revoke')}: ${item.token}`,
                onclick: () => revoke(item),
            }, `${t('setup.revoke')}…`),
        ])), devices.filter((item) => item.makes_room !== null).map((item) => h('p', { class: 'warning' },
        t('devices.full', { name: item.token }), ' ', h('code', null, item.makes_room))));
}
