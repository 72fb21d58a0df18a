package import Geodesy
package import Projections
package import Tables
package import TripEvents
import TripTracking

/// A spot where trips begin and end, and that is not a saved place yet:
/// `unnamed-stop.v1.schema.json`.
package struct UnnamedStop: Hashable, Sendable, Tabular {
    /// The middle of the ends, each axis by itself, so that one far end moves it little.
    package let middle: Coordinate

    /// A radius that holds nine in ten of the ends, in whole metres: 100 to 250.
    package let radiusMeters: Int

    /// The number of trips that begin or end there.
    package let trips: Int

    /// The number of trips that end there.
    package let arrivals: Int

    /// The words that reports of trips use for it most often; `nil` if they have none.
    package let words: String?

    /// The last time at which a trip began or ended there.
    package let lastAt: EventTime

    /// That trip.
    package let lastTrip: TripID

    /// The columns.
    package static let columns = Columns<UnnamedStop> {
        Column.number("lat") { $0.middle.latitude }
        Column.number("lon") { $0.middle.longitude }
        Column.integer("radius_m") { $0.radiusMeters }
        Column.integer("trips") { $0.trips }
        Column.integer("arrivals") { $0.arrivals }
        Column.text("called") { $0.words }.optional
        Column.time("last_at") { $0.lastAt }
        Column.trip("last_trip") { $0.lastTrip }
    }
}

/// The ends of trips that are no places, gathered by where they are.
///
/// The earth is divided into cells of a thousandth of a degree. The cells with the most ends around
/// them come first, and each takes its neighbours with it, about as far as a place reaches.
/// Ends on both sides of 180° are two stops.
package struct UnnamedStops {
    private struct End {
        let position: Coordinate
        let trip: TripID
        let at: EventTime
        let isArrival: Bool
        let words: String?
    }

    private struct GridCell: Hashable, Comparable {
        let row: Int
        let column: Int

        init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }

        init(of position: Coordinate) {
            row = Int((position.latitude * 1_000).rounded(.down))
            column = Int((position.longitude * 1_000).rounded(.down))
        }

        /// It, and the eight cells around it.
        var surroundings: [GridCell] {
            (row - 1...row + 1)
                .flatMap { row in
                    (column - 1...column + 1).map { GridCell(row: row, column: $0) }
                }
        }

        static func < (left: GridCell, right: GridCell) -> Bool {
            (left.row, left.column) < (right.row, right.column)
        }
    }

    private let places: PlaceBook
    private var cells: [GridCell: [End]] = [:]

    /// Begins without a trip.
    ///
    /// - Parameter places: The saved places: ends at them have names.
    package init(places: PlaceBook) {
        self.places = places
    }

    /// Adds the ends of a trip that are no places; a trip in progress has no end yet.
    package mutating func add(_ booked: BookedTrip) {
        let trip = booked.trip
        if let start = trip.start, places.start(of: booked) == nil {
            add(
                End(
                    position: start,
                    trip: booked.id,
                    at: trip.startedAt,
                    isArrival: false,
                    words: booked.origin
                )
            )
        }
        if let end = trip.end, let endedAt = trip.endedAt, places.end(of: booked) == nil {
            add(
                End(
                    position: end,
                    trip: booked.id,
                    at: endedAt,
                    isArrival: true,
                    words: booked.destination
                )
            )
        }
    }

    private mutating func add(_ end: End) {
        cells[GridCell(of: end.position), default: []].append(end)
    }

    /// The stops: those with the most trips first; among equals, the one that was used last.
    package var all: [UnnamedStop] {
        var left = cells
        let crowds = cells.keys
            .map { cell in
                (cell: cell, ends: cell.surroundings.reduce(0) { $0 + (cells[$1]?.count ?? 0) })
            }
            .sorted { ($1.ends, $0.cell) < ($0.ends, $1.cell) }
        var stops: [UnnamedStop] = []
        for (cell, _) in crowds where left[cell] != nil {
            let ends = cell.surroundings.flatMap { left.removeValue(forKey: $0) ?? [] }
            if let stop = Self.stop(of: ends) { stops.append(stop) }
        }
        return stops.sorted {
            ($1.trips, $1.lastAt.timestamp, $0.middle.latitude, $0.middle.longitude)
                < ($0.trips, $0.lastAt.timestamp, $1.middle.latitude, $1.middle.longitude)
        }
    }

    /// Returns the stop of some ends; `nil` if there are no ends.
    private static func stop(of ends: [End]) -> UnnamedStop? {
        let middle = Coordinate(
            latitude: median(of: ends.map(\.position.latitude)),
            longitude: median(of: ends.map(\.position.longitude))
        )
        guard let middle, let last = ends.max(by: { $0.at.timestamp < $1.at.timestamp }) else {
            return nil
        }
        let lengths = ends.map { middle.distance(to: $0.position).meters }.sorted()
        let reach = lengths[(lengths.count - 1) * 9 / 10]
        return UnnamedStop(
            middle: middle,
            radiusMeters: Int(min(250, max(100, (reach / 10).rounded(.up) * 10))),
            trips: Set(ends.map(\.trip)).count,
            arrivals: ends.count(where: \.isArrival),
            words: mostOften(ends.compactMap(\.words)),
            lastAt: last.at,
            lastTrip: last.trip
        )
    }

    /// Returns the middle one of some numbers, or not a number if there are none.
    private static func median(of numbers: [Double]) -> Double {
        numbers.isEmpty ? .nan : numbers.sorted()[numbers.count / 2]
    }

    /// Returns the most frequent text; among equals, the first in the order of bytes.
    private static func mostOften(_ texts: [String]) -> String? {
        Dictionary(grouping: texts) { $0 }
            .max { left, right in
                left.value.count == right.value.count
                    ? right.key.utf8.lexicographicallyPrecedes(left.key.utf8)
                    : left.value.count < right.value.count
            }?
            .key
    }
}
