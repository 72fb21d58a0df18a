// The seal: how much of the log this browser has checked by itself, when, and who signed it. It is checked
// in the background; entries that were checked before are not read again.

import { Problem, bytes } from './api.js';
import { h, put } from './dom.js';
import { ago, moment } from './formats.js';
import { canCheck, keptKeys, ownerVerdict, parseHead } from './signatures.js';
import {
    Frontier, TILE, canHash, fromHex, hashBundle, hashesOf, hex, isSame, pathOf,
} from './tree.js';
import { t } from './texts.js';

const KEPT = 'seal';
/** What was checked so long ago is checked anew from the first entry on, in milliseconds. */
const OLD = 7 * 24 * 3600 * 1000;
/** Between two bundles others may ask, in milliseconds. */
const PAUSE = 30;
const BUSY = 2000;
/** How many bundles are read between two looks at who else waits. */
const TOGETHER = 4;

let running = null;

const wait = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const tell = () => window.dispatchEvent(new Event('sealed'));

/** Reads a tile; waits while the server has more to do than to answer. */
async function read(path) {
    for (;;) {
        try {
            return await bytes(path);
        } catch (error) {
            if (!(error instanceof Problem) || error.status !== 429) throw error;
            await wait(BUSY);
        }
    }
}

/** What this browser keeps of its last check; null if it keeps none. */
export function keptSeal() {
    try {
        return JSON.parse(localStorage.getItem(KEPT));
    } catch {
        return null;
    }
}

const keep = (seal) => {
    localStorage.setItem(KEPT, JSON.stringify(seal));
    tell();
};

/** Forgets the check: whoever signs in next has to check it himself. */
export const forgetSeal = () => localStorage.removeItem(KEPT);

/** The full subtrees that were checked before, if they are of this log and not too old. */
function frontierOf(seal, signed) {
    const frontier = new Frontier();
    const isUsable = seal?.isGood && seal.origin === signed.origin && seal.blocks * TILE <= signed.size
        && Date.now() - seal.wholeAt < OLD;
    if (!isUsable) return { frontier, from: 0, erased: 0, wholeAt: Date.now() };
    frontier.parts = seal.parts.map(([hash, size]) => ({ hash: fromHex(hash), size }));
    return { frontier, from: seal.blocks, erased: seal.erased, wholeAt: seal.wholeAt };
}

const rootWith = async (frontier, leaves) => {
    const whole = new Frontier();
    whole.parts = [...frontier.parts];
    for (const leaf of leaves) await whole.add(leaf, 1);
    return whole.root();
};

/** Hashes the entries under a head that were not hashed before; returns the seal that follows. */
async function check(signed, seal) {
    const { frontier, from, wholeAt, ...before } = frontierOf(seal, signed);
    let { erased } = before;
    const blocks = Math.floor(signed.size / TILE);
    const base = { size: signed.size, origin: signed.origin, at: Date.now(), wholeAt };
    let above = [];
    for (let number = from; number < blocks; number += 1) {
        if (number % TILE === 0 || above.length === 0) {
            above = hashesOf(await read(pathOf(1, Math.floor(number / TILE), signed.size)));
        }
        const bundle = await hashBundle(number, signed.size,
            await read(pathOf('entries', number, signed.size)), read);
        if (!isSame(bundle.root, above[number % TILE])) {
            return { ...base, isGood: false, first: await bundle.firstDiffering() };
        }
        erased += bundle.erased;
        await frontier.add(bundle.root, TILE);
        running = { done: (number + 1) * TILE, all: signed.size };
        if (number % TOGETHER === 0) {
            tell();
            await wait(PAUSE);
        }
    }
    const rest = signed.size % TILE === 0 ? { leaves: [], erased: 0 } : await hashBundle(blocks, signed.size,
        await read(pathOf('entries', blocks, signed.size)), read);
    const isGood = isSame(await rootWith(frontier, rest.leaves), signed.root);
    // What was kept may have been of another log of this name: then the whole log is hashed.
    if (!isGood && from > 0) return check(signed, null);
    return {
        ...base, isGood, first: null, blocks, erased, owner: await ownerOf(signed),
        parts: frontier.parts.map(({ hash, size }) => [hex(hash), size]),
    };
}

/** Whether the owner has signed the head, by the keys that this browser keeps. */
const ownerOf = async (head) => (await canCheck() ? ownerVerdict(head, keptKeys()) : 'unchecked');

/** The last head that was signed; null if there is none. */
export async function signedHead(signal) {
    try {
        const note = await bytes('/log/checkpoint', signal);
        return parseHead(new TextDecoder('utf-8', { ignoreBOM: true }).decode(note));
    } catch (error) {
        if (error instanceof Problem && [403, 404].includes(error.status)) return null;
        throw error;
    }
}

/** Checks in the background what was signed since the last check; nothing happens twice at once. */
export async function seal(signed) {
    if (running || !signed || !canHash() || navigator.connection?.saveData) return;
    running = { done: 0, all: signed.size };
    try {
        keep(await check(signed, keptSeal()));
    } catch { /* Without the server nothing can be checked; the next visit does it. */ } finally {
        running = null;
        tell();
    }
}

/** The seal in words. */
export function sealPart(signal) {
    const words = h('span');
    const link = h('a', { class: 'seal', href: '#/proof' }, h('span', { class: 'light', 'aria-hidden': 'true' }),
        words);
    const draw = () => {
        const kept = keptSeal();
        link.hidden = !kept && !running;
        link.dataset.state = kept && (!kept.isGood || kept.owner === 'wrong') ? 'bad'
            : running ? 'running' : 'good';
        if (kept && !kept.isGood) {
            put(words, t('proof.bad', { at: kept.first ?? 0 }));
        } else if (running) {
            put(words, t('seal.running', { n: running.done, all: running.all }));
        } else if (kept) {
            put(words, t('seal.checked', { n: kept.size, ago: ago(Date.now() - kept.at) }), ' ',
                kept.owner === 'wrong' ? t('signed.owner.wrong', { name: kept.origin })
                    : t(`seal.${kept.owner === 'right' ? 'signed' : 'named'}`, { name: kept.origin }));
            link.title = moment(new Date(kept.at).toISOString());
        }
    };
    window.addEventListener('sealed', draw, { signal });
    const timer = setInterval(draw, 30000);
    signal.addEventListener('abort', () => clearInterval(timer));
    draw();
    return link;
}
