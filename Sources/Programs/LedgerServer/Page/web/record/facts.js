// The events of a recorder, as `Schemas/event.v1.schema.json` has them.

const two = (number) => String(Math.abs(number)).padStart(2, '0');

/** A time in milliseconds as RFC 3339, with the offset that this device has then. */
export function timeText(at) {
    const minutes = -new Date(at).getTimezoneOffset();
    const sign = minutes < 0 ? '-' : '+';
    const local = new Date(at + minutes * 60000).toISOString().slice(0, -1);
    return `${local}${sign}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

/** A number with so many decimals; undefined, which JSON leaves out, if there is none. */
const rounded = (number, decimals) =>
    (Number.isFinite(number) ? Number(number.toFixed(decimals)) : undefined);

/** The time of a browser's position. Some say other things than milliseconds since 1970. */
const timeOf = (position, now) =>
    (Math.abs(position.timestamp - now) < 86400000 ? Math.round(position.timestamp) : now);

/** What a position of the browser says, with a centimetre as the finest. */
export function fixOf({ coords, timestamp }, now) {
    return {
        at: timeOf({ timestamp }, now),
        lat: rounded(coords.latitude, 7), lon: rounded(coords.longitude, 7),
        accuracy: rounded(coords.accuracy, 1), altitude: rounded(coords.altitude ?? NaN, 1),
        speed: rounded(coords.speed ?? NaN, 2), course: rounded(coords.heading ?? NaN, 1),
    };
}

/** The event of a fix. */
export const fixRecorded = (source, { at, ...numbers }) =>
    ({ type: 'fix_recorded', source, occurred_at: timeText(at), ...numbers });

/** The event of a press: `go_pressed` or `stop_pressed`. */
export const pressed = (type, source, at, said = {}) =>
    ({ type, source, occurred_at: timeText(at), ...said });

/** What the ledger calls the states of a permission. A page is never allowed more than `when_in_use`. */
const STATUS = { granted: 'when_in_use', denied: 'denied', prompt: 'not_determined' };

/** The event that the page may use the location, or no longer may. */
export const authorizationChanged = (source, at, state) =>
    ({ type: 'authorization_changed', source, occurred_at: timeText(at), status: STATUS[state] });

const REASONS = { 1: 'denied', 2: 'no_signal', 3: 'timeout' };

/** Why there is no position, in the ledger's words. */
export const reasonOf = ({ code }) => REASONS[code] ?? 'other';

/** The event that there is no position. */
export const locationFailed = (source, at, error) => ({
    type: 'location_failed', source, occurred_at: timeText(at), reason: reasonOf(error),
    ...(error.message ? { error: error.message.slice(0, 1000) } : {}),
});

/** The id of the trip that a press opens: the first half of the identity of its event. */
export async function tripID(source, id) {
    const [name, own] = [source, id].map((text) => new TextEncoder().encode(text));
    const bytes = new Uint8Array([1, name.length, ...name, ...own]);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return [...digest.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
