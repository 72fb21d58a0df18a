import Importers
import Synchronization
import TripEvents

/// The latest messages of apps about the motion of their devices, by source, since the server was
/// started.
///
/// It is kept in memory alone: a forgotten state becomes an event once more.
final class HeardMotions: Sendable {
    private let motions = Mutex<[NameKey: HeardMotion]>([:])

    /// The latest report about each source.
    var bySource: [NameKey: HeardMotion] { motions.withLock { $0 } }

    /// Notes what was stored.
    func hear(_ new: [NameKey: HeardMotion]) {
        motions.withLock { motions in
            motions.merge(new) { $0.at > $1.at ? $0 : $1 }
        }
    }
}
