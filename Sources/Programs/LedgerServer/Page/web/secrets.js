// Texts that are shown once: copied by a button, or scanned as a code.

import { h, toast } from './dom.js';
import { t } from './texts.js';

/** A button that copies a text. */
export function copyButton(text, label) {
    const copy = async () => {
        try {
            await navigator.clipboard.writeText(text);
            toast(t('setup.copied'));
        } catch (error) {
            toast(error.message);
        }
    };
    return navigator.clipboard && h('button', { type: 'button', 'aria-label': label, onclick: copy },
        label === undefined ? t('setup.copy') : t('setup.copyone'));
}

/** A code to scan. */
export const codeImage = (svg, words = t('setup.code')) => h('img', {
    class: 'code', alt: words, src: `data:image/svg+xml,${encodeURIComponent(svg)}`,
});
