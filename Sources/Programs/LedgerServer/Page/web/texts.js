// The language of the page, and its texts: those of English are there if another lacks one.

import { apart } from './direction.js';
import english from './texts/en.js';
import words from './texts/words.js';

/** The languages by their codes, each by its own name. */
export const languages = [['en', 'English'], ['nl', 'Nederlands'], ['de', 'Deutsch'], ['fr', 'Français']];

/** What loads the languages that are not English. */
export const others = {
    nl: () => import('./texts/nl.js'),
    de: () => import('./texts/de.js'),
    fr: () => import('./texts/fr.js'),
};
let chosen = 'en';
let locale = 'en';
let texts = { ...words.en, ...english };

/** The locale for numbers and dates, such as nl-BE: the reader's own one if it is of the language. */
export const language = () => locale;

/** The code of the language, as in `languages`. */
export const languageCode = () => chosen;

/** Chooses a language, and remembers it if a reader did so. */
export async function setLanguage(code, remembers = true) {
    const own = code === 'en' ? english : (await others[code]()).default;
    texts = { ...words[code], ...own };
    chosen = code;
    locale = navigator.languages?.find((one) => one.split('-')[0] === code) ?? code;
    if (remembers) localStorage.setItem('language', code);
}

/** Whether there is such a text. */
export const has = (key) => Object.hasOwn(english, key) || Object.hasOwn(words.en, key);

/** A form for one and a form for more, in either of which values may stand. */
const FORMS = /\{(\w+)\|((?:[^{}|]|\{\w+\})*)\|((?:[^{}|]|\{\w+\})*)\}/g;

const kinds = new Map();

/** What numbers are written with, and which form of a word they take. */
function kindsOf(locale) {
    if (!kinds.has(locale)) {
        kinds.set(locale, { rules: new Intl.PluralRules(locale), numbers: new Intl.NumberFormat(locale) });
    }
    return kinds.get(locale);
}

/**
 * A text with values in place of names in braces; a number is written as the language does.
 *
 * `{n|gap|gaps}` is one of two forms: the first for numbers that the language counts as one, as
 * French does with 0. No language of the page has more forms for numbers that occur here.
 */
export function fillIn(text, values) {
    const { rules, numbers } = kindsOf(locale);
    return text.replace(FORMS, (_, name, one, more) => (rules.select(values[name]) === 'one' ? one : more))
        .replace(/\{(\w+)\}/g, (_, name) => {
            const value = values[name] ?? '';
            return typeof value === 'number' ? numbers.format(value) : apart(value);
        });
}

/** A text, with values in place of names in braces. */
export const t = (key, values = {}) => fillIn(texts[key] ?? english[key] ?? key, values);

function preferred() {
    const codes = languages.map(([code]) => code);
    const remembered = localStorage.getItem('language');
    if (codes.includes(remembered)) return remembered;
    const wanted = (navigator.languages ?? [navigator.language]).map((one) => one.split('-')[0]);
    return wanted.find((code) => codes.includes(code)) ?? 'en';
}

/**
 * Speaks as a reader has chosen, or his browser does. The first module of a page waits for it, and no other: where
 * a module that others share waits while it is evaluated, WebKit gives out views that are not yet ready.
 */
export const startLanguage = () => setLanguage(preferred(), false);
