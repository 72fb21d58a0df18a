// Setting a phone up: a token of its own, as a code to scan and a link to open. Both are shown once.

import { decide, get, may, post, remove, wordsOf } from './api.js';
import { ask } from './ask.js';
import { announce, choice, field, figures, h, pairs, put, table, toast } from './dom.js';
import { ago, count, duration, meters, moment, shortDay } from './formats.js';
import { codeImage, copyButton } from './secrets.js';
import { languageCode, t } from './texts.js';

const APPS = [
    ['owntracks', 'OwnTracks'], ['overland', 'Overland'], ['traccar', 'Traccar Client'], ['colota', 'Colota'],
    ['gpslogger', 'GPSLogger'], ['osmand', 'OsmAnd'],
];

/** Apps that open a link of their own. */
const LINKED = ['owntracks', 'overland', 'colota'];

/** How long between two looks at whether a phone that was set up has delivered, in milliseconds. */
const PAUSE = 3000;

/** How a device records, as a sentence; nothing if it has delivered no position. */
function recordingText(recording) {
    if (recording === null) return null;
    const apart = recording.meters === null ? '' : `${t('setup.moving', {
        way: meters(recording.meters), time: duration(recording.seconds),
    })} `;
    return apart + t(`setup.quality.${recording.verdict}`);
}

/** What is known of a phone that was set up: looked at again and again while it is shown. */
function checkPart(name, signal) {
    const element = h('p', { class: 'check' }, t('setup.waiting'));
    let hasArrived = false;
    async function look() {
        if (signal.aborted || !element.isConnected) return;
        try {
            const { items } = await get('/v1/devices', { limit: 1000 }, signal);
            const device = items.find(({ token }) => token === name);
            if (device && device.last_contact !== null) {
                const text = t('setup.arrived', {
                    time: ago(Date.now() - Date.parse(device.last_contact)),
                });
                put(element, [text, recordingText(device.recording)].filter(Boolean).join(' '));
                // Said once: the time goes on and is read by those who look.
                if (!hasArrived) announce(text);
                hasArrived = true;
            }
        } catch (error) {
            if (!signal.aborted) put(element, wordsOf(error));
        }
        if (!signal.aborted) setTimeout(look, PAUSE);
    }
    setTimeout(look, PAUSE);
    return element;
}

/** What was made: the steps, the code, the link, the values, and whether something has arrived. */
function madePart(made, close, signal) {
    const heading = h('h3', { tabindex: '-1' }, t('setup.made', { name: made.name }));
    return h('div', { class: 'card setup' },
        heading,
        h('p', { class: 'warning' }, t('setup.once')),
        h('ol', null, made.steps.map((step) => h('li', null, step))),
        made.qr_svg && codeImage(made.qr_svg),
        made.link && h('pre', null, LINKED.includes(made.app)
            ? h('a', { href: made.link, class: 'setup-link' }, made.link) : made.link),
        h('h4', null, t('setup.values')),
        pairs(made.values.map(({ setting, value }) => [t(`setup.value.${setting}`), [
            h('code', null, value), ' ',
            copyButton(value, `${t('setup.copyone')}: ${t(`setup.value.${setting}`)}`),
        ]]), { class: 'values' }),
        (made.remarks ?? []).map((remark) => h('p', { class: 'faint' }, remark)),
        checkPart(made.name, signal),
        h('div', { class: 'buttons' },
            made.link && copyButton(made.link),
            h('button', { type: 'button', onclick: close }, t('setup.done'))));
}

