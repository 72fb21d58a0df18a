// Home: what goes on now, GO and STOP, the figures up to today, and the map with the running trip.

import { away, decide, get, known, settings, status, wordsOf } from './api.js';
import { announce, choice, field, h, pairs, put, toast } from './dom.js';
import { ago, clock, distance, duration, moment, speed, word } from './formats.js';
import { classes } from './classes.js';
import { settle } from './decisions.js';
import { isRunning, makeFollower } from './follower.js';
import { makeJudge } from './gosources.js';
import { listen, press } from './live.js';
import { makeHome } from './home.js';
import { addPlaces, makeMap, showAll } from './map.js';
import { addRoads } from './roads.js';
import { shareButton } from './share.js';
import { t } from './texts.js';
import { readWaiting } from './waiting.js';

/** The map of home shows where so many trips were. */
const LAST_TRIPS = 20;
/** How long a trip that has ended stands before GO. */
const ENDED_MILLISECONDS = 15 * 60 * 1000;

/** Trips of which the driver said that they go on although nothing moves. */
const goOn = new Set();

/** Running trips first, then what waits for words, then by when they were heard. */
function inOrder(sources) {
    const rank = (source) => (isRunning(source) ? 0 : source.phase === 'details' ? 1 : 2);
    return [...sources].sort((a, b) => rank(a) - rank(b) || (a.latest_at < b.latest_at ? 1 : -1));
}

/** Whether a trip has just ended, and waits for words: they come to mind now. */
const hasJustEnded = (source) => Boolean(source.ended_trip)
    && Date.now() - Date.parse(source.since ?? source.latest_at) < ENDED_MILLISECONDS;

/** What goes on has a card, and what has just ended; a device that is silent has only its light. */
const isShown = (source) => isRunning(source) || hasJustEnded(source)
    || !['idle', 'details'].includes(source.phase);

/**
 * Seconds since the start, whole minutes from the first on: they pass without anything being said.
 * While the server is away no one knows whether the trip goes on.
 */
function secondsOf(source) {
    const seconds = Math.max(0, ((away() ?? Date.now()) - Date.parse(source.started_at)) / 1000);
    return seconds < 60 ? seconds : Math.floor(seconds / 60) * 60;
}

/** The running numbers: made once, then only their texts change. */
function figures() {
    const parts = ['distance', 'duration', 'speed.average'].map((key) => [h('strong'), t(key)]);
    const element = h('div', { class: 'figures' }, parts.map(([value, text]) =>
        h('p', null, value, h('span', null, text))));
    return {
        element,
        update(source) {
            const average = source.average_speed_kmh;
            const texts = [
                distance(source.distance_m ?? 0),
                duration(secondsOf(source)),
                average === null || average === undefined ? '–' : speed(average / 3.6),
            ];
            texts.forEach((text, index) => { parts[index][0].textContent = text; });
        },
    };
}

function asks(source, again) {
    if (!source.asks_still_recording || goOn.has(source.trip)) return null;
    const goesOn = () => {
        goOn.add(source.trip);
        again();
    };
    return h('div', { class: 'warning ask', role: 'group', 'aria-label': t('now.still') },
        h('p', null, t('now.still')),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: goesOn }, t('now.goon')),
            h('button', { type: 'button', class: 'main', onclick: () => run('stop', source.source) },
                t('now.stop'))));
}

/** What is to become of a trip whose recorder died on the way. */
function asksRecovery(source) {
    if (source.phase !== 'recovering' || !source.trip) return null;
    const say = async (decision) => {
        try {
            await decide([{ type: 'recovery_decided', trip: source.trip, decision }]);
            window.dispatchEvent(new Event('pressed'));
        } catch (error) {
            toast(wordsOf(error));
        }
    };
    return h('div', { class: 'warning ask', role: 'group', 'aria-label': t('now.recover') },
        h('p', null, t('now.recover')),
        h('div', { class: 'buttons' }, ['resume', 'save', 'abandon'].map((decision) =>
            h('button', { type: 'button', onclick: () => say(decision) }, t(`now.${decision}`)))));
}

/** Presses GO or STOP. What became of it is read at once: the stream may be slower, or away. */
async function run(button, source, vehicle) {
    try {
        await press(button, source, vehicle);
        announce(t(button === 'go' ? 'now.started' : 'now.stopped'));
        window.dispatchEvent(new Event('pressed'));
    } catch (error) {
        toast(wordsOf(error));
    }
}

/** Says what a trip that has ended was, and offers to take it back. */
async function classify(trip, code) {
    await settle({ type: 'details_edited', trip, class: code }, () => {
        window.dispatchEvent(new Event('pressed'));
        readWaiting(true);
    });
}

/** When a source was heard last: its last position while a trip goes on, by the server's clock. */
function heardAt(source) {
    const fixAt = source.last_fix_age_s === undefined ? source.latest_at
        : new Date(source.receivedAt - source.last_fix_age_s * 1000).toISOString();
    // An app may say where it is before it delivers what lies between.
    const at = source.last_position_at;
    return at && Date.parse(at) > Date.parse(fixAt) ? at : fixAt;
}

