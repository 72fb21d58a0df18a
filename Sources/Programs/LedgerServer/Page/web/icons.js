// The pictures in the bar of a telephone: lines only, in the colour of their words.

import { svg } from './dom.js';

/** What each picture is drawn of, on a field of 24 by 24. */
const LINES = {
    now: ['M4 11.5 12 5l8 6.5', 'M6 10v9h12v-9', 'M10 19v-5h4v5'],
    record: ['M12 3.5a8.5 8.5 0 1 0 .01 0z', 'M12 8.5a3.5 3.5 0 1 0 .01 0z'],
    inbox: ['M4 13.5 6.5 5h11L20 13.5V19H4z', 'M4 13.5h4.5l1.5 2.5h4l1.5-2.5H20'],
    trips: ['M6.5 4.5a2 2 0 1 0 .01 0z', 'M17.5 15.5a2 2 0 1 0 .01 0z', 'M6.5 8.5v6a4 4 0 0 0 8 0v-5a3 3 0 0 1 6 0v1.5'],
    more: ['M5 7h14', 'M5 12h14', 'M5 17h14'],
};

/** The picture of a name; it is not read out, for the name stands beside it. */
export const icon = (name) => svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    LINES[name].map((d) => svg('path', { d })));
