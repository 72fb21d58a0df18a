// The start of the recorder's page: what is pressed, watched and sent, and what is shown of it.

import { Problem, known, settings, signIn, status, wordsOf } from '../api.js';
import { announce, choice, field, h, put, toast } from '../dom.js';
import { language, languageCode, languages } from '../texts.js';
import { makeDescribe } from './describe.js';
import { speedOf } from './drive.js';
import { fixOf } from './facts.js';
import {
    failureWords, makeDriving, makeElsewhere, makeIdle, makePaused, makeRecovery, makeRefused, makeWarned, queueWords,
} from './parts.js';
import { Queue } from './queue.js';
import { Recorder } from './recorder.js';
import { makeSender, post } from './sender.js';
import { DatabaseStore } from './store.js';
import { choose, say } from './texts.js';
import { makeTurn } from './turn.js';
import { makeWakeLock, makeWatch } from './watch.js';

/** A speed is of now for so long, in milliseconds. */
const FRESH = 10000;

const hex = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');
const store = new DatabaseStore();
const queue = new Queue({ store, send: post, random: Math.random, newDevice: () => hex(16) });
const recorder = new Recorder(queue, store);
const tabs = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('recorder');

const main = document.getElementById('main');
const heading = h('h1', { tabindex: '-1' });
const notices = h('div', { class: 'notices', role: 'status' });
const signInPart = h('div', { class: 'signing' });
const stage = h('div', { class: 'stage' });
const describing = h('div');
const queueState = h('section', { class: 'stage queue' });
const options = h('details');

/** What is shown: what is noted, and what only this tab knows. */
const now = {
    noted: null, round: null, isAwake: false, pace: null, paceAt: 0, isSignedOut: false, problem: null,
};
const fallbackSource = `phone-${hex(2)}`;
const turn = makeTurn();
let isPersistent = true;
const shown = {
    mode: null, form: null, view: null, notices: null, signing: null, refused: null, described: null,
};

// Turns reports of the device into events.

const wake = makeWakeLock((isAwake) => { now.isAwake = isAwake; draw(); });
const watch = makeWatch({
    position: (position) => take(async () => {
        const fix = fixOf(position, Date.now());
        if (now.noted?.drive) now.pace = speedOf(now.noted.drive.last, fix);
        now.paceAt = performance.now();
        return recorder.fix(fix);
    }),
    failure: (error) => take(() => recorder.fail(Date.now(), error)),
    permission: (state) => { if (watch.isOn) take(() => recorder.permission(Date.now(), state)); },
});

/** Does something to the store, then shows and sends what came of it. */
async function take(work, isUrgent = false) {
    try {
        const events = await work();
        now.problem = null;
        await refresh();
        tabs?.postMessage('changed');
        if (isUrgent) sender.now();
        else if (events?.length) sender.soon();
        return events;
    } catch (error) {
        // Full, or forbidden: what was noted before stays.
        now.problem = say('store.failed', { why: error.message });
        draw();
        return null;
    }
}

const sender = makeSender(queue, (round) => {
    now.round = round;
    if (round.state === 'signedOut') now.isSignedOut = true;
    if (round.state === 'sent') now.isSignedOut = false;
    refresh().catch(() => {});
    tabs?.postMessage('changed');
});

function startWatching() {
    wake.want(true);
    watch.start();
    const state = watch.state();
    if (state) take(() => recorder.permission(Date.now(), state));
}

function stopWatching() {
    watch.stop();
    wake.want(false);
    now.pace = null;
    turn.end();
}

async function go({ vehicle, routine }) {
    // A browser asks for this permission only during a press.
    navigator.storage?.persist?.().then((isGiven) => { isPersistent = isGiven; }, () => {});
    if (!await turn.take()) return refresh();
    const source = now.noted.settings.source ?? fallbackSource;
    const begun = await take(async () => {
        await recorder.note('settings', { ...now.noted.settings, source, vehicle });
        return recorder.go(Date.now(), { source, vehicle, routine });
    }, true);
    if (!begun) {
        turn.end();
        return refresh();
    }
    startWatching();
    announce(say('driving'));
    return undefined;
}

async function goOn() {
    if (!await turn.take()) return refresh();
    startWatching();
    return refresh();
}

/** A rest: nothing is watched, and the screen may go dark. */
async function pause() {
    const rested = await take(() => recorder.pause(Date.now()));
    if (!rested) return;
    stopWatching();
    await refresh();
    announce(say('paused.text'));
}

async function endPause() {
    if (!await turn.take()) return refresh();
    await take(() => recorder.resume(Date.now()));
    startWatching();
    await refresh();
    announce(say('driving'));
    return undefined;
}

async function stop(atLastFix) {
    if (!await turn.take()) return refresh();
    const isEmpty = now.noted.drive?.fixes === 0;
    const ended = await take(() => recorder.stop(Date.now(), { atLastFix }), true);
    if (ended === null && now.problem) return undefined;
    stopWatching();
    await refresh();
    if (isEmpty) toast(say('ended.nothing'));
    (describing.querySelector('h2') ?? heading).focus();
    return undefined;
}

