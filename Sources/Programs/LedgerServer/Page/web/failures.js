// What went wrong, in the reader's words: the server's refusals, its absence, and mistakes of this page.

import { t, has } from './texts.js';

/** What the server answers instead of doing something: RFC 9457. */
export class Problem extends Error {
    /** @param retryAfter the seconds after which it is to be sent again, if the server says so */
    constructor(status, answer, retryAfter = null) {
        super(answer?.title ?? `HTTP ${status}`);
        this.status = status;
        this.retryAfter = retryAfter;
        this.kind = (answer?.type ?? '').replace('urn:ledger:', '');
        this.detail = answer?.detail ?? '';
        this.position = answer?.position ?? null;
    }

    /** The same in the reader's language, as far as the page has words for it; a refusal in the ledger's own. */
    get words() {
        if (this.kind === 'refused' && this.detail) return this.detail;
        const key = `problem.${this.kind}`;
        return has(key) ? t(key) : [this.message, this.detail].filter(Boolean).join('. ');
    }
}

/** The server cannot be reached: nothing came back. */
export class Unreachable extends Error {
    get words() { return t('problem.unreachable'); }
}

/** A file did not arrive whole, and nothing came back. */
export class Cut extends Error {
    get words() { return t('problem.cut'); }
}

/** What any failure is called. What is neither the server's nor the network's is a mistake of this page. */
export const wordsOf = (error) => error.words ?? t('problem.fault', { what: error.message });
