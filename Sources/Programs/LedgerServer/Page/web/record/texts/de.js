// German.
export default {
    title: 'Aufzeichnen', 'nav.label': 'Trip Ledger', book: 'Das Fahrtenbuch', go: 'GO', stop: 'STOP',
    begin: 'Fahrt beginnen', driving: 'Wird aufgezeichnet', describe: 'Wofür war sie?',
    'go.hint': 'GO beginnt jetzt eine Fahrt, STOP beendet sie.',
    'any.vehicle': 'Keines', 'any.routine': 'Keine',
    routine: 'Routine', source: 'Name dieses Geräts',
    'source.hint': 'So nennt das Fahrtenbuch die Quelle der Fahrten. Jedes Gerät braucht einen eigenen '
        + 'Namen.',
    'settings.summary': 'Gerät und Sprache',
    'figure.distance': 'Strecke, ungefähr', 'figure.time': 'Zeit', 'figure.speed': 'Tempo',
    'measured': 'Das Fahrtenbuch misst die Fahrt neu, wenn die Positionen da sind.',
    since: 'Seit {time}', positions: '{n} {n|Position|Positionen}', accuracy: 'Auf {way} genau',
    inaccurate: 'Nur auf {way} genau: Solche Positionen zählen nicht zur Strecke.',
    'no.position': 'Noch keine Position…',
    'awake.on': 'Der Bildschirm bleibt an. Die Aufzeichnung kann enden, wenn Sie ihn sperren oder die App '
        + 'wechseln.',
    'awake.off': 'Die Aufzeichnung kann enden, wenn der Bildschirm sperrt: Lassen Sie ihn an und diese '
        + 'Seite vorn.',
    'fail.denied': 'Der Browser sagt dieser Seite nicht, wo Sie sind. Die Fahrt wird ohne Positionen '
        + 'aufgezeichnet.',
    'fail.no_signal': 'Das Gerät weiß nicht, wo es ist. Es versucht es weiter.',
    'fail.timeout': 'Seit 30 Sekunden keine Position. Es versucht es weiter.',
    'fail.other': 'Dieser Browser kann nicht sagen, wo er ist.',
    'help.ios': 'Einstellungen → Datenschutz & Sicherheit → Ortungsdienste → Safari-Websites (oder der '
        + 'Name Ihres Browsers): „Beim Verwenden“ mit „Genauer Standort“. Dann diese Seite neu öffnen.',
    'help.android': 'Auf das Zeichen links der Adresse tippen → Berechtigungen → Standort → Zulassen. '
        + 'Auch in den Einstellungen des Telefons muss der Standort an sein, mit „Genauen Standort '
        + 'verwenden“.',
    'help.firefox': 'Auf das Zeichen links der Adresse tippen → die Sperre des Standorts aufheben und '
        + 'wieder GO drücken. Auf einem Telefon muss auch die App den Standort verwenden dürfen.',
    'help.chrome': 'Auf das Zeichen links der Adresse klicken → Standort → Zulassen, dann die Seite neu '
        + 'laden.',
    'help.safari': 'Safari → Einstellungen → Websites → Standort → für diese Seite erlauben; '
        + 'Systemeinstellungen → Datenschutz & Sicherheit → Ortungsdienste → Safari.',
    'help.other': 'Dieser Seite den Standort erlauben, in den Einstellungen des Browsers und des Geräts.',
    insecure: 'Browser geben Positionen nur an Seiten, die über HTTPS oder von diesem Gerät selbst '
        + 'kommen. Öffnen Sie diese Seite mit https://.',
    'other.tab': 'Ein anderer Tab oder ein anderes Fenster zeichnet diese Fahrt auf. Beenden Sie sie dort.',
    'recover.title': 'Eine Fahrt wurde aufgezeichnet',
    'recover.text': 'Die Seite wurde unterwegs geschlossen, nach {n} {n|Position|Positionen}; die '
        + 'letzte ist von {time}.',
    'recover.none': 'Die Seite wurde unterwegs geschlossen, vor der ersten Position. Die Fahrt begann um '
        + '{time}.',
    'recover.go': 'Weiter aufzeichnen', 'recover.stop': 'An der letzten Position beenden',
    'recover.stopstart': 'Am Anfang beenden',
    'signed.out': 'Sie sind abgemeldet. Aufgezeichnet wird trotzdem: Alles bleibt auf diesem Gerät, '
        + 'bis Sie sich anmelden.',
    barred: 'Diese Sitzung darf nicht als „{source}“ aufzeichnen. Alles bleibt auf diesem Gerät.',
    'sign.in': 'Anmelden', 'sign.link': 'Link oder Code',
    'sign.hint': 'Auf dem Rechner mit dem Fahrtenbuch: ledger token new phone --page. Einfügen, was '
        + 'erscheint.',
    'sign.wrong': 'Dieser Link wurde schon benutzt oder ist zu alt.',
    'state.none': 'Hier wurde noch nichts aufgezeichnet.',
    'state.kept': '{n} {n|bleibt|bleiben} auf diesem Gerät.',
    'state.all': 'Alles steht im Fahrtenbuch.', 'state.sending': 'Wird gesendet: {n} {n|wartet|warten}.',
    'state.waiting': 'Keine Antwort vom Fahrtenbuch. {n} {n|bleibt|bleiben} auf diesem Gerät und '
        + '{n|geht|gehen} später.',
    'state.offline': 'Offline. {n} {n|bleibt|bleiben} auf diesem Gerät und {n|geht|gehen} später.',
    'state.reason': 'Das Fahrtenbuch sagt: {reason}',
    receipts: '{n} {n|Quittung|Quittungen}',
    'refused.title': 'Vom Fahrtenbuch abgelehnt: {n}',
    'refused.text': 'Diese bleiben hier und werden nicht von selbst noch einmal gesendet.',
    'warned.title': 'Das Fahrtenbuch warnt', 'warned.seen': 'Gesehen',
    'refused.again': 'Noch einmal senden', 'refused.forget': 'Entfernen',
    'refused.sure': 'Endgültig entfernen?',
    'persist.no': 'Der Browser kann löschen, was wartet, wenn der Platz ausgeht. Diese Seite zu '
        + 'installieren hilft: „Zum Startbildschirm“.',
    'describe.when': '{from}–{to}, etwa {distance}', 'describe.skip': 'Nicht jetzt',
    'describe.saved': 'Gespeichert', reading: 'Kilometerstand ({unit})',
    'reading.hint': 'Am Ende der Fahrt',
    'reading.vehicle': 'Sagen Sie beim Kilometerstand, welches Fahrzeug es ist.',
    'store.failed': 'Dieser Browser kann hier nichts speichern, also kann nichts aufgezeichnet werden: '
        + '{why}. In einem privaten Fenster kann das so sein; oder das Gerät ist voll.',
    'new.version': 'Es gibt eine neuere Fassung dieser Seite.', 'new.load': 'Laden',
    'code.go_pressed': 'GO', 'code.stop_pressed': 'STOP', 'code.fix_recorded': 'Position',
    'code.authorization_changed': 'Erlaubnis', 'code.location_failed': 'Keine Position',
    'code.details_edited': 'Angaben', 'code.odometer_read': 'Kilometerstand',
    'ended.nothing': 'Ohne Position gab es keine Fahrt: Vielleicht war der '
        + 'Standort noch nicht erlaubt.',
    'sketch': 'Der bisherige Weg',
    'pause': 'Pause',
    'paused': 'Pausiert seit {time}',
    'paused.text': 'Es wird keine Position aufgezeichnet. Die Fahrt geht weiter, wenn Sie '
        + 'weiterfahren; was dazwischen liegt, zählt nicht.',
    'resume': 'Weiter',
    'paused.stop': 'Die Fahrt bei der Pause beenden',
};
