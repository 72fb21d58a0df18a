// The proof that an entry is in the log of a signed head, checked here: C2SP tlog-proof.

import { parseHead } from './signatures.js';
import { fromBase64, fromHex, isIncluded } from './tree.js';

const TITLE = 'c2sp.org/tlog-proof@v1';

/** The SHA-256 of bytes. */
export const digestOf = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** Reads a proof file: the position, the hashes that lead to the root, and the head; null if it is none. */
function parseProof(text) {
    const end = text.indexOf('\n\n');
    const lines = text.slice(0, Math.max(0, end)).split('\n');
    if (lines.shift() !== TITLE) return null;
    if (lines[0]?.startsWith('extra ')) lines.shift();
    const index = /^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1];
    const head = parseHead(text.slice(end + 2));
    if (index === undefined || !head) return null;
    try {
        return { position: Number(index), path: lines.map(fromBase64), head };
    } catch {
        return null;
    }
}

/** The first proof among the lines of an answer, with its entry; null if there is none. */
export function readProof(lines) {
    const line = lines.find(({ proof }) => proof);
    const proof = line ? parseProof(line.proof) : null;
    return proof && { ...proof, entry: fromBase64(line.entry_base64) };
}

/** Whether bytes stand in others, one after another. */
function stands(part, whole) {
    for (let at = 0; at + part.length <= whole.length; at += 1) {
        if (part.every((byte, index) => whole[at + index] === byte)) return true;
    }
    return false;
}

/** The kind of entries that say that a report was handed out: the ledger's own, which no one can send. */
const REPORT_ISSUED = 0x36;

/** The kind of an entry, which stands behind its length: one byte, or a 0 and two. */
const kindOf = (entry) => entry[entry[0] === 0 ? 3 : 1];

/**
 * Whether the entry says that a report with a hash was handed out, and whether the proof leads from it to
 * the root of the head. Any other kind of entry may hold the hash as well: in a note, say.
 */
export async function checkEntry({ entry, position, path, head }, hash) {
    const holdsHash = stands(fromHex(hash), entry) || stands(new TextEncoder().encode(hash), entry);
    return {
        isNamed: kindOf(entry) === REPORT_ISSUED && holdsHash,
        isIncluded: await isIncluded(entry, position, head.size, path, head.root),
    };
}
