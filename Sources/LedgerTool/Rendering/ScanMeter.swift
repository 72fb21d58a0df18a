import Platform
import TripEvents
import TripLedger

/// One line on the terminal that says how far a check is.
///
/// A class, because it is told from within a call that does not know it.
final class ScanMeter {
    /// How long a check may take without a word, and how often the line changes, in milliseconds.
    private static let patienceMilliseconds: Int64 = 500

    private let isWatched = Terminal.isStandardError
    private let startedAt = WallClock.now
    private var shownAt: Timestamp?

    /// Shows how far the check is, if standard error is a terminal and some time has passed.
    func show(_ stage: LedgerVerification.Stage, _ done: UInt64, _ total: UInt64) {
        guard isWatched else { return }
        let now = WallClock.now
        guard now.milliseconds(since: shownAt ?? startedAt) >= Self.patienceMilliseconds else {
            return
        }
        shownAt = now
        let what =
            switch stage {
            case .log: "Reading entries"
            case .views: "Deriving views"
            }
        let percent = total == 0 ? 100 : Int(100 * Double(done) / Double(total))
        Diagnostic.say("\r\u{1B}[K\(what): \(done) of \(total), \(percent) %")
    }

    /// Takes the line away again.
    func clear() {
        guard shownAt != nil else { return }
        shownAt = nil
        Diagnostic.say("\r\u{1B}[K")
    }
}
