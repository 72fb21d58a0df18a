public import ArgumentParser
package import Documents
public import Importers
public import LedgerKeeping
public import Projections
package import Proofs
public import Reports
package import RowFormats
package import ServerStore
public import TotalsProjection
public import TripEvents
public import TripLedger

// How the library's values are read on the command line.

// MARK: Choices, by their names

extension BookedStatus: ExpressibleByArgument {}
extension CustomFieldType: ExpressibleByArgument {}
extension DecimalMark: ExpressibleByArgument {
    private static let languages: [String: DecimalMark] = [
        "en": .point, "nl": .comma, "de": .comma, "fr": .comma,
    ]

    /// Reads a mark, or a language whose numbers have it.
    package init?(argument: String) {
        guard let mark = DecimalMark(rawValue: argument) ?? Self.languages[argument] else {
            return nil
        }
        self = mark
    }

    /// The marks and the languages.
    package static var allValueStrings: [String] {
        allCases.map(\.rawValue) + languages.keys.sorted()
    }
}
extension DeliveryApp: ExpressibleByArgument {}
extension ExpenseKind: ExpressibleByArgument {}
extension Document.Language: ExpressibleByArgument {}
extension Document.Paper: ExpressibleByArgument {}
extension LogJurisdiction: ExpressibleByArgument {}
extension QuantityUnit: ExpressibleByArgument {}
extension DistanceUnit: ExpressibleByArgument {}
extension ImportFormat: ExpressibleByArgument {}
extension ExportFormat: ExpressibleByArgument {}
extension FixProvider: ExpressibleByArgument {}
extension InferenceKind: ExpressibleByArgument {}
extension MotionConfidence: ExpressibleByArgument {}
extension MotionState: ExpressibleByArgument {}
extension OdometerMethod: ExpressibleByArgument {}
extension RecoveryDecision: ExpressibleByArgument {}
extension ReportFormat: ExpressibleByArgument {}
extension RowFormat: ExpressibleByArgument {}
extension TokenScope: ExpressibleByArgument {}
extension TotalsGrouping: ExpressibleByArgument {}
extension TrackingPreset: ExpressibleByArgument {}
extension TravelMode: ExpressibleByArgument {}
extension PositionFormat: ExpressibleByArgument {}
extension TripClass: ExpressibleByArgument {}
extension TripListFormat: ExpressibleByArgument {}
extension VehicleKind: ExpressibleByArgument {}
extension ChartFormat: ExpressibleByArgument {}

extension EntryType: ExpressibleByArgument {
    /// The names of all types.
    public static var allValueStrings: [String] { all.map(\.name) }

    /// Reads the name of a type.
    public init?(argument: String) {
        self.init(name: argument)
    }
}

// MARK: Days and times

extension CivilDate: ExpressibleByArgument {
    /// Reads a day as `YYYY-MM-DD`.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension EventTime: ExpressibleByArgument {
    /// The years 1 … 9999 in UTC, in milliseconds since 1970.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reads a time as RFC 3339 or in milliseconds since 1970.
    public init?(argument: String) {
        if let milliseconds = Int64(argument) {
            guard Self.writable.contains(milliseconds) else { return nil }
            self.init(Timestamp(milliseconds: milliseconds))
        } else if let time = RFC3339.time(argument) {
            self = time
        } else {
            return nil
        }
    }
}

extension TripTime: ExpressibleByArgument {
    /// Reads a time as RFC 3339, in milliseconds since 1970, as a local date and time or as a time
    /// of day, each with or without seconds.
    public init?(argument: String) {
        if let time = EventTime(argument: argument) {
            self = .instant(time)
        } else {
            self.init(argument)
        }
    }
}

// MARK: Numbers

extension ExactDecimal: ExpressibleByArgument {
    /// Reads a number and keeps it exactly as it was typed.
    public init?(argument: String) {
        self.init(literal: argument)
    }
}

// MARK: Trips

extension TripReference: ExpressibleByArgument {
    /// The words that stand for a trip, and the ids of the newest trips.
    public static var defaultCompletionKind: CompletionKind { .trip }

    /// Reads `last`, `active` or the beginning of a trip's id.
    public init?(argument: String) {
        self.init(argument)
    }
}

// MARK: Keys

extension KeyName: ExpressibleByArgument {
    /// Reads a key's name.
    package init?(argument: String) {
        self.init(argument)
    }
}

extension VerifierKey: ExpressibleByArgument {
    /// Reads a verifier key.
    package init?(argument: String) {
        self.init(argument)
    }
}

extension ServerAddress: ExpressibleByArgument {
    /// Reads an address such as `https://ledger.example`.
    public init?(argument: String) {
        self.init(argument)
    }
}
