// Making elements. Text of the ledger becomes text nodes, never HTML: nothing in it can be markup.

import { partsOf, shown } from './direction.js';
import { wordsOf } from './failures.js';

export { apart, shown } from './direction.js';

const SVG = 'http://www.w3.org/2000/svg';

// Attributes that are seen or heard.
const WORDS = new Set(['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'label', 'placeholder']);

// In these a text is all there can be.
const PLAIN = new Set(['OPTION', 'TITLE', 'TEXTAREA', 'STYLE']);

/** A text as children: each name from right to left by itself, so that arrows and figures stay where they are. */
function textNodes(element, text) {
    if (PLAIN.has(element.tagName) || element.namespaceURI === SVG) return [shown(text)];
    return partsOf(text).map(({ words, isApart }) => {
        if (!isApart) return words;
        const name = document.createElement('bdi');
        name.textContent = words;
        return name;
    });
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else if (name === 'value' || name === 'checked') element[name] = value;
        else if (WORDS.has(name)) element.setAttribute(name, value === true ? '' : shown(value));
        else element.setAttribute(name, value === true ? '' : value);
    }
    append(element, children);
    return element;
}

/** Appends children: nodes, texts, numbers, lists of these; null and false are left out. */
export function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        for (const part of child instanceof Node ? [child] : textNodes(element, child)) element.append(part);
    }
}

/** Makes an HTML element; attributes that begin with `on` are listeners. */
export const h = (tag, attributes, ...children) =>
    fill(document.createElement(tag), attributes, children);

/** Makes an SVG element. */
export const svg = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

/** Puts other children in place of those of an element. */
export function put(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

let labels = 0;

/** A control with its label; `field(text, input)`. A hint stands below it and describes it. */
export function field(label, control, hint) {
    const id = `field-${labels += 1}`;
    control.id = id;
    if (hint) control.setAttribute('aria-describedby', `${id}-hint`);
    return h('div', { class: 'field' },
        h('label', { for: id }, label),
        control,
        hint && h('small', { id: `${id}-hint` }, hint));
}

/** A list to choose from; options are pairs of value and text. */
export function choice(options, value, attributes) {
    const select = h('select', attributes, options.map(([code, text]) =>
        h('option', { value: code }, text)));
    select.value = value ?? '';
    return select;
}

/** Pairs of terms and values; those without a value are left out. */
export function pairs(rows, attributes) {
    return h('dl', attributes, rows
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))));
}

/** The head of a column of numbers, which stand below one another in a table. */
export const figures = (head) => ({ head });

/**
 * A table that can be moved sideways where it is too wide, also by keys.
 *
 * @param heads texts, and `figures` where numbers stand
 * @param sums the cells of a last row, if all but the first column are numbers
 */
export function table(caption, heads, rows, sums = null) {
    const kinds = heads.map((head) => (typeof head === 'object' ? 'number' : null));
    const row = (cells) => h('tr', null, cells.map((cell, index) =>
        (index === 0 ? h('th', { scope: 'row' }, cell) : h('td', { class: kinds[index] }, cell))));
    return h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption },
        h('table', { class: sums ? 'numbers' : null },
            h('caption', null, caption),
            h('thead', null, h('tr', null, heads.map((head, index) =>
                h('th', { scope: 'col', class: kinds[index] }, head.head ?? head)))),
            h('tbody', null, rows.map(row)),
            sums && h('tfoot', null, row(sums))));
}

/**
 * A part that opens, and is filled when it does so first; at the event `renew` it is filled again, if it is open,
 * or else when it is opened next.
 */
export function disclosure(title, fillIt) {
    const body = h('div');
    const details = h('details', null, h('summary', null, title), body);
    let isDue = true;
    async function fill() {
        if (!isDue || !details.open) return;
        isDue = false;
        try {
            await fillIt(body);
        } catch (error) {
            if (error.name === 'AbortError') return;
            put(body, h('p', { class: 'warning' }, wordsOf(error)));
        }
    }
    details.addEventListener('toggle', fill);
    details.addEventListener('renew', () => {
        isDue = true;
        fill();
    });
    return details;
}

let saying = 0;

