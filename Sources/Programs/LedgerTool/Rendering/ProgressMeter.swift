import LedgerKeeping
import Platform
import TripEvents
import TripLedger

/// One line on the terminal that says how far long work is.
///
/// It is shown if standard error is a terminal and some time has passed. A class, because work that
/// takes long is given it in a closure.
final class ProgressMeter {
    /// How long work may take before the line is shown, and how often the line changes, in
    /// milliseconds.
    private static let patienceMilliseconds: Int64 = 500

    /// The bytes of the file that is being read, if that is known.
    var totalBytes: Int64? {
        didSet { fileStartedAt = WallClock.now }
    }

    private let isWatched: Bool
    private let startedAt = WallClock.now
    private var fileStartedAt = WallClock.now
    private var shownAt: Timestamp?

    /// Prepares to show the line.
    ///
    /// - Parameter isBesideOutput: Whether results are written meanwhile: nothing is shown if they
    ///   go to a terminal too.
    init(isBesideOutput: Bool = false) {
        isWatched =
            Terminal.isStandardError && !(isBesideOutput && Terminal.isStandardOutput)
    }

    /// Shows how many lines have been taken in.
    func show(_ progress: Intake.Progress) {
        guard let elapsed = elapsedMillisecondsIfDue() else { return }
        let rate = Int64(progress.lines) * 1_000 / elapsed
        var text = "\(progress.lines) lines, \(progress.bytes / 1_000_000) MB"
        if let totalBytes { text += " of \(totalBytes / 1_000_000) MB" }
        text += ", \(rate) lines/s"
        if let totalBytes, progress.bytes > 0, progress.bytes < totalBytes {
            let passed = WallClock.now.milliseconds(since: fileStartedAt)
            let left = Double(passed) * Double(totalBytes - progress.bytes) / Double(progress.bytes)
            text += ", \(Self.duration(seconds: Int64((left / 1_000).rounded(.up)))) left"
        }
        say(text)
    }

    private static func duration(seconds: Int64) -> String {
        seconds < 90 ? "\(seconds) s" : "\((seconds + 59) / 60) min"
    }

    /// Shows how much of a file has been read for its SHA-256.
    func show(hashing byteCount: Int64) {
        guard elapsedMillisecondsIfDue() != nil else { return }
        let of = totalBytes.map { " of \($0 / 1_000_000) MB" } ?? ""
        say("SHA-256: \(byteCount / 1_000_000) MB\(of)")
    }

    /// Shows how many entries have been read.
    func show(entries: UInt64, of size: UInt64) {
        guard elapsedMillisecondsIfDue() != nil else { return }
        say("\(entries) of \(size) entries")
    }

    /// Shows how far a check is.
    func show(_ stage: LedgerVerification.Stage, _ done: UInt64, _ total: UInt64) {
        guard elapsedMillisecondsIfDue() != nil else { return }
        let what =
            switch stage {
            case .log: "Reading entries"
            case .views: "Deriving views"
            }
        let percent = total == 0 ? 100 : Int(100 * Double(done) / Double(total))
        say("\(what): \(done) of \(total), \(percent) %")
    }

    /// Takes the line away again.
    func clear() {
        guard shownAt != nil else { return }
        shownAt = nil
        say("")
    }

    /// Returns how long the work has taken, at least 1, if it is time to update the line.
    private func elapsedMillisecondsIfDue() -> Int64? {
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
}