const heardWords = (time) => t('now.heard', { ago: ago(Date.now() - Date.parse(time)) });

/** The members that decide the form of a card; while they stay the same only numbers change. */
const formOf = (source) => JSON.stringify([source.phase, source.trip, source.vehicle, source.purpose,
    source.class, source.ended_trip, Boolean(source.asks_still_recording) && !goOn.has(source.trip)]);

function makeCard(source, again) {
    const running = isRunning(source);
    const numbers = running ? figures() : null;
    const heard = h('time', { class: 'heard' });
    const element = h('article', { class: `card phase-${source.phase}`, 'data-source': source.source },
        h('header', null, h('h2', { tabindex: '-1' }, source.source),
            h('p', { class: 'phase' }, h('span', { class: 'dot', 'aria-hidden': 'true' }),
                word('phase', source.phase))),
        asks(source, again),
        asksRecovery(source),
        numbers?.element,
        running && pairs([
            [t('since'), source.started_at && moment(source.started_at)],
            [t('vehicle'), source.vehicle],
            [t('purpose'), source.purpose],
            [t('class'), source.class && word('class', source.class)],
        ]),
        h('p', { class: 'faint' }, heard),
        h('div', { class: 'buttons' },
            running && h('button', {
                type: 'button', class: 'main stop', onclick: () => run('stop', source.source),
            }, t('now.stop')),
            running && h('a', { class: 'button', href: `#/trip/${source.trip}` }, t('now.open')),
            running && shareButton(source.trip),
            source.ended_trip && h('a', { class: 'button main', href: `#/trip/${source.ended_trip}` },
                t('now.details'))),
        source.ended_trip && h('div', { class: 'choices', role: 'group', 'aria-label': t('class') },
            classes.slice(0, 4).map((code) => h('button', {
                type: 'button', class: `class-${code}`, onclick: () => classify(source.ended_trip, code),
            }, word('class', code)))));
    return {
        element,
        form: formOf(source),
        update(now) {
            heard.dateTime = heardAt(now);
            heard.textContent = heardWords(heard.dateTime);
            numbers?.update(now);
        },
    };
}

/** Focuses what stands in place of something that had the focus: the same button, else the heading. */
function focusAgain(element, before) {
    if (before.isConnected) {
        before.focus();
        return;
    }
    const buttons = [...element?.querySelectorAll('button, a') ?? []];
    const same = buttons.find(({ textContent }) => textContent === before.textContent);
    (same ?? element?.querySelector('h2'))?.focus();
}

/**
 * Shows the cards of the sources. A card is made anew only when its form changes: a button that is
 * being pressed, or has the focus, must not be replaced by a new number.
 */
function makeCards(holder, sources) {
    const cards = new Map();
    return function draw() {
        const shown = inOrder(sources.values()).filter(isShown).slice(0, 12);
        const focused = holder.contains(document.activeElement) ? document.activeElement : null;
        const source = focused?.closest('article').dataset.source;
        const elements = shown.map((now) => {
            let card = cards.get(now.source);
            if (card?.form !== formOf(now)) {
                card = makeCard(now, draw);
                cards.set(now.source, card);
            }
            card.update(now);
            return card.element;
        });
        const isSame = elements.length === holder.children.length
            && elements.every((element, index) => holder.children[index] === element);
        if (isSame) return;
        put(holder, elements);
        if (focused) focusAgain(cards.get(source)?.element, focused);
    };
}

/** The form behind GO: which of the devices that can records, and in what. */
function goForm(able, vehicles) {
    const remembered = localStorage.getItem('go-source');
    const names = inOrder(able).map(({ source }) => source);
    const first = names.includes(remembered) ? remembered : names[0];
    const source = choice(names.map((name) => [name, name]), first);
    const vehicle = choice([['', t('now.anyvehicle')], ...vehicles.map((v) => [v.vehicle, v.plate
        ? `${v.vehicle} (${v.plate})` : v.vehicle])], localStorage.getItem('go-vehicle') ?? '');
    if (vehicle.selectedIndex < 0) vehicle.value = '';
    return h('form', {
        class: 'go card',
        onsubmit: (event) => {
            event.preventDefault();
            localStorage.setItem('go-source', source.value);
            localStorage.setItem('go-vehicle', vehicle.value);
            run('go', source.value, vehicle.value);
        },
    }, h('h2', null, t('now.begin')),
    h('div', { class: 'fields' },
        field(t('source'), source), vehicles.length > 0 && field(t('vehicle'), vehicle)),
    h('button', { class: 'main go' }, t('now.go')));
}

/** How to begin, where no device has delivered yet. */
const welcome = () => h('section', { class: 'card welcome' },
    h('h2', null, t('now.first')),
    h('p', null, t('now.firsttext')),
    h('div', { class: 'buttons' },
        h('a', { class: 'button main', href: '/record' }, t('now.firstrecord')),
        h('a', { class: 'button', href: '#/devices' }, t('setup.title'))));

