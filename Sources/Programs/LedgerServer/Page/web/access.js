// Access: tokens, links and the sessions of browsers, with who made each, and how to end it.

import { get, remove, wordsOf } from './api.js';
import { dialog, h, put, redraw, table, toast } from './dom.js';
import { moment, shortDay, word } from './formats.js';
import { t } from './texts.js';

/** Asks before access ends; resolves to the query of the request that ends it, or to null. */
function askToRevoke(token) {
    return new Promise((resolve) => {
        let answer = null;
        const isSession = token.use === 'session' || token.use === 'login';
        const everything = h('input', { type: 'checkbox' });
        const shown = dialog(t(isSession ? 'access.end' : 'access.revoke'),
            h('p', null, t(isSession ? 'access.endtext' : 'access.revoketext', { name: token.name })),
            h('label', { class: 'check' }, everything, t(isSession ? 'access.all' : 'access.made')),
            h('div', { class: 'buttons' },
                h('button', { type: 'button', class: 'danger', onclick: () => {
                    answer = isSession && !everything.checked
                        ? { name: token.name, created_at: token.created_at }
                        : { name: token.name, made: everything.checked ? 'revoke' : 'keep' };
                    shown.close();
                } }, t(isSession ? 'access.end' : 'access.revoke')),
                h('button', { type: 'button', onclick: () => shown.close() }, t('cancel'))));
        shown.addEventListener('close', () => resolve(answer));
    });
}

/** What a token is for, in words. */
const powers = ({ scopes, sources, group }) => [
    scopes.map((scope) => word('scope', scope)).join(', '), sources.join(', '), group,
].filter(Boolean).join(' · ');

const lastUse = (token) => (token.last_used === null ? t('setup.never') : shortDay(token.last_used));

function rowOf(token, revoke) {
    return [
        token.name, word('use', token.use), powers(token), moment(token.created_at),
        token.made_by ?? t('access.owner'), lastUse(token),
        token.expires_at === null ? t('access.noend') : moment(token.expires_at),
        h('button', {
            type: 'button', onclick: () => revoke(token),
            'aria-label': `${t('access.revoke')}: ${token.name}, ${word('use', token.use)}`,
        }, `${t('access.revoke')}…`),
    ];
}

/** Shows what has access now; tokens that were revoked or have expired are only counted. */
export async function accessPart(holder, signal) {
    const items = [];
    let cursor = null;
    do {
        const page = await get('/v1/tokens', { limit: 1000, cursor }, signal);
        items.push(...page.items);
        cursor = page.has_more ? page.next_cursor : null;
    } while (cursor);
    if (signal.aborted) return;
    const revoke = async (token) => {
        const query = await askToRevoke(token);
        if (query === null) return;
        try {
            await remove('/v1/tokens', query);
            toast(t('saved'));
            await accessPart(holder, signal);
        } catch (error) {
            if (!signal.aborted) toast(error.detail || wordsOf(error));
        }
    };
    const alive = items.filter(({ state }) => state === 'valid')
        .sort((a, b) => b.created_at.localeCompare(a.created_at));
    const over = items.length - alive.length;
    redraw(() => [holder], () => put(holder,
        alive.length === 0 ? h('p', null, t('access.none')) : table(t('access.title'),
            [t('setup.name'), t('access.use'), t('access.may'), t('access.madeat'), t('access.madeby'),
                t('access.lastuse'), t('access.until'), ''],
            alive.map((token) => rowOf(token, revoke))),
        over > 0 && h('p', { class: 'faint' }, t('access.over', { n: over }))));
}
