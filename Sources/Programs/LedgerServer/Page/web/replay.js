// A trip driven again on the map, faster: a play head that map, chart and a slider of time share.

import { choice, field, h } from './dom.js';
import { clockSeconds } from './formats.js';
import { t } from './texts.js';

const SPEEDS = [1, 2, 4, 8, 16, 32, 64];
/** A reader who wants no motion sees a position at a time, a second each. */
const STEP_MILLISECONDS = 1000;

/** Where the vehicle was at a time: between two points of the way, unless a gap lies there. */
function positionAt(all, index, at) {
    const [from, to] = [all[index], all[index + 1]];
    if (!to || to.isAfterGap || to.at === from.at) return from.position;
    const part = Math.min(1, Math.max(0, (at - from.at) / (to.at - from.at)));
    return from.position.map((value, axis) => value + (to.position[axis] - value) * part);
}

/** Makes the controls. */
export function makeReplay(all, { chart, map, cursor, onPlay }, signal) {
    const first = all[0].at;
    const last = all.at(-1).at;
    let at = first;
    let index = 0;
    let playing = null;
    let movesItself = false;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)');
    const speed = choice(SPEEDS.map((one) => [String(one), `${one}×`]),
        localStorage.getItem('replay-speed') ?? '16', { onchange: () => {
            localStorage.setItem('replay-speed', speed.value);
        } });
    const slider = h('input', {
        type: 'range', min: '0', max: String(Math.max(1, Math.round(last - first))), step: '1', value: '0',
    });
    const press = () => (playing ? pause() : play());
    const button = h('button', { type: 'button', class: 'play', onclick: press });
    const say = () => {
        button.textContent = playing ? `❚❚ ${t('replay.pause')}` : `▶ ${t('replay.play')}`;
    };

    function show() {
        while (index + 1 < all.length && all[index + 1].at <= at) index += 1;
        while (index > 0 && all[index].at > at) index -= 1;
        const sample = all[index];
        movesItself = true;
        chart.moveTo(sample);
        movesItself = false;
        const [lon, lat] = positionAt(all, index, at);
        cursor.setLatLng([lat, lon]).addTo(map);
        if (playing && !map.getBounds().pad(-0.1).contains([lat, lon])) {
            map.panTo([lat, lon], { animate: false });
        }
        slider.value = String(Math.round(at - first));
        slider.setAttribute('aria-valuetext', clockSeconds(sample.time));
    }

    function tick(before) {
        const again = () => {
            if (!playing) return;
            const now = performance.now();
            at = Math.min(last, at + (now - before) / 1000 * Number(speed.value));
            show();
            if (at >= last) pause(); else tick(now);
        };
        playing = isStill.matches
            ? { stop: clearTimeout, id: setTimeout(again, STEP_MILLISECONDS) }
            : { stop: cancelAnimationFrame, id: requestAnimationFrame(again) };
    }

    function play() {
        if (at >= last) at = first;
        tick(performance.now());
        onPlay(true);
        say();
    }

    function pause() {
        playing?.stop.call(window, playing.id);
        playing = null;
        onPlay(false);
        say();
    }

    slider.addEventListener('input', () => {
        at = first + Number(slider.value);
        show();
    });
    chart.onMove((sample) => {
        if (movesItself) return;
        ({ at } = sample);
        slider.value = String(Math.round(at - first));
    }, signal);
    // A page that is not seen need not move.
    document.addEventListener('visibilitychange', () => { if (document.hidden) pause(); }, { signal });
    signal.addEventListener('abort', pause);
    say();
    return h('div', { class: 'replay', role: 'group', 'aria-label': t('replay.title') },
        button, field(t('replay.time'), slider), field(t('speed'), speed));
}
