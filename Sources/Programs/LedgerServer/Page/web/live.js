// News of the server as they happen: one stream, closed while the page is not to be seen.

import { noteAway, post } from './api.js';

/** A stream that is away for so long has no server behind it. */
const DOUBT_MILLISECONDS = 3000;

/**
 * Listens to the stream until the view is left; handlers are by the names of the events.
 *
 * @param alsoHidden whether to listen while the page is not to be seen
 */
export function listen(handlers, signal, alsoHidden = false) {
    let stream = null;
    let failures = 0;
    let again = null;
    let doubt = null;
    const open = () => {
        if (stream || (document.hidden && !alsoHidden) || signal.aborted) return;
        stream = new EventSource('/v1/stream');
        stream.onopen = () => {
            failures = 0;
            noteAway(false);
            handlers.connected?.(true);
        };
        stream.onerror = () => {
            handlers.connected?.(false);
            if (navigator.onLine === false || stream?.readyState === EventSource.CONNECTING) suspect();
            // The browser tries again by itself, unless the server refused.
            if (stream?.readyState !== EventSource.CLOSED) return;
            close();
            // Any other answer says why: that the session has ended, for one.
            handlers.resync?.(null);
            failures += 1;
            again = setTimeout(open, Math.min(60000, 1000 * 2 ** failures) * (0.5 + Math.random() / 2));
        };
        for (const name of ['status', 'change', 'notification', 'resync']) {
            stream.addEventListener(name, (event) => {
                handlers[name]?.(event.data ? JSON.parse(event.data) : null);
            });
        }
    };
    // A stream also ends when the server does so by itself: only one that does not come back is a sign.
    const suspect = () => {
        clearTimeout(doubt);
        doubt = setTimeout(() => {
            if (stream && stream.readyState !== EventSource.OPEN) noteAway(true);
        }, DOUBT_MILLISECONDS);
    };
    const close = () => {
        clearTimeout(doubt);
        clearTimeout(again);
        stream?.close();
        stream = null;
    };
    const turn = () => {
        if (document.hidden) {
            close();
        } else {
            // Messages sent meanwhile are not sent again.
            handlers.resync?.(null);
            open();
        }
    };
    if (!alsoHidden) document.addEventListener('visibilitychange', turn, { signal });
    signal.addEventListener('abort', close);
    open();
}

/** GO and STOP of a source. */
export const press = (button, source, vehicle) => post(`/v1/${button}`, {
    ...(source ? { source } : {}),
    ...(vehicle ? { vehicle } : {}),
});
