import Tables

extension CompletenessCheck {
    /// The check in words.
    var phrase: Phrase {
        switch self {
        case .noPurpose: CheckWords.noPurpose
        case .unclassified: CheckWords.unclassified
        case .mixed: CheckWords.mixed
        case .noVehicle: CheckWords.noVehicle
        case .noClient: CheckWords.noClient
        case .noStart: CheckWords.noStart
        case .startPositionOnly: CheckWords.startPositionOnly
        case .noEnd: CheckWords.noEnd
        case .endPositionOnly: CheckWords.endPositionOnly
        case .noStartAddress: CheckWords.noStartAddress
        case .noEndAddress: CheckWords.noEndAddress
        case .noOdometer: CheckWords.noOdometer
        case .noEntry: CheckWords.noEntry
        case .lateEntry: CheckWords.lateEntry
        case .latePurpose: CheckWords.latePurpose
        case .lateChange: CheckWords.lateChange
        case .gaps: CheckWords.gaps
        case .unrecordedBefore: CheckWords.unrecordedBefore
        case .adjusted: CheckWords.adjusted
        case .reported: CheckWords.reported
        case .merged: CheckWords.merged
        case .endsWhereItBegan: CheckWords.endsWhereItBegan
        case .overlapping: CheckWords.overlapping
        }
    }
}

extension Phrase {
    /// Why a checklist without trips says little.
    static let noTripInDays = Phrase(
        en: "There is no trip in these days: what needs trips cannot be told.",
        nl: "Er is geen rit in deze dagen: wat ritten nodig heeft, is niet te zeggen.",
        de: "In diesen Tagen gibt es keine Fahrt: Was Fahrten braucht, lässt sich nicht sagen.",
        fr: """
            Il n’y a aucun trajet dans ces jours : ce qui demande des trajets ne peut être établi.
            """
    )

    /// Why a checklist of trips without a class says little.
    static func withoutClass(_ count: Int, of trips: Int64) -> Phrase {
        Phrase(
            en: """
                \(count) of \(trips) trips have no class: what business trips need cannot be told \
                before `ledger inbox` has sorted them.
                """,
            nl: """
                \(count) van \(trips) ritten zijn niet ingedeeld: wat zakelijke ritten nodig \
                hebben, is pas te zeggen na `ledger inbox`.
                """,
            de: """
                \(count) von \(trips) Fahrten sind nicht eingeordnet: Was geschäftliche Fahrten \
                brauchen, lässt sich erst nach `ledger inbox` sagen.
                """,
            fr: """
                \(count) trajets sur \(trips) ne sont pas classés : ce qu’il faut aux trajets \
                professionnels ne se dira qu’après `ledger inbox`.
                """
        )
    }
}

/// The gaps of a log, in words.
private enum CheckWords {
    static let noPurpose = Phrase(
        en: "no purpose",
        nl: "geen doel",
        de: "kein Zweck",
        fr: "pas de motif"
    )
    static let unclassified = Phrase(
        en: "no class",
        nl: "niet ingedeeld",
        de: "nicht eingeordnet",
        fr: "non classé"
    )
    static let mixed = Phrase(
        en: "mixed: private part not said",
        nl: "gemengd: privédeel niet vermeld",
        de: "gemischt: privater Teil nicht genannt",
        fr: "mixte : part privée non précisée"
    )
    static let noVehicle = Phrase(
        en: "no vehicle",
        nl: "geen voertuig",
        de: "kein Fahrzeug",
        fr: "pas de véhicule"
    )
    static let noClient = Phrase(
        en: "business without a client",
        nl: "zakelijk zonder klant",
        de: "geschäftlich ohne Kunde",
        fr: "professionnel sans client"
    )
    static let noStart = Phrase(
        en: "start not known",
        nl: "begin niet bekend",
        de: "Beginn nicht bekannt",
        fr: "départ inconnu"
    )
    static let startPositionOnly = Phrase(
        en: "start only as a position",
        nl: "begin alleen als positie",
        de: "Beginn nur als Position",
        fr: "départ seulement en coordonnées"
    )
    static let noStartAddress = Phrase(
        en: "start without street and number",
        nl: "begin zonder straat en nummer",
        de: "Beginn ohne Straße und Nummer",
        fr: "départ sans rue ni numéro"
    )
    static let noEndAddress = Phrase(
        en: "end without street and number",
        nl: "einde zonder straat en nummer",
        de: "Ende ohne Straße und Nummer",
        fr: "arrivée sans rue ni numéro"
    )
    static let noEnd = Phrase(
        en: "end not known",
        nl: "einde niet bekend",
        de: "Ende nicht bekannt",
        fr: "arrivée inconnue"
    )
    static let endPositionOnly = Phrase(
        en: "end only as a position",
        nl: "einde alleen als positie",
        de: "Ende nur als Position",
        fr: "arrivée seulement en coordonnées"
    )
    static let noOdometer = Phrase(
        en: "odometer not known at both ends",
        nl: "kilometerstand niet aan beide einden bekend",
        de: "Kilometerstand nicht an beiden Enden bekannt",
        fr: "compteur inconnu aux deux bouts"
    )
    static let noEntry = Phrase(
        en: "no detail entered",
        nl: "geen gegevens ingevuld",
        de: "keine Angabe eingetragen",
        fr: "aucun détail saisi"
    )
    static let lateEntry = Phrase(
        en: "first detail entered late",
        nl: "eerste gegeven laat ingevuld",
        de: "erste Angabe spät eingetragen",
        fr: "premier détail saisi tard"
    )
    static let latePurpose = Phrase(
        en: "purpose entered late",
        nl: "doel laat ingevuld",
        de: "Zweck spät eingetragen",
        fr: "motif saisi tard"
    )
    static let lateChange = Phrase(
        en: "details changed late",
        nl: "gegevens laat gewijzigd",
        de: "Angaben spät geändert",
        fr: "détails modifiés tard"
    )
    static let gaps = Phrase(
        en: "gaps on the way",
        nl: "hiaten onderweg",
        de: "Lücken unterwegs",
        fr: "lacunes en chemin"
    )
    static let unrecordedBefore = Phrase(
        en: "a way before it not recorded",
        nl: "een weg ervoor niet geregistreerd",
        de: "ein Weg davor nicht erfasst",
        fr: "un trajet précédent non enregistré"
    )
    static let adjusted = Phrase(
        en: "distance set by hand",
        nl: "afstand met de hand gezet",
        de: "Strecke von Hand gesetzt",
        fr: "distance saisie à la main"
    )
    static let reported = Phrase(
        en: "not measured",
        nl: "niet gemeten",
        de: "nicht gemessen",
        fr: "non mesuré"
    )
    static let merged = Phrase(
        en: "merged",
        nl: "samengevoegd",
        de: "zusammengeführt",
        fr: "fusionné"
    )
    static let endsWhereItBegan = Phrase(
        en: "ended where it began",
        nl: "eindigt waar het begon",
        de: "endet, wo sie begann",
        fr: "arrivée au lieu de départ"
    )
    static let overlapping = Phrase(
        en: "another recorder in the car",
        nl: "een andere recorder in de auto",
        de: "ein anderes Gerät im Wagen",
        fr: "un autre enregistreur dans la voiture"
    )
}
