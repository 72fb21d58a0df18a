// The device's position and screen, while a drive goes on.

/** The time without a position after which the browser reports a failure, in milliseconds. */
const TIMEOUT = 30000;

/**
 * Watches the position.
 *
 * @param handlers `position` and `failure` are those of the browser, `permission` is told its state
 */
export function makeWatch({ position, failure, permission }) {
    let watch = null;
    let status = null;

    async function watchPermission() {
        if (status) return;
        try {
            status = await navigator.permissions.query({ name: 'geolocation' });
            status.onchange = () => {
                permission(status.state);
                // Some browsers say nothing more to a watch that was refused once.
                if (watch !== null && status.state === 'granted') restart();
            };
            permission(status.state);
        } catch { /* Not every browser tells before it is asked for a position. */ }
    }

    function restart() {
        if (watch !== null) navigator.geolocation.clearWatch(watch);
        watch = navigator.geolocation.watchPosition(position, failure,
            { enableHighAccuracy: true, maximumAge: 0, timeout: TIMEOUT });
    }

    return {
        get isOn() { return watch !== null; },
        state: () => status?.state ?? null,
        start() {
            watchPermission();
            if (!('geolocation' in navigator)) {
                failure({ code: 0, message: 'The browser has no Geolocation API.' });
            } else {
                restart();
            }
        },
        stop() {
            if (watch !== null) navigator.geolocation.clearWatch(watch);
            watch = null;
        },
        watchPermission,
    };
}

/** Keeps the screen on while it is asked to, as far as the browser lets it; `onChange` is told. */
export function makeWakeLock(onChange) {
    let lock = null;
    let isWanted = false;

    async function take() {
        if (!isWanted || lock || document.hidden) return;
        try {
            lock = await navigator.wakeLock.request('screen');
            lock.addEventListener('release', () => {
                lock = null;
                onChange(false);
            });
            if (!isWanted) lock.release();
            onChange(isWanted);
        } catch {
            // Not known here, or refused: on a low battery, for one.
            onChange(false);
        }
    }

    document.addEventListener('visibilitychange', take);
    return {
        want(wanted) {
            isWanted = wanted;
            if (wanted) take();
            else lock?.release();
        },
    };
}

/** The browser whose settings are to be explained. */
export function browserName() {
    const { userAgent: agent, maxTouchPoints } = navigator;
    const isApple = /iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && maxTouchPoints > 1);
    if (isApple) return 'ios';
    if (/Firefox/.test(agent)) return 'firefox';
    if (/Android/.test(agent)) return 'android';
    if (/Chrome|Chromium|Edg/.test(agent)) return 'chrome';
    return /Safari/.test(agent) ? 'safari' : 'other';
}
