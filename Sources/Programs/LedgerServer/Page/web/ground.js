// The ground of maps: land, water and borders, coarsely, as the program has them. Nothing is asked of
// another machine, and nothing is drawn where the outlines would be too far from the truth: near maps have a
// small one of the land around them instead.

/** Maps of less than this, in metres, show no shore: it would be kilometres off. */
const LEAST_WIDTH = 120000;
/** Corners closer than this, in pixels, are drawn as one. */
const COARSENESS = 0.7;
/** How much beyond each edge is drawn, in sizes of the map, so that it is there while it is dragged. */
const BEYOND = 0.5;
/** A map less tall than this, in pixels, has no room for another one. */
const LEAST_HEIGHT = 190;
/** A map that has not moved for so long rests, in milliseconds. */
const REST = 400;
const EQUATOR = 40075016.7;
/** So far the land around a near map is shown, in metres: farther where so many corners are not in sight. */
const REACHES = [400000, 1600000, 6400000];
const FEWEST_CORNERS = 24;
const SIGNATURE = 'TLMAP1\n';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

/** Reads numbers of seven bits a byte, and lines of corners in hundredths of a degree. */
function linesIn(bytes, begin) {
    let at = begin;
    const number = () => {
        let value = 0;
        let factor = 1;
        for (;;) {
            const byte = bytes[at];
            at += 1;
            value += (byte & 127) * factor;
            if (byte < 128) return value;
            factor *= 128;
        }
    };
    const step = () => {
        const value = number();
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    };
    const lines = () => Array.from({ length: number() }, () => {
        let [lon, lat] = [0, 0];
        const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
        const corners = Array.from({ length: number() }, () => {
            lon += step();
            lat += step();
            box.west = Math.min(box.west, lon / 100);
            box.east = Math.max(box.east, lon / 100);
            box.south = Math.min(box.south, lat / 100);
            box.north = Math.max(box.north, lat / 100);
            return [lon / 100, lat / 100];
        });
        return { corners, ...box };
    });
    return { shores: lines(), borders: lines() };
}

let reading = null;

/** The outlines; they are read once, and only if a map shows them. */
function outlines() {
    reading ??= (async () => {
        const answer = await fetch(new URL('land.bin', import.meta.url));
        if (!answer.ok) throw new Error(`land ${answer.status}`);
        const bytes = new Uint8Array(await answer.arrayBuffer());
        const isRight = [...SIGNATURE].every((letter, index) => bytes[index] === letter.charCodeAt(0));
        if (!isRight) throw new Error('land is no outlines');
        return linesIn(bytes, SIGNATURE.length);
    })();
    reading.catch(() => { reading = null; });
    return reading;
}

/** Land that was cut at 180° or at the pole has no shore there. */
const isCut = (a, b) => (Math.abs(a[0]) === 180 && Math.abs(b[0]) === 180) || (a[1] < -89.9 && b[1] < -89.9);

/** Where places lie on a map of the world that is so many pixels wide. */
const projection = (world) => (lon, lat) => {
    const sine = Math.sin(Math.max(-85.05, Math.min(85.05, lat)) * Math.PI / 180);
    return {
        x: (lon + 180) / 360 * world, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world,
    };
};

/** Draws the ground into a canvas whose corner is at a point of a world of so many pixels. */
function paint(canvas, world, corner, size, { shores, borders }) {
    const colours = getComputedStyle(canvas);
    const pen = canvas.getContext('2d');
    const ratio = canvas.width / size.x;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, size.x, size.y);
    const place = projection(world);
    const isSeen = (line, shift) => {
        const [left, right] = [place(line.west, 0).x + shift, place(line.east, 0).x + shift];
        const [top, bottom] = [place(0, line.north).y, place(0, line.south).y];
        return right > corner.x && left < corner.x + size.x && bottom > corner.y && top < corner.y + size.y;
    };
    const trace = (line, shift, hasSeams) => {
        let last = null;
        let before = null;
        for (const point of line.corners) {
            const at = place(point[0], point[1]);
            const [x, y] = [at.x + shift - corner.x, at.y - corner.y];
            const isNew = !last || (hasSeams && isCut(before, point));
            before = point;
            if (isNew) pen.moveTo(x, y);
            else if (Math.abs(x - last[0]) + Math.abs(y - last[1]) < COARSENESS) continue;
            else pen.lineTo(x, y);
            last = [x, y];
        }
        return last;
    };
    const draw = (lines, isArea, ends) => {
        pen.beginPath();
        for (const line of lines) {
            for (const shift of [-world, 0, world]) {
                if (!isSeen(line, shift)) continue;
                trace(line, shift, !isArea);
                if (isArea) pen.closePath();
                else if (ends && !isCut(line.corners[0], line.corners.at(-1))) {
                    const first = place(...line.corners[0]);
                    pen.lineTo(first.x + shift - corner.x, first.y - corner.y);
                }
            }
        }
    };
    draw(shores, true);
    pen.fillStyle = colours.getPropertyValue('--land');
    pen.fill('evenodd');
    draw(borders, false);
    pen.setLineDash([5, 4]);
    pen.lineWidth = 1;
    pen.strokeStyle = colours.getPropertyValue('--border');
    pen.stroke();
    pen.setLineDash([]);
    draw(shores, false, true);
    pen.strokeStyle = colours.getPropertyValue('--shore');
    pen.stroke();
}

