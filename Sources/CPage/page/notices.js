// Notices of the system while the page is open and not looked at, if a reader has asked for them.

import { listen } from './live.js';
import { toast } from './dom.js';
import { t } from './texts.js';

const KEY = 'notices';
let listening = null;

export const canNotify = () => 'Notification' in window;
export const notifies = () => canNotify() && localStorage.getItem(KEY) === 'yes'
    && Notification.permission === 'granted';

/** The stream is open only while the page is hidden: a page that is seen says news by itself. */
function turn() {
    listening?.abort();
    listening = null;
    if (!document.hidden || !notifies()) return;
    listening = new AbortController();
    listen({ notification: async (item) => {
        const { notice } = await import('./now.js');
        try {
            const tag = `${item.source} ${item.notification}`;
            new Notification('Trip Ledger', { body: notice(item), tag });
        } catch { /* Some phones show notices of service workers only. */ }
    } }, listening.signal, true);
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

document.addEventListener('visibilitychange', turn);
