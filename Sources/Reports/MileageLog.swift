public import Projections
public import TotalsProjection
public import TripEvents

/// The mileage log of a period: one line per trip, and the sums per class.
public struct MileageLog: Hashable, Sendable {
    /// The trips in order of their starts.
    public let lines: [MileageLine]

    /// The sums of the classes that have trips, in the order of `TripClass`; unclassified trips
    /// always have one.
    public let sums: [MileageSum]

    /// The sum over all trips.
    public let total: MileageSum

    /// Creates the log of a period.
    ///
    /// - Parameters:
    ///   - trips: all trips, in any order; those that do not count are left out.
    ///   - from: the first local day; `nil` for all.
    ///   - to: the last local day; `nil` for all.
    ///   - localDay: on which day a trip is counted.
    ///   - places: what the ends of trips are called.
    ///   - vehicles: the odometers.
    public init(
        _ trips: [BookedTrip],
        from: CivilDate? = nil,
        to: CivilDate? = nil,
        localDay: LocalDay,
        places: PlaceBook = PlaceBook(),
        vehicles: VehicleBook = VehicleBook()
    ) {
        let odometers = MileageOdometers(vehicles, trips: trips, localDay: localDay)
        let lines = trips.filter(\.counts)
            .map { trip in
                MileageLine(trip, localDay: localDay, places: places, odometers: odometers)
            }
            .filter { line in
                (from.map { $0 <= line.date } ?? true) && (to.map { line.date <= $0 } ?? true)
            }
            .sorted { left, right in
                (left.startedAt.timestamp, left.trip) < (right.startedAt.timestamp, right.trip)
            }
        self.lines = lines
        sums = TripClass.allCases
            .map { tripClass in
                MileageSum(tripClass, over: lines.filter { $0.tripClass == tripClass })
            }
            .filter { $0.trips > 0 || $0.tripClass == .unclassified }
        total = MileageSum(nil, over: lines)
    }
}
