public import ArgumentParser
public import Importers
public import LedgerKeeping
package import LedgerRows
public import Projections
package import Proofs
package import Reports
package import ServerStore
package import Tables
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
    public init?(argument: String) {
        guard let mark = DecimalMark(rawValue: argument) ?? Self.languages[argument] else {
            return nil
        }
        self = mark
    }

    /// The marks and the languages.
    public static var allValueStrings: [String] {
        allCases.map(\.rawValue) + languages.keys.sorted()
    }
}
extension DeliveryApp: ExpressibleByArgument {}
extension ExpenseKind: ExpressibleByArgument {}
extension Language: ExpressibleByArgument {}
extension LogJurisdiction: ExpressibleByArgument {}
extension PrivateTrips: ExpressibleByArgument {}
extension QuantityUnit: ExpressibleByArgument {}
extension PaperSize: ExpressibleByArgument {
    /// Reads the name of a size, in letters of either case.
    public init?(argument: String) {
        self.init(rawValue: argument.lowercased())
    }
}
extension SettingName: ExpressibleByArgument {
    /// Reads the name of a setting as events or as options write it.
    public init?(argument: String) {
        self.init(rawValue: String(argument.map { $0 == "-" ? "_" : $0 }))
    }

    /// The settings that can be taken back; a ledger always has the others.
    public static var allValueStrings: [String] {
        allCases.filter { $0 != .timeZone && $0 != .units }.map(\.rawValue)
    }
}
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
extension Fuel: ExpressibleByArgument {}
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
    /// Reads a day as people type it: `2026-03-14`, `2026-3-14` or `14.03.2026`.
    public init?(argument: String) {
        guard let days = TypedDate(argument)?.days, days.first == days.last else { return nil }
        self = days.first
    }
}

extension EventTime: ExpressibleByArgument {
    /// The years 1 … 9999 in UTC, in milliseconds since 1970.
    private static let writable: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// Reads a time as RFC 3339, as the program prints it, with a blank before the offset, or in
    /// milliseconds since 1970.
    public init?(argument: String) {
        let words = argument.split(separator: " ", omittingEmptySubsequences: false)
        if let milliseconds = Int64(argument) {
            guard Self.writable.contains(milliseconds) else { return nil }
            self.init(Timestamp(milliseconds: milliseconds))
        } else if words.count == 3, let time = RFC3339.time("\(words[0])T\(words[1])\(words[2])") {
            self = time
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
            self.init(Self.inFull(argument))
        }
    }

    /// Returns a local time with a day and a time of day in the forms that people type.
    private static func inFull(_ argument: String) -> String {
        var words = argument.split { $0 == " " || $0 == "T" }.map(String.init)
        guard (1...2).contains(words.count), let clock = words.popLast() else { return argument }
        let day = words.first.map { CivilDate(argument: $0)?.description ?? $0 }
        let zero = clock.prefix { $0 != ":" }.count == 1 ? "0" : ""
        return ((day.map { [$0] } ?? []) + [zero + clock]).joined(separator: "T")
    }
}

// MARK: Numbers

extension ExactDecimal: ExpressibleByArgument {
    /// Reads a number, with a full stop or a comma before its fraction, and keeps it exactly.
    public init?(argument: String) {
        self.init(literal: TypedNumber(argument).literal)
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

extension ServerAddress: ExpressibleByArgument {
    /// Reads an address such as `https://ledger.example`.
    public init?(argument: String) {
        self.init(argument)
    }
}
