// The start of the page: signing in, the views by their addresses, and the navigation.

import { Problem, Unreachable, away, keptAt, known, signIn, signOut, status, wordsOf } from './api.js';
import { announce, choice, clearToasts, dialog, field, h, put, toast } from './dom.js';
import { watchDrops } from './dropzone.js';
import { clock, count, moment } from './formats.js';
import { icon } from './icons.js';
import { canNotify, notifies, setNotices } from './notices.js';
import { forgetRows, keepingPart, startKeeping } from './offline.js';
import { NotLoaded, hasNewer, load, loadAll, loadLanguage, sayNotLoaded, views } from './pageparts.js';
import { forgetSeal } from './seal.js';
import { setTheme, showTheme, theme, themes } from './theme.js';
import { readWaiting, waitingInAll } from './waiting.js';
import { t, language, languageCode, languages, startLanguage } from './texts.js';

const RECORD = 'record';
/** The views that a narrow screen names; the others stand behind one button there. */
const first = ['now', RECORD, 'inbox', 'trips'];
const others = ['add', 'roads', 'totals', 'reports', 'places', 'vehicles', 'expenses', 'devices', 'proof', 'changes'];
const main = document.getElementById('main');
let leaving = new AbortController();
let isSignedOut = false;
/** Whether somebody was in with this page. */
let wasEntered = false;
let hasFailed = false;
/** A view that is there sooner needs no word that it is being read, in milliseconds. */
const SOON = 150;
/** While the server is away it is looked for so often, in milliseconds. */
const LOOK = 5000;

/** Returns what is written in an address; null if nothing can be written so. */
function decoded(text) {
    try { return decodeURIComponent(text); } catch { return null; }
}

/** What an address says: the view, what it is about, and its filters. */
function route() {
    const [path, query = ''] = location.hash.slice(1).split('?');
    const [name, about] = path.split('/').filter(Boolean);
    const subject = about ? decoded(about) : null;
    const isKnown = Object.hasOwn(views, name) && (!about || subject !== null);
    return {
        name: isKnown ? name : 'now',
        subject,
        query: new URLSearchParams(query),
    };
}

const linkTo = (name, current) => h('a', {
    class: first.includes(name) ? 'pictured' : null,
    href: name === RECORD ? '/record' : `#/${name}`,
    'aria-current': name === current || (name === 'trips' && current === 'trip') ? 'page' : null,
}, t(`nav.${name}`), name === 'inbox' && h('span', { class: 'count', id: 'waiting' }),
    first.includes(name) && icon(name));

function showNavigation(current) {
    const item = (name, kind) => h('li', { class: kind }, linkTo(name, current));
    const list = h('ul', null, first.map((name) => item(name, null)), others.map((name) => item(name, 'rare')));
    const navigation = document.getElementById('navigation');
    navigation.setAttribute('aria-label', t('nav.label'));
    put(navigation, list,
        h('button', {
            type: 'button', class: 'quiet rare', 'aria-label': t('settings'), title: t('settings'),
            onclick: showSettings,
        }, '⚙'),
        h('button', {
            type: 'button', class: 'quiet rare', 'aria-label': t('finder.title'), title: `${t('finder.title')} (/)`,
            onclick: showFinder,
        }, h('span', { 'aria-hidden': 'true' }, '⌕')),
        h('button', {
            type: 'button', class: 'quiet rest pictured', 'aria-haspopup': 'dialog',
            'aria-current': others.includes(current) ? 'true' : null, onclick: () => showRest(current),
        }, t('nav.more'), icon('more')));
    document.getElementById('skip').textContent = t('skip');
    showWaiting();
    // If not all names have room, the current one must be visible.
    list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** The views for which a narrow screen has no room, and the settings. */
function showRest(current) {
    const shown = dialog(t('nav.more'),
        h('ul', { class: 'plain rest' }, others.map((name) => h('li', null, linkTo(name, current)))),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: () => { shown.close(); showFinder(); } }, t('finder.title')),
            h('button', { type: 'button', onclick: () => { shown.close(); showSettings(); } }, t('settings')),
            h('button', { type: 'button', class: 'main', onclick: () => shown.close() }, t('close'))));
    shown.addEventListener('click', ({ target }) => { if (target.closest('a')) shown.close(); });
}

/** Shows how many trips wait in the inbox; more than a thousand need no number. */
function showWaiting() {
    const number = waitingInAll();
    const element = document.getElementById('waiting');
    if (element) put(element, number ? (number > 999 ? `${count(999)}+` : count(number)) : '');
    if (element) element.hidden = !number;
    // The number alone says nothing to those who listen.
    const words = number ? `${t('nav.inbox')}: ${t('inbox.inall', { n: number })}` : t('nav.inbox');
    element?.closest('a').setAttribute('aria-label', words);
}