// What is shown.

function noticesOf({ drive, settings: noted }) {
    const texts = [];
    if (now.problem) texts.push(now.problem);
    if (!window.isSecureContext) texts.push(say('insecure'));
    if (drive?.failure && shown.mode === 'driving') texts.push(...failureWords(drive.failure.reason));
    if (now.round?.state === 'barred') {
        texts.push(say('barred', { source: drive?.source ?? noted.source ?? '' }), now.round.reason.message);
    }
    return texts;
}

function signInForm(isBarred) {
    const input = h('input', { autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
    const wrong = h('p', { role: 'alert', hidden: true });
    return h('form', {
        class: 'warning',
        onsubmit: async (event) => {
            event.preventDefault();
            try {
                await signIn(decodeURIComponent(input.value.trim().replace(/^.*#\/?login=/, '')));
                now.isSignedOut = false;
                now.round = null;
                draw();
                sender.now();
                await learn();
            } catch (error) {
                const isWrong = error instanceof Problem && error.status === 401;
                wrong.textContent = isWrong ? say('sign.wrong') : wordsOf(error);
                wrong.hidden = false;
            }
        },
    }, !isBarred && h('p', { role: 'status' }, say('signed.out')), wrong, field(say('sign.link'), input, say('sign.hint')),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, say('sign.in'))));
}

function drawNotices() {
    const texts = noticesOf(now.noted);
    const key = JSON.stringify(texts);
    if (shown.notices !== key) {
        shown.notices = key;
        put(notices, texts.map((text) => h('p', { class: 'warning' }, text)));
    }
    const isBarred = now.round?.state === 'barred' && !now.isSignedOut;
    const signing = now.isSignedOut || isBarred ? `${languageCode()} ${isBarred}` : null;
    if (shown.signing === signing) return;
    shown.signing = signing;
    put(signInPart, signing && signInForm(isBarred));
}

/** A part is made anew only when its form changes: a button that is being pressed must not go. */
function drawStage(mode, noted) {
    const about = { idle: [noted.known, noted.settings.vehicle], recover: noted.drive?.id, paused: noted.drive?.pausedAt };
    const form = JSON.stringify([mode, languageCode(), about[mode]]);
    if (shown.form !== form) {
        const hadFocus = stage.contains(document.activeElement);
        shown.form = form;
        shown.mode = mode;
        shown.view = null;
        if (mode === 'idle') put(stage, makeIdle(noted, go));
        if (mode === 'elsewhere') put(stage, makeElsewhere());
        if (mode === 'paused') put(stage, makePaused(noted, endPause, () => stop(true)));
        if (mode === 'recover') put(stage, makeRecovery(noted, goOn, () => stop(true)));
        if (mode === 'driving') {
            shown.view = makeDriving(() => stop(false), pause);
            put(stage, shown.view.element);
        }
        if (hadFocus) stage.querySelector('button')?.focus();
    }
    tick();
}

function drawDescribing({ ended, known: lists, drive }) {
    const [one] = drive ? [] : ended;
    const key = JSON.stringify([one?.id ?? null, languageCode()]);
    if (shown.described === key) return;
    shown.described = key;
    put(describing, one && makeDescribe(one, lists,
        async (said) => {
            const events = await take(() => recorder.describe(Date.now(), one, said), true);
            if (events) toast(say('describe.saved'));
            heading.focus();
        },
        async () => {
            await take(() => recorder.skip(one));
            heading.focus();
        }));
}

const queueLine = h('p');
const receiptsLine = h('p', { class: 'faint receipts' });
const persistLine = h('p', { class: 'faint', hidden: true });
const refusedPart = h('div');
const warnedPart = h('div');

function drawQueue(noted) {
    queueLine.textContent = queueWords(noted, now.round);
    queueLine.dataset.waiting = noted.waiting;
    const stored = noted.numbers?.stored ?? 0;
    receiptsLine.textContent = say('receipts', { n: stored });
    receiptsLine.hidden = !noted.numbers;
    persistLine.hidden = isPersistent || !(noted.drive || noted.waiting);
    receiptsLine.dataset.receipts = stored;
    const key = JSON.stringify([noted.refused.map(({ sequence }) => sequence), noted.warned, languageCode()]);
    if (shown.refused === key) return;
    shown.refused = key;
    put(warnedPart, noted.warned.length > 0
        && makeWarned(noted.warned, () => take(() => recorder.note('warned', []))));
    put(refusedPart, noted.refused.length > 0 && makeRefused(noted.refused,
        () => take(() => recorder.retry(), true),
        (sequence) => take(() => recorder.forget(sequence))));
}

function draw() {
    const { noted } = now;
    if (!noted) {
        if (now.problem) put(notices, h('p', { class: 'warning' }, now.problem));
        return;
    }
    drawStage(now.mode, noted);
    drawNotices();
    drawDescribing(noted);
    drawQueue(noted);
}

let saidAt = 0;

function tick() {
    if (!shown.view || !now.noted?.drive) return;
    const { drive } = now.noted;
    const pace = performance.now() - now.paceAt < FRESH ? now.pace : null;
    shown.view.update({ drive, pace, isAwake: now.isAwake }, Date.now());
    if (performance.now() - saidAt > 30000) {
        saidAt = performance.now();
        announce(shown.view.words(drive, Date.now()));
    }
}

async function refresh() {
    const noted = await recorder.read();
    const isElsewhere = Boolean(noted.drive) && await turn.isTaken();
    now.noted = noted;
    if (!noted.drive) now.mode = 'idle';
    else if (isElsewhere) now.mode = 'elsewhere';
    else if (noted.drive.pausedAt) now.mode = 'paused';
    else now.mode = watch.isOn ? 'driving' : 'recover';
    draw();
}

function drawFrame() {
    document.documentElement.lang = language();
    document.title = `${say('title')} · Trip Ledger`;
    document.getElementById('skip').textContent = say('skip');
    const navigation = document.getElementById('navigation');
    navigation.setAttribute('aria-label', say('nav.label'));
    put(navigation, h('ul', { class: 'of-record' },
        h('li', null, h('a', { href: '/' }, say('book'))),
        h('li', null, h('a', { href: '/record', 'aria-current': 'page' }, say('title')))));
    heading.textContent = say('title');
    persistLine.textContent = say('persist.no');
    const source = h('input', {
        maxlength: 60, autocomplete: 'off', required: true,
        value: now.noted?.settings.source ?? fallbackSource,
    });
    source.addEventListener('change', () => {
        const name = source.value.trim();
        // A drive keeps the name under which it began.
        if (name && name !== 'ledger') {
            take(() => recorder.note('settings', { ...now.noted.settings, source: name }));
        }
    });
    const chosen = choice(languages, languageCode());
    chosen.addEventListener('change', async () => {
        await choose(chosen.value).catch((error) => toast(wordsOf(error)));
        drawFrame();
        draw();
    });
    put(options, h('summary', null, say('settings.summary')),
        h('div', null, field(say('source'), source, say('source.hint')),
            field(say('settings.language'), chosen)));
}

/** Reads what the ledger knows of vehicles and routines; what was read last is there without it. */
async function learn() {
    try {
        const { units, time_zone } = await status();
        const [vehicles, routines] = await Promise.all([known('vehicles'), known('routines')]);
        await recorder.note('known', {
            units, time_zone,
            vehicles: vehicles.map(({ vehicle, plate }) => ({ vehicle, plate })),
            routines: routines.map(({ routine }) => ({ routine })),
        });
        await refresh();
    } catch (error) {
        if (!(error instanceof Problem) || error.status !== 401) return;
        now.isSignedOut = true;
        draw();
    }
}

/** Keeps the files of this page for when there is no network, and tells of a newer version. */
async function keepFiles() {
    if (!('serviceWorker' in navigator)) return;
    const hadOne = Boolean(navigator.serviceWorker.controller);
    navigator.serviceWorker.addEventListener('controllerchange', () => {
        if (hadOne && !watch.isOn) toast(say('new.version'), say('new.load'), () => location.reload());
    });
    try {
        const options = { scope: '/record', updateViaCache: 'none' };
        await navigator.serviceWorker.register('/record/worker.js', options);
    } catch { /* Without it, all but opening it offline works. */ }
}

/** Whether the browser has promised to delete nothing of this by itself. */
async function learnPersistence() {
    isPersistent = await navigator.storage?.persisted?.().catch(() => true) ?? true;
}

async function start() {
    put(main, heading, notices, signInPart, stage, describing, queueState, options);
    put(queueState, queueLine, receiptsLine, refusedPart, warnedPart, persistLine);
    try {
        const noted = await recorder.read();
        now.noted = noted;
        const { units = 'km', time_zone = 'UTC' } = noted.known;
        Object.assign(settings, { units, time_zone });
    } catch (error) {
        now.problem = say('store.failed', { why: error.message });
    }
    drawFrame();
    await refresh().catch(draw);
    setInterval(tick, 1000);
    // Another tab may have died, and its drive is to be found.
    setInterval(() => { if (!watch.isOn && !document.hidden) refresh().catch(() => {}); }, 3000);
    if (tabs) tabs.onmessage = () => refresh().catch(() => {});
    window.addEventListener('online', () => sender.afresh());
    window.addEventListener('offline', () => { draw(); announce(queueWords(now.noted, now.round)); });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) sender.now(); });
    document.getElementById('skip').addEventListener('click', (event) => {
        event.preventDefault();
        main.focus();
    });
    sender.now();
    keepFiles();
    learnPersistence();
    await learn();
}

start();
