// Making elements. Text of the ledger becomes text nodes, never HTML: nothing in it can be markup.

const SVG = 'http://www.w3.org/2000/svg';

// Opens or closes an embedding, an override or an isolate (UAX #9): it would turn what follows.
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g;

// Is written from right to left.
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

// Attributes that are seen or heard.
const WORDS = new Set(['title', 'aria-label', 'aria-description', 'aria-valuetext', 'alt', 'label', 'placeholder']);

// In these a text is all there can be.
const PLAIN = new Set(['OPTION', 'TITLE', 'TEXTAREA', 'STYLE']);

/** A text of the ledger as it is shown: nothing in it turns the words and figures beside it. */
export const shown = (text) => String(text).replace(TURNING, '\uFFFD');

/** A text as a child: by itself if it is written from right to left, so that figures stay where they are. */
function textNode(element, text) {
    const words = shown(text);
    if (!RIGHT_TO_LEFT.test(words) || PLAIN.has(element.tagName) || element.namespaceURI === SVG) return words;
    const part = document.createElement('bdi');
    part.textContent = words;
    return part;
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
        element.append(child instanceof Node ? child : textNode(element, child));
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

/** A table that can be moved sideways where it is too wide, also by keys. */
export function table(caption, heads, rows) {
    return h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption },
        h('table', null,
            h('caption', null, caption),
            h('thead', null, h('tr', null, heads.map((head) => h('th', { scope: 'col' }, head)))),
            h('tbody', null, rows.map((cells) => h('tr', null, cells.map((cell, index) =>
                (index === 0 ? h('th', { scope: 'row' }, cell) : h('td', null, cell))))))));
}

/** A part that opens, and is filled when it does so first. */
export function disclosure(title, fillIt) {
    const body = h('div');
    const details = h('details', null, h('summary', null, title), body);
    details.addEventListener('toggle', async () => {
        try {
            await fillIt(body);
        } catch (error) {
            if (error.name === 'AbortError') return;
            put(body, h('p', { class: 'warning' }, error.words ?? error.message));
        }
    }, { once: true });
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

/** Shows a short message, with an action that goes with it if there is one. */
export function toast(text, action, run) {
    const holder = document.getElementById('toasts');
    const line = h('div', { class: 'toast' }, h('span', null, text));
    let before = holder.contains(document.activeElement) ? null : document.activeElement;
    const act = () => {
        line.remove();
        focusInstead(before);
        run();
    };
    if (action) line.append(h('button', { type: 'button', onclick: act }, action));
    line.addEventListener('focusin', ({ relatedTarget }) => { before = relatedTarget ?? before; });
    const hadFocus = holder.contains(document.activeElement);
    holder.replaceChildren(line);
    if (hadFocus) focusInstead(line.querySelector('button'));
    announce(text);
    // A text has to stay until it is read, an action until it is reached by keys.
    setTimeout(() => {
        if (!line.contains(document.activeElement)) line.remove();
        else line.addEventListener('focusout', () => line.remove(), { once: true });
    }, Math.max(action ? 20000 : 6000, text.length * MILLISECONDS_PER_LETTER));
    // A click removes it, so that what lies below it can be used at once.
    line.addEventListener('click', ({ target }) => { if (!target.closest('button')) line.remove(); });
}

/** Shows a dialog until it is closed; focus returns to where it was. */
export function dialog(title, ...children) {
    const before = document.activeElement;
    const element = h('dialog', { 'aria-labelledby': 'dialog-title' },
        h('h2', { id: 'dialog-title' }, title), children);
    element.addEventListener('close', () => {
        element.remove();
        if (before?.isConnected) before.focus();
        focusInstead(before);
    });
    document.body.append(element);
    element.showModal();
    return element;
}
