// The page of one report that was handed out, for those who have its link. It checks by itself that what it
// shows is what the log says was handed out, and who has signed that. It knows no session.

import { h, put, toast } from './dom.js';
import { count, moment, shortDay } from './formats.js';
import { languageCode, has, startLanguage, t } from './texts.js';
import { checkEntry, digestOf, readProof } from './entryproof.js';
import { save } from './keepfile.js';
import { canCheck, checkSignatures, keptKeys, ownerVerdict, parseKeys } from './signatures.js';
import { canHash, isSame, fromHex } from './tree.js';

const main = document.getElementById('main');
const path = location.pathname.replace(/\/$/, '');
/** The states of a check, the worst first. */
const STATES = ['bad', 'open', 'good'];

/** Asks for a part of the link; null if the link is of no use. */
async function ask(part) {
    const answer = await fetch(`${path}/${part}`, { cache: 'no-store', credentials: 'omit' });
    if (answer.ok) return answer;
    let detail = '';
    try { detail = (await answer.json()).detail ?? ''; } catch { /* Something in between says it otherwise. */ }
    throw Object.assign(new Error(detail || `HTTP ${answer.status}`), { status: answer.status });
}

/** The key that came with the link, behind the sign that no server is told. */
function givenKey() {
    try {
        return decodeURIComponent(location.hash.slice(1));
    } catch {
        return '';
    }
}

/**
 * Whether the owner has signed a head: by the keys of that name that this browser keeps, whatever key the
 * link brings; if it keeps none, by that one.
 */
async function ownerOf(head) {
    if (!await canCheck()) return 'cannot';
    const { keys } = await parseKeys(keptKeys());
    const kept = (await checkSignatures(head, keys.filter(({ name }) => name === head.origin)))
        .filter(({ isOwner }) => isOwner).map(({ verdict }) => verdict);
    const known = ['wrong', 'right', 'missing'].find((verdict) => kept.includes(verdict));
    if (known) return known === 'missing' ? 'another' : known;
    return ownerVerdict(head, givenKey());
}

const check = (state, words) => ({ state, words });

/** What is found of the bytes, the entry, the proof and the signatures, each in words. */
async function findings(about, bytes) {
    if (!canHash()) return [check('open', t('handed.nohash'))];
    const found = [];
    const isHandedOut = isSame(await digestOf(bytes), fromHex(about.output_hash));
    found.push(check(isHandedOut ? 'good' : 'bad', t(isHandedOut ? 'handed.same' : 'handed.other')));
    let lines = [];
    try {
        lines = (await (await ask('proof')).text()).split('\n').filter(Boolean).map((line) => JSON.parse(line));
    } catch (error) {
        // Nothing was signed yet, or not since it was handed out.
        if (error.status !== 404) throw error;
    }
    const proof = readProof(lines);
    if (!proof) return [...found, check('open', t('handed.unsigned'))];
    const { head } = proof;
    const says = await checkEntry(proof, about.output_hash);
    found.push(check(says.isNamed ? 'good' : 'bad',
        t(says.isNamed ? 'handed.named' : 'handed.notnamed', { at: count(proof.position) })));
    found.push(check(says.isIncluded ? 'good' : 'bad',
        t(says.isIncluded ? 'handed.included' : 'handed.notincluded', { n: head.size, name: head.origin })));
    const owner = await ownerOf(head);
    found.push(check({ right: 'good', wrong: 'bad' }[owner] ?? 'open',
        t(`handed.owner.${owner}`, { name: head.origin })));
    const witness = head.signatures.filter(({ at }) => at).sort((a, b) => a.at.localeCompare(b.at)).at(-1);
    // There is no key of a witness here, so that this says nothing for or against.
    if (witness) found.push(check('said', t('handed.witness', { name: witness.name, time: moment(witness.at) })));
    return found;
}

