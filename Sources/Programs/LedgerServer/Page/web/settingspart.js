// A part of the settings, as it is shown and read anew.

import { wordsOf } from './api.js';
import { h, put, redraw } from './dom.js';

/** Shows a part anew; what had the focus in it has it again. */
export const draw = (holder, ...children) => redraw(() => [holder], () => put(holder, ...children));

/** What a section shows while it cannot be read. */
export const failed = (holder, error, signal) => {
    if (!signal.aborted) put(holder, h('p', { class: 'warning' }, error.detail || wordsOf(error)));
};
