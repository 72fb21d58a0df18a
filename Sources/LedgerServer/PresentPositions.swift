import Importers
import Platform
import Synchronization
import TripLedger

/// Where apps said last that their devices are, by source, since the server was started: it is kept
/// in memory alone, and what the log knows later stands before it.
final class PresentPositions: Sendable {
    private struct State {
        var bySource: [String: LastPosition] = [:]

        /// How often something has changed.
        var version: UInt64 = 0
    }

    /// By how much a device's clock may be ahead, in milliseconds.
    private static let mostAhead: Int64 = 60_000

    private let state = Mutex(State())

    /// Changes whenever something else is known.
    var version: UInt64 { state.withLock { $0.version } }

    /// Notes where a source is, if that can be and is news; returns whether it is.
    func hear(_ present: PresentPosition, of source: String, now: Timestamp) -> Bool {
        guard present.at.milliseconds(since: now) <= Self.mostAhead,
            let coordinate = Coordinate(latitude: present.latitude, longitude: present.longitude)
        else { return false }
        return state.withLock { state in
            if let known = state.bySource[source], known.at >= present.at { return false }
            state.bySource[source] = LastPosition(coordinate: coordinate, at: present.at)
            state.version += 1
            return true
        }
    }

    /// Puts what is newer than what the log knows into a status.
    func show(in status: inout LedgerStatus) {
        let known = state.withLock { $0.bySource }
        for (index, source) in status.sources.enumerated() {
            guard let present = known[source.name],
                source.lastPosition.map({ $0.at < present.at }) ?? true
            else { continue }
            status.sources[index].lastPosition = present
        }
    }
}
