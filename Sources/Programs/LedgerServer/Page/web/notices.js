// Notices of the system while the page is open and not looked at, if a reader has asked for them.

import { listen } from './live.js';
import { toast } from './dom.js';
import { load } from './pageparts.js';
import { t } from './texts.js';

const KEY = 'notices';
let listening = null;

export const canNotify = () => 'Notification' in window;
export const notifies = () => canNotify() && localStorage.getItem(KEY) === 'yes'
    && Notification.permission === 'granted';

async function show(item) {
    // A page that is seen says news by itself.
    if (!document.hidden) return;
    try {
        const { notice } = await load('now');
        new Notification('Trip Ledger', { body: notice(item), tag: `${item.source} ${item.notification}` });
    } catch { /* Some phones show notices of service workers only; and an old page may lack the words. */ }
}

/**
 * Opens the stream while notices are wanted, seen or not: a server tells what happens from when it was
 * first asked, which takes it a while in a large ledger.
 */
function turn() {
    if (notifies() === Boolean(listening)) return;
    listening?.abort();
    listening = null;
    if (!notifies()) return;
    listening = new AbortController();
    listen({ notification: show }, listening.signal, true);
}

/** Asks for the leave to show notices, or gives it up. */
export async function setNotices(wanted) {
    if (wanted && await Notification.requestPermission() !== 'granted') {
        toast(t('notices.refused'));
        return false;
    }
    localStorage.setItem(KEY, wanted ? 'yes' : 'no');
    turn();
    return wanted;
}

turn();
// The leave may have been taken back meanwhile.
document.addEventListener('visibilitychange', turn);
