import Platform
import TripEvents
import TripLedger

/// One line on the terminal that says how far long work is.
struct ProgressMeter {
    /// How long work may take without a word, and how often the line changes, in milliseconds.
    private static let patienceMilliseconds: Int64 = 500

    /// The bytes of the file that is being read, if that is known.
    var totalBytes: Int64?

    private let isWatched = Terminal.isStandardError
    private let startedAt = WallClock.now
    private var shownAt: Timestamp?

    /// Shows how far the work is, if standard error is a terminal and some time has passed.
    mutating func show(_ progress: Intake.Progress) {
        guard let elapsed = elapsedMillisecondsIfDue() else { return }
        let rate = Int64(progress.lines) * 1_000 / elapsed
        var text = "\(progress.lines) lines, \(progress.bytes / 1_000_000) MB"
        if let totalBytes { text += " of \(totalBytes / 1_000_000) MB" }
        say(text + ", \(rate) lines/s")
    }

    /// Shows how many entries have been read, if standard error is a terminal and some time has
    /// passed.
    mutating func show(entries: UInt64, of size: UInt64) {
        guard elapsedMillisecondsIfDue() != nil else { return }
        say("\(entries) of \(size) entries")
    }

    /// Returns how long the work has taken if it is time for another word, at least 1.
    private mutating func elapsedMillisecondsIfDue() -> Int64? {
        guard isWatched else { return nil }
        let now = WallClock.now
        guard now.milliseconds(since: shownAt ?? startedAt) >= Self.patienceMilliseconds else {
            return nil
        }
        shownAt = now
        return max(1, now.milliseconds(since: startedAt))
    }

    private func say(_ text: String) {
        Diagnostic.say("\r\u{1B}[K" + text)
    }

    /// Takes the line away again.
    mutating func clear() {
        guard shownAt != nil else { return }
        shownAt = nil
        Diagnostic.say("\r\u{1B}[K")
    }
}

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
