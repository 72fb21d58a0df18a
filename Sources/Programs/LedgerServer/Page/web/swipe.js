// A row that a finger moves aside. There is a button beside it that does the same.

const LEAST_PIXELS = 90;
/** How long a row takes to leave once it is let go, in milliseconds. */
const LEAVING = 140;
const still = window.matchMedia('(prefers-reduced-motion: reduce)');

/** Tells of a swipe to the right (true) or the left (false). */
export function swipes(row, onSwipe, signal) {
    const card = row.querySelector('.card');
    let from = null;
    let moved = 0;

    function end() {
        from = null;
        moved = 0;
        card.style.transform = '';
        card.style.transition = '';
        row.removeAttribute('data-swipe');
    }

    /** Lets the row go on to the edge, so that the class below it is seen whole. */
    function leave(isRight) {
        from = null;
        card.style.transition = `transform ${LEAVING}ms`;
        card.style.transform = `translateX(${isRight ? 105 : -105}%)`;
        setTimeout(() => {
            end();
            if (!signal.aborted) onSwipe(isRight);
        }, still.matches ? 0 : LEAVING);
    }

    row.addEventListener('pointerdown', (event) => {
        if (event.pointerType === 'mouse' || !event.isPrimary) return;
        from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    }, { signal });
    row.addEventListener('pointermove', (event) => {
        if (from?.id !== event.pointerId) return;
        const [x, y] = [event.clientX - from.x, event.clientY - from.y];
        if (moved === 0 && (Math.abs(x) < 12 || Math.abs(x) < 1.5 * Math.abs(y))) return;
        if (moved === 0) row.setPointerCapture(event.pointerId);
        moved = x || 1;
        card.style.transform = `translateX(${Math.round(x)}px)`;
        const isFar = Math.abs(x) > LEAST_PIXELS;
        row.dataset.swipe = `${x > 0 ? 'right' : 'left'}${isFar ? ' far' : ''}`;
    }, { signal });
    row.addEventListener('pointerup', () => {
        if (!from) return;
        if (Math.abs(moved) > LEAST_PIXELS) leave(moved > 0); else end();
    }, { signal });
    row.addEventListener('pointercancel', end, { signal });
    // A row that was moved aside was not pressed.
    row.addEventListener('click', (event) => {
        if (moved !== 0) event.preventDefault();
    }, { signal, capture: true });
}
