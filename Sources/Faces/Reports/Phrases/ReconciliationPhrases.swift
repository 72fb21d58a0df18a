import Tables

// What the comparison of odometers and trips says, and what a log lacks.

extension Phrase {
    static let odometersBesideTrips = Phrase(
        en: "Odometers beside trips",
        nl: "Kilometerstanden naast ritten",
        de: "Kilometerstände neben Fahrten",
        fr: "Compteurs et trajets"
    )
    static let fromReadingToReading = Phrase(
        en: "From reading to reading",
        nl: "Van stand tot stand",
        de: "Von Stand zu Stand",
        fr: "De relevé en relevé"
    )
    static let eachVehicle = Phrase(
        en: "Each vehicle",
        nl: "Elk voertuig",
        de: "Jedes Fahrzeug",
        fr: "Chaque véhicule"
    )
    static let waysNotRecorded = Phrase(
        en: "Ways that nothing recorded",
        nl: "Wegen die niets registreerde",
        de: "Wege, die nichts erfasst hat",
        fr: "Parcours non enregistrés"
    )
    static let tripsAtSameTime = Phrase(
        en: "Trips of one vehicle at the same time",
        nl: "Ritten van één voertuig op hetzelfde moment",
        de: "Gleichzeitige Fahrten eines Fahrzeugs",
        fr: "Trajets simultanés d’un même véhicule"
    )
    static let tooFastBetween = Phrase(
        en: "Too fast between two trips",
        nl: "Te snel tussen twee ritten",
        de: "Zu schnell zwischen zwei Fahrten",
        fr: "Trop rapide entre deux trajets"
    )
    static let paidElsewhere = Phrase(
        en: "Paid where the vehicle was not",
        nl: "Betaald waar het voertuig niet was",
        de: "Bezahlt, wo das Fahrzeug nicht war",
        fr: "Payé là où le véhicule n’était pas"
    )
    static let restAndOff = Phrase(
        en: """
            REST is the odometer distance that no trip explains; gaps and unrecorded ways, which \
            no distance includes, are listed beside it. OFF is its share of the odometer distance. \
            BAND says whether that is up to 3 %, up to 5 % or more.
            """,
        nl: """
            REST is de afstand van de kilometerteller die geen rit verklaart; hiaten en niet \
            geregistreerde wegen, die in geen afstand zitten, staan ernaast. AFWIJKING is het \
            aandeel ervan. BAND zegt of dat tot 3 %, tot 5 % of meer is.
            """,
        de: """
            REST ist die Strecke des Kilometerzählers, die keine Fahrt erklärt; Lücken und nicht \
            erfasste Wege, die in keiner Strecke sind, stehen daneben. ABWEICHUNG ist sein Anteil. \
            BEREICH sagt, ob dieser bis 3 %, bis 5 % oder mehr beträgt.
            """,
        fr: """
            RESTE est la distance du compteur qu’aucun trajet n’explique ; les lacunes et parcours \
            non enregistrés, qui ne sont dans aucune distance, figurent à côté. ÉCART est sa part. \
            TRANCHE dit si elle est de 3 % au plus, de 5 % au plus ou davantage.
            """
    )
    static let nothingStandsOut = Phrase(
        en: "Nothing stands out.",
        nl: "Er valt niets op.",
        de: "Nichts fällt auf.",
        fr: "Rien à signaler."
    )

    static func readLessThanTwice(_ vehicle: String) -> Phrase {
        Phrase(
            en: """
                The odometer of \(own: vehicle) was read less than twice: nothing can be compared. \
                `ledger odometer` records what it shows.
                """,
            nl: """
                De kilometerstand van \(own: vehicle) is minder dan twee keer afgelezen: er valt \
                niets te vergelijken. `ledger odometer` legt de stand vast.
                """,
            de: """
                Der Kilometerstand von \(own: vehicle) wurde weniger als zweimal abgelesen: nichts \
                ist zu vergleichen. `ledger odometer` erfasst ihn.
                """,
            fr: """
                Le compteur de \(own: vehicle) a été relevé moins de deux fois : rien à comparer. \
                `ledger odometer` enregistre ce qu’il montre.
                """
        )
    }

    static func presenceUnknown(ofExpenses count: Int) -> Phrase {
        Phrase(
            en: "Of some expenses (\(count)) it cannot be told whether the vehicle was there.",
            nl: "Van sommige uitgaven (\(count)) is niet te zeggen of het voertuig daar was.",
            de: "Von einigen Ausgaben (\(count)) ist nicht zu sagen, ob das Fahrzeug dort war.",
            fr: "Pour certaines dépenses (\(count)), on ne peut dire si le véhicule y était."
        )
    }
}

