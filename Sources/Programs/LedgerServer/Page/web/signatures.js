// The signatures of a head, checked here: C2SP signed-note and tlog-cosignature, Ed25519 by the browser.

import { fromBase64, hex, isSame } from './tree.js';

/** What a key signs: the head, or as a witness the head and a time. */
const [HEAD, WITNESS] = [1, 4];
const ID_BYTES = 4;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const PUBLIC_BYTES = 32;
const MOST_SIGNATURES = 100;

const utf8 = (text) => new TextEncoder().encode(text);
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const importKey = (bytes) =>
    crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify']);

/** The base point of the curve (RFC 8032): a browser that knows Ed25519 takes it as a key. */
const PROBE = Uint8Array.from({ length: PUBLIC_BYTES }, (_, index) => (index === 0 ? 0x58 : 0x66));
let isKnown = null;

/** Whether this browser checks Ed25519, and does so for this page. */
export async function canCheck() {
    if (!globalThis.crypto?.subtle) return false;
    isKnown ??= importKey(PROBE).then(() => true, () => false);
    return isKnown;
}

/** The bytes of a line of base 64 that is written as it has to be, or null. */
function strictBase64(text) {
    try {
        const bytes = fromBase64(text);
        return base64(bytes) === text ? bytes : null;
    } catch {
        return null;
    }
}

/**
 * Reads a verifier key, as `ledger key show` and `ledger witness show` print it: name+id+base64.
 *
 * Returns null if it is none; the id is computed again.
 */
export async function parseKey(text) {
    const [, name, id, rest] = /^([^+\s]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text.trim()) ?? [];
    const bytes = rest ? strictBase64(rest) : null;
    if (!bytes || bytes.length !== 1 + PUBLIC_BYTES || ![HEAD, WITNESS].includes(bytes[0])) return null;
    const hashed = await sha256(Uint8Array.from([...utf8(name), 0x0a, ...bytes]));
    if (hex(hashed.subarray(0, ID_BYTES)) !== id) return null;
    const digest = await sha256(utf8(text.trim()));
    const number = (index) => String(digest[2 * index] * 256 + digest[2 * index + 1]).padStart(5, '0');
    return {
        name, id, isWitness: bytes[0] === WITNESS, publicKey: bytes.subarray(1), text: text.trim(),
        /** What `ledger key show` prints, for comparing by voice. */
        fingerprint: Array.from({ length: 8 }, (_, index) => number(index)).join(' '),
    };
}

/** A line of a signature: whose it is by its own words, and its bytes; null if it is none. */
function parseSignature(line) {
    const [, name, text] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? [];
    const blob = text ? strictBase64(text) : null;
    if (!blob || blob.length <= ID_BYTES) return null;
    const isWitness = blob.length === ID_BYTES + TIME_BYTES + SIGNATURE_BYTES;
    const time = isWitness ? blob.subarray(ID_BYTES, ID_BYTES + TIME_BYTES) : [];
    const seconds = time.reduce((sum, byte) => sum * 256 + byte, 0);
    // Beyond this, JavaScript has no date.
    const hasDate = isWitness && seconds < 8.64e12;
    return {
        name, id: hex(blob.subarray(0, ID_BYTES)), isWitness, seconds,
        at: hasDate ? new Date(seconds * 1000).toISOString() : null,
        bytes: blob.subarray(ID_BYTES + (isWitness ? TIME_BYTES : 0)),
    };
}

/** The text of a note, and the signatures below it (C2SP signed-note); null if it is none. */
export function parseNote(note) {
    const end = note.lastIndexOf('\n\n');
    // Only line feeds are allowed of all control characters.
    if (end < 0 || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return null;
    const lines = note.slice(end + 2, -1).split('\n');
    const signatures = lines.length > MOST_SIGNATURES ? [null] : lines.map(parseSignature);
    return signatures.includes(null) ? null : { text: note.slice(0, end + 1), signatures };
}

/** The parts of a head that was signed: origin, size and root, with the note's text; null if it is none. */
export function parseHead(note) {
    const parts = parseNote(note);
    if (!parts) return null;
    const [origin, size, text] = parts.text.slice(0, -1).split('\n');
    const root = strictBase64(text ?? '');
    if (!origin || !/^(0|[1-9]\d{0,15})$/.test(size ?? '') || root?.length !== 32) return null;
    return { ...parts, origin, size: Number(size), root };
}

async function isRight({ text }, signature, key) {
    if (signature.bytes.length !== SIGNATURE_BYTES) return false;
    const message = key.isWitness ? `cosignature/v1\ntime ${signature.seconds}\n${text}` : text;
    try {
        const imported = await importKey(key.publicKey);
        return await crypto.subtle.verify({ name: 'Ed25519' }, imported, signature.bytes, utf8(message));
    } catch {
        return false;
    }
}

/**
 * Checks the signatures of a head with keys.
 *
 * Returns what was found, in the order of the signatures, then keys without one: `verdict` is `right`,
 * `wrong`, `unknown` (no such key was given) or `missing`.
 */
export async function checkSignatures(head, keys) {
    const found = [];
    for (const signature of head.signatures) {
        const candidates = keys.filter(({ name, id }) => name === signature.name && id === signature.id);
        let verdict = candidates.length > 0 ? 'wrong' : 'unknown';
        for (const key of candidates) {
            if (key.isWitness === signature.isWitness && await isRight(head, signature, key)) verdict = 'right';
        }
        found.push({ ...signature, verdict, isOwner: !signature.isWitness && signature.name === head.origin });
    }
    const isSigned = (key) => head.signatures.some(({ name, id }) => name === key.name && id === key.id);
    for (const key of keys.filter((one) => !isSigned(one))) {
        found.push({ ...key, at: null, verdict: 'missing', isOwner: !key.isWitness && key.name === head.origin });
    }
    return found;
}

/** Whether the owner of the log has signed a head, by keys as text: `right`, `wrong` or `unchecked`. */
export async function ownerVerdict(head, text) {
    const { keys } = await parseKeys(text);
    const verdicts = (await checkSignatures(head, keys)).filter(({ isOwner }) => isOwner)
        .map(({ verdict }) => verdict);
    return ['wrong', 'right'].find((one) => verdicts.includes(one)) ?? 'unchecked';
}

const KEPT = 'verifier-keys';

/** The keys that were given to this browser, as text: one on each line. */
export const keptKeys = () => localStorage.getItem(KEPT) ?? '';

/** Keeps keys in this browser; no text forgets them. */
export function keepKeys(text) {
    if (text) localStorage.setItem(KEPT, text);
    else localStorage.removeItem(KEPT);
}

/** Reads keys, one on each line; `wrong` has the lines that are none. */
export async function parseKeys(text) {
    const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
    const read = await Promise.all(lines.map(parseKey));
    const keys = read.filter((key, index) => key
        && read.findIndex((one) => one && isSame(utf8(one.text), utf8(key.text))) === index);
    return { keys, wrong: lines.filter((_, index) => !read[index]) };
}
