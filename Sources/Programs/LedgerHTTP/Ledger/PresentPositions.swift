package import Importers
import Platform
import Synchronization
package import TripEvents
package import TripLedger

/// The latest positions that apps reported for their devices, by source and group, since the server
/// was started.
///
/// They are kept only in memory, and a later position in the log takes precedence.
package final class PresentPositions: Sendable {
    private struct State {
        var bySource: [SourceKey: LastPosition] = [:]

        /// How often something has changed.
        var version: UInt64 = 0
    }

    /// The most that a device's clock may be ahead, in milliseconds.
    private static let mostAhead: Int64 = 60_000

    private let state = Mutex(State())

    /// Changes whenever something else is known.
    package var version: UInt64 { state.withLock { $0.version } }

    /// Notes the position of a source, if it is plausible and new; returns whether it is.
    package func hear(_ present: PresentPosition, of source: SourceKey, now: Timestamp) -> Bool {
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

    /// Adds positions that are newer than those in the log to a status.
    package func show(in status: inout LedgerStatus) {
        let known = state.withLock { $0.bySource }
        for (index, source) in status.sources.enumerated() {
            // A token without a group can deliver for a source of any group.
            let groups = [source.group, nil]
            let said = groups.compactMap { known[SourceKey(source.name, of: $0)] }
            guard let present = said.max(by: { $0.at < $1.at }),
                source.lastPosition.map({ $0.at < present.at }) ?? true
            else { continue }
            status.sources[index].lastPosition = present
        }
    }
}
