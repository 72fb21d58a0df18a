// The start of the page: signing in, the views by their addresses, and the navigation.

import { Problem, signIn, signOut, status, wordsOf } from './api.js';
import { announce, choice, dialog, field, h, put, toast } from './dom.js';
import { count } from './formats.js';
import { canNotify, notifies, setNotices } from './notices.js';
import { readWaiting, waiting } from './waiting.js';
import { t, language, languageCode, languages, setLanguage } from './texts.js';

const views = {
    now: () => import('./now.js'),
    inbox: () => import('./inbox.js'),
    trips: () => import('./trips.js'),
    trip: () => import('./trip.js'),
    totals: () => import('./totals.js'),
    reports: () => import('./reports.js'),
    places: () => import('./places.js'),
    vehicles: () => import('./vehicles.js'),
    devices: () => import('./devices.js'),
    proof: () => import('./proof.js'),
};
const inNavigation = ['now', 'inbox', 'trips', 'totals', 'reports', 'places', 'vehicles', 'devices', 'proof'];
const main = document.getElementById('main');
let leaving = new AbortController();
let isSignedOut = false;

/** What an address says: the view, what it is about, and its filters. */
function route() {
    const [path, query = ''] = location.hash.slice(1).split('?');
    const [name, subject] = path.split('/').filter(Boolean);
    return {
        name: Object.hasOwn(views, name) ? name : 'now',
        subject: subject ? decodeURIComponent(subject) : null,
        query: new URLSearchParams(query),
    };
}

function showNavigation(current) {
    const list = h('ul', null, inNavigation.map((name) => h('li', null, h('a', {
        href: `#/${name}`,
        'aria-current': name === current || (name === 'trips' && current === 'trip') ? 'page' : null,
    }, t(`nav.${name}`), name === 'inbox' && h('span', { class: 'count', id: 'waiting' })))));
    const navigation = document.getElementById('navigation');
    navigation.setAttribute('aria-label', t('nav.label'));
    list.append(h('li', null, h('a', { href: '/record' }, t('nav.record'))));
    put(navigation, list, h('button', {
        type: 'button', class: 'quiet', 'aria-label': t('settings'), title: t('settings'),
        onclick: showSettings,
    }, '⚙'));
    document.getElementById('skip').textContent = t('skip');
    showWaiting();
    // If not all names have room, the current one must be visible.
    list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** Shows how many trips wait for a class; more than a thousand need no number. */
function showWaiting() {
    const number = waiting();
    const element = document.getElementById('waiting');
    if (element) put(element, number ? (number > 999 ? `${count(999)}+` : count(number)) : '');
    if (element) element.hidden = !number;
    // The number alone says nothing to those who listen.
    const words = number ? `${t('nav.inbox')}: ${t('inbox.waiting', { n: number })}` : t('nav.inbox');
    element?.closest('a').setAttribute('aria-label', words);
}

function showSettings() {
    const chosen = choice(languages, languageCode());
    const notices = h('input', { type: 'checkbox', checked: notifies(), onchange: async () => {
        notices.checked = await setNotices(notices.checked);
    } });
    const shown = dialog(t('settings'),
        field(t('settings.language'), chosen),
        canNotify() && h('label', { class: 'check' }, notices, t('notices.wanted')),
        h('p', { class: 'faint' }, t('settings.about')),
        h('div', { class: 'buttons' },
            h('button', { type: 'button', onclick: leave }, t('signout')),
            h('button', { type: 'button', class: 'main', onclick: () => shown.close() }, t('close'))));
    chosen.addEventListener('change', async () => {
        await setLanguage(chosen.value);
        shown.close();
        show(true);
    });
    async function leave() {
        shown.close();
        try {
            await signOut();
            showSignedOut();
        } catch (error) {
            toast(wordsOf(error));
        }
    }
}

/** Shows the view of the address. Focus goes to its heading, so that it is read out. */
async function show(movesFocus) {
    if (isSignedOut) return;
    leaving.abort();
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
    try {
        const view = await views[name]();
        if (signal.aborted) return;
        await view.show({ main, heading, subject, query, signal });
        readWaiting();
    } catch (error) {
        if (signal.aborted || isSignedOut) return;
        put(main, heading, h('p', { class: 'warning', role: 'alert' }, wordsOf(error)),
            h('p', null, h('button', { type: 'button', onclick: () => show(true) }, t('again'))));
        if (!(error instanceof Problem) && !(error instanceof TypeError)) throw error;
    } finally {
        if (!signal.aborted) main.removeAttribute('aria-busy');
    }
}

function showSignedOut(failure) {
    isSignedOut = true;
    leaving.abort();
    for (const open of document.querySelectorAll('dialog[open]')) open.close();
    document.documentElement.lang = language();
    put(document.getElementById('navigation'));
    main.className = 'signed-out';
    main.removeAttribute('aria-busy');
    const heading = h('h1', { tabindex: '-1' }, t('signedout.title'));
    put(main, heading,
        failure && h('p', { class: 'warning', role: 'alert' }, failure),
        h('p', null, t('signedout.how')),
        h('pre', null, 'ledger token new browser --page'),
        h('p', null, t('signedout.then')));
    document.title = `${t('signedout.title')} · Trip Ledger`;
    heading.focus();
}

/** Takes the code out of the address at once, so that neither history nor a bookmark keeps it. */
function takeCode() {
    const match = /^#\/?login=(.+)$/.exec(location.hash);
    if (!match) return null;
    history.replaceState(null, '', `${location.pathname}#/now`);
    return decodeURIComponent(match[1]);
}

async function enter() {
    const code = takeCode();
    try {
        if (code) {
            await signIn(code);
            isSignedOut = false;
        }
        await status();
    } catch (error) {
        const isRefused = error instanceof Problem && error.status === 401;
        if (isRefused) return showSignedOut(code ? t('signedout.code') : null);
        put(main, h('h1', null, 'Trip Ledger'), h('p', { class: 'warning', role: 'alert' }, wordsOf(error)),
            h('button', { type: 'button', onclick: enter }, t('again')));
        return undefined;
    }
    return show(false);
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
window.addEventListener('signedout', () => { if (!isSignedOut) showSignedOut(); });
document.getElementById('skip').addEventListener('click', (event) => {
    // The address is the view's; to follow the link would leave it.
    event.preventDefault();
    main.focus();
});
window.addEventListener('offline', () => announce(t('problem.unreachable')));

/** Fields in which nothing stands say nothing on paper. */
window.addEventListener('beforeprint', () => {
    for (const element of document.querySelectorAll('.field, .check')) {
        const control = element.querySelector('input, select, textarea') ?? { value: '–' };
        const says = control.type === 'checkbox' ? control.checked : control.value.trim() !== '';
        element.classList.toggle('blank', !says);
    }
});

enter();
