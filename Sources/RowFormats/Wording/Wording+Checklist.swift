extension Wording {
    /// What tax offices ask for, what the log lacks, and what is to be said beside it.
    static let checklist = [
        Entry("required", nl: "verplicht", de: "Pflicht", fr: "obligatoire"),
        Entry("recommended", nl: "aanbevolen", de: "empfohlen", fr: "recommandé"),
        Entry("met", nl: "voldaan", de: "erfüllt", fr: "satisfait"),
        Entry("missing", nl: "ontbreekt", de: "fehlt", fr: "manquant"),
        Entry(
            "the date of each trip",
            nl: "de datum van elke rit",
            de: "das Datum jeder Fahrt",
            fr: "la date de chaque trajet"
        ),
        Entry(
            "the distance of each trip",
            nl: "de afstand van elke rit",
            de: "die Strecke jeder Fahrt",
            fr: "la distance de chaque trajet"
        ),
        Entry(
            "where each trip started",
            nl: "waar elke rit begon",
            de: "wo jede Fahrt begann",
            fr: "le lieu de départ de chaque trajet"
        ),
        Entry(
            "where each trip ended",
            nl: "waar elke rit eindigde",
            de: "wo jede Fahrt endete",
            fr: "le lieu d’arrivée de chaque trajet"
        ),
        Entry(
            "the odometer at the start and the end of each trip",
            nl: "de begin- en eindstand van de kilometerteller van elke rit",
            de: "der Kilometerstand bei Beginn und Ende jeder Fahrt",
            fr: "le compteur au départ et à l’arrivée de chaque trajet"
        ),
        Entry(
            "the odometer at the start and the end, of all but private trips",
            nl: "de begin- en eindstand, van alle ritten behalve privéritten",
            de: "der Kilometerstand bei Beginn und Ende aller außer privaten Fahrten",
            fr: "le compteur au départ et à l’arrivée, sauf trajets privés"
        ),
        Entry(
            "whom a business trip was to",
            nl: "naar wie een zakelijke rit ging",
            de: "der aufgesuchte Geschäftspartner",
            fr: "la personne visitée lors d’un déplacement professionnel"
        ),
        Entry(
            "commuting and private trips apart from business",
            nl: "woon-werk en privé gescheiden van zakelijk",
            de: "Arbeitswege und Privatfahrten getrennt von Dienstfahrten",
            fr: "domicile-travail et privé séparés du professionnel"
        ),
        Entry(
            "the vehicle of each trip",
            nl: "het voertuig van elke rit",
            de: "das Fahrzeug jeder Fahrt",
            fr: "le véhicule de chaque trajet"
        ),
        Entry(
            "the route where it is not the usual one",
            nl: "de route waar die afwijkt van de gebruikelijke",
            de: "die Route, wo sie von der üblichen abweicht",
            fr: "l’itinéraire s’il n’est pas habituel"
        ),
        Entry(
            "`ledger track` has the way of measured trips",
            nl: "`ledger track` heeft de weg van gemeten ritten",
            de: "`ledger track` hat den Weg gemessener Fahrten",
            fr: "`ledger track` a l’itinéraire des trajets mesurés"
        ),
        Entry(
            "private kilometres inside a business trip",
            nl: "privékilometers binnen een zakelijke rit",
            de: "private Kilometer innerhalb einer Dienstfahrt",
            fr: "kilomètres privés dans un déplacement professionnel"
        ),
        Entry(
            "trips of class mixed do not say how much",
            nl: "gemengde ritten zeggen niet hoeveel",
            de: "gemischte Fahrten sagen nicht, wie viel",
            fr: "les trajets mixtes ne disent pas combien"
        ),
        Entry(
            "the odometer where the period begins and ends",
            nl: "de kilometerstand aan het begin en einde van de periode",
            de: "der Kilometerstand zu Beginn und Ende des Zeitraums",
            fr: "le compteur au début et à la fin de la période"
        ),
        Entry(
            "the odometer where the year begins and ends",
            nl: "de kilometerstand aan het begin en einde van het jaar",
            de: "der Kilometerstand zu Beginn und Ende des Jahres",
            fr: "le compteur au début et à la fin de l’année"
        ),
        Entry(
            "the destination: city, town or area",
            nl: "de bestemming: stad, dorp of gebied",
            de: "das Ziel: Stadt, Ort oder Gegend",
            fr: "la destination : ville ou secteur"
        ),
        Entry("the destination", nl: "de bestemming", de: "das Ziel", fr: "la destination"),
        Entry(
            "the destination: place, street, number",
            nl: "de bestemming: plaats, straat, nummer",
            de: "das Ziel: Ort, Straße, Hausnummer",
            fr: "la destination : lieu, rue, numéro"
        ),
        Entry(
            "the business purpose",
            nl: "het zakelijke doel",
            de: "der geschäftliche Zweck",
            fr: "le motif professionnel"
        ),
        Entry("the purpose", nl: "het doel", de: "der Reisezweck", fr: "le motif"),
        Entry(
            "the date placed in service",
            nl: "de datum van ingebruikname",
            de: "der Tag der Inbetriebnahme",
            fr: "la date de mise en service"
        ),
        Entry(
            "entries at or near the time; a weekly log counts",
            nl: "vermeldingen op of kort na het moment; wekelijks geldt ook",
            de: "zeitnahe Einträge; wöchentliche zählen",
            fr: "saisie au moment même ou presque ; un relevé hebdomadaire suffit"
        ),
        Entry(
            "entries near the time",
            nl: "vermeldingen kort na het moment",
            de: "zeitnahe Einträge",
            fr: "saisie sans délai"
        ),
        Entry(
            "entries within seven days",
            nl: "vermeldingen binnen zeven dagen",
            de: "Einträge innerhalb von sieben Tagen",
            fr: "saisie dans les sept jours"
        ),
        Entry(
            "entries at the end of the journey or soon after",
            nl: "vermeldingen aan het einde van de reis of kort erna",
            de: "Einträge am Ende der Fahrt oder bald danach",
            fr: "saisie à la fin du trajet ou peu après"
        ),
        Entry(
            "the purpose within seven days",
            nl: "het doel binnen zeven dagen",
            de: "der Zweck innerhalb von sieben Tagen",
            fr: "le motif dans les sept jours"
        ),
        Entry(
            "make and type of the vehicle",
            nl: "merk en type van het voertuig",
            de: "Marke und Typ des Fahrzeugs",
            fr: "marque et type du véhicule"
        ),
        Entry(
            "make and model of the vehicle",
            nl: "merk en model van het voertuig",
            de: "Marke und Modell des Fahrzeugs",
            fr: "marque et modèle du véhicule"
        ),
        Entry(
            "the licence plate",
            nl: "het kenteken",
            de: "das amtliche Kennzeichen",
            fr: "la plaque d’immatriculation"
        ),
        Entry(
            "the registration",
            nl: "het kenteken",
            de: "das Kennzeichen",
            fr: "l’immatriculation"
        ),
        Entry(
            "since when it is at your disposal",
            nl: "vanaf wanneer het ter beschikking staat",
            de: "seit wann es zur Verfügung steht",
            fr: "depuis quand il est à votre disposition"
        ),
        Entry(
            "every trip, private ones too",
            nl: "elke rit, ook privé",
            de: "jede Fahrt, auch private",
            fr: "chaque trajet, privé aussi"
        ),
        Entry(
            "compare with `ledger report reconcile`",
            nl: "vergelijk met `ledger report reconcile`",
            de: "vergleiche `ledger report reconcile`",
            fr: "comparez avec `ledger report reconcile`"
        ),
        Entry(
            "there and back as two trips",
            nl: "heen en terug als twee ritten",
            de: "Hin- und Rückfahrt als zwei Fahrten",
            fr: "aller et retour comme deux trajets"
        ),
        Entry(
            "merged trips",
            nl: "samengevoegde ritten",
            de: "zusammengeführte Fahrten",
            fr: "trajets fusionnés"
        ),
        Entry(
            "later changes visible, and not to be hidden",
            nl: "latere wijzigingen zichtbaar, niet te verbergen",
            de: "spätere Änderungen sichtbar und nicht zu verbergen",
            fr: "modifications ultérieures visibles, impossibles à cacher"
        ),
        Entry(
            "`ledger report changes` lists them",
            nl: "`ledger report changes` noemt ze",
            de: "`ledger report changes` nennt sie",
            fr: "`ledger report changes` les énumère"
        ),
        Entry(
            "the engine's capacity",
            nl: "de cilinderinhoud",
            de: "der Hubraum",
            fr: "la cylindrée"
        ),
        Entry(
            "the ledger does not hold it",
            nl: "het grootboek heeft die niet",
            de: "das Buch hat ihn nicht",
            fr: "le registre ne l’a pas"
        ),
        Entry(
            "at least 12 weeks without a break",
            nl: "ten minste 12 weken zonder onderbreking",
            de: "mindestens 12 Wochen ohne Unterbrechung",
            fr: "au moins 12 semaines sans interruption"
        ),
        Entry(
            "the fiscal horsepower of each vehicle",
            nl: "de fiscale paardenkracht van elk voertuig",
            de: "die Steuer-PS jedes Fahrzeugs",
            fr: "la puissance fiscale de chaque véhicule"
        ),
        Entry(
            "one that is not registered as electric counts as not electric",
            nl: "een dat niet als elektrisch is vastgelegd, telt als niet elektrisch",
            de: "eines, das nicht als elektrisch erfasst ist, zählt als nicht elektrisch",
            fr: "un véhicule non enregistré comme électrique compte comme non électrique"
        ),
        // What the log lacks.
        Entry("no purpose", nl: "geen doel", de: "kein Zweck", fr: "pas de motif"),
        Entry("no class", nl: "niet ingedeeld", de: "nicht eingeordnet", fr: "non classé"),
        Entry(
            "mixed: private part not said",
            nl: "gemengd: privédeel niet vermeld",
            de: "gemischt: privater Teil nicht genannt",
            fr: "mixte : part privée non précisée"
        ),
        Entry("no vehicle", nl: "geen voertuig", de: "kein Fahrzeug", fr: "pas de véhicule"),
        Entry(
            "business without a client",
            nl: "zakelijk zonder klant",
            de: "geschäftlich ohne Kunde",
            fr: "professionnel sans client"
        ),
        Entry(
            "start not known",
            nl: "begin niet bekend",
            de: "Beginn nicht bekannt",
            fr: "départ inconnu"
        ),
        Entry(
            "start only as a position",
            nl: "begin alleen als positie",
            de: "Beginn nur als Position",
            fr: "départ seulement en coordonnées"
        ),
        Entry(
            "end not known",
            nl: "einde niet bekend",
            de: "Ende nicht bekannt",
            fr: "arrivée inconnue"
        ),
        Entry(
            "end only as a position",
            nl: "einde alleen als positie",
            de: "Ende nur als Position",
            fr: "arrivée seulement en coordonnées"
        ),
        Entry(
            "odometer not known at both ends",
            nl: "kilometerstand niet aan beide einden bekend",
            de: "Kilometerstand nicht an beiden Enden bekannt",
            fr: "compteur inconnu aux deux bouts"
        ),
        Entry(
            "no detail entered",
            nl: "geen gegevens ingevuld",
            de: "keine Angabe eingetragen",
            fr: "aucun détail saisi"
        ),
        Entry(
            "first detail entered late",
            nl: "eerste gegeven laat ingevuld",
            de: "erste Angabe spät eingetragen",
            fr: "premier détail saisi tard"
        ),
        Entry(
            "purpose entered late",
            nl: "doel laat ingevuld",
            de: "Zweck spät eingetragen",
            fr: "motif saisi tard"
        ),
        Entry(
            "details changed late",
            nl: "gegevens laat gewijzigd",
            de: "Angaben spät geändert",
            fr: "détails modifiés tard"
        ),
        Entry(
            "gaps on the way",
            nl: "hiaten onderweg",
            de: "Lücken unterwegs",
            fr: "lacunes en chemin"
        ),
        Entry(
            "a way before it not recorded",
            nl: "een weg ervoor niet geregistreerd",
            de: "ein Weg davor nicht erfasst",
            fr: "un trajet précédent non enregistré"
        ),
        Entry(
            "distance set by hand",
            nl: "afstand met de hand gezet",
            de: "Strecke von Hand gesetzt",
            fr: "distance saisie à la main"
        ),
        Entry("not measured", nl: "niet gemeten", de: "nicht gemessen", fr: "non mesuré"),
        Entry("merged", nl: "samengevoegd", de: "zusammengeführt", fr: "fusionné"),
        Entry(
            "another recorder in the car",
            nl: "een andere recorder in de auto",
            de: "ein anderes Gerät im Wagen",
            fr: "un autre enregistreur dans la voiture"
        ),
    ]
}
