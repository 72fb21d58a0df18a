import Tables
import TripEvents
import TripLedger

/// A fact above a report, with its label.
package struct ReportFact: Sendable {
    /// The label.
    let label: Phrase

    /// The fact.
    let fact: Phrase

    init(_ label: Phrase, _ fact: Phrase) {
        self.label = label
        self.fact = fact
    }

    /// Names the jurisdiction whose rules a report follows.
    init(_ jurisdiction: LogJurisdiction) {
        self.init(jurisdiction: jurisdiction.rawValue)
    }

    /// Names the jurisdiction whose rates a report uses: a country, or a name that the owner chose.
    init(jurisdiction name: String) {
        self.init(.jurisdiction, .jurisdiction(named: name))
    }
}

extension Phrase {
    /// A country by its code as people write it (ISO 3166-1), which options, events and programs
    /// write in lower case; a name that the owner chose stays as it is.
    static func jurisdiction(named name: String) -> Phrase {
        .own(Countries.codes.contains(name) ? name.uppercased() : name)
    }
}

/// The labels of the facts above reports.
extension Phrase {
    static let asOf = Phrase(en: "As of", nl: "Stand", de: "Stand", fr: "Au")

    /// The time after which silence has ended no trip; trips that were stopped may be later.
    static func endedBySilence(_ time: EventTime) -> Phrase {
        Phrase(
            en: "\(time), when silence last ended a trip",
            nl: "\(time), toen stilte voor het laatst een rit beëindigde",
            de: "\(time), als Stille zuletzt eine Fahrt beendete",
            fr: "\(time), quand un silence a clos un trajet pour la dernière fois"
        )
    }

    static let classLabel = Phrase(en: "Class", nl: "Soort", de: "Art", fr: "Nature")
    static let draft = Phrase(en: "Draft", nl: "Concept", de: "Entwurf", fr: "Brouillon")
    static let entries = Phrase(en: "Entries", nl: "Vermeldingen", de: "Einträge", fr: "Entrées")
    static let erased = Phrase(en: "Erased", nl: "Gewist", de: "Gelöscht", fr: "Effacé")
    static let groupLabel = Phrase(en: "Group", nl: "Groep", de: "Gruppe", fr: "Groupe")
    static let jurisdiction = Phrase(en: "Jurisdiction", nl: "Land", de: "Land", fr: "Pays")
    static let keptBy = Phrase(
        en: "Kept by",
        nl: "Bijgehouden door",
        de: "Geführt von",
        fr: "Tenu par"
    )
    static let ledger = Phrase(en: "Ledger", nl: "Grootboek", de: "Buch", fr: "Registre")
    static let ownersGroup = Phrase(
        en: "none: the owner’s sources",
        nl: "geen: de bronnen van de eigenaar",
        de: "keine: die Quellen des Eigentümers",
        fr: "aucun : les sources du propriétaire"
    )
    static let period = Phrase(en: "Period", nl: "Periode", de: "Zeitraum", fr: "Période")
    static let privateTrips = Phrase(en: "Private", nl: "Privé", de: "Privat", fr: "Privé")
    static let rates = Phrase(en: "Rates", nl: "Tarieven", de: "Sätze", fr: "Barèmes")
    static let region = Phrase(en: "Region", nl: "Regio", de: "Region", fr: "Région")
    static let root = Phrase(en: "Root", nl: "Wortel", de: "Wurzel", fr: "Racine")
    static let scheme = Phrase(en: "Scheme", nl: "Regeling", de: "Regelung", fr: "Régime")
    static let table = Phrase(en: "Table", nl: "Tabel", de: "Tabelle", fr: "Table")
    static let timeZone = Phrase(
        en: "Time zone",
        nl: "Tijdzone",
        de: "Zeitzone",
        fr: "Fuseau horaire"
    )
    static let totalLabel = Phrase(en: "Total", nl: "Totaal", de: "Summe", fr: "Total")
    static let tripsLabel = Phrase(en: "Trips", nl: "Ritten", de: "Fahrten", fr: "Trajets")
    static let unit = Phrase(en: "Unit", nl: "Eenheid", de: "Einheit", fr: "Unité")
    static let vehicleLabel = Phrase(
        en: "Vehicle",
        nl: "Voertuig",
        de: "Fahrzeug",
        fr: "Véhicule"
    )
    static let withheld = Phrase(
        en: "Withheld",
        nl: "Achtergehouden",
        de: "Zurückgehalten",
        fr: "Retenu"
    )
}
