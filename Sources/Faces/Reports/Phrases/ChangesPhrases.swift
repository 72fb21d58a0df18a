import Geodesy
import Papers
import Projections
import Tables
import TripEvents
import TripLedger

// What the list of changes says.

extension Phrase {
    static let changes = Phrase(
        en: "Changes after the fact",
        nl: "Wijzigingen achteraf",
        de: "Nachträgliche Änderungen",
        fr: "Modifications après coup"
    )
    static let issuedReports = Phrase(
        en: "Reports of these days that were issued",
        nl: "Rapporten over deze dagen die zijn uitgegeven",
        de: "Berichte über diese Tage, die ausgegeben wurden",
        fr: "Rapports sur ces jours qui ont été remis"
    )
    static let nothingChanged = Phrase(
        en: "Nothing was changed afterwards.",
        nl: "Achteraf is niets gewijzigd.",
        de: "Nachträglich wurde nichts geändert.",
        fr: "Rien n’a été modifié après coup."
    )
    static let noReportIssued = Phrase(
        en: "No report of these days was issued.",
        nl: "Er is geen rapport over deze dagen uitgegeven.",
        de: "Es wurde kein Bericht über diese Tage ausgegeben.",
        fr: "Aucun rapport sur ces jours n’a été remis."
    )
    static let nothingStoredAfter = Phrase(
        en: "Nothing of this was stored after a report of these days was issued.",
        nl: "Niets hiervan is opgeslagen nadat een rapport over deze dagen was uitgegeven.",
        de: """
            Nichts davon wurde gespeichert, nachdem ein Bericht über diese Tage ausgegeben worden \
            war.
            """,
        fr: "Rien de cela n’a été enregistré après la remise d’un rapport sur ces jours."
    )
    static let daysAfterCounts = Phrase(
        en: """
            DAYS AFTER counts from the end of the trip, also for its expenses, to the storing of \
            the change; of a reading or another expense, and of what corrects it, from when it was \
            read or paid.
            """,
        nl: """
            DAGEN ERNA telt van het einde van de rit, ook voor de uitgaven ervan, tot het opslaan \
            van de wijziging; bij een stand of een andere uitgave, en bij wat die verbetert, vanaf \
            het aflezen of betalen.
            """,
        de: """
            TAGE DANACH zählt vom Ende der Fahrt, auch bei deren Ausgaben, bis zum Speichern der \
            Änderung; bei einem Stand oder einer anderen Ausgabe, und bei dem, was sie berichtigt, \
            vom Ablesen oder Bezahlen an.
            """,
        fr: """
            JOURS APRÈS compte de la fin du trajet, aussi pour ses dépenses, à l’enregistrement de \
            la modification ; pour un relevé ou une autre dépense, et pour ce qui les corrige, à \
            partir du moment où ils ont été relevés ou payés.
            """
    )

    static let noEffectTells = Phrase(
        en: """
            NO EFFECT says why a decision, such as one that came from another ledger, changes \
            nothing.
            """,
        nl: """
            GEEN EFFECT zegt waarom een beslissing, zoals een die uit een ander grootboek \
            kwam, niets wijzigt.
            """,
        de: """
            OHNE WIRKUNG sagt, warum eine Entscheidung, etwa eine aus einem anderen Buch, nichts \
            ändert.
            """,
        fr: """
            SANS EFFET dit pourquoi une décision, par exemple venue d’un autre registre, ne change \
            rien.
            """
    )

    static func firstEntries(_ count: Int) -> Phrase {
        Phrase(
            en: """
                Beside these, \(count) fields were entered for the first time: --all lists them.
                """,
            nl: "Daarnaast zijn \(count) velden voor het eerst ingevuld: --all noemt ze.",
            de: "Daneben wurden \(count) Felder erstmals eingetragen: --all nennt sie.",
            fr: """
                En outre, \(count) champs ont été saisis pour la première fois : --all les énumère.
                """
        )
    }

    /// The meaning of AFTER REPORT, with an issued report that would differ now.
    static func afterReport(_ id: String) -> Phrase {
        Phrase(
            en: """
                AFTER REPORT names the issued reports that are older than a change and so do not \
                include it: `ledger report reissue \(own: id) --compare` shows what is different \
                now.
                """,
            nl: """
                NA RAPPORT noemt de uitgegeven rapporten die ouder zijn dan een wijziging en haar \
                dus niet bevatten: `ledger report reissue \(own: id) --compare` toont wat nu \
                anders is.
                """,
            de: """
                NACH BERICHT nennt die ausgegebenen Berichte, die älter als eine Änderung sind und \
                sie also nicht enthalten: `ledger report reissue \(own: id) --compare` zeigt, was \
                jetzt anders ist.
                """,
            fr: """
                APRÈS RAPPORT nomme les rapports remis avant une modification, et qui ne la \
                contiennent donc pas : `ledger report reissue \(own: id) --compare` montre ce qui \
                est autre maintenant.
                """
        )
    }

