import TripEvents
import TripTracking

// The last known positions of sources.
extension StatusBasis.Source {
    /// How many trips are looked at for the last ones of sources.
    private static let mostTrips = 1_000

    /// Finds the ends of the last trips of those sources whose position the trackers may not know.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - store: The views.
    ///   - instant: Trips that ended after it are left out; `nil` for none.
    /// - Throws: `StaleViews`, `LMDBError`.
    static func findLastEnds(
        of sources: inout [StatusBasis.Source],
        in store: ViewStore,
        until instant: Timestamp?
    ) throws {
        var sought: [NameKey: Int] = [:]
        for (index, source) in sources.enumerated()
        where ![.tracking, .signalLost].contains(source.tracker.phase) {
            sought[NameKey(source.name)] = index
        }
        var left = mostTrips
        guard !sought.isEmpty else { return }
        try store.scanTrips(isDescending: true) { row in
            let trip = row.booked.trip
            left -= 1
            // A trip that goes on at the instant may end later where it began: that is not known
            // yet.
            if let end = LastPosition(of: trip), instant.map({ end.at <= $0 }) ?? true,
                let index = sought[NameKey(trip.source)],
                sources[index].tracker.openTrip?.id != trip.id
            {
                sources[index].lastEnd = end
                sought[NameKey(trip.source)] = nil
            }
            return left > 0 && !sought.isEmpty
        }
    }

    /// Returns where the source was seen last at an instant.
    ///
    /// During a trip it is the place of the trip's last fix; without one, the place before the
    /// trip.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - tracker: The tracker at the instant.
    ///   - step: The last step that passing time has caused.
    /// - Returns: Where; `nil` if that is not known.
    func lastPosition(
        asOf instant: Timestamp,
        _ tracker: Tracker,
        _ step: TripStep?
    ) -> LastPosition? {
        let seen = tracker.lastPosition
        if let seen, tracker.isOnItsWay { return seen }
        var ended: LastPosition?
        if case .ended(let trip) = step { ended = LastPosition(of: trip) }
        return [seen, lastEnd, ended].compactMap(\.self).filter { $0.at <= instant }
            .max { $0.at < $1.at }
    }
}
