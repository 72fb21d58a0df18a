// English: the texts that every other language has too.
export default {
    title: 'Record', 'nav.label': 'Trip Ledger', book: 'The ledger', go: 'GO', stop: 'STOP',
    begin: 'Begin a trip', driving: 'Recording', describe: 'What was it for?',
    'go.hint': 'GO begins a trip now, STOP ends it.',
    'any.vehicle': 'None', 'any.routine': 'None',
    routine: 'Routine', source: 'Name of this device',
    'source.hint': 'The ledger files its trips under this name. Every device needs its own.',
    'settings.summary': 'Device and language',
    'figure.distance': 'Distance, roughly', 'figure.time': 'Time', 'figure.speed': 'Speed',
    'measured': 'The ledger measures the trip again when the positions are there.',
    since: 'Since {time}', positions: '{n} {n|position|positions}', accuracy: 'Accurate to {way}',
    inaccurate: 'Accurate only to {way}: such positions add no distance.',
    'no.position': 'No position yet…',
    'awake.on': 'The screen stays on. The recording may stop if you lock it or go to another app.',
    'awake.off': 'The recording may stop if the screen locks: keep it on and this page in front.',
    'fail.denied': 'The browser does not let this page know where you are. The trip is being recorded '
        + 'without positions.',
    'fail.no_signal': 'The device cannot tell where it is. It goes on trying.',
    'fail.timeout': 'No position for 30 seconds. It goes on trying.',
    'fail.other': 'This browser cannot tell where it is.',
    'help.ios': 'Settings → Privacy & Security → Location Services → Safari Websites (or the name of your '
        + 'browser): “While Using” with “Precise Location”. Then open this page again.',
    'help.android': 'Tap the sign left of the address → Permissions → Location → Allow. Location must be '
        + 'on in the phone’s settings too, with “Use precise location”.',
    'help.firefox': 'Tap the sign left of the address → remove the block on Location, then press GO '
        + 'again. On a phone: the app’s permission for location must be on too.',
    'help.chrome': 'Click the sign left of the address → Location → Allow, then load the page again.',
    'help.safari': 'Safari → Settings → Websites → Location → Allow for this site; System Settings → '
        + 'Privacy & Security → Location Services → Safari.',
    'help.other': 'Allow this site to use the location in the settings of the browser and of the device.',
    insecure: 'Browsers tell positions only to pages that come by HTTPS or from this machine itself. Open '
        + 'this page with https://.',
    'other.tab': 'Another tab or window is recording this trip. End it there.',
    'recover.title': 'A trip was being recorded',
    'recover.text': 'The page was closed on the way, after {n} {n|position|positions}; the last one is '
        + 'of {time}.',
    'recover.none': 'The page was closed on the way, before the first position. It began at {time}.',
    'recover.go': 'Continue', 'recover.stop': 'Stop at the last position',
    'recover.stopstart': 'Stop at the start',
    'signed.out': 'You are signed out. Recording works all the same: everything is kept on this device '
        + 'until you sign in.',
    barred: 'This session may not record as “{source}”. Everything is kept on this device.',
    'sign.in': 'Sign in', 'sign.link': 'Link or code',
    'sign.hint': 'On the computer with the ledger: ledger token new phone --page. Paste what it shows.',
    'sign.wrong': 'This link was used already, or is too old.',
    'state.none': 'Nothing was recorded here yet.', 'state.kept': '{n} {n|is|are} kept on this device.',
    'state.all': 'Everything is in the ledger.', 'state.sending': 'Sending: {n} waiting.',
    'state.waiting': 'No answer from the ledger. {n} {n|is|are} kept on this device and sent later.',
    'state.offline': 'Offline. {n} {n|is|are} kept on this device and sent later.',
    'state.reason': 'The ledger says: {reason}',
    receipts: '{n} {n|receipt|receipts}',
    'refused.title': 'Refused by the ledger: {n}',
    'refused.text': 'These are kept here and not sent again by themselves.',
    'warned.title': 'The ledger warns', 'warned.seen': 'Seen',
    'refused.again': 'Send again', 'refused.forget': 'Remove', 'refused.sure': 'Remove it for good?',
    'persist.no': 'The browser may delete what is waiting if the device runs out of space. Installing '
        + 'this page helps: “Add to home screen”.',
    'describe.when': '{from}–{to}, about {distance}', 'describe.skip': 'Not now',
    'describe.saved': 'Saved', reading: 'Odometer ({unit})',
    'reading.hint': 'What it shows at the end of the trip',
    'reading.vehicle': 'For the odometer, say which vehicle it is.',
    'store.failed': 'This browser cannot store anything here, so nothing can be recorded: {why}. '
        + 'This may be a private window, or the device is full.',
    'new.version': 'There is a newer version of this page.', 'new.load': 'Load it',
    'code.go_pressed': 'GO', 'code.stop_pressed': 'STOP', 'code.fix_recorded': 'Position',
    'code.authorization_changed': 'Permission', 'code.location_failed': 'No position',
    'code.details_edited': 'Details', 'code.odometer_read': 'Odometer',
    'ended.nothing': 'Without a position there was no trip: it may be that the '
        + 'location was not allowed yet.',
    'sketch': 'The way so far',
    'pause': 'Pause',
    'paused': 'Paused since {time}',
    'paused.text': 'No position is recorded. The trip goes on when you do; what lies '
        + 'between adds no distance.',
    'resume': 'Go on',
    'paused.stop': 'End the trip where it paused',
};