/** Says something to those who listen to the page instead of looking at it, also if it is the same again. */
export function announce(text) {
    const announcer = document.getElementById('announcer');
    // A text is read out when it changes.
    if (announcer.textContent === shown(text)) announcer.textContent = '';
    clearTimeout(saying);
    saying = setTimeout(() => { announcer.textContent = shown(text); }, 50);
}

/** Where the focus goes when what had it is gone, unless it is somewhere already. */
export function focusInstead(element) {
    const { activeElement: now } = document;
    if (now && now !== document.body) return;
    const there = element?.isConnected && element !== document.body ? element : null;
    (there ?? document.querySelector('main h1') ?? document.getElementById('main')).focus({
        preventScroll: true,
    });
}

/**
 * Makes parts anew. If one of them had the focus, the same control of what stands in its place has it
 * then, else the first thing of it that can have it.
 *
 * @param parts returns the parts, the same ones in the same order before and after
 */
export function redraw(parts, draw) {
    const nameOf = (one) => one.getAttribute('aria-label') ?? one.textContent;
    const { activeElement: focused } = document;
    const index = parts().findIndex((part) => part.contains(focused));
    const name = nameOf(focused ?? document.body);
    draw();
    if (index < 0) return;
    const controls = [...parts()[index]?.querySelectorAll('summary, button, a[href], input') ?? []];
    (controls.find((one) => nameOf(one) === name) ?? controls[0])?.focus({ preventScroll: true });
    focusInstead(null);
}

const MILLISECONDS_PER_LETTER = 100;

/** Shows a short message, with an action that goes with it if there is one, and others as pairs of both. */
export function toast(text, action, run, others = []) {
    const holder = document.getElementById('toasts');
    const line = h('div', { class: 'toast' }, h('span', null, text));
    let before = holder.contains(document.activeElement) ? null : document.activeElement;
    const act = (does) => {
        line.remove();
        focusInstead(before);
        does();
    };
    const actions = [[action, run], ...others].filter(([words]) => words);
    for (const [words, does] of actions) {
        line.append(h('button', { type: 'button', onclick: () => act(does) }, words));
    }
    line.addEventListener('focusin', ({ relatedTarget }) => { before = relatedTarget ?? before; });
    const hadFocus = holder.contains(document.activeElement);
    holder.replaceChildren(line);
    if (hadFocus) focusInstead(line.querySelector('button'));
    announce(text);
    // A text has to stay until it is read, an action until it is reached, by keys or by a pointer.
    const end = () => {
        const leaves = line.contains(document.activeElement) ? 'focusout'
            : line.matches(':hover') ? 'pointerleave' : null;
        if (leaves) line.addEventListener(leaves, () => setTimeout(end, 1000), { once: true });
        else line.remove();
    };
    setTimeout(end, Math.max(actions.length > 0 ? 20000 : 6000, text.length * MILLISECONDS_PER_LETTER));
    // A click removes it, so that what lies below it can be used at once.
    line.addEventListener('click', ({ target }) => { if (!target.closest('button')) line.remove(); });
}

/** Takes messages away: they are about what is not shown any more. */
export const clearToasts = () => document.getElementById('toasts').replaceChildren();

/** A signal that ends with the first of two. */
export function either(one, other) {
    const both = new AbortController();
    for (const signal of [one, other]) {
        if (signal.aborted) both.abort();
        signal.addEventListener('abort', () => both.abort(), { signal: both.signal });
    }
    return both.signal;
}

/**
 * Makes signals for what is read one after the other in a view: each ends when the next is made, and with the
 * view, so that an older answer never takes the place of a newer one.
 */
export function turns(signal) {
    let last = new AbortController();
    return () => {
        last.abort();
        last = new AbortController();
        return either(signal, last.signal);
    };
}

/** Lets messages stand in the dialog on top, for nothing below it is seen or read out; else in the page. */
function moveSayings() {
    const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    for (const id of ['toasts', 'announcer']) top.append(document.getElementById(id));
}

/** Shows a dialog until it is closed; focus returns to where it was. */
export function dialog(title, ...children) {
    const before = document.activeElement;
    const element = h('dialog', { 'aria-labelledby': 'dialog-title' },
        h('h2', { id: 'dialog-title' }, title), children);
    element.addEventListener('close', () => {
        moveSayings();
        element.remove();
        if (before?.isConnected) before.focus();
        focusInstead(before);
    });
    document.body.append(element);
    element.showModal();
    moveSayings();
    return element;
}
