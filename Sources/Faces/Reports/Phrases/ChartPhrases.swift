import Geodesy
import Tables
import TotalsProjection
import TripEvents

/// What charts and calendars say.
enum ChartPhrases {
    /// Trips without a vehicle, a client or what else they are grouped by.
    static let unnamed = Phrase(en: "(none)", nl: "(geen)", de: "(ohne)", fr: "(aucun)")

    /// Days without a trip.
    static let none = Phrase(en: "none", nl: "geen", de: "keine", fr: "aucun")

    /// Returns what trips are grouped by.
    static func name(of grouping: TotalsGrouping) -> Phrase {
        switch grouping {
        case .day: Phrase(en: "day", nl: "dag", de: "Tag", fr: "jour")
        case .week: Phrase(en: "week", nl: "week", de: "Woche", fr: "semaine")
        case .month: Phrase(en: "month", nl: "maand", de: "Monat", fr: "mois")
        case .year: SharedWord.year.phrase
        case .vehicle: SharedWord.vehicle.phrase
        case .tripClass: SharedWord.tripClass.phrase
        case .client: SharedWord.client.phrase
        case .source: Phrase(en: "source", nl: "bron", de: "Quelle", fr: "source")
        case .sourceGroup: Phrase(en: "group", nl: "groep", de: "Gruppe", fr: "groupe")
        case .driver: Phrase(en: "driver", nl: "bestuurder", de: "Fahrer", fr: "conducteur")
        }
    }

    /// Returns the heading of a chart: the sum of its bars, in hundredths, and what they are about.
    static func heading(_ sum: Int64, _ unit: DistanceUnit, _ name: Phrase) -> Phrase {
        let sum = distance(sum, unit)
        return Phrase(
            en: "\(sum), by \(name)",
            nl: "\(sum), per \(name)",
            de: "\(sum), je \(name)",
            fr: "\(sum), par \(name)"
        )
    }

    /// Returns the sentence of a year without trips.
    static func nothing(in year: Int) -> Phrase {
        let year = "\(year)"
        return Phrase(
            en: "\(own: year): nothing was driven.",
            nl: "\(own: year): er is niets gereden.",
            de: "\(own: year): nichts gefahren.",
            fr: "\(own: year) : rien n’a été parcouru."
        )
    }

    /// Returns the sum of a year, and its longest day, whose distance is in hundredths.
    static func year(
        _ year: Int,
        _ total: Distance,
        _ unit: DistanceUnit,
        days: Int,
        most: (day: CivilDate, hundredths: Int64)
    ) -> Phrase {
        let year = "\(year)"
        let longest = distance(most.hundredths, unit)
        let isOne = days == 1
        let dayWord = Phrase(
            en: isOne ? "day" : "days",
            nl: isOne ? "dag" : "dagen",
            de: isOne ? "Tag" : "Tagen",
            fr: isOne ? "jour" : "jours"
        )
        return Phrase(
            en: """
                \(own: year): \(total, in: unit) on \(days) \(dayWord), most on \(most.day): \
                \(longest).
                """,
            nl: """
                \(own: year): \(total, in: unit) op \(days) \(dayWord), het meest op \(most.day): \
                \(longest).
                """,
            de: """
                \(own: year): \(total, in: unit) an \(days) \(dayWord), am meisten am \(most.day): \
                \(longest).
                """,
            fr: """
                \(own: year) : \(total, in: unit) en \(days) \(dayWord), le plus le \(most.day) : \
                \(longest).
                """
        )
    }

    /// Returns what was driven on a day, in hundredths.
    static func day(_ day: CivilDate, _ hundredths: Int64, _ unit: DistanceUnit) -> Phrase {
        Phrase("\(day): \(distance(hundredths, unit))")
    }

    /// Returns the longest distance of a shade.
    static func upTo(_ number: String, _ unit: DistanceUnit) -> Phrase {
        let unit = unit.rawValue
        return Phrase(
            en: "to \(own: number) \(own: unit)",
            nl: "tot \(own: number) \(own: unit)",
            de: "bis \(own: number) \(own: unit)",
            fr: "jusqu’à \(own: number) \(own: unit)"
        )
    }

    private static func distance(_ hundredths: Int64, _ unit: DistanceUnit) -> Phrase {
        Phrase("\(hundredths, decimals: 2) \(own: unit.rawValue)")
    }

    private static let months = Phrase(
        en: "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        nl: "jan feb mrt apr mei jun jul aug sep okt nov dec",
        de: "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        fr: "jan fév mar avr mai jun jul aoû sep oct nov déc"
    )

    private static let weekdays = Phrase(
        en: "Mon Tue Wed Thu Fri Sat Sun",
        nl: "ma di wo do vr za zo",
        de: "Mo Di Mi Do Fr Sa So",
        fr: "lun mar mer jeu ven sam dim"
    )

    /// Returns the name of a month, 1 … 12, of three letters.
    static func month(_ month: Int, _ words: Words) -> String {
        String(words.text(months).split(separator: " ")[month - 1])
    }

    /// Returns the name of a day of the week, from Monday, 0, on: of at most three letters.
    static func weekday(_ daysAfterMonday: Int, _ words: Words) -> String {
        String(words.text(weekdays).split(separator: " ")[daysAfterMonday])
    }
}
