// A row that a finger moves aside. There is a button beside it that does the same.

const LEAST_PIXELS = 90;

/** Tells of a swipe to the right (true) or the left (false). */
export function swipes(row, onSwipe, signal) {
    const card = row.querySelector('.card');
    let from = null;
    let moved = 0;

    function end() {
        from = null;
        moved = 0;
        card.style.transform = '';
        row.removeAttribute('data-swipe');
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
        const x = moved;
        end();
        if (Math.abs(x) > LEAST_PIXELS) onSwipe(x > 0);
    }, { signal });
    row.addEventListener('pointercancel', end, { signal });
    // A row that was moved aside was not pressed.
    row.addEventListener('click', (event) => {
        if (moved !== 0) event.preventDefault();
    }, { signal, capture: true });
}