    static func lastEventsStored(_ recorded: Contemporaneity) -> Phrase {
        let (day, week, later) = (recorded.withinDay, recorded.withinWeek, recorded.later)
        return Phrase(
            en: """
                Trips whose last event was stored within a day: \(day); within seven days: \
                \(week); later: \(later).
                """,
            nl: """
                Ritten waarvan de laatste gebeurtenis binnen een dag is opgeslagen: \(day); binnen \
                zeven dagen: \(week); later: \(later).
                """,
            de: """
                Fahrten, deren letztes Ereignis binnen eines Tages gespeichert wurde: \(day); \
                binnen sieben Tagen: \(week); später: \(later).
                """,
            fr: """
                Trajets dont le dernier événement a été enregistré dans la journée : \(day) ; dans \
                les sept jours : \(week) ; plus tard : \(later).
                """
        )
    }
}

extension ReportKind {
    /// The report in a word: in English its name on the command line.
    var phrase: Phrase {
        switch self {
        case .log:
            Phrase(en: "log", nl: "rittenregistratie", de: "Fahrtenbuch", fr: "relevé")
        case .summary:
            Phrase(en: "summary", nl: "overzicht", de: "Übersicht", fr: "récapitulatif")
        case .reconcile:
            Phrase(en: "reconcile", nl: "afstemming", de: "Abgleich", fr: "rapprochement")
        case .completeness:
            Phrase(
                en: "completeness",
                nl: "volledigheid",
                de: "Vollständigkeit",
                fr: "complétude"
            )
        case .changes:
            Phrase(en: "changes", nl: "wijzigingen", de: "Änderungen", fr: "modifications")
        case .claim: Phrase(en: "claim", nl: "declaratie", de: "Abrechnung", fr: "déclaration")
        case .methods: Phrase(en: "methods", nl: "methoden", de: "Methoden", fr: "méthodes")
        }
    }
}

extension ReportFormat {
    /// The format in a word: those that have a name of their own keep it.
    var phrase: Phrase {
        switch self {
        case .text: Phrase(en: "text", nl: "tekst", de: "Text", fr: "texte")
        case .document: Phrase(en: "document", nl: "document", de: "Dokument", fr: "document")
        case .json, .csv, .html, .pdf: .own(rawValue)
        }
    }
}

extension AuditLine.Setting {
    /// The settings that trips depend on, in words.
    var phrase: Phrase {
        switch self {
        case .log: Phrase(en: "log", nl: "log", de: "Protokoll", fr: "journal")
        case .routine(let name):
            Self.named(Phrase(en: "routine", nl: "routine", de: "Routine", fr: "routine"), name)
        case .vehicle(let name): Self.named(SharedWord.vehicle.phrase, name)
        case .odometer(let vehicle):
            Phrase(
                en: "odometer of \(own: vehicle)",
                nl: "kilometerstand van \(own: vehicle)",
                de: "Kilometerstand von \(own: vehicle)",
                fr: "compteur de \(own: vehicle)"
            )
        case .place(let name): Self.named(SharedWord.place.phrase, name)
        case .field(let key):
            Self.named(Phrase(en: "field", nl: "veld", de: "Feld", fr: "champ"), key)
        case .rules(nil): Phrase(en: "rules", nl: "regels", de: "Regeln", fr: "règles")
        case .rules(let source?):
            Phrase(
                en: "rules of \(own: source)",
                nl: "regels van \(own: source)",
                de: "Regeln von \(own: source)",
                fr: "règles de \(own: source)"
            )
        case .rates(let table):
            Self.named(Phrase(en: "rates", nl: "tarieven", de: "Sätze", fr: "barèmes"), table)
        case .settings:
            Phrase(en: "settings", nl: "instellingen", de: "Einstellungen", fr: "réglages")
        case .clock(let source):
            Phrase(
                en: "clock of \(own: source)",
                nl: "klok van \(own: source)",
                de: "Uhr von \(own: source)",
                fr: "horloge de \(own: source)"
            )
        case .expense(let id):
            Self.named(
                Phrase(en: "expense", nl: "uitgave", de: "Ausgabe", fr: "dépense"),
                id.short
            )
        }
    }

    private static func named(_ kind: Phrase, _ name: String?) -> Phrase {
        name.map { Phrase("\(kind) \(own: $0)") } ?? kind
    }
}

