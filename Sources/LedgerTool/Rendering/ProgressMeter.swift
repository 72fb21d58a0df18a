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

    /// Shows how far the work is, if somebody is watching and has waited for a while.
    mutating func show(_ progress: Intake.Progress) {
        guard isWatched else { return }
        let now = WallClock.now
        guard now.milliseconds(since: shownAt ?? startedAt) >= Self.patienceMilliseconds else {
            return
        }
        shownAt = now
        let elapsed = max(1, now.milliseconds(since: startedAt))
        let rate = Int64(progress.lines) * 1_000 / elapsed
        var text = "\r\u{1B}[K\(progress.lines) lines, \(progress.bytes / 1_000_000) MB"
        if let totalBytes { text += " of \(totalBytes / 1_000_000) MB" }
        Diagnostic.say(text + ", \(rate) lines/s")
    }

    /// Takes the line away again.
    mutating func clear() {
        guard shownAt != nil else { return }
        shownAt = nil
        Diagnostic.say("\r\u{1B}[K")
    }
}
