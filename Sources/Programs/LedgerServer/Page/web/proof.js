// Proof: the head of the log, who has seen it, and whether every entry is what the head commits to. This
// page hashes and checks signatures by itself; it believes nothing of the server but the bytes that it hashes.

import { Problem, bytes, get, lines, wordsOf } from './api.js';
import { announce, field, h, pairs, put, table, toast } from './dom.js';
import { count, moment, share, way } from './formats.js';
import {
    canCheck, checkSignatures, keepKeys, keptKeys, ownerVerdict, parseHead, parseKeys,
} from './signatures.js';
import {
    Frontier, TILE, canHash, fromBase64, fromHex, hashBundle, hashesOf, hex, isSame, pathOf, rootOfFirst,
} from './tree.js';
import { t } from './texts.js';

/** How many bundles are read ahead of the one that is hashed. */
const AHEAD = 4;
const MOST_CHANGES = 200;
/** A number that no log reaches: from there on there are no entries, only the head. */
const FAR = 2 ** 53 - 1;

/** What a checking says while the page is open, whichever view is shown. */
let checking = null;

const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Reads a tile; waits where it is asked to. */
async function read(path, signal) {
    for (;;) {
        try {
            return await bytes(path, signal);
        } catch (error) {
            if (!(error instanceof Problem) || error.status !== 429) throw error;
            await wait(2000);
        }
    }
}

