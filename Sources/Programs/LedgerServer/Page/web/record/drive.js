// The figures of a drive while it is recorded. The ledger measures it again, by its own rules.

const EARTH = 6371008.8;
const radians = (degrees) => degrees * Math.PI / 180;

/** The distance of two positions in metres, on a sphere. */
export function between(a, b) {
    const north = Math.sin(radians(b.lat - a.lat) / 2);
    const east = Math.sin(radians(b.lon - a.lon) / 2);
    const part = north ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * east ** 2;
    return 2 * EARTH * Math.asin(Math.min(1, Math.sqrt(part)));
}

/** The accuracy from which on a position is shown as inaccurate and adds no distance, in metres. */
export const INACCURATE = 100;

/** A drive that begins now, at a time in milliseconds. */
export const newDrive = ({ id, source, vehicle, routine, at }) => ({
    id, source, vehicle, routine, startedAt: at, fixes: 0, distance: 0, anchor: null, last: null,
    status: null, failure: null, pausedAt: null, rested: 0, way: [],
});

/** A picture of the way needs no more places. */
const MOST_PLACES = 300;

/** The way with one more place; every second one is enough when there are too many. */
function withPlace(way, place) {
    const next = [...way, place];
    const isKept = (one, index) => one === null || index % 2 === 0 || index === next.length - 1;
    return next.length > MOST_PLACES ? next.filter(isKept) : next;
}

const placeOf = ({ lat, lon }) => [Number(lat.toFixed(5)), Number(lon.toFixed(5))];

/** The drive while it rests: nothing is measured until it goes on, and then from where it is. */
export const paused = (drive, at) => ({ ...drive, pausedAt: at, failure: null });

/** The drive as it goes on after a rest. */
export const resumed = (drive, at) => ({
    ...drive, pausedAt: null, rested: (drive.rested ?? 0) + Math.max(0, at - drive.pausedAt), anchor: null,
    way: [...drive.way ?? [], null],
});

/** The drive with one more fix: `{ at, lat, lon, accuracy, speed }` in milliseconds and metres. */
export function withFix(drive, fix) {
    const next = { ...drive, fixes: drive.fixes + 1, last: fix, failure: null };
    const accuracy = fix.accuracy ?? 0;
    if (accuracy > INACCURATE) return next;
    const way = drive.way ?? [];
    if (!drive.anchor) return { ...next, anchor: fix, way: withPlace(way, placeOf(fix)) };
    const step = between(drive.anchor, fix);
    // A car that stands still seems to move by a few metres.
    if (step < Math.max(5, accuracy / 2)) return next;
    const seconds = (fix.at - drive.anchor.at) / 1000;
    // Across a gap the ledger decides; nothing drives so fast.
    const counts = seconds > 0 && step / seconds < 100;
    return {
        ...next, anchor: fix, distance: drive.distance + (counts ? step : 0), way: withPlace(way, placeOf(fix)),
    };
}

/** The speed in metres per second: as reported, else by the last two positions; null if unknown. */
export function speedOf(before, fix) {
    if (typeof fix.speed === 'number') return fix.speed;
    if (!before || fix.at <= before.at || fix.at - before.at > 30000) return null;
    if (Math.max(before.accuracy ?? 0, fix.accuracy ?? 0) > INACCURATE) return null;
    return between(before, fix) / ((fix.at - before.at) / 1000);
}
