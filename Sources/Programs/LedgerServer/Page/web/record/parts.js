// The parts of the recorder's page that are made of what is noted.

import { choice, field, h, put, shown } from '../dom.js';
import { clock, distance, meters, speed } from '../formats.js';
import { INACCURATE } from './drive.js';
import { timeText } from './facts.js';
import { makeSketch } from './sketch.js';
import { has, say } from './texts.js';
import { browserName } from './watch.js';

const clockOf = (at) => clock(timeText(at));

/** Hours, minutes and seconds, as a watch shows them. */
function watchTime(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    return parts.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}

/** GO, and what is said with it. `onGo` is given what was chosen. */
export function makeIdle({ settings, known }, onGo) {
    const vehicles = (known.vehicles ?? []).map(({ vehicle, plate }) =>
        [vehicle, plate ? `${vehicle} (${plate})` : vehicle]);
    const routines = (known.routines ?? []).map(({ routine }) => [routine, routine]);
    const vehicle = choice([['', say('any.vehicle')], ...vehicles], settings.vehicle);
    const routine = choice([['', say('any.routine')], ...routines], '');
    if (vehicle.selectedIndex < 0) vehicle.value = '';
    return h('section', { class: 'stage', 'aria-labelledby': 'stage-title' },
        h('h2', { id: 'stage-title' }, say('begin')),
        h('div', { class: 'choices-of-drive' },
            field(say('vehicle'), vehicle), field(say('routine'), routine)),
        h('button', {
            type: 'button', class: 'press start', 'aria-describedby': 'go-hint',
            onclick: () => onGo({ vehicle: vehicle.value, routine: routine.value }),
        }, say('go')),
        h('p', { class: 'faint', id: 'go-hint' }, say('go.hint')));
}

/** The numbers of the drive that goes on, its way, STOP and a rest; `update` shows others. */
export function makeDriving(onStop, onPause) {
    const sketch = makeSketch();
    const [way, time, pace] = [h('strong'), h('strong'), h('strong')];
    const place = h('p', { class: 'faint positions' });
    const accuracy = h('p');
    const awake = h('p', { class: 'faint' });
    const since = h('p', { class: 'faint' });
    const element = h('section', { class: 'stage', 'aria-labelledby': 'stage-title' },
        h('h2', { id: 'stage-title', class: 'recording' },
            h('span', { class: 'dot', 'aria-hidden': 'true' }), say('driving')),
        h('div', { class: 'live' },
            h('p', { class: 'first' }, way, h('span', null, say('figure.distance'))),
            h('p', null, time, h('span', null, say('figure.time'))),
            h('p', null, pace, h('span', null, say('figure.speed')))),
        accuracy,
        h('button', { type: 'button', class: 'press end', onclick: onStop }, say('stop')),
        h('button', { type: 'button', class: 'pause', onclick: onPause }, `❚❚ ${say('pause')}`),
        sketch.element, awake, since, place,
        h('p', { class: 'faint' }, say('measured')));
    const set = (target, text) => { if (target.textContent !== shown(text)) put(target, text); };
    return {
        element,
        update({ drive, pace: metersPerSecond, isAwake }, now) {
            const { last } = drive;
            set(way, distance(drive.distance));
            set(time, watchTime(now - drive.startedAt - (drive.rested ?? 0)));
            sketch.update(drive.way ?? []);
            set(pace, metersPerSecond === null ? '–' : speed(metersPerSecond));
            set(awake, say(isAwake ? 'awake.on' : 'awake.off'));
            set(since, [say('since', { time: clockOf(drive.startedAt) }), drive.vehicle, drive.routine]
                .filter(Boolean).join(' · '));
            set(place, say('positions', { n: drive.fixes }));
            place.dataset.fixes = drive.fixes;
            const isPoor = (last?.accuracy ?? 0) > INACCURATE;
            accuracy.className = isPoor ? 'warning' : 'faint';
            if (!last) set(accuracy, say('no.position'));
            else if (last.accuracy === undefined) set(accuracy, '');
            else {
                const way = meters(Math.round(last.accuracy));
                set(accuracy, say(isPoor ? 'inaccurate' : 'accuracy', { way }));
            }
        },
        words: (drive, now) => `${distance(drive.distance)}, ${watchTime(now - drive.startedAt)}`,
    };
}

