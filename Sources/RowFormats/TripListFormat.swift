/// How a list of trips is written.
package enum TripListFormat: String, CaseIterable, Sendable {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For spreadsheets: RFC 4180.
    case csv

    /// For calendars: iCalendar (RFC 5545).
    case ics

    /// The format of the rows; `nil` if it has none.
    package var rows: RowFormat? {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .ics: nil
        }
    }
}
