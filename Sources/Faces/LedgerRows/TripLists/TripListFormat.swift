package import Tables

/// How a list of trips is written.
package enum TripListFormat: String, CaseIterable, Sendable {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For programs that read tables: RFC 4180.
    case csv

    /// For programs that take ids: one on each line.
    case ids

    /// For calendars: iCalendar (RFC 5545).
    case ics

    /// For hledger: a journal of distances.
    case hledger

    /// For Ledger, the accounting tool: the same.
    case ledgerCLI = "ledger-cli"

    /// For Beancount: the same.
    case beancount

    /// For programs that read MileIQ's table of trips.
    case mileiq

    /// For maps and devices: GPX 1.1, a route from start to end.
    case gpx

    /// For maps: RFC 7946, a line from start to end.
    case geojson

    /// For globes: KML 2.2, the same.
    case kml

    /// The format of the rows; `nil` if it has none.
    package var rows: RowFormat? {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .ids: .ids
        case .ics, .hledger, .ledgerCLI, .beancount, .mileiq, .gpx, .geojson, .kml: nil
        }
    }

    /// Returns the writer of the list, if it is not written as rows.
    package func writer(_ style: TextStyle) -> (any TripListWriter)? {
        switch self {
        case .text, .json, .csv, .ids: nil
        case .ics: CalendarWriter(style)
        case .hledger: JournalWriter(.hledger, style)
        case .ledgerCLI: JournalWriter(.ledger, style)
        case .beancount: BeancountWriter(style)
        case .mileiq: MileIQWriter(style)
        case .gpx: FeatureWriter(as: .gpx, style)
        case .geojson: FeatureWriter(as: .geojson, style)
        case .kml: FeatureWriter(as: .kml, style)
        }
    }
}

/// Writes a list of trips as a document of another program, one trip after the other.
package protocol TripListWriter {
    /// Appends what stands above the first trip.
    mutating func begin(to bytes: inout [UInt8])

    /// Adds a trip, if it belongs in the document.
    mutating func add(_ named: NamedTrip, to bytes: inout [UInt8])

    /// Appends what stands below the last trip.
    mutating func end(to bytes: inout [UInt8])
}
