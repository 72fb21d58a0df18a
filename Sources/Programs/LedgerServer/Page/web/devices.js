// Devices: when each source was heard last, and what was delivered that could be no event.

import { get, status, wordsOf } from './api.js';
import { figures, h, put, table } from './dom.js';
import { ago, count, moment, word } from './formats.js';
import { buttonPart } from './buttonsetup.js';
import { heardPart, setupPart } from './devicesetup.js';
import { t } from './texts.js';

/** The kept text of an item, as much as can be read at a glance. */
const excerpt = (item) => (item.content ?? item.content_base64 ?? '').slice(0, 400);

function refusedItem(item) {
    return h('li', { class: 'card' },
        h('p', null, h('strong', null, item.reason)),
        h('p', { class: 'faint' },
            `${moment(item.received_at)} · ${item.source} · ${item.door} · ${item.code}`,
            item.may_pass_later && ` · ${t('devices.later')}`),
        h('details', null, h('summary', null, t('devices.content', { n: item.bytes })),
            h('pre', null, excerpt(item))));
}

export async function show({ main, signal }) {
    const now = await status(signal);
    if (signal.aborted) return;
    // A source that only set rules from the beginning on is no device: its time is that of GPS' beginning.
    const sources = now.sources.filter(({ latest_at: latest }) => latest >= '1980-01-07')
        .sort((a, b) => b.latest_at.localeCompare(a.latest_at));
    main.append(
        sources.length === 0 ? h('p', null, t('devices.none'))
            : table(t('devices.sources'),
                [t('source'), t('devices.heard'), t('devices.when'), t('status'), figures(t('devices.events'))],
                sources.map((source) => [
                    h('a', { href: `#/trips?source=${encodeURIComponent(source.source)}` }, source.source),
                    ago(Date.now() - Date.parse(source.latest_at)), moment(source.latest_at),
                    word('phase', source.phase), count(source.events),
                ])));
    const heard = h('div');
    const showHeard = () => heardPart(heard, signal).catch((error) => {
        if (!signal.aborted) put(heard, h('p', { class: 'warning' }, wordsOf(error)));
    });
    // A trip has a way if its source has positions: that of a button is such a one as a rule.
    const located = sources.filter(({ last_position: position }) => position).map(({ source }) => source);
    const buttons = await buttonPart(located, showHeard);
    if (signal.aborted) return;
    main.append(setupPart(signal, showHeard), buttons ?? '', heard);
    showHeard();
    const list = h('ul', { class: 'plain' });
    const end = h('div', { class: 'buttons' });
    main.append(
        h('h2', null, t('devices.refused')), h('p', { class: 'faint' }, t('devices.refusedtext')), list, end);
    let cursor = null;
    async function more() {
        try {
            const page = await get('/v1/refused', { limit: 50, cursor }, signal);
            cursor = page.has_more ? page.next_cursor : null;
            list.append(...page.items.map(refusedItem));
            put(end, list.children.length === 0 && h('p', null, t('devices.nothing')),
                cursor && h('button', { type: 'button', onclick: more }, t('more')));
        } catch (error) {
            if (!signal.aborted) put(end, h('p', { class: 'warning' }, wordsOf(error)));
        }
    }
    await more();
}
