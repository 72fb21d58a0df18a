import Importers
import Synchronization

/// What apps said last of the motion of their devices, by source, since the server was started.
///
/// It is kept in memory alone: what is forgotten is told once more.
final class HeardMotions: Sendable {
    private let motions = Mutex<[String: HeardMotion]>([:])

    /// What was said last of each source.
    var bySource: [String: HeardMotion] { motions.withLock { $0 } }

    /// Notes what was stored.
    func hear(_ new: [String: HeardMotion]) {
        motions.withLock { motions in
            motions.merge(new) { $0.at > $1.at ? $0 : $1 }
        }
    }
}