/** What an entered head says: its size, and its root if that is there too. */
function parseEntered(text) {
    if (text.includes('\n')) return parseHead(`${text}\n`);
    const [, size, root] = /^([\d.,' ]+)(?::\s*([0-9a-f]{64}|[A-Za-z0-9+/]{43}=))?$/.exec(text) ?? [];
    if (!size) return null;
    return {
        size: Number(size.replace(/\D/g, '')),
        root: root ? (root.length === 64 ? fromHex(root) : fromBase64(root)) : null,
    };
}

const hash = (value) => h('code', { class: 'hash' }, typeof value === 'string' ? value : hex(value));

function headPart(now, signed) {
    const witness = signed?.signatures.filter(({ at }) => at).sort((a, b) => a.at.localeCompare(b.at)).at(-1);
    return h('section', null,
        h('h2', null, t('proof.head')),
        pairs([[t('proof.entries'), count(now.size)], [t('proof.root'), hash(now.root)]]),
        h('h2', null, t('proof.signed')),
        signed ? pairs([
            [t('proof.origin'), signed.origin],
            [t('proof.entries'), count(signed.size)],
            [t('proof.root'), hash(signed.root)],
            [t('proof.signers'),
                signed.signatures.filter(({ at }) => !at).map(({ name }) => name).join(', ')],
            [t('proof.witness'), witness ? `${witness.name}, ${moment(witness.at)}` : t('proof.nowitness')],
            [t('proof.after'), now.size > signed.size
                && t('proof.notsigned', { n: now.size - signed.size })],
        ].map(([term, value]) => [term, value || null]))
            : h('p', null, t('proof.unsigned'), ' ', h('code', null, 'ledger head --sign')));
}

/** Reads bundles of entries some ahead, in their order. */
function bundlesOf(signed, readTile) {
    const reading = [];
    let next = 0;
    return async () => {
        while (reading.length <= AHEAD && next * TILE < signed.size) {
            const path = pathOf('entries', next, signed.size);
            const bundle = readTile(path);
            // The code that waits for it gets the error.
            bundle.catch(() => {});
            reading.push(bundle);
            next += 1;
        }
        return reading.shift();
    };
}

/** Hashes every entry under the signed head, and tells how far it is. */
async function verify(signed, tell, signal) {
    const readTile = (path) => read(path, signal);
    const nextBundle = bundlesOf(signed, readTile);
    const blocks = Math.floor(signed.size / TILE);
    const frontier = new Frontier();
    let erased = 0;
    let above = [];
    for (let number = 0; number * TILE < signed.size; number += 1) {
        const bundle = await hashBundle(number, signed.size, await nextBundle(), readTile);
        erased += bundle.erased;
        if (number < blocks) {
            const row = Math.floor(number / TILE);
            if (number % TILE === 0) above = hashesOf(await readTile(pathOf(1, row, signed.size)));
            if (!isSame(bundle.root, above[number % TILE])) {
                return { isGood: false, at: await bundle.firstDiffering() };
            }
            await frontier.add(bundle.root, TILE);
        } else {
            for (const leaf of bundle.leaves) await frontier.add(leaf, 1);
        }
        tell(Math.min(signed.size, (number + 1) * TILE));
        if (signal.aborted) throw new DOMException('', 'AbortError');
    }
    const root = await frontier.root();
    return { isGood: isSame(root, signed.root), root, erased };
}

/** Begins a checking that goes on while other views are shown. */
function begin(signed) {
    const control = new AbortController();
    checking = { signed, control, done: 0, result: null, startedAt: Date.now() };
    const mine = checking;
    const change = () => window.dispatchEvent(new Event('checked'));
    verify(signed, (done) => { mine.done = done; change(); }, control.signal).then(async (result) => {
        mine.result = { ...result, owner: await canCheck() ? await ownerVerdict(signed, keptKeys()) : 'unchecked' };
        // The view says it by itself.
        if (document.querySelector('main.proof')) return;
        toast(t(result.isGood ? 'proof.good' : 'proof.bad', {
            n: signed.size, at: result.at ?? 0,
        }));
    }, (error) => {
        mine.result = { error: control.signal.aborted ? t('proof.stopped') : wordsOf(error) };
    }).then(change);
}

function verifyPart(signed, signal) {
    const part = h('section', { class: 'verify' });
    const bar = h('progress', { max: '1', value: '0', 'aria-label': t('proof.verify') });
    const words = h('p', { role: 'status' });
    const button = h('button', { type: 'button', class: 'main', onclick: () => {
        if (checking && !checking.result) checking.control.abort(); else begin(signed);
        draw();
    } });
    put(part, h('h2', null, t('proof.verify')), h('p', { class: 'faint' }, t('proof.verifytext')),
        bar, words, h('div', { class: 'buttons' }, button));

    function draw() {
        const isRunning = Boolean(checking && !checking.result);
        button.textContent = t(isRunning ? 'proof.stop' : checking ? 'proof.verifyagain' : 'proof.verifynow');
        bar.hidden = !isRunning;
        if (!checking) return;
        const { done, result } = checking;
        bar.value = done / checking.signed.size;
        if (isRunning) {
            words.textContent = `${share(bar.value)} · ${t('proof.sofar', {
                n: done, all: checking.signed.size })}`;
        } else if (result.error) {
            words.textContent = result.error;
        } else {
            put(words, t(result.isGood ? 'proof.good' : 'proof.bad', {
                n: checking.signed.size, at: result.at ?? 0,
            }), result.erased > 0 && ` ${t('proof.erased', { n: result.erased })}`,
            result.isGood && ` ${t(`signed.owner.${result.owner}`, { name: checking.signed.origin })}`);
        }
        const isBad = result && (!result.isGood || result.owner === 'wrong');
        words.className = isBad ? 'warning' : '';
    }
    window.addEventListener('checked', draw, { signal });
    draw();
    return part;
}

/** What the signatures of a head are, by keys, in words and a table. */
async function signatureReport(head, keys) {
    const found = await checkSignatures(head, keys);
    const has = (verdict, isOwner) =>
        found.some((one) => one.verdict === verdict && (!isOwner || one.isOwner));
    const sum = has('wrong') ? 'wrong' : has('right', true) ? 'right' : has('right') ? 'others' : 'none';
    const kind = ({ isWitness, isOwner }) =>
        t(isWitness ? 'signed.bywitness' : isOwner ? 'signed.byowner' : 'signed.byother');
    return [
        h('p', { class: sum === 'right' ? null : 'warning', 'data-sum': sum },
            t(`signed.sum.${sum}`, { name: head.origin })),
        table(t('signed.title'),
            [t('signed.key'), t('signed.as'), t('when'), t('signed.verdict')],
            found.map((one) => [
                `${one.name} (${one.id})`, kind(one), one.at ? moment(one.at) : '–',
                t(`signed.${one.verdict}`),
            ])),
    ];
}

/** Checks the signatures of the head with keys that are entered, and keeps the keys in this browser. */
async function signaturePart(signed) {
    const part = h('section', { class: 'signatures' }, h('h2', null, t('signed.title')));
    if (!await canCheck()) {
        part.append(h('p', { class: 'warning' }, t('signed.cannot'), ' ', h('code', null, 'ledger verify')));
        return part;
    }
    const text = h('textarea', {
        rows: '3', maxlength: 4000, autocomplete: 'off', spellcheck: 'false', value: keptKeys(),
    });
    const result = h('div', { 'aria-live': 'polite' });
    const check = async () => {
        const { keys, wrong } = await parseKeys(text.value);
        if (wrong.length > 0) {
            put(result, h('p', { class: 'warning' }, t('signed.nokey', { line: wrong[0].slice(0, 80) })));
            return;
        }
        keepKeys(keys.map((key) => key.text).join('\n'));
        if (keys.length === 0) {
            put(result, h('p', { class: 'faint' }, t('signed.nokeys')));
            return;
        }
        put(result, await signatureReport(signed, keys),
            pairs(keys.map(({ name, fingerprint }) =>
                [t('signed.fingerprint', { name }), h('code', { class: 'hash' }, fingerprint)])));
    };
    part.append(
        h('p', { class: 'faint' }, t('signed.text')),
        h('form', { onsubmit: (event) => {
            event.preventDefault();
            check();
        } }, field(t('signed.keys'), text, t('signed.keyshint')),
        h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('signed.check')))),
        result);
    await check();
    return part;
}

