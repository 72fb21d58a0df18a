// Dutch.
export default {
    title: 'Opnemen', 'nav.label': 'Trip Ledger', book: 'Het ritboek', go: 'GO', stop: 'STOP',
    begin: 'Begin een rit', driving: 'Opname loopt', describe: 'Waarvoor was het?',
    'go.hint': 'GO begint nu een rit, STOP beëindigt hem.',
    'any.vehicle': 'Geen', 'any.routine': 'Geen',
    routine: 'Vaste rit', source: 'Naam van dit apparaat',
    'source.hint': 'Zo noemt het ritboek de bron van zijn ritten. Elk apparaat heeft een eigen naam nodig.',
    'settings.summary': 'Apparaat en taal',
    'figure.distance': 'Afstand, ongeveer', 'figure.time': 'Tijd', 'figure.speed': 'Snelheid',
    'measured': 'Het ritboek meet de rit opnieuw als de posities er zijn.',
    since: 'Sinds {time}', positions: '{n} {n|positie|posities}', accuracy: 'Op {way} nauwkeurig',
    inaccurate: 'Slechts op {way} nauwkeurig: zulke posities tellen niet mee in de afstand.',
    'no.position': 'Nog geen positie…',
    'awake.on': 'Het scherm blijft aan. De opname kan stoppen als u het vergrendelt of een andere app '
        + 'opent.',
    'awake.off': 'De opname kan stoppen als het scherm vergrendelt: houd het aan en deze pagina vooraan.',
    'fail.denied': 'De browser vertelt deze pagina niet waar u bent. De rit wordt zonder posities '
        + 'opgenomen.',
    'fail.no_signal': 'Het apparaat weet niet waar het is. Het blijft proberen.',
    'fail.timeout': 'Al 30 seconden geen positie. Het blijft proberen.',
    'fail.other': 'Deze browser kan niet vertellen waar hij is.',
    'help.ios': 'Instellingen → Privacy en beveiliging → Locatievoorzieningen → Safari-websites (of de '
        + 'naam van uw browser): “Bij gebruik” met “Exacte locatie”. Open daarna deze pagina opnieuw.',
    'help.android': 'Tik op het teken links van het adres → Rechten → Locatie → Toestaan. Ook in de '
        + 'instellingen van de telefoon moet locatie aan staan, met “Exacte locatie gebruiken”.',
    'help.firefox': 'Tik op het teken links van het adres → hef de blokkering van Locatie op en druk '
        + 'opnieuw op GO. Op een telefoon moet ook de app de locatie mogen gebruiken.',
    'help.chrome': 'Klik op het teken links van het adres → Locatie → Toestaan, en laad de pagina opnieuw.',
    'help.safari': 'Safari → Instellingen → Websites → Locatie → Sta toe voor deze site; '
        + 'Systeeminstellingen → Privacy en beveiliging → Locatievoorzieningen → Safari.',
    'help.other': 'Sta deze site toe de locatie te gebruiken, in de instellingen van de browser en van '
        + 'het apparaat.',
    insecure: 'Browsers geven posities alleen aan pagina’s die via HTTPS of van dit apparaat zelf komen. '
        + 'Open deze pagina met https://.',
    'other.tab': 'Een ander tabblad of venster neemt deze rit op. Beëindig hem daar.',
    'recover.title': 'Er werd een rit opgenomen',
    'recover.text': 'De pagina is onderweg gesloten, na {n} {n|positie|posities}; de laatste is van '
        + '{time}.',
    'recover.none': 'De pagina is onderweg gesloten, vóór de eerste positie. De rit begon om {time}.',
    'recover.go': 'Doorgaan', 'recover.stop': 'Stop bij de laatste positie',
    'recover.stopstart': 'Stop bij het begin',
    'signed.out': 'U bent afgemeld. Opnemen kan toch: alles blijft op dit apparaat tot u zich aanmeldt.',
    barred: 'Deze sessie mag niet opnemen als “{source}”. Alles blijft op dit apparaat.',
    'sign.in': 'Aanmelden', 'sign.link': 'Link of code',
    'sign.hint': 'Op de computer met het ritboek: ledger token new phone --page. Plak wat er verschijnt.',
    'sign.wrong': 'Deze link is al gebruikt of te oud.',
    'state.none': 'Hier is nog niets opgenomen.', 'state.kept': '{n} {n|blijft|blijven} op dit apparaat.',
    'state.all': 'Alles staat in het ritboek.', 'state.sending': 'Verzenden: {n} {n|wacht|wachten}.',
    'state.waiting': 'Het ritboek antwoordt niet. {n} {n|blijft|blijven} op dit apparaat en '
        + '{n|gaat|gaan} later.',
    'state.offline': 'Offline. {n} {n|blijft|blijven} op dit apparaat en {n|gaat|gaan} later.',
    'state.reason': 'Het ritboek zegt: {reason}',
    receipts: '{n} {n|ontvangstbewijs|ontvangstbewijzen}',
    'refused.title': 'Geweigerd door het ritboek: {n}',
    'refused.text': 'Deze blijven hier en gaan niet vanzelf nog eens.',
    'warned.title': 'Het ritboek waarschuwt', 'warned.seen': 'Gezien',
    'refused.again': 'Opnieuw zenden', 'refused.forget': 'Verwijderen',
    'refused.sure': 'Voorgoed verwijderen?',
    'persist.no': 'De browser kan wissen wat wacht als het apparaat vol raakt. Deze pagina installeren '
        + 'helpt: “Zet op beginscherm”.',
    'describe.when': '{from}–{to}, ongeveer {distance}', 'describe.skip': 'Niet nu',
    'describe.saved': 'Opgeslagen', reading: 'Kilometerstand ({unit})',
    'reading.hint': 'Aan het einde van de rit',
    'reading.vehicle': 'Zeg bij de kilometerstand welk voertuig het is.',
    'store.failed': 'Deze browser kan hier niets bewaren, dus er kan niets worden opgenomen: {why}. In '
        + 'een privévenster kan dat zo zijn; of het apparaat is vol.',
    'new.version': 'Er is een nieuwere versie van deze pagina.', 'new.load': 'Laden',
    'code.go_pressed': 'GO', 'code.stop_pressed': 'STOP', 'code.fix_recorded': 'Positie',
    'code.authorization_changed': 'Toestemming', 'code.location_failed': 'Geen positie',
    'code.details_edited': 'Gegevens', 'code.odometer_read': 'Kilometerstand',
    'ended.nothing': 'Zonder positie was er geen rit: misschien was de locatie '
        + 'nog niet toegestaan.',
    'sketch': 'De weg tot nu toe',
    'pause': 'Pauze',
    'paused': 'Gepauzeerd sinds {time}',
    'paused.text': 'Er wordt geen positie opgenomen. De rit gaat verder als u verder '
        + 'gaat; wat ertussen ligt, telt niet mee.',
    'resume': 'Verder',
    'paused.stop': 'De rit eindigen bij de pauze',
};
