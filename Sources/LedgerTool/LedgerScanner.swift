import SystemPackage
import TripLedger

/// How this program runs itself to read what may crash it.
enum LedgerScanner {
    /// The program that is running, whatever it was called by.
    private static let program: FilePath = "/proc/self/exe"

    /// The process that reads.
    static var process: ScanProcess {
        ScanProcess(program: program) { ["_scan"] + arguments(for: $0) }
    }

    private static func arguments(for task: ScanTask) -> [String] {
        switch task {
        case .log(let path, let knownHeads, let recordedFrom):
            ["log", "--ledger=\(path.string)"]
                + knownHeads.flatMap { ["--known-head", KnownHead($0).argument] }
                + (recordedFrom.map { ["--recorded-from", String($0)] } ?? [])
        case .views(let path, let scratch):
            ["views", "--ledger=\(path.string)", "--scratch=\(scratch.string)"]
        case .glance(let path): ["glance", "--ledger=\(path.string)"]
        case .scrub(let path, let bytesPerSecond, let minutes, let isResumed):
            ["scrub", "--ledger=\(path.string)"]
                + (bytesPerSecond.map { ["--bytes-per-second", String($0)] } ?? [])
                + (minutes.map { ["--minutes", String($0)] } ?? [])
                + (isResumed ? ["--resume"] : [])
        }
    }
}
