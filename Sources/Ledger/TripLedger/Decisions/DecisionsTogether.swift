import TripEvents

/// The decisions that are stored together with one decision, as far as that one may know them:
/// those before it, and none after it.
struct DecisionsTogether {
    /// The trips that the next decision and those after it are about.
    private(set) var undecided: Set<TripID>

    /// How many of these decisions are about each trip.
    private var counts: [TripID: Int]

    /// The vehicles, as UTF-8, that decisions so far have given to trips.
    private var vehicles: Set<[UInt8]> = []

    /// Begins before the first decision.
    ///
    /// - Parameter trips: the trip that each of them is about.
    init(about trips: some Sequence<TripID?>) {
        counts = Dictionary(trips.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
        undecided = Set(counts.keys)
    }

    /// Goes on to the decision after one about a trip.
    mutating func pass(_ event: TripEvent, about trip: TripID?) {
        if let trip, let count = counts[trip] {
            counts[trip] = count - 1
            if count == 1 { undecided.remove(trip) }
        }
        if case .detailsEdited(let edit) = event.body, case .set(let vehicle) = edit.vehicle {
            vehicles.insert(Array(vehicle.utf8))
        }
    }

    /// Returns whether a decision before the next one has given a vehicle to a trip.
    func knows(vehicle: String) -> Bool {
        vehicles.contains(Array(vehicle.utf8))
    }
}
