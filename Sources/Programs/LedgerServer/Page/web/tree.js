// The Merkle tree of the log, computed here: RFC 6962 hashes over the tiles of C2SP tlog-tiles.

export const TILE = 256;
const HASH_BYTES = 32;
const TOMBSTONE_BYTES = 44;

/** Whether this browser hashes for this page: it does so only over HTTPS or on the machine itself. */
export const canHash = () => Boolean(globalThis.crypto?.subtle);

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** SHA-256 of a byte and what comes after it: 0 for a leaf, 1 for a node. */
function prefixed(byte, ...parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 1));
    bytes[0] = byte;
    let at = 1;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return sha256(bytes);
}

const leafHash = (entry) => prefixed(0, entry);
const nodeHash = (left, right) => prefixed(1, left, right);

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** The root over hashes of equally large subtrees that are full, in their order; pairs at once. */
async function rootOfFull(hashes) {
    let level = hashes;
    while (level.length > 1) {
        const pairs = [];
        for (let index = 0; index < level.length; index += 2) {
            pairs.push(nodeHash(level[index], level[index + 1]));
        }
        level = await Promise.all(pairs);
    }
    return level[0];
}

/** The full subtrees of a tree that grows: one for each bit of its size, the largest first. */
export class Frontier {
    parts = [];

    /** Adds a full subtree; what is there already is a multiple of its size. */
    async add(hash, size) {
        let part = { hash, size };
        while (this.parts.at(-1)?.size === part.size) {
            const left = this.parts.pop();
            part = { hash: await nodeHash(left.hash, part.hash), size: 2 * part.size };
        }
        this.parts.push(part);
    }

    async root() {
        if (this.parts.length === 0) return sha256(new Uint8Array());
        let root = this.parts.at(-1).hash;
        for (const { hash } of this.parts.slice(0, -1).reverse()) root = await nodeHash(hash, root);
        return root;
    }
}

/** The number of a tile as a path: 1234067 is x001/x234/067. */
function tilePath(number) {
    const groups = [String(number % 1000).padStart(3, '0')];
    for (let rest = Math.floor(number / 1000); rest > 0; rest = Math.floor(rest / 1000)) {
        groups.unshift(`x${String(rest % 1000).padStart(3, '0')}`);
    }
    return groups.join('/');
}

/** The path of a tile under a head of so many entries; `kind` is a level or `entries`. */
export function pathOf(kind, number, size) {
    const level = kind === 'entries' ? 0 : kind;
    const width = Math.floor(size / TILE ** level) - number * TILE;
    return `/log/tile/${kind}/${tilePath(number)}${width < TILE ? `.p/${width}` : ''}`;
}

/** The hashes of a tile. */
export function hashesOf(bytes) {
    return Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, index) =>
        bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES));
}

/** The entries of a bundle: each has its length before it, the higher byte first. */
function entriesOf(bytes) {
    const entries = [];
    let at = 0;
    while (at + 2 <= bytes.length) {
        const length = bytes[at] * 256 + bytes[at + 1];
        if (at + 2 + length > bytes.length) break;
        entries.push(bytes.subarray(at + 2, at + 2 + length));
        at += 2 + length;
    }
    return entries;
}

/** An erased entry has its leaf hash in its last bytes; a withheld one is empty. */
const isErased = (entry) => entry.length === 0
    || (entry.length === TOMBSTONE_BYTES && entry[0] === TOMBSTONE_BYTES && entry[1] === 0);

/** Whether two hashes are the same. */
export const isSame = (a, b) =>
    Boolean(a && b) && a.length === b.length && a.every((byte, index) => byte === b[index]);

/**
 * Whether hashes lead from an entry to the root of a log (RFC 9162, 2.1.3.2).
 *
 * @param position of the entry, and `size` of the log, both below 2⁵³
 */
export async function isIncluded(entry, position, size, path, root) {
    if (position >= size) return false;
    let [index, last] = [position, size - 1];
    let hash = await leafHash(entry);
    const rise = () => { [index, last] = [Math.floor(index / 2), Math.floor(last / 2)]; };
    for (const other of path) {
        if (last === 0) return false;
        if (index % 2 === 1 || index === last) {
            hash = await nodeHash(other, hash);
            while (index % 2 === 0 && index !== 0) rise();
        } else {
            hash = await nodeHash(hash, other);
        }
        rise();
    }
    return last === 0 && isSame(hash, root);
}

/** The root of the first so many leaves, from tiles of a head with `size` entries. */
export async function rootOfFirst(count, size, read) {
    const frontier = new Frontier();
    const blocks = Math.floor(count / TILE);
    for (let number = 0; number * TILE < blocks; number += 1) {
        const hashes = hashesOf(await read(pathOf(1, number, size)));
        for (const hash of hashes.slice(0, blocks - number * TILE)) await frontier.add(hash, TILE);
    }
    if (count % TILE > 0) {
        const hashes = hashesOf(await read(pathOf(0, blocks, size)));
        // A full tile is bound to the head by the hash above it.
        if (hashes.length === TILE) {
            const above = hashesOf(await read(pathOf(1, Math.floor(blocks / TILE), size)))[blocks % TILE];
            if (!isSame(above, await rootOfFull(hashes))) throw new Error(`tile 0/${blocks}`);
        }
        for (const hash of hashes.slice(0, count % TILE)) await frontier.add(hash, 1);
    }
    return frontier.root();
}

/**
 * Hashes a bundle of entries; tells its leaves, how many were erased, and the first that differs.
 *
 * @param read reads tiles of hashes, where they are needed
 */
export async function hashBundle(number, size, bundle, read) {
    const count = Math.min(TILE, size - number * TILE);
    const entries = entriesOf(bundle);
    const erased = entries.filter(isErased).length;
    let stored = null;
    const storedAt = async (index) => {
        stored ??= hashesOf(await read(pathOf(0, number, size)));
        return stored[index];
    };
    const leaves = await Promise.all(entries.slice(0, count).map((entry, index) =>
        (isErased(entry) ? storedAt(index) : leafHash(entry))));
    const isComplete = leaves.length === count;
    const root = isComplete && count === TILE ? await rootOfFull(leaves) : null;
    return {
        leaves, erased, root,
        /** The position of the first entry whose hash is not the one of the tile. */
        async firstDiffering() {
            if (!isComplete) return number * TILE + leaves.length;
            for (const [index, leaf] of leaves.entries()) {
                if (!isSame(leaf, await storedAt(index))) return number * TILE + index;
            }
            return number * TILE;
        },
    };
}
