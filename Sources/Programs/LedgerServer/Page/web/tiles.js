// Tiles below a map, if the owner of the server has named where they come from: the document says it.

/** The address of a tile, with `{z}`, `{x}` and `{y}` in it, and whose it is; null without tiles. */
export function tileSource() {
    const element = document.querySelector('meta[name=tiles]');
    return element ? { template: element.content, attribution: element.dataset.attribution } : null;
}

/**
 * How tiles are asked for: a browser sends the cookies of a host to all of its ports, but not with
 * `anonymous`. Then the server of the tiles has to let other origins read them (CORS).
 */
export const crossOriginOf = ({ template }) =>
    (new URL(template).hostname === location.hostname ? 'anonymous' : null);

/** The attribution of the tiles, as nodes: text is text, and addresses in it are links. */
export function attributionNodes({ attribution }) {
    return attribution.split(/(https:\/\/[^\s<>"]+)/).filter(Boolean).map((part) => {
        if (!part.startsWith('https://')) return part;
        const link = document.createElement('a');
        link.href = part;
        link.rel = 'noopener';
        link.target = '_blank';
        link.textContent = part.replace(/^https:\/\/(www\.)?/, '');
        return link;
    });
}

/** The address of one tile. */
export const tileAddress = ({ template }, z, x, y) => template.replaceAll('{z}', z)
    .replaceAll('{x}', x).replaceAll('{y}', y);

/** Where a position lies, in tiles of a zoom from the north-west corner of Web Mercator. */
export function inTiles({ lat, lon }, z) {
    const radians = lat * Math.PI / 180;
    const north = Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI;
    return { x: (lon + 180) / 360 * 2 ** z, y: (1 - north) / 2 * 2 ** z };
}

/** The north-west corner of a tile, in degrees. */
export function cornerOf(z, x, y) {
    const north = Math.PI * (1 - 2 * y / 2 ** z);
    return { lat: Math.atan(Math.sinh(north)) * 180 / Math.PI, lon: x / 2 ** z * 360 - 180 };
}