/** The form that makes a token for a phone, or what it takes to be shown it. */
export function setupPart(signal, changed) {
    if (!may('admin')) return h('p', { class: 'faint new-device' }, t('setup.needs'));
    const name = h('input', { required: true, maxlength: 64, autocomplete: 'off', placeholder: 'phone' });
    const app = choice(APPS, 'owntracks');
    const dense = h('input', { type: 'checkbox' });
    // OwnTracks alone takes it from an answer how it is to record.
    const denseChoice = h('label', { class: 'check' }, dense, t('setup.dense'));
    app.addEventListener('change', () => { denseChoice.hidden = app.value !== 'owntracks'; });
    const result = h('div', { 'aria-live': 'polite' });
    const form = h('form', { onsubmit: async (event) => {
        event.preventDefault();
        try {
            const answer = await post('/v1/devices', {
                name: name.value.trim(), app: app.value, url: location.origin,
                language: languageCode(),
                ...(dense.checked && app.value === 'owntracks' ? { dense: 'on-trips' } : {}),
            });
            put(result, madePart(await answer.json(), () => put(result), signal));
            changed();
            result.querySelector('h3').focus();
            form.reset();
            denseChoice.hidden = app.value !== 'owntracks';
        } catch (error) {
            put(result, h('p', { class: 'warning' }, error.detail || wordsOf(error)));
        }
    } },
    h('p', { class: 'faint' }, t('setup.text')),
    h('div', { class: 'fields' }, field(t('setup.name'), name), field(t('setup.app'), app), denseChoice),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('setup.make'))));
    return h('details', { class: 'new-device' },
        h('summary', null, t('setup.title')), h('div', null, form, result));
}

/** Has the rules that the ledger adopted of itself replaced by those of a phone with a motion sensor. */
async function replaceRules(source) {
    const answer = await ask({
        title: t('setup.otherrules'), action: t('setup.otherrules'),
        text: [t('setup.otherrulestext', { name: source })],
    });
    if (answer === null) return false;
    await decide([{ type: 'rules_adopted', preset: 'phone', applies_to: source }]);
    return true;
}

/** A device as a row of the table. */
function deviceRow(item, revoke) {
    return [
        item.token, (item.app ?? '–').split(' ')[0],
        item.last_contact === null
            ? (item.last_day === null ? t('setup.never') : shortDay(item.last_day))
            : h('time', { datetime: item.last_contact, title: moment(item.last_contact) },
                ago(Date.now() - Date.parse(item.last_contact))),
        item.battery_percent === null ? '–' : `${count(item.battery_percent)} %`, count(item.deliveries),
        count(item.refused), recordingText(item.recording) ?? '–',
        may('admin') && item.made_at !== null && h('button', {
            type: 'button', 'aria-label': `${t('setup.revoke')}: ${item.token}`,
            onclick: () => revoke(item),
        }, `${t('setup.revoke')}…`),
    ];
}

/** What delivers, or was set up to and never did, by its tokens. */
export async function heardPart(holder, signal) {
    const { items } = await get('/v1/devices', { limit: 200 }, signal);
    /** Does something about a device, and shows what is so then. */
    const doing = async (action) => {
        try {
            if (!await action()) return;
            toast(t('saved'));
            await heardPart(holder, signal);
        } catch (error) {
            toast(error.detail || wordsOf(error));
        }
    };
    const revoke = (item) => doing(async () => {
        const answer = await ask({
            title: t('setup.revoke'), action: t('setup.revoke'), isDangerous: true,
            text: [t('setup.revoketext', { name: item.token })],
        });
        if (answer === null) return false;
        await remove('/v1/devices', { name: item.token });
        return true;
    });
    // A browser that wrote with its session is not a device.
    const devices = items.filter(({ door }) => door === null || !door.startsWith('/v1'));
    put(holder, devices.length > 0 && table(t('setup.heard'),
        [t('setup.name'), t('setup.app'), t('devices.heard'), figures(t('setup.battery')), figures(t('setup.deliveries')),
            figures(t('devices.refused')), t('setup.recording'), ''],
        devices.map((item) => deviceRow(item, revoke))),
    devices.filter((item) => item.silent_since !== null).map((item) => h('p', { class: 'warning silent' },
        t('devices.silent', { name: item.sources[0], time: moment(item.silent_since) }))),
    devices.filter((item) => item.device_ids.length > 0).map((item) => h('p', { class: 'warning' },
        t('devices.several', { name: item.token, devices: item.device_ids.join(', ') }))),
    devices.filter((item) => item.adopted_preset !== null).map((item) => h('p', { class: 'faint' },
        t('setup.adopted', { name: item.sources[0] }), ' ',
        may('admin') && h('button', {
            type: 'button', onclick: () => doing(() => replaceRules(item.sources[0])),
        }, `${t('setup.otherrules')}…`))),
    devices.filter((item) => item.makes_room !== null).map((item) => h('p', { class: 'warning' },
        t('devices.full', { name: item.token }), ' ', h('code', null, item.makes_room))));
}
