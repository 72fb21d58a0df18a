import ArgumentParser
import LedgerKeeping
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger _scan`, which is not for people: it reads data that may crash it, on behalf
/// of another process, and reports its findings line by line.
struct ScanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "_scan",
        abstract: "Reads a ledger for `ledger verify`.",
        shouldDisplay: false
    )

    /// The part that is read.
    enum Part: String, ExpressibleByArgument {
        case log
        case views
        case scrub
        case glance
        case server
    }

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(help: "What to read: log, views, or the log slowly.")
    var part: Part

    @Option(help: "A head that the log must have had: SIZE:ROOT.")
    var knownHead: [KnownHead] = []

    @Option(help: "Say when the entries from this position on were recorded.")
    var recordedFrom: UInt64?

    @Option(help: "Where views may be made.", completion: .directory)
    var scratch: String?

    @Option(help: "How much a slow reader may read.")
    var bytesPerSecond: UInt64?

    @Option(help: "How long a slow reader may read.")
    var minutes: UInt32?

    @Flag(help: "Go on where the last slow reader stopped.")
    var resume = false

    @Flag(help: "Read all of what a server keeps.")
    var thorough = false

    func run() throws {
        let output = Output.standard
        let say: (ScanMessage) throws -> Void = { message in
            try output.writeLine(message.line)
            try output.flush()
        }
        switch part {
        case .log:
            try LogScan(
                at: options.path,
                knownHeads: knownHead.map(\.head),
                recordedFrom: recordedFrom
            )
            .run(say)
        case .views:
            guard let scratch else { throw ValidationError("--scratch is missing.") }
            try ViewScan(at: options.path, scratch: FilePath(scratch)).run(say)
        case .glance: try LedgerGlance(at: options.path).run(say)
        case .server:
            try ServerGlance(at: options.path, isThorough: thorough).run(asOf: WallClock.now, say)
        case .scrub:
            try LogScrub(
                at: options.path,
                bytesPerSecond: bytesPerSecond,
                minutes: minutes,
                isResumed: resume
            )
            .run(say)
        }
    }
}

/// The way in which this program runs itself to read data that may crash it.
enum LedgerScanner {
    /// The program that is running, even if its file was moved or replaced.
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
        case .server(let path, let isThorough):
            ["server", "--ledger=\(path.string)"] + (isThorough ? ["--thorough"] : [])
        case .scrub(let path, let bytesPerSecond, let minutes, let isResumed):
            ["scrub", "--ledger=\(path.string)"]
                + (bytesPerSecond.map { ["--bytes-per-second", String($0)] } ?? [])
                + (minutes.map { ["--minutes", String($0)] } ?? [])
                + (isResumed ? ["--resume"] : [])
        }
    }
}
