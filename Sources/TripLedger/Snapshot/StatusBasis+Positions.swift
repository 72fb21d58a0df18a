import TripEvents
import TripTracking

// Where sources were seen last.
extension StatusBasis.Source {
    /// How many trips are looked at for the last ones of sources.
    private static let mostTrips = 1_000

    /// Finds where the last trips of sources ended of which the trackers may not know where they
    /// are.
    ///
    /// - Parameters:
    ///   - sources: The sources.
    ///   - store: The views.
    ///   - instant: What ended after it is left out; `nil` for nothing.
    /// - Throws: `StaleViews`, `LMDBError`.
    static func findLastEnds(
        of sources: inout [StatusBasis.Source],
        in store: ViewStore,
        until instant: Timestamp?
    ) throws {
        var sought: [String: Int] = [:]
        for (index, source) in sources.enumerated()
        where ![.tracking, .signalLost].contains(source.tracker.phase) {
            sought[source.name] = index
        }
        var left = mostTrips
        guard !sought.isEmpty else { return }
        try store.scanTrips(isDescending: true) { row in
            let trip = row.booked.trip
            left -= 1
            // What goes on at the instant may end later where it began: that is not known yet.
            if let end = LastPosition(of: trip), instant.map({ end.at <= $0 }) ?? true,
                let index = sought[trip.source], sources[index].tracker.openTrip?.id != trip.id
            {
                sources[index].lastEnd = end
                sought[trip.source] = nil
            }
            return left > 0 && !sought.isEmpty
        }
    }

    /// Returns where the source was seen last at an instant.
    ///
    /// A trip that goes on is where its last fix was; if it has none, where the source was before.
    ///
    /// - Parameters:
    ///   - instant: The instant.
    ///   - tracker: What the tracker is at the instant.
    ///   - step: What time has brought last.
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
