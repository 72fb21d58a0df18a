import Geodesy
package import Tables
import TripEvents

/// A row on a map: a place or a visit as a point, a trip as the straight line between its ends.
///
/// The way that a trip took is its fixes, which ``TrackWriter`` writes.
package struct MapFeature: Sendable {
    /// A position in degrees, north and east positive.
    struct Point: Sendable {
        let latitude: ExactDecimal
        let longitude: ExactDecimal
    }

    /// The shape in which it is drawn.
    enum Shape: Sendable {
        case point(Point)
        case line(Point, Point)
    }

    /// The name beside it.
    let name: String

    /// Further facts about it; empty if there are none.
    let facts: String

    /// When it began, if it has a time.
    let from: EventTime?

    /// When it ended, if it has.
    let to: EventTime?

    /// The shape in which it is drawn; `nil` if no position is known.
    let shape: Shape?
}

extension MapFeature.Point {
    init?(_ coordinate: Coordinate?) {
        guard let coordinate, let latitude = ExactDecimal(coordinate.latitude),
            let longitude = ExactDecimal(coordinate.longitude)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}

/// A row that can be shown on a map.
package protocol MapRow: Tabular {
    /// Returns what is shown of it.
    func feature(in style: TextStyle) -> MapFeature
}

/// Writes rows one after the other in a format of maps.
package struct FeatureWriter {
    private var form: any FeatureForm
    private let style: TextStyle

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - format: The format; `nil` is returned if it is not one of maps.
    ///   - style: How people see times and distances.
    package init?(as format: PositionFormat, _ style: TextStyle) {
        switch format {
        case .gpx: form = GPXForm()
        case .geojson: form = GeoJSONForm()
        case .kml: form = KMLForm()
        case .text, .json, .csv: return nil
        }
        self.style = style
    }

    /// Appends what stands before the first row.
    package func begin(to bytes: inout [UInt8]) { form.begin(to: &bytes) }

    /// Adds a row.
    package mutating func add<Row: MapRow>(_ row: Row, to bytes: inout [UInt8]) {
        let clock = style.clock
        let writeRow = { (bytes: inout [UInt8]) in
            Row.columns.appendJSON(row, to: &bytes, by: clock)
        }
        form.add(row.feature(in: style), writeRow, to: &bytes)
    }

    /// Appends what stands after the last row.
    package func end(to bytes: inout [UInt8]) { form.end(to: &bytes) }
}

extension FeatureWriter: TripListWriter {}

/// A format of maps: its text for each row, and its text before and after all rows.
protocol FeatureForm: Sendable {
    func begin(to bytes: inout [UInt8])

    /// Writes a feature.
    ///
    /// - Parameters:
    ///   - feature: The feature.
    ///   - row: Appends the row's JSON, for a format that has a place for it.
    ///   - bytes: Receives it.
    mutating func add(
        _ feature: MapFeature,
        _ row: (inout [UInt8]) -> Void,
        to bytes: inout [UInt8]
    )

    func end(to bytes: inout [UInt8])
}
