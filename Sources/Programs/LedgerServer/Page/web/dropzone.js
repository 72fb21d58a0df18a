// Files that are dropped anywhere on the page: they are handed to the view that adds things.

import { may } from './api.js';
import { toast } from './dom.js';
import { t } from './texts.js';

const VIEW = '#/add';
let dropped = null;

/** Returns the file that was dropped last, once. */
export function takeDropped() {
    const file = dropped;
    dropped = null;
    return file;
}

/** Whether files are dragged, and the session may add them. */
const isWanted = ({ dataTransfer }) => [...dataTransfer?.types ?? []].includes('Files') && may('admin', 'edit');

/** Lets files be dropped on all views. */
export function watchDrops() {
    const mark = (isOver) => document.documentElement.classList.toggle('dropping', isOver);
    window.addEventListener('dragover', (event) => {
        if (!isWanted(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        mark(true);
    });
    window.addEventListener('dragleave', ({ relatedTarget }) => { if (!relatedTarget) mark(false); });
    window.addEventListener('drop', (event) => {
        mark(false);
        if (!isWanted(event)) return;
        event.preventDefault();
        const { files } = event.dataTransfer;
        if (files.length === 0) return;
        if (files.length > 1) {
            toast(t('drop.onlyone'));
            return;
        }
        [dropped] = files;
        if (location.hash.split('?')[0] === VIEW) window.dispatchEvent(new Event('filedropped'));
        else location.hash = VIEW;
    });
}