function showSettings() {
    const chosen = choice(languages, languageCode());
    const notices = h('input', { type: 'checkbox', checked: notifies(), onchange: async () => {
        notices.checked = await setNotices(notices.checked);
    } });
    const look = choice(themes.map((name) => [name, t(`theme.${name}`)]), theme(), {
        onchange: () => setTheme(look.value),
    });
    const shown = dialog(t('settings'),
        h('p', null, h('a', { href: '#/settings', class: 'button', onclick: () => shown.close() },
            t('settings.all'))),
        h('h3', null, t('settings.here')),
        field(t('settings.language'), chosen), field(t('theme.title'), look),
        canNotify() && h('label', { class: 'check' }, notices, t('notices.wanted')),
        keepingPart(),
        h('p', { class: 'faint' }, t('settings.about')),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: leave }, t('signout')),
            h('button', { type: 'button', class: 'main', onclick: () => shown.close() }, t('close'))));
    chosen.addEventListener('change', async () => {
        try {
            await loadLanguage(chosen.value);
        } catch (error) {
            sayNotLoaded(error);
            return;
        }
        shown.close();
        show(true);
    });
    async function leave() {
        shown.close();
        try {
            await signOut();
            forgetSeal();
            await forgetRows();
            showSignedOut();
        } catch (error) {
            toast(wordsOf(error));
        }
    }
}

/**
 * Shows the view of the address. Focus goes to its heading, so that it is read out. The first view
 * takes over the status with which the page began, and does not ask for it again.
 */
async function show(movesFocus, begun = null) {
    if (isSignedOut) return;
    // What a message is about goes with the view; what the view says on leaving stays.
    if (movesFocus) clearToasts();
    leaving.abort();
    hasFailed = false;
    leaving = new AbortController();
    const { signal } = leaving;
    const { name, subject, query } = route();
    document.documentElement.lang = language();
    showNavigation(name);
    main.className = name;
    main.setAttribute('aria-busy', 'true');
    const heading = h('h1', { tabindex: '-1' }, t(`nav.${name}`));
    put(main, heading);
    document.title = `${t(`nav.${name}`)} · Trip Ledger`;
    if (movesFocus) {
        window.scrollTo(0, 0);
        heading.focus({ preventScroll: true });
    }
    sayReading(signal);
    try {
        const view = await load(name);
        if (signal.aborted) return;
        await view.show({ main, heading, subject, query, signal, begun });
        readWaiting();
    } catch (error) {
        if (signal.aborted || isSignedOut) return;
        hasFailed = true;
        put(main, heading, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)),
            h('p', null, error instanceof NotLoaded
                ? h('button', { type: 'button', onclick: () => location.reload() }, t('problem.load'))
                : h('button', { type: 'button', onclick: () => show(true) }, t('again'))));
        // A mistake of the page stands in the console too, with where it is.
        if (![Problem, Unreachable, NotLoaded].some((kind) => error instanceof kind)) throw error;
    } finally {
        if (!signal.aborted) main.removeAttribute('aria-busy');
    }
}

/** Says that a view is being read, until it shows something. */
function sayReading(signal) {
    const words = h('p', { class: 'faint', role: 'status' }, t('reading'));
    const timer = setTimeout(() => { if (main.children.length === 1) main.append(words); }, SOON);
    const observer = new MutationObserver(() => {
        if (main.children.length > (words.isConnected ? 2 : 1)) end();
    });
    const end = () => {
        clearTimeout(timer);
        observer.disconnect();
        words.remove();
    };
    observer.observe(main, { childList: true });
    signal.addEventListener('abort', end);
}

let looking = null;

/** Says that the server is away, and since when what is shown is old; it is looked for until it is back. */
function showAway() {
    const line = document.getElementById('away');
    const since = away();
    line.hidden = since === null;
    clearInterval(looking);
    if (since === null) {
        put(line);
        if (hasFailed && !isSignedOut) show(false);
        sayNewer();
        return;
    }
    const kept = keptAt();
    const words = kept === null ? t('away', { time: clock(new Date(since).toISOString()) })
        : t('away.kept', { time: moment(new Date(kept).toISOString()) });
    put(line, words);
    announce(words);
    looking = setInterval(() => { if (!document.hidden) status().catch(() => {}); }, LOOK);
}

/** A server that was away may be another version: the page goes on, and says how to have it. */
async function sayNewer() {
    if (await hasNewer().catch(() => false)) {
        toast(t('problem.newer'), t('problem.load'), () => location.reload());
    }
}

const WANTED = 'wanted-view';