/** A drive that rests: how to go on, and how to end it. */
export function makePaused({ drive }, onGoOn, onStop) {
    const sketch = makeSketch();
    sketch.update(drive.way ?? []);
    return h('section', { class: 'stage', 'aria-labelledby': 'stage-title' },
        h('h2', { id: 'stage-title' }, say('paused', { time: clockOf(drive.pausedAt) })),
        h('p', null, say('paused.text')),
        h('button', { type: 'button', class: 'press start words', onclick: onGoOn }, say('resume')),
        sketch.element,
        h('button', { type: 'button', class: 'danger', onclick: onStop }, say('paused.stop')));
}

/** What is to become of a drive whose page died on the way. */
export function makeRecovery({ drive }, onGoOn, onStop) {
    const { last, fixes, startedAt } = drive;
    const text = last ? say('recover.text', { n: fixes, time: clockOf(last.at) })
        : say('recover.none', { time: clockOf(startedAt) });
    return h('section', { class: 'stage', 'aria-labelledby': 'stage-title' },
        h('h2', { id: 'stage-title' }, say('recover.title')),
        h('p', { class: 'warning' }, text),
        h('button', { type: 'button', class: 'press start words', onclick: onGoOn }, say('recover.go')),
        h('button', { type: 'button', class: 'danger', onclick: onStop },
            say(last ? 'recover.stop' : 'recover.stopstart')));
}

/** Another tab records. */
export const makeElsewhere = () => h('section', { class: 'stage', 'aria-labelledby': 'stage-title' },
    h('h2', { id: 'stage-title' }, say('driving')), h('p', { class: 'warning' }, say('other.tab')));

/** Why there is no position, and what to do about it. */
export function failureWords(reason) {
    const text = say(has(`fail.${reason}`) ? `fail.${reason}` : 'fail.other');
    return reason === 'denied' ? [text, say(`help.${browserName()}`)] : [text];
}

/** How far everything has come. */
export function queueWords({ waiting, numbers, refused }, round) {
    if (!numbers) return say('state.none');
    // Refusals are shown on their own.
    if (waiting === 0) return refused.length > 0 ? '' : say('state.all');
    if (!navigator.onLine) return say('state.offline', { n: waiting });
    if (round?.state === 'signedOut' || round?.state === 'barred') return say('state.kept', { n: waiting });
    if (round?.state !== 'waiting') return say('state.sending', { n: waiting });
    const reason = round.reason?.message;
    if (!reason) return say('state.waiting', { n: waiting });
    return `${say('state.kept', { n: waiting })} ${say('state.reason', { reason })}`;
}

const nameOf = (type) => (has(`code.${type}`) ? say(`code.${type}`) : type);

/** What the ledger warned of when it stored decisions. */
export const makeWarned = (warned, onSeen) => h('div', { class: 'warning warned' },
    h('h2', null, say('warned.title')),
    h('ul', { class: 'plain' }, warned.map(({ type, message }) =>
        h('li', null, `${nameOf(type)}: ${message}`))),
    h('button', { type: 'button', onclick: onSeen }, say('warned.seen')));

/** What the ledger refused, with its reasons. */
export function makeRefused(refused, onAgain, onForget) {
    const items = refused.slice(0, 20).map(({ sequence, event, reason }) => {
        const at = event.occurred_at ? clock(event.occurred_at) : '';
        const what = `${nameOf(event.type)} ${at}`;
        return h('li', null,
            h('span', null, `${what}: ${reason.message || reason.code}`),
            h('button', {
                type: 'button', class: 'danger', 'aria-label': `${say('refused.forget')}: ${what}`,
                onclick: () => { if (window.confirm(say('refused.sure'))) onForget(sequence); },
            }, say('refused.forget')));
    });
    return h('div', { class: 'warning refused' },
        h('h2', null, say('refused.title', { n: refused.length })),
        h('p', null, say('refused.text')),
        h('ul', { class: 'plain' }, items),
        h('button', { type: 'button', onclick: onAgain }, say('refused.again')));
}
