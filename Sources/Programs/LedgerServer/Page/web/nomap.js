// Stands in for Leaflet where the program was built without it, or where it did not come: whatever is
// drawn on a map is drawn nowhere, and the views show all else.

/** Whether there are maps. */
export const hasMaps = 'L' in globalThis;

/** Answers everything with itself, and is nowhere: no bounds, no number, no member to go through. */
const nothing = new Proxy(() => {}, {
    get(_, name) {
        if (name === 'then') return undefined;
        if (name === Symbol.toPrimitive) return () => 0;
        if (name === Symbol.iterator) return () => [][Symbol.iterator]();
        return name === 'isValid' || name === 'contains' ? () => false : nothing;
    },
    set: () => true,
    apply: () => nothing,
});

if (!hasMaps) globalThis.L = nothing;
