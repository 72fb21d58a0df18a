// The colours of a way by speed: five, from slow to fast, which differ in lightness too.

import { settings } from './api.js';
import { h } from './dom.js';
import { count, unitMeters } from './formats.js';
import { t } from './texts.js';

/** Where the next colour begins, in the units of signs beside the road. */
const BOUNDS = { km: [30, 50, 80, 110], mi: [20, 30, 50, 70] };

const boundsNow = () => BOUNDS[settings.units] ?? BOUNDS.km;

/** The number of a speed's colour; what is on a bound is the slower one. */
export function speedClass(metersPerSecond) {
    const value = metersPerSecond * 3600 / unitMeters();
    const index = boundsNow().findIndex((bound) => value <= bound);
    return index < 0 ? boundsNow().length : index;
}

/** Draws over a way its parts in the colours of their speeds; a gap has none. */
export function colourBySpeed(layer, all) {
    const add = (part, level) => layer.addLayer(L.polyline(part.map(([lon, lat]) => [lat, lon]), {
        className: `track speed-${level}`, interactive: false, smoothFactor: 1,
    }));
    let part = [];
    let level = null;
    all.forEach((sample, index) => {
        const before = all[index - 1];
        const now = speedClass(sample.speed);
        if (!before || sample.isAfterGap) {
            if (part.length > 1) add(part, level);
            part = [sample.position];
            level = null;
            return;
        }
        if (level !== null && level !== now) {
            add(part, level);
            part = [before.position];
        }
        part.push(sample.position);
        level = now;
    });
    if (part.length > 1) add(part, level);
}

/** What the colours mean. */
export function speedLegend() {
    const bounds = boundsNow();
    const unit = settings.units === 'mi' ? 'mph' : 'km/h';
    const texts = [...bounds.map((bound, index) => (index === 0 ? `≤ ${count(bound)}`
        : `${count(bounds[index - 1])}–${count(bound)}`)), `> ${count(bounds.at(-1))} ${unit}`];
    return h('ul', { class: 'legend speeds', 'aria-label': t('speeds.legend') }, texts.map((text, index) =>
        h('li', null, h('span', { class: `stroke speed-${index}`, 'aria-hidden': 'true' }), text)));
}
