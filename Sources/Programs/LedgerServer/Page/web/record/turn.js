// One tab records: it has the turn until the drive ends, or the tab does.

const NAME = 'recorder-drive';

/** Makes what takes turns. Browsers without locks have one tab, as far as this knows. */
export function makeTurn() {
    let release = null;
    return {
        /** Takes the turn; whether it is this tab's now. */
        async take() {
            if (release || !navigator.locks) return true;
            return new Promise((resolve) => {
                navigator.locks.request(NAME, { ifAvailable: true }, (lock) => {
                    resolve(lock !== null);
                    return lock && new Promise((end) => { release = end; });
                });
            });
        },
        end() {
            release?.();
            release = null;
        },
        /** Whether another tab has it. */
        async isTaken() {
            if (release || !navigator.locks) return false;
            const { held } = await navigator.locks.query();
            return held.some(({ name }) => name === NAME);
        },
    };
}
