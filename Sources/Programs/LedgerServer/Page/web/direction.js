// Texts of the ledger beside each other: none turns the words, arrows and figures of another.

// Opens or closes an embedding, an override or an isolate (UAX #9): it would turn what follows.
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

// Is written from right to left.
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

// A whole isolate with nothing of the kind in it turns nothing outside.
const [OPEN, SHUT] = ['\u2068', '\u2069'];
const APART = /\u2068([^\u202A-\u202E\u2066-\u2069]*)\u2069/;

const harmless = (text) => text.replace(TURNING, '\uFFFD');

/** A text of the ledger as it is shown: nothing in it turns the words and figures beside it. */
export const shown = (text) => String(text).split(APART)
    .map((part, index) => (index % 2 === 1 ? `${OPEN}${part}${SHUT}` : harmless(part))).join('');

/** A name that is to stand in a text: by itself if it is written from right to left. */
export function apart(name) {
    const text = String(name);
    if (!RIGHT_TO_LEFT.test(text) || APART.test(text)) return shown(text);
    return `${OPEN}${harmless(text)}${SHUT}`;
}

/** The parts of a text, and which are names apart. A text that is one name need not be marked as such. */
export function partsOf(text) {
    const parts = String(text).split(APART);
    return parts.map((part, index) => ({
        words: harmless(part),
        isApart: index % 2 === 1 || (parts.length === 1 && RIGHT_TO_LEFT.test(part)),
    })).filter(({ words }) => words !== '');
}