const nameOf = ({ kind, key, row }) =>
    (kind === 'trip' && row ? `${way(row)}, ${moment(row.started_at)}` : key);

async function changesPart(from, signal) {
    const { cursor } = await get('/v1/changes/latest-cursor', {}, signal);
    // The number in a cursor begins with the position that the view had read.
    const start = `${cursor.split('-')[0]}-${from * 2 ** 20}`;
    const query = { cursor: start, limit: MOST_CHANGES };
    const { items, has_more: hasMore } = await get('/v1/changes', query, signal);
    if (items.length === 0) return h('p', null, t('proof.nochanges'));
    return [
        table(t('proof.changes'), [t('proof.kind'), t('proof.name'), t('status')], items.map((item) => [
            t(`proof.${item.kind}`),
            item.kind === 'trip' && item.operation === 'put'
                ? h('a', { href: `#/trip/${item.key}` }, nameOf(item)) : nameOf(item),
            t(item.operation === 'put' ? 'proof.put' : 'proof.gone'),
        ])),
        hasMore && h('p', { class: 'faint' }, t('proof.morechanges', { n: MOST_CHANGES })),
    ];
}

/** Compares an older head with the signed one: both roots follow from the same hashes. */
async function compare(entered, signed, now, signal) {
    if (entered.size > now.size) {
        return h('p', { class: 'warning' }, t('proof.toolarge', { n: now.size }));
    }
    const parts = [];
    if (signed && entered.size <= signed.size && canHash()) {
        const kept = new Map();
        const readTile = async (path) => {
            if (!kept.has(path)) kept.set(path, await read(path, signal));
            return kept.get(path);
        };
        const whole = await rootOfFirst(signed.size, signed.size, readTile);
        const root = await rootOfFirst(entered.size, signed.size, readTile);
        const isBound = isSame(whole, signed.root);
        const isGood = isBound && (!entered.root || isSame(root, entered.root));
        parts.push(h('p', { class: isGood ? null : 'warning' }, t(
            !isBound ? 'proof.tilesbad'
                : !entered.root ? 'proof.computed' : isGood ? 'proof.grown' : 'proof.forked',
            { n: entered.size, all: signed.size })),
        pairs([[t('proof.rootthen'), hash(root)]]));
    } else {
        parts.push(h('p', null, t('proof.notcovered')));
    }
    if (entered.signatures && await canCheck()) {
        const { keys } = await parseKeys(keptKeys());
        if (keys.length > 0) parts.push(await signatureReport(entered, keys));
    }
    return [...parts, await changesPart(entered.size, signal)];
}

function sincePart(signed, now, signal) {
    const remembered = localStorage.getItem('head') ?? '';
    // A whole head has lines.
    const text = h('textarea', {
        required: true, rows: '2', autocomplete: 'off', spellcheck: 'false', value: remembered, maxlength: 4000,
    });
    const result = h('div', { class: 'since', 'aria-live': 'polite' });
    const keep = () => {
        localStorage.setItem('head', `${now.size}:${now.root}`);
        text.value = localStorage.getItem('head');
        announce(t('proof.kept'));
    };
    return h('section', null,
        h('h2', null, t('proof.since')),
        h('form', { class: 'since-head', onsubmit: async (event) => {
            event.preventDefault();
            const entered = parseEntered(text.value.trim());
            if (!entered) { put(result, h('p', { class: 'warning' }, t('proof.notahead'))); return; }
            put(result, h('p', { class: 'faint' }, t('reading')));
            try {
                put(result, await compare(entered, signed, now, signal));
            } catch (error) {
                if (!signal.aborted) put(result, h('p', { class: 'warning' }, wordsOf(error)));
            }
        } },
        field(t('proof.older'), text, t('proof.olderhint')),
        h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('proof.compare')),
            h('button', { type: 'button', onclick: keep }, t('proof.keep')))),
        result);
}

export async function show({ main, signal }) {
    const [rows, signed] = await Promise.all([
        lines(`/v1/log?from=${FAR}&limit=1`, signal),
        bytes('/log/checkpoint', signal).then(
            // A mark of the byte order is a part of the text, if one is there.
            (note) => parseHead(new TextDecoder('utf-8', { ignoreBOM: true }).decode(note)),
            (error) => {
                if (error instanceof Problem && error.status === 404) return null;
                throw error;
            },
        ),
    ]);
    if (signal.aborted) return;
    const now = rows.at(-1);
    const signatures = signed && await signaturePart(signed);
    if (signal.aborted) return;
    const sheet = h('div', { class: 'sheet' }, headPart(now, signed), signatures,
        signed && (canHash() ? verifyPart(signed, signal) : h('p', { class: 'warning' }, t('proof.nohash'))),
        sincePart(signed, now, signal));
    main.append(sheet);
}
