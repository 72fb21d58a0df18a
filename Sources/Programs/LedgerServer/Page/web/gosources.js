// Which sources GO is for: those that deliver while they drive, by a device that was set up, the recorder of a
// browser or another program. A trip of one that only files told of, or that is long silent, would wait for a
// position for ever.

import { get } from './api.js';
import { isRunning } from './follower.js';

/** A source without a device that told nothing for so long is in use no more, in milliseconds. */
const SILENT = 28 * 24 * 3600 * 1000;
/** So many sources are asked about at most. */
const MOST = 12;

// Between trips that a press starts, no position is kept: what counts is when anything was told.
const isRecent = ({ latest_at: at }) => Date.now() - Date.parse(at) < SILENT;

/** The sources that devices have delivered for. */
async function ofDevices(signal) {
    const { items } = await get('/v1/devices', { limit: 1000 }, signal);
    return items.filter((one) => one.last_contact ?? one.last_day).flatMap(({ sources }) => sources);
}

/** Whether the last trip of a source was read from a file. */
async function isOfFile(source, signal) {
    const { items } = await get('/v1/trips', { source, limit: 1 }, signal);
    if (items.length === 0) return false;
    const trip = await get(`/v1/trips/${items[0].id}`, {}, signal);
    return Boolean(trip.imported_from ?? trip.recorded_in);
}

/**
 * Makes what says whether GO is for a source. Until more is known, it is for each that was seen lately.
 *
 * @param whenKnown is told that the answers may be others now
 */
export function makeJudge(sources, signal, whenKnown) {
    const delivering = new Set();
    const ofFiles = new Set();
    const isFor = (source) => isRunning(source) || (Boolean(source.last_position)
        && (delivering.has(source.source) || (isRecent(source) && !ofFiles.has(source.source))));
    async function find() {
        for (const source of await ofDevices(signal).catch(() => [])) delivering.add(source);
        const doubtful = sources.filter(({ source }) => !delivering.has(source)).filter(isFor).slice(0, MOST);
        await Promise.all(doubtful.map(async ({ source }) => {
            if (await isOfFile(source, signal).catch(() => false)) ofFiles.add(source);
        }));
        if (!signal.aborted && (delivering.size > 0 || ofFiles.size > 0)) whenKnown();
    }
    find();
    return isFor;
}