/** Where the last trips were: the map of home shows these, and not each journey of a year. */
async function usual(signal) {
    const { items } = await get('/v1/trips', { limit: LAST_TRIPS }, signal);
    const ends = items.flatMap(({ start, end }) => [start, end]).filter(Boolean);
    return ends.length > 1 ? L.latLngBounds(ends.map(({ lat, lon }) => [lat, lon])) : null;
}

export async function show({ main, signal, begun }) {
    const [first, vehicles] = await Promise.all([begun ?? status(signal), known('vehicles')]);
    if (signal.aborted) return;
    const sources = new Map();
    const take = (source) => {
        // Once it moves again, the next silence is asked about anew.
        if (!source.asks_still_recording) goOn.delete(source.trip);
        sources.set(source.source, { ...source, receivedAt: Date.now() });
    };
    first.sources.forEach(take);
    const element = h('div', { class: 'map' });
    const cards = h('div', { class: 'cards' });
    const news = h('ul', { class: 'news' });
    const connection = h('p', { class: 'faint' });
    const beginning = h('div');
    const isFor = makeJudge(first.sources, signal, () => {
        put(beginning);
        draw();
    });
    const home = makeHome(signal);
    const sheet = h('div', { class: 'sheet' }, beginning, cards, home.element, news, connection,
        h('p', { class: 'faint' }, t('now.zone', { zone: settings.time_zone })));
    const holder = h('div', { class: 'map-holder' }, element);
    main.append(sheet, holder);
    const map = makeMap(element, signal);
    const follower = makeFollower(map, signal);
    holder.append(follower.button);
    let saidAt = 0;

    function say() {
        const running = inOrder(sources.values()).find(isRunning);
        if (!running || Date.now() - saidAt < 30000) return;
        saidAt = Date.now();
        announce(`${distance(running.distance_m ?? 0)}, ${duration(secondsOf(running))}`);
    }

    const drawCards = makeCards(cards, sources);
    function draw() {
        const all = [...sources.values()];
        const able = all.filter(isFor);
        if (!beginning.querySelector(able.length > 0 ? 'form' : '.welcome')) {
            put(beginning, able.length > 0 ? goForm(able, vehicles) : welcome());
        }
        // What goes on is first; GO is first while nothing does.
        main.dataset.phase = all.some(isRunning) ? 'running' : all.some(hasJustEnded) ? 'ended' : 'idle';
        drawCards();
        say();
        return follower.update(inOrder(sources.values()));
    }

    async function readAgain() {
        try {
            const now = await status(signal);
            sources.clear();
            now.sources.forEach(take);
            follower.readAgain();
            draw();
            await home.update(now.sources);
        } catch { /* The stream says it again, or the signed-out view has taken over. */ }
    }

    let refreshing = null;
    signal.addEventListener('abort', () => clearTimeout(refreshing));
    /** Reads the figures of home again, once for what happens in one moment. */
    function refreshHome() {
        refreshing ??= setTimeout(() => {
            refreshing = null;
            home.update([...sources.values()]).catch(() => { /* The next trip, or the stream, says it again. */ });
        }, 1000);
    }

    window.addEventListener('pressed', readAgain, { signal });
    signal.addEventListener('abort', () => delete main.dataset.phase);
    const runs = draw();
    const figures = home.update(first.sources);
    figures.catch(() => { /* It is thrown below, where the view ends. */ });
    const roads = addRoads(map, signal, runs ? 'quiet' : '');
    const [circles, around] = await Promise.all([addPlaces(map, signal), runs ? null : usual(signal)]);
    if (signal.aborted) return;
    const places = L.featureGroup([...circles.values()]).getBounds();
    if (!runs) showAll(map, around ?? (await roads ?? places));
    if (signal.aborted) return;
    const ticking = setInterval(() => {
        // Ages and minutes grow even if the stream says nothing.
        drawCards();
        // At midnight another day begins, and with it perhaps another week, month or year.
        if (home.isOld()) refreshHome();
    }, 1000);
    signal.addEventListener('abort', () => clearInterval(ticking));
    listen({
        connected: (isOpen) => { connection.textContent = isOpen ? t('now.live') : t('now.reconnecting'); },
        status: (source) => {
            // A status that was read since is newer: a button must not come and go.
            if (source.events < (sources.get(source.source)?.events ?? 0)) return;
            const before = sources.get(source.source);
            take(source);
            draw();
            // A trip that has ended counts from now on.
            if (before?.trip && before.trip !== source.trip) refreshHome();
        },
        resync: readAgain,
        notification: (item) => {
            const text = notice(item);
            news.prepend(h('li', null, `${clock(item.at)} ${text}`));
            while (news.children.length > 8) news.lastChild.remove();
            announce(text);
        },
    }, signal);
    await figures;
}

/** A notification in words. */
export const notice = (item) => t(`news.${item.notification}`, {
    source: item.source, place: item.label ?? item.place ?? '',
    distance: item.distance_m === undefined ? '' : distance(item.distance_m),
});