/** How far around a place the land is shown: where a few corners of shores or borders can be seen. */
function reachAround(lat, lon, { shores, borders }) {
    const enough = (reach) => {
        const tall = reach / EQUATOR * 180;
        const wide = tall / Math.cos(lat * Math.PI / 180);
        let count = 0;
        for (const line of [...shores, ...borders]) {
            if (line.west > lon + wide || line.east < lon - wide) continue;
            count += line.corners.filter(([x, y]) => Math.abs(x - lon) < wide && Math.abs(y - lat) < tall).length;
        }
        return count >= FEWEST_CORNERS;
    };
    return REACHES.find(enough) ?? REACHES.at(-1);
}

/** Draws the land around a place, with a dot for the place, into a canvas that is as wide as it is tall. */
export async function drawAround(canvas, lat, lon) {
    let lines = null;
    try {
        lines = await outlines();
    } catch {
        // Without outlines there is nothing to draw.
        return;
    }
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const size = canvas.clientWidth;
    if (size === 0) return;
    canvas.width = size * ratio;
    canvas.height = size * ratio;
    const world = EQUATOR * Math.cos(lat * Math.PI / 180) / reachAround(lat, lon, lines) * size;
    const { x, y } = projection(world)(lon, lat);
    paint(canvas, world, { x: x - size / 2, y: y - size / 2 }, { x: size, y: size }, lines);
    const pen = canvas.getContext('2d');
    pen.beginPath();
    pen.arc(size / 2, size / 2, 3.5, 0, 2 * Math.PI);
    pen.fillStyle = getComputedStyle(canvas).getPropertyValue('--track');
    pen.fill();
}

/** Shows the ground below all else of a map. */
export function addGround(map, signal) {
    const container = map.getContainer();
    const canvas = document.createElement('canvas');
    canvas.className = 'ground leaflet-zoom-hide';
    canvas.setAttribute('aria-hidden', 'true');
    map.getPane('tilePane').append(canvas);
    const around = document.createElement('canvas');
    around.className = 'around';
    around.hidden = true;
    around.setAttribute('aria-hidden', 'true');
    container.append(around);
    let lines = null;
    let asking = null;
    // Where the small picture was drawn, and how large: a tenth of a degree is few of its pixels, and a map
    // that follows a drive moves each second.
    let aroundAt = '';
    const showAround = ({ lat, lng }) => {
        const place = `${lat.toFixed(1)} ${lng.toFixed(1)} ${around.clientWidth}`;
        if (place === aroundAt) return;
        aroundAt = place;
        drawAround(around, lat, lng);
    };
    /** Reads the outlines once a map that shows them rests: what a view is about is read before. */
    const ask = () => {
        clearTimeout(asking);
        asking = setTimeout(async () => {
            try {
                lines ??= await outlines();
            } catch {
                // The map is without a ground then.
                return;
            }
            if (!signal.aborted) draw();
        }, REST);
    };
    const draw = () => {
        const view = map.getSize();
        const bounds = map.getBounds();
        const middle = map.getCenter().lat;
        const width = map.distance([middle, bounds.getWest()], [middle, bounds.getEast()]);
        const isNear = width < LEAST_WIDTH && bounds.getEast() - bounds.getWest() < 90;
        container.classList.toggle('grounded', !isNear && lines !== null);
        around.hidden = !isNear || !lines || view.y < LEAST_HEIGHT;
        if (!lines) ask();
        else if (!around.hidden) showAround(map.getCenter().wrap());
        canvas.hidden = isNear || !lines;
        if (canvas.hidden || !view.x || !view.y) return;
        const size = view.multiplyBy(1 + 2 * BEYOND).round();
        const ratio = Math.min(2, window.devicePixelRatio || 1);
        canvas.width = size.x * ratio;
        canvas.height = size.y * ratio;
        canvas.style.width = `${size.x}px`;
        canvas.style.height = `${size.y}px`;
        const offset = view.multiplyBy(-BEYOND).round();
        L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint(offset));
        const corner = map.project(map.containerPointToLatLng(offset), map.getZoom());
        paint(canvas, 256 * 2 ** map.getZoom(), corner, size, lines);
    };
    /** Draws all of it in other colours. */
    const drawAnew = () => {
        aroundAt = '';
        draw();
    };
    map.on('moveend viewreset resize', draw);
    dark.addEventListener('change', drawAnew);
    window.addEventListener('themechanged', drawAnew);
    signal.addEventListener('abort', () => {
        map.off('moveend viewreset resize', draw);
        dark.removeEventListener('change', drawAnew);
        window.removeEventListener('themechanged', drawAnew);
        clearTimeout(asking);
    });
    draw();
}
