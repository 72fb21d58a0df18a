// Light or dark: what the system says, or what a reader has chosen in this browser.

const KEY = 'theme';
const DARK = 'prefers-color-scheme: dark';
/** The rules that hold in the dark, and those that a chosen theme has changed. */
const changed = new Set();

export const themes = ['system', 'light', 'dark'];

/** The theme that was chosen. */
export const theme = () => (themes.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : 'system');

/** The rules of a sheet; of one that did not come there are none, and asking for them fails. */
function rulesOf(sheet) {
    try {
        return [...sheet.cssRules];
    } catch {
        return [];
    }
}

/** The rules for the dark of all sheets. */
function darkRules() {
    const all = [...document.styleSheets].flatMap(rulesOf);
    return all.filter((rule) => rule instanceof CSSMediaRule
        && (changed.has(rule) || rule.media.mediaText.includes(DARK)));
}

/** Has the page look as was chosen; paper is light in any case. */
export function showTheme() {
    const chosen = theme();
    const media = { system: `(${DARK})`, light: 'not all', dark: 'screen' }[chosen];
    for (const rule of darkRules()) {
        changed.add(rule);
        rule.media.mediaText = media;
    }
    document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen;
    window.dispatchEvent(new Event('themechanged'));
}

/** Chooses a theme, and remembers it. */
export function setTheme(chosen) {
    localStorage.setItem(KEY, chosen);
    showTheme();
}