/** The address of the view that was asked for while no one was signed in. */
function takeWanted() {
    const wanted = localStorage.getItem(WANTED);
    localStorage.removeItem(WANTED);
    return wanted ?? '#/now';
}

/** The form for a link that was made elsewhere. */
function signInForm() {
    const link = h('input', {
        required: true, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', type: 'text',
    });
    return h('form', { onsubmit: (event) => {
        event.preventDefault();
        // A code has letters, digits and lines only; what was copied beside it is none of it.
        location.hash = `#login=${link.value.replace(/^.*#\/?login=/, '').replace(/[^\w-]/g, '')}`;
    } }, field(t('signedout.link'), link),
    h('div', { class: 'buttons' }, h('button', { class: 'main' }, t('signedout.enter'))));
}

function showSignedOut(failure) {
    isSignedOut = true;
    if (/^#\/\w/.test(location.hash)) localStorage.setItem(WANTED, location.hash);
    leaving.abort();
    for (const open of document.querySelectorAll('dialog[open]')) open.close();
    document.documentElement.lang = language();
    put(document.getElementById('navigation'));
    main.className = 'signed-out';
    main.removeAttribute('aria-busy');
    const heading = h('h1', { tabindex: '-1' }, t('signedout.title'));
    put(main, heading,
        failure && h('p', { class: 'warning', role: 'alert' }, failure),
        h('p', null, t('signedout.elsewhere')),
        h('p', null, t('signedout.how')),
        h('pre', null, 'ledger token new browser --page'),
        h('p', null, t('signedout.then')), signInForm());
    document.title = `${t('signedout.title')} · Trip Ledger`;
    heading.focus();
}

/** Takes the code out of the address at once, so that neither history nor a bookmark keeps it. */
function takeCode() {
    const match = /^#\/?login=(.+)$/.exec(location.hash);
    if (!match) return null;
    history.replaceState(null, '', `${location.pathname}#/now`);
    // What is no code is refused as a wrong one.
    return decoded(match[1]) ?? match[1];
}

async function enter() {
    const code = takeCode();
    let begun;
    try {
        if (code) {
            await signIn(code);
            // What another session has read is not this one's, be it kept or in the page's memory.
            await forgetRows();
            history.replaceState(null, '', `${location.pathname}${takeWanted()}`);
            if (wasEntered) return location.reload();
            isSignedOut = false;
        }
        // The list that Home needs next comes at the same time.
        if (route().name === 'now') known('vehicles').catch(() => {});
        begun = await status();
        wasEntered = true;
    } catch (error) {
        const isRefused = error instanceof Problem && error.status === 401;
        if (isRefused) return showSignedOut(code ? t('signedout.code') : null);
        put(main, h('h1', null, 'Trip Ledger'), h('p', { class: 'warning', role: 'alert' }, wordsOf(error)),
            h('button', { type: 'button', onclick: enter }, t('again')));
        return undefined;
    }
    await show(false, begun);
    loadAll();
    return undefined;
}

window.addEventListener('hashchange', () => {
    if (/^#\/?login=/.test(location.hash)) {
        isSignedOut = false;
        enter();
    } else if (location.hash !== '#main') {
        show(true);
    }
});
window.addEventListener('waitingchanged', showWaiting);
document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isSignedOut) return;
    if (event.target.closest?.('input, textarea, select, dialog, [contenteditable]')) return;
    event.preventDefault();
    showFinder();
});

/** Searches everything; what it takes is loaded when it is wanted first. */
async function showFinder() {
    try {
        const { find } = await load('finder');
        find();
    } catch (error) {
        sayNotLoaded(error);
    }
}

window.addEventListener('signedout', () => { if (!isSignedOut) showSignedOut(); });
document.getElementById('skip').addEventListener('click', (event) => {
    // The address is the view's; to follow the link would leave it.
    event.preventDefault();
    main.focus();
});
window.addEventListener('away', showAway);
watchDrops();
window.addEventListener('offline', () => announce(t('problem.unreachable')));

/** Fields in which nothing stands say nothing on paper. */
window.addEventListener('beforeprint', () => {
    for (const element of document.querySelectorAll('.field, .check')) {
        const control = element.querySelector('input, select, textarea') ?? { value: '–' };
        const says = control.type === 'checkbox' ? control.checked : control.value.trim() !== '';
        element.classList.toggle('blank', !says);
        // A control shows as much of its text as it is wide; paper has room for all of it.
        const isText = says && control.matches?.('select, textarea, input:not([type=checkbox], [type=range])');
        if (isText) element.dataset.paper = control.selectedOptions?.[0].textContent ?? control.value;
        else delete element.dataset.paper;
    }
});

// Without the texts of a language the page speaks English.
await startLanguage().catch(() => {});
showTheme();
startKeeping();
enter();
