// Law of the page's elements: no text of the ledger turns what stands beside it. Run by page_direction.py
// with the address of dom.js; the elements are stand-ins that keep what they are given.

class Node {}
class Element extends Node {
    constructor(tag, space) { super(); Object.assign(this, { tagName: tag, namespaceURI: space, kids: [], said: {} }); }
    append(child) { this.kids.push(child); }
    setAttribute(name, value) { this.said[name] = value; }
    replaceChildren() { this.kids = []; }
}
globalThis.Node = Node;
globalThis.document = {
    createElement: (tag) => new Element(tag.toUpperCase(), 'html'),
    createElementNS: (space, tag) => new Element(tag, space),
};
// A browser's own, of which the texts are made.
globalThis.localStorage = { getItem: () => null };
Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] }, configurable: true });
const { apart, h, shown, svg } = await import(process.argv[2]);
const wrong = [];
const TURNING = '\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069';
const wordsOf = (node) => (node instanceof Node ? node.textContent ?? node.kids.map(wordsOf).join('') : node);
for (const mark of TURNING) {
    const name = `Depot${mark} 12`;
    for (const made of [h('p', { title: name, 'aria-label': name }, name, [name]), svg('text', null, name), h('option', null, name)]) {
        const seen = [wordsOf(made), ...Object.values(made.said)].join(' ');
        if ([...TURNING].some((one) => seen.includes(one))) wrong.push(`U+${mark.codePointAt(0).toString(16)} in ${made.tagName}`);
    }
}
const [hebrew, plain] = h('p', null, 'בית', 'Depot').kids;
if (hebrew.tagName !== 'BDI' || hebrew.textContent !== 'בית') wrong.push('a name from right to left is not by itself');
if (plain !== 'Depot') wrong.push('a plain name is no text');
if (h('option', null, 'בית').kids[0] !== 'בית') wrong.push('an option holds an element');
const [first, arrow, last] = h('p', null, `${apart('בית')} → ${apart('Work')}`).kids;
if (first?.tagName !== 'BDI' || arrow !== ' → Work' || last) wrong.push('a name turns the way round');
const words = shown(`${apart('בית')} → ${apart('עבודה')}, 12 km`);
if (words !== '\u2068בית\u2069 → \u2068עבודה\u2069, 12 km') wrong.push(`names in a title are ${words}`);
if (apart(words) !== words) wrong.push('a way in a sentence is marked twice');
if (shown(apart('ב\u202Eb')).includes('\u202E')) wrong.push('a mark is left over');
const { value, said } = h('input', { value: 'a\u202Eb' });
if (value !== 'a\u202Eb' || 'value' in said) wrong.push('what is typed is changed');
console.log(JSON.stringify(wrong));
