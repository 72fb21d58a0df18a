package import Tables

/// How fixes, and other rows with positions, are written.
package enum PositionFormat: String, CaseIterable, Sendable {
    /// For people.
    case text

    /// For programs: one JSON object per line.
    case json

    /// For programs that read tables: RFC 4180.
    case csv

    /// For maps and devices: GPX 1.1.
    case gpx

    /// For maps: RFC 7946.
    case geojson

    /// For globes: KML 2.2 with the tracks that Google added.
    case kml

    /// The format of the rows; `nil` if it is one of maps.
    package var rows: RowFormat? {
        switch self {
        case .text: .text
        case .json: .json
        case .csv: .csv
        case .gpx, .geojson, .kml: nil
        }
    }
}