extension OdometerBand {
    /// The band in words.
    var phrase: Phrase {
        switch self {
        case .within3Percent:
            Phrase(
                en: "within 3 %",
                nl: "binnen 3 %",
                de: "innerhalb 3 %",
                fr: "dans les 3 %"
            )
        case .within5Percent:
            Phrase(
                en: "within 5 %",
                nl: "binnen 5 %",
                de: "innerhalb 5 %",
                fr: "dans les 5 %"
            )
        case .beyond5Percent:
            Phrase(
                en: "beyond 5 %",
                nl: "boven 5 %",
                de: "über 5 %",
                fr: "au-delà de 5 %"
            )
        case .noTrips:
            Phrase(en: "no trips", nl: "geen ritten", de: "keine Fahrten", fr: "aucun trajet")
        case .backwards:
            Phrase(en: "backwards", nl: "teruggelopen", de: "rückwärts", fr: "en arrière")
        }
    }

    /// The title above the number of intervals that have it.
    var title: ColumnTitle {
        switch self {
        case .within3Percent:
            ColumnTitle(
                en: "WITHIN 3 %",
                nl: "BINNEN 3 %",
                de: "IN\u{AD}NER\u{AD}HALB 3 %",
                fr: "DANS LES 3 %"
            )
        case .within5Percent:
            ColumnTitle(
                en: "WITHIN 5 %",
                nl: "BINNEN 5 %",
                de: "IN\u{AD}NER\u{AD}HALB 5 %",
                fr: "DANS LES 5 %"
            )
        case .beyond5Percent:
            ColumnTitle(
                en: "BEYOND 5 %",
                nl: "BOVEN 5 %",
                de: "ÜBER 5 %",
                fr: "AU-DELÀ DE 5 %"
            )
        case .noTrips:
            ColumnTitle(
                en: "NO TRIPS",
                nl: "GEEN RITTEN",
                de: "KEINE FAHRTEN",
                fr: "AUCUN TRAJET"
            )
        case .backwards:
            ColumnTitle(
                en: "BACKWARDS",
                nl: "TE\u{AD}RUG\u{AD}GE\u{AD}LO\u{AD}PEN",
                de: "RÜCK\u{AD}WÄRTS",
                fr: "EN ARRIÈRE"
            )
        }
    }
}

// MARK: Gaps of a log

extension Phrase {
    static let completeness = Phrase(
        en: "What the mileage log lacks",
        nl: "Wat de rittenregistratie mist",
        de: "Was dem Fahrtenbuch fehlt",
        fr: "Ce qui manque au relevé"
    )
    static let checklist = Phrase(
        en: "Checklist",
        nl: "Controlelijst",
        de: "Prüfliste",
        fr: "Liste de contrôle"
    )
    static let found = Phrase(en: "Found", nl: "Gevonden", de: "Gefunden", fr: "Constaté")
    static let longestWithoutTrip = Phrase(
        en: "Longest times without a trip",
        nl: "Langste tijden zonder rit",
        de: "Längste Zeiten ohne Fahrt",
        fr: "Plus longues périodes sans trajet"
    )
    static let taxOfficeDecides = Phrase(
        en: """
            The list says what is met and what is missing, as far as the ledger knows it; a tax \
            office decides.
            """,
        nl: """
            De lijst zegt wat voldaan is en wat ontbreekt, voor zover het grootboek het weet; de \
            belastingdienst beslist.
            """,
        de: """
            Die Liste sagt, was erfüllt ist und was fehlt, soweit das Buch es weiß; das Finanzamt \
            entscheidet.
            """,
        fr: """
            La liste dit ce qui est satisfait et ce qui manque, pour autant que le registre le \
            sache ; l’administration fiscale décide.
            """
    )

    /// How many days have trips, and how many before and between them have none.
    static func tripDays(_ days: Int, without empty: Int) -> Phrase {
        let some = Phrase(
            en: "Trips on \(counted(days))",
            nl: "Ritten op \(counted(days))",
            de: "Fahrten an \(counted(days))",
            fr: "Trajets sur \(counted(days))"
        )
        guard empty > 0 else { return Phrase("\(some).") }
        // Before a single day there are days of the period, and none are between.
        guard days > 1 else {
            return Phrase(
                en: "\(some); none on \(counted(empty)) before.",
                nl: "\(some); geen op \(counted(empty)) ervoor.",
                de: "\(some); keine an \(counted(empty)) davor.",
                fr: "\(some) ; aucun sur \(counted(empty)) avant."
            )
        }
        return Phrase(
            en: "\(some); none on \(counted(empty)) before or between.",
            nl: "\(some); geen op \(counted(empty)) ervoor of ertussen.",
            de: "\(some); keine an \(counted(empty)) davor oder dazwischen.",
            fr: "\(some) ; aucun sur \(counted(empty)) avant ou entre eux."
        )
    }

    /// A number of days, as it stands after the words for "on".
    private static func counted(_ days: Int) -> Phrase {
        days == 1
            ? Phrase(en: "1 day", nl: "1 dag", de: "1 Tag", fr: "1 jour")
            : Phrase(
                en: "\(days) days",
                nl: "\(days) dagen",
                de: "\(days) Tagen",
                fr: "\(days) jours"
            )
    }
}
