import Geodesy
import Projections
package import Tables
package import TripEvents
package import TripLedger

// What all reports say: what they are about, what they were made from, and how trips count.

/// Texts in cells of any report.
extension Phrase {
    static let total = Phrase(en: "total", nl: "totaal", de: "Summe", fr: "total")
    static let leftOut = Phrase(en: "left out", nl: "weggelaten", de: "weggelassen", fr: "omis")
    static let cannotTell = Phrase(
        en: "cannot tell",
        nl: "niet te zeggen",
        de: "nicht zu sagen",
        fr: "indéterminé"
    )

    /// A heading in a text, right above what it is about.
    static func above(_ heading: Phrase) -> Phrase {
        Phrase(en: "\(heading):", nl: "\(heading):", de: "\(heading):", fr: "\(heading) :")
    }

    /// A part of a whole, in thousandths.
    static func share(_ thousandths: Int64) -> Phrase {
        Phrase("\(thousandths, decimals: 1) %")
    }
}

/// What a report was made of.
extension Phrase {
    static let kilometersOnly = Phrase(
        en: "kilometres only: no places, no times",
        nl: "alleen kilometers: geen plaatsen, geen tijden",
        de: "nur Kilometer: keine Orte, keine Zeiten",
        fr: "kilomètres seulement : ni lieux, ni heures"
    )
    static let notForHandingOver = Phrase(
        en: "not for handing over; without --draft, the report names its entries",
        nl: "niet om te overhandigen; zonder --draft noemt het rapport zijn vermeldingen",
        de: "nicht zur Vorlage; ohne --draft nennt der Bericht seine Einträge",
        fr: "à ne pas remettre ; sans --draft, le rapport nomme ses entrées"
    )
    static let draftFoot = Phrase(
        en: "Draft, not for handing over",
        nl: "Concept, niet om te overhandigen",
        de: "Entwurf, nicht zur Vorlage",
        fr: "Brouillon, à ne pas remettre"
    )

    static func ledgerFoot(_ ledger: String) -> Phrase { Phrase("\(Phrase.ledger) \(own: ledger)") }

    static func ledgerFoot(_ ledger: String, entries: UInt64) -> Phrase {
        Phrase(
            en: "Ledger \(own: ledger) · \(entries) entries",
            nl: "Grootboek \(own: ledger) · \(entries) vermeldingen",
            de: "Buch \(own: ledger) · \(entries) Einträge",
            fr: "Registre \(own: ledger) · \(entries) entrées"
        )
    }

    static func rootFoot(_ root: String) -> Phrase { Phrase("\(Phrase.root) \(own: root)") }

    static func codeFoot(_ root: String) -> Phrase {
        Phrase(
            en: "In the code: \(own: root)",
            nl: "In de code: \(own: root)",
            de: "Im Code: \(own: root)",
            fr: "Dans le code : \(own: root)"
        )
    }

    /// The purpose of the root and the code on a sheet.
    static func rootMeaning(entries: UInt64) -> Phrase {
        Phrase(
            en: """
                With the root on this sheet, which the code holds for a camera, `ledger verify` \
                shows later that none of the \(entries) entries behind it was changed.
                """,
            nl: """
                Met de wortel op dit blad, die de code voor een camera bevat, toont \
                `ledger verify` later dat geen van de \(entries) vermeldingen erachter is gewijzigd.
                """,
            de: """
                Mit der Wurzel auf diesem Blatt, die der Code für eine Kamera enthält, zeigt \
                `ledger verify` später, dass keiner der \(entries) Einträge dahinter geändert wurde.
                """,
            fr: """
                Avec la racine sur cette feuille, que le code contient pour un appareil photo, \
                `ledger verify` montre plus tard qu’aucune des \(entries) entrées n’a été modifiée.
                """
        )
    }

    /// The exact sum, beside one that differs from the sum of the printed figures.
    static func exactSum(_ distance: Distance, in unit: DistanceUnit) -> Phrase {
        Phrase(
            en: """
                Each line is rounded for itself, and the total is their sum; the exact one is \
                \(distance, in: unit).
                """,
            nl: """
                Elke regel is apart afgerond, en het totaal is hun som; het exacte is \
                \(distance, in: unit).
                """,
            de: """
                Jede Zeile ist für sich gerundet, und die Summe ist die der Zeilen; die genaue ist \
                \(distance, in: unit).
                """,
            fr: """
                Chaque ligne est arrondie séparément et le total est leur somme ; le total exact \
                est \(distance, in: unit).
                """
        )
    }
}

extension LocalPeriod {
    /// The days in words.
    var phrase: Phrase {
        switch (from, to) {
        case (nil, nil):
            Phrase(en: "all days", nl: "alle dagen", de: "alle Tage", fr: "tous les jours")
        case (let from?, nil):
            Phrase(
                en: "from \(from)",
                nl: "vanaf \(from)",
                de: "ab \(from)",
                fr: "à partir du \(from)"
            )
        case (nil, let to?):
            Phrase(
                en: "until \(to)",
                nl: "tot en met \(to)",
                de: "bis \(to)",
                fr: "jusqu’au \(to)"
            )
        case (let from?, let to?): .days(from, to)
        }
    }

