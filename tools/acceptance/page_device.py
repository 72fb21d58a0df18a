"""A device that tells a page where it is, in place of the browser's own.

WebKitGTK's asks in a window whether it may, and Firefox's tells nothing to a page that began to watch before the
first position was set. The text has a place for its state as JSON: `isAllowed`, and `position` or null.
"""

DEVICE = """if (!window.device) {
    window.device = { isAllowed: true, position: null, watching: new Map(), status: { state: 'granted' } };
    const place = ([found, failed]) => {
        if (!device.isAllowed) failed?.({ code: 1, message: 'refused' });
        else if (device.position) found({ coords: { altitude: null, altitudeAccuracy: null, heading: null,
            speed: null, ...device.position }, timestamp: Date.now() });
    };
    window.putDevice = ({ isAllowed, position }) => {
        const isTurned = isAllowed !== device.isAllowed;
        Object.assign(device, { isAllowed, position });
        device.status.state = isAllowed ? 'granted' : 'denied';
        if (isTurned) device.status.onchange?.();
        device.watching.forEach(place);
    };
    let number = 0;
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: {
        watchPosition(...asked) {
            number += 1;
            device.watching.set(number, asked);
            const own = number;
            setTimeout(() => device.watching.has(own) && place(asked));
            return own;
        },
        clearWatch: (one) => device.watching.delete(one),
        getCurrentPosition: (...asked) => setTimeout(() => place(asked)),
    } });
    const { query } = navigator.permissions;
    navigator.permissions.query = (asked) => (asked.name === 'geolocation'
        ? Promise.resolve(device.status) : query.call(navigator.permissions, asked));
    Object.assign(device, %s);
    device.status.state = device.isAllowed ? 'granted' : 'denied';
}"""