extension AuditLine {
    /// The field that changed, in words.
    var fieldPhrase: Phrase {
        trip == nil ? FieldPhrases.ofSetting(change.field) : FieldPhrases.ofTrip(change.field)
    }

    /// Returns a field's old or new value for people: what they wrote is quoted, ids are short; `-`
    /// for none.
    func shown(_ value: CustomValue?) -> Cell {
        guard let value, value != .null else { return .name("-") }
        switch value {
        case .boolean(let isTrue): return .phrase(Self.truth(isTrue))
        case .number(let number):
            return Self.shown(number, of: change.field) ?? .value(value)
        case .null: return .value(value)
        case .text(let words):
            if let phrase = Self.choice(words, of: change.field) { return .phrase(phrase) }
            if setting == .settings, change.field == "country" {
                return .phrase(.jurisdiction(named: words))
            }
            return TripAmendment.shown(value, of: change.field)
        }
    }

    /// Returns a number of a known kind: money with its usual decimals, a trip's distance in the
    /// unit of the report.
    private static func shown(_ number: ExactDecimal, of field: String) -> Cell? {
        switch field {
        case "amount": .phrase(Phrase("\(number, atLeast: 2)"))
        case "distance_m":
            number.units(places: 3).map { .namedDistance(Distance(millimeters: $0)) }
        default: nil
        }
    }

    /// Whole days of 24 hours until it was stored: after the trip's end, or after a reading or an
    /// expense, which may be entered or corrected much later.
    var daysAfter: Int64? {
        guard let happenedAt else { return daysAfterTrip }
        return max(0, recordedAt.milliseconds(since: happenedAt)) / Timestamp.millisecondsPerDay
    }

    private static func truth(_ isTrue: Bool) -> Phrase {
        isTrue
            ? Phrase(en: "true", nl: "ja", de: "ja", fr: "oui")
            : Phrase(en: "false", nl: "nee", de: "nein", fr: "non")
    }

    /// Returns the words of a value that is one of the program's names; English has the names.
    private static func choice(_ name: String, of field: String) -> Phrase? {
        switch field {
        case "class": TripClass(rawValue: name)?.phrase
        case "status": BookedStatus(rawValue: name)?.phrase
        case "mode": TravelMode(rawValue: name)?.phrase.quoted(inEnglishAs: name)
        case "vehicle_kind": VehicleKind(rawValue: name)?.phrase.quoted(inEnglishAs: name)
        case "kind": ExpenseKind(rawValue: name)?.phrase.quoted(inEnglishAs: name)
        case "method": OdometerMethod(rawValue: name)?.phrase.quoted(inEnglishAs: name)
        case "value_type": CustomFieldType(rawValue: name)?.phrase.quoted(inEnglishAs: name)
        default: nil
        }
    }
}

extension OdometerMethod {
    /// The method in words.
    fileprivate var phrase: Phrase {
        switch self {
        case .typed: Phrase(en: "typed", nl: "getypt", de: "eingetippt", fr: "saisi")
        case .photo: Phrase(en: "photo", nl: "foto", de: "Foto", fr: "photo")
        case .onBoardDiagnostics:
            Phrase(
                en: "obd",
                nl: "boorddiagnose",
                de: "Fahrzeugdiagnose",
                fr: "diagnostic embarqué"
            )
        case .imported:
            Phrase(en: "imported", nl: "geïmporteerd", de: "importiert", fr: "importé")
        }
    }
}

extension CustomFieldType {
    /// The type in words.
    fileprivate var phrase: Phrase {
        switch self {
        case .text: Phrase(en: "text", nl: "tekst", de: "Text", fr: "texte")
        case .number: Phrase(en: "number", nl: "getal", de: "Zahl", fr: "nombre")
        case .boolean: Phrase(en: "boolean", nl: "ja of nee", de: "ja oder nein", fr: "oui ou non")
        case .date: Phrase(en: "date", nl: "datum", de: "Datum", fr: "date")
        case .duration: Phrase(en: "duration", nl: "duur", de: "Dauer", fr: "durée")
        case .url: Phrase(en: "url", nl: "URL", de: "URL", fr: "URL")
        case .email: Phrase(en: "email", nl: "e-mail", de: "E-Mail", fr: "courriel")
        case .select: Phrase(en: "select", nl: "keuze", de: "Auswahl", fr: "choix")
        }
    }
}

extension Phrase {
    /// The same phrase, but in English its name in JSON between quotes.
    fileprivate func quoted(inEnglishAs name: String) -> Phrase {
        Phrase(
            en: Text(stringLiteral: "\"\(name)\""),
            nl: text(in: .nl),
            de: text(in: .de),
            fr: text(in: .fr)
        )
    }
}
