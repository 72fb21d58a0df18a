// The recorder's texts, beside those of the page.

import { fillIn, languageCode, setLanguage, startLanguage, t as ofPage } from '../texts.js';
import english from './texts/en.js';

const others = {
    nl: () => import('./texts/nl.js'),
    de: () => import('./texts/de.js'),
    fr: () => import('./texts/fr.js'),
};
let texts = english;

async function read() {
    const code = languageCode();
    texts = code === 'en' ? english : (await others[code]()).default;
}

/** A text of the recorder, else one of the page. */
export function say(key, values = {}) {
    const text = texts[key] ?? english[key];
    return text === undefined ? ofPage(key, values) : fillIn(text, values);
}

/** Whether the recorder has such a text. */
export const has = (key) => Object.hasOwn(english, key);

/** Chooses a language. */
export async function choose(code) {
    await setLanguage(code);
    await read();
}

// Without the texts of a language the recorder speaks English.
await startLanguage().then(read).catch(() => {});
