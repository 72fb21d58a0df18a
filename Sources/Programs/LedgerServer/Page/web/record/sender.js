// Sends what waits, one tab at a time, and says how it goes.

/** Positions are sent together, this often at most: a phone's radio costs. In milliseconds. */
const TOGETHER = 5000;
const PATIENCE = 60000;

const seconds = (text) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) * 1000 : 0);

/** The request that is under way: it is given up when the network has changed. */
let underWay = null;

/** Posts `{ events }` or `{ decisions }` to the door of that name; throws if no answer comes. */
export async function post(items) {
    const given = new AbortController();
    const late = setTimeout(() => given.abort(), PATIENCE);
    underWay = given;
    try {
        return await ask(items, given.signal);
    } finally {
        clearTimeout(late);
    }
}

async function ask(items, signal) {
    const [door] = Object.keys(items);
    const answer = await fetch(`/v1/${door}`, {
        method: 'POST', credentials: 'same-origin', cache: 'no-store',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(items),
        signal,
    });
    const text = await answer.text();
    let body = null;
    try { body = JSON.parse(text); } catch { /* A proxy in between says something of its own. */ }
    return { status: answer.status, body, retryAfter: seconds(answer.headers.get('Retry-After')) };
}

/** Only one tab at a time sends: the next one is let in when it is through, or has died. */
const alone = (work) => (navigator.locks ? navigator.locks.request('recorder-sender', work) : work());

/**
 * Makes the sender.
 *
 * @param queue the queue
 * @param onRound is told what each round came to
 * @returns `soon`, for what may wait for more of its kind, `now`, and `afresh` for a new network
 */
export function makeSender(queue, onRound) {
    let timer = null;
    let isRunning = false;
    let isAskedAgain = false;
    let hasMore = false;

    function plan(pause) {
        clearTimeout(timer);
        timer = setTimeout(run, pause);
    }

    async function run() {
        clearTimeout(timer);
        timer = null;
        if (isRunning) {
            isAskedAgain = true;
            return;
        }
        isRunning = true;
        isAskedAgain = false;
        hasMore = false;
        let round = null;
        try {
            do {
                round = await alone(() => queue.round());
                onRound(round);
                // Records that have come meanwhile wait for more.
            } while (round.state === 'sent' && !round.all);
        } catch (error) {
            // The database may be closed or full: nothing is lost, it is tried again.
            const reason = { code: 'database', message: error.message };
            round = { state: 'waiting', pause: TOGETHER, reason };
            onRound(round);
        } finally {
            isRunning = false;
        }
        if (isAskedAgain) plan(0);
        else if (!['rest', 'sent'].includes(round.state)) plan(Math.max(round.pause, 250));
        else if (hasMore) plan(TOGETHER);
    }

    const now = () => {
        queue.encourage();
        run();
    };

    return {
        soon() {
            hasMore = true;
            if (timer === null && !isRunning) plan(TOGETHER);
        },
        now,
        afresh() {
            // A request sent over the old network may wait for ever; sent again, it is stored once.
            underWay?.abort();
            now();
        },
    };
}