/** The sum of all findings, above them. */
function verdictPart(found) {
    const worst = STATES.find((state) => found.some((one) => one.state === state));
    return [
        h('p', { class: 'verdict', role: 'status', 'data-state': worst },
            h('span', { class: 'light', 'data-state': worst, 'aria-hidden': 'true' }), t(`handed.sum.${worst}`)),
        h('ol', { class: 'checks' }, found.map(({ state, words }) => h('li', { 'data-state': state },
            h('span', { class: 'light', 'data-state': state, 'aria-hidden': 'true' }), words))),
    ];
}

const STYLE = /<style\b[^>]*>[\s\S]*?<\/style>/gi;
/** Markup without its styles, which a parser of this page would not take. */
const bare = (markup) => markup.replace(STYLE, '').replaceAll(' style="', ' data-style="');
const stylesOf = (markup) => (markup.match(STYLE) ?? []).join('');

/** Whether a frame shows the very bytes that were hashed: it has asked for them by itself. */
function showsSame(frame, text, isMarkup) {
    const shown = frame.contentDocument;
    if (!shown) return false;
    if (!isMarkup) return shown.body.textContent.trimEnd() === text.trimEnd();
    const markup = shown.documentElement.outerHTML;
    const read = new DOMParser().parseFromString(bare(text), 'text/html');
    return bare(markup) === read.documentElement.outerHTML && stylesOf(markup) === stylesOf(text);
}

/** Shows the report in a frame of its own, unless it is something to be kept as a file. */
function framePart(about, bytes, changed) {
    if (!['html', 'text'].includes(about.format)) return null;
    const frame = h('iframe', { class: 'report', src: `${path}/file`, title: t('report') });
    frame.addEventListener('load', () => {
        const isMarkup = about.format === 'html';
        if (!showsSame(frame, new TextDecoder().decode(bytes), isMarkup)) {
            changed();
            return;
        }
        const { body } = frame.contentDocument;
        frame.style.height = `${Math.ceil(body.scrollHeight) + 40}px`;
    });
    return frame;
}

const nameOf = ({ report }) => (has(`report.${report}`) ? t(`report.${report}`) : report);

async function show() {
    document.documentElement.lang = languageCode();
    const title = h('h1', { tabindex: '-1' }, t('handed.title'));
    put(main, title, h('p', { class: 'faint', role: 'status' }, t('handed.checking')));
    const about = await (await ask('about')).json();
    const name = `${nameOf(about)}, ${shortDay(about.first_day)} – ${shortDay(about.last_day)}`;
    document.title = name;
    const bytes = new Uint8Array(await (await ask('file')).arrayBuffer());
    const checks = h('section', { class: 'about-it' });
    let found = await findings(about, bytes);
    const draw = () => put(checks, verdictPart(found));
    const frame = framePart(about, bytes, () => {
        found = [...found, check('bad', t('handed.othershown'))];
        frame.remove();
        draw();
    });
    const ending = { text: 'txt' }[about.format] ?? about.format ?? 'txt';
    const keep = () => save(bytes, `${about.report}-${about.id}.${ending}`, 'application/octet-stream');
    draw();
    put(main, title, checks,
        h('p', { class: 'faint about-it' }, [
            t('handed.as', { name: about.id, time: moment(about.issued_at) }), name, about.actor,
        ].filter(Boolean).join(', ')),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', class: 'main', onclick: keep }, t('handed.keep')),
            frame && h('button', { type: 'button', onclick: () => {
                try {
                    frame.contentWindow.print();
                } catch (error) {
                    toast(error.message);
                }
            } }, t('print'))),
        frame);
}

await startLanguage();
show().catch((error) => {
    const isOver = [401, 404].includes(error.status);
    put(main, h('h1', { tabindex: '-1' }, t('handed.title')),
        h('p', { class: 'warning', role: 'alert' }, isOver ? t('handed.over') : t('handed.failed', { why: error.message })));
});