    /// The days in English.
    package var text: String { phrase.english }
}

extension Phrase {
    /// Days from one to another.
    static func days(_ first: CivilDate, _ last: CivilDate) -> Phrase {
        Phrase(
            en: "\(first) to \(last)",
            nl: "\(first) tot en met \(last)",
            de: "\(first) bis \(last)",
            fr: "du \(first) au \(last)"
        )
    }
}

extension LocalDay {
    /// The rule by which trips are counted, in words, to stand beside figures.
    package var phrase: Phrase {
        let zone = zone.words
        guard usesOwnOffsets else {
            return Phrase(
                en:
                    """
                    A trip counts on the local day on which it starts in the time zone \
                    \(own: zone).
                    """,
                nl: "Een rit telt op de dag waarop hij begint in de tijdzone \(own: zone).",
                de: "Eine Fahrt zählt am Tag ihres Beginns in der Zeitzone \(own: zone).",
                fr: "Un trajet compte le jour de son départ dans le fuseau \(own: zone)."
            )
        }
        return Phrase(
            en: """
                A trip counts on the local day on which it starts: by its own UTC offset if that \
                is known, else in the time zone \(own: zone).
                """,
            nl: """
                Een rit telt op de plaatselijke dag waarop hij begint: volgens de eigen \
                UTC-afwijking als die bekend is, anders in de tijdzone \(own: zone).
                """,
            de: """
                Eine Fahrt zählt am örtlichen Tag ihres Beginns: nach ihrer eigenen \
                UTC-Abweichung, wenn diese bekannt ist, sonst in der Zeitzone \(own: zone).
                """,
            fr: """
                Un trajet compte le jour local de son départ : selon son propre décalage UTC s’il \
                est connu, sinon dans le fuseau \(own: zone).
                """
        )
    }

    /// The same in English.
    package var sentence: String { phrase.english }
}

extension Contemporaneity {
    /// How soon details of trips were entered.
    var phrase: Phrase {
        Phrase(
            en: """
                Trips whose details were entered within a day: \(withinDay); within seven days: \
                \(withinWeek); later: \(later); never: \(never).
                """,
            nl: """
                Ritten waarvan de gegevens binnen een dag zijn ingevuld: \(withinDay); binnen \
                zeven dagen: \(withinWeek); later: \(later); nooit: \(never).
                """,
            de: """
                Fahrten, deren Angaben binnen eines Tages eingetragen wurden: \(withinDay); binnen \
                sieben Tagen: \(withinWeek); später: \(later); nie: \(never).
                """,
            fr: """
                Trajets dont les détails ont été saisis dans la journée : \(withinDay) ; dans les \
                sept jours : \(withinWeek) ; plus tard : \(later) ; jamais : \(never).
                """
        )
    }
}

extension MissingEntries {
    /// The facts about missing entries, for people.
    var reportFacts: [ReportFact] {
        var facts: [ReportFact] = []
        if withheldCount > 0 {
            let names = Self.names(withheldPositions, hasMoreWithheld)
            let entries = Phrase("\(Self.entries(withheldCount)) (\(own: names))")
            facts.append(ReportFact(.withheld, Self.mayBeLacking(entries)))
        }
        guard erasedCount > 0 else { return facts }
        let names = Self.names(erasedPositions, hasMoreErased)
        let trips = Self.trips(Self.names(erasedTrips.map(\.short), hasMoreTrips))
        let entries = Phrase("\(Self.entries(erasedCount)) (\(own: names))\(trips)")
        return facts + [ReportFact(.erased, Self.mayBeLacking(entries))]
    }

    private static func mayBeLacking(_ entries: Phrase) -> Phrase {
        Phrase(
            en: "\(entries): figures may lack them",
            nl: "\(entries): cijfers missen die mogelijk",
            de: "\(entries): Zahlen können ohne sie sein",
            fr: "\(entries) : chiffres peut-être incomplets"
        )
    }

    /// The same in English.
    package var facts: [(label: String, fact: String)] {
        reportFacts.map { ($0.label.english, $0.fact.english) }
    }

    private static func entries(_ count: UInt64) -> Phrase {
        count == 1
            ? Phrase(en: "1 entry", nl: "1 vermelding", de: "1 Eintrag", fr: "1 entrée")
            : Phrase(
                en: "\(count) entries",
                nl: "\(count) vermeldingen",
                de: "\(count) Einträge",
                fr: "\(count) entrées"
            )
    }

    private static func trips(_ names: [String]) -> Phrase {
        switch names.count {
        case 0: Phrase("")
        case 1:
            Phrase(
                en: ", also of trip \(own: names)",
                nl: ", ook van de rit \(own: names)",
                de: ", auch von der Fahrt \(own: names)",
                fr: ", aussi du trajet \(own: names)"
            )
        default:
            Phrase(
                en: ", also of trips \(own: names)",
                nl: ", ook van de ritten \(own: names)",
                de: ", auch von den Fahrten \(own: names)",
                fr: ", aussi des trajets \(own: names)"
            )
        }
    }

    private static func names(_ names: [String], _ hasMore: Bool) -> [String] {
        names + (hasMore ? ["…"] : [])
    }
}
