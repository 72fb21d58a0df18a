// French.
export default {
    title: 'Enregistrer', 'nav.label': 'Trip Ledger', book: 'Le carnet', go: 'GO', stop: 'STOP',
    begin: 'Commencer un trajet', driving: 'Enregistrement', describe: 'C’était pour quoi ?',
    'go.hint': 'GO commence un trajet maintenant, STOP le termine.',
    'any.vehicle': 'Aucun', 'any.routine': 'Aucun',
    routine: 'Trajet habituel', source: 'Nom de cet appareil',
    'source.hint': 'Le carnet désigne ainsi la source de ses trajets. Chaque appareil a besoin de son '
        + 'propre nom.',
    'settings.summary': 'Appareil et langue',
    'figure.distance': 'Distance, environ', 'figure.time': 'Durée', 'figure.speed': 'Vitesse',
    'measured': 'Le carnet mesure le trajet à nouveau quand les positions y sont.',
    since: 'Depuis {time}', positions: '{n} {n|position|positions}', accuracy: 'Précis à {way}',
    inaccurate: 'Précis à {way} seulement : de telles positions n’ajoutent pas de distance.',
    'no.position': 'Pas encore de position…',
    'awake.on': 'L’écran reste allumé. L’enregistrement peut s’arrêter si vous le verrouillez ou changez '
        + 'd’application.',
    'awake.off': 'L’enregistrement peut s’arrêter si l’écran se verrouille : gardez-le allumé et cette '
        + 'page devant.',
    'fail.denied': 'Le navigateur ne dit pas à cette page où vous êtes. Le trajet est enregistré sans '
        + 'positions.',
    'fail.no_signal': 'L’appareil ne sait pas où il est. Il essaie encore.',
    'fail.timeout': 'Aucune position depuis 30 secondes. Il essaie encore.',
    'fail.other': 'Ce navigateur ne peut pas dire où il est.',
    'help.ios': 'Réglages → Confidentialité et sécurité → Service de localisation → Sites web Safari (ou '
        + 'le nom de votre navigateur) : « Lorsque l’app est active » avec « Position exacte ». Puis '
        + 'rouvrez cette page.',
    'help.android': 'Touchez le signe à gauche de l’adresse → Autorisations → Position → Autoriser. La '
        + 'position doit aussi être activée dans les paramètres du téléphone, avec « position exacte ».',
    'help.firefox': 'Touchez le signe à gauche de l’adresse → levez le blocage de la position, puis '
        + 'appuyez de nouveau sur GO. Sur un téléphone, l’application doit aussi pouvoir utiliser la '
        + 'position.',
    'help.chrome': 'Cliquez sur le signe à gauche de l’adresse → Position → Autoriser, puis rechargez la '
        + 'page.',
    'help.safari': 'Safari → Réglages → Sites web → Position → autoriser ce site ; Réglages Système → '
        + 'Confidentialité et sécurité → Service de localisation → Safari.',
    'help.other': 'Autorisez ce site à utiliser la position, dans les réglages du navigateur et de '
        + 'l’appareil.',
    insecure: 'Les navigateurs ne donnent des positions qu’aux pages venues par HTTPS ou de cet appareil '
        + 'même. Ouvrez cette page avec https://.',
    'other.tab': 'Un autre onglet ou une autre fenêtre enregistre ce trajet. Terminez-le là-bas.',
    'recover.title': 'Un trajet était en cours d’enregistrement',
    'recover.text': 'La page a été fermée en chemin, après {n} {n|position|positions} ; la dernière est '
        + 'de {time}.',
    'recover.none': 'La page a été fermée en chemin, avant la première position. Le trajet a commencé à '
        + '{time}.',
    'recover.go': 'Continuer', 'recover.stop': 'Arrêter à la dernière position',
    'recover.stopstart': 'Arrêter au départ',
    'signed.out': 'Vous êtes déconnecté. L’enregistrement marche quand même : tout reste sur cet '
        + 'appareil jusqu’à votre connexion.',
    barred: 'Cette session ne peut pas enregistrer sous « {source} ». Tout reste sur cet appareil.',
    'sign.in': 'Se connecter', 'sign.link': 'Lien ou code',
    'sign.hint': 'Sur l’ordinateur du carnet : ledger token new phone --page. Collez ce qui s’affiche.',
    'sign.wrong': 'Ce lien a déjà servi, ou il est trop ancien.',
    'state.none': 'Rien n’a encore été enregistré ici.',
    'state.kept': '{n} {n|reste|restent} sur cet appareil.',
    'state.all': 'Tout est dans le carnet.', 'state.sending': 'Envoi : {n} en attente.',
    'state.waiting': 'Le carnet ne répond pas. {n} {n|reste|restent} sur cet appareil et '
        + '{n|partira|partiront} plus tard.',
    'state.offline': 'Hors ligne. {n} {n|reste|restent} sur cet appareil et {n|partira|partiront} plus '
        + 'tard.',
    'state.reason': 'Le carnet dit : {reason}',
    receipts: '{n} {n|reçu|reçus}',
    'refused.title': 'Refusés par le carnet : {n}',
    'refused.text': 'Ils restent ici et ne sont pas renvoyés d’eux-mêmes.',
    'warned.title': 'Le carnet avertit', 'warned.seen': 'Vu',
    'refused.again': 'Renvoyer', 'refused.forget': 'Supprimer', 'refused.sure': 'Supprimer pour de bon ?',
    'persist.no': 'Le navigateur peut effacer ce qui attend si l’appareil manque de place. Installer '
        + 'cette page aide : « Sur l’écran d’accueil ».',
    'describe.when': '{from}–{to}, environ {distance}', 'describe.skip': 'Pas maintenant',
    'describe.saved': 'Enregistré', reading: 'Compteur ({unit})', 'reading.hint': 'À la fin du trajet',
    'reading.vehicle': 'Pour le compteur, dites de quel véhicule il s’agit.',
    'store.failed': 'Ce navigateur ne peut rien garder ici, donc rien ne peut être enregistré : {why}. '
        + 'C’est possible dans une fenêtre privée ; ou l’appareil est plein.',
    'new.version': 'Il y a une version plus récente de cette page.', 'new.load': 'La charger',
    'code.go_pressed': 'GO', 'code.stop_pressed': 'STOP', 'code.fix_recorded': 'Position',
    'code.authorization_changed': 'Autorisation', 'code.location_failed': 'Pas de position',
    'code.details_edited': 'Détails', 'code.odometer_read': 'Compteur',
    'ended.nothing': 'Sans position, il n’y a pas eu de trajet : la position '
        + 'n’était peut-être pas encore permise.',
    'sketch': 'Le chemin parcouru',
    'pause': 'Pause',
    'paused': 'En pause depuis {time}',
    'paused.text': 'Aucune position n’est enregistrée. Le trajet reprend avec vous ; ce '
        + 'qui se passe entre-temps n’ajoute aucune distance.',
    'resume': 'Reprendre',
    'paused.stop': 'Terminer le trajet à la pause',
};
