import ArgumentParser
import Importers
import LedgerRows
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger convert`.
struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Prints what another app recorded as lines of events.",
        discussion: """
            Reads what `ledger append` reads, and prints each event as a line of JSON instead of \
            appending it: to look before, or to change something on the way. It needs no ledger. \
            Records that are no acceptable events are shown on standard error, and how many of \
            which kind were left out because a ledger has no use for them.

            Examples:
              ledger convert track.gpx | head
              ledger convert takeout.zip --source phone | ledger append
              ledger convert trips.csv --map columns.json
            """
    )

    @Argument(
        help: "Files, archives or directories; - or none for standard input.",
        completion: .file()
    )
    var file: [String] = []

    @OptionGroup var form: InputFormOptions

    func validate() throws {
        guard form.format != .jsonl else {
            throw ValidationError(
                "The ledger's own lines need no --as; `ledger append` takes them."
            )
        }
    }

    func run() throws {
        guard !form.suggestMap else { return try MapProposal(file).run() }
        let form = try form.form()
        var conversion = Conversion()
        var emptyCount = 0
        try Output.standard.writing { output in
            var opener = InputOpener(form) { throw $0 }
            for name in file.isEmpty ? ["-"] : file {
                try opener.open(name) { input, stream in
                    try conversion.convert(&input, from: stream, to: output)
                }
            }
            try opener.finish()
            conversion.leaveOut(opener.leftCount)
            emptyCount = opener.emptyCount
        }
        conversion.report()
        if conversion.rejected + emptyCount > 0 { throw ExitCode(1) }
    }
}

/// The conversion of inputs into lines of events.
private struct Conversion {
    /// The most rejected records that are shown in full.
    private static let shownProblems = 20

    private var events = 0
    private(set) var rejected = 0
    private var ignored: [String: Int] = [:]
    private var reader = EventLineReader()

    /// Prints the events that an input gives.
    mutating func convert(
        _ input: inout ImportedInput,
        from stream: borrowing InputStream,
        to output: Output
    ) throws {
        let name = input.place.name
        guard input.format != .jsonl else {
            throw LedgerError(
                .unreadableInput,
                at: name,
                cause: "this is no format of another app that is known",
                hint: "Lines of the ledger's own go to `ledger append`; say another with --as"
            )
        }
        while let batch = try input.next(from: stream) {
            let instant = WallClock.now
            for item in batch.items {
                let bytes = batch.bytes.span.extracting(item.range)
                switch item.outcome {
                case .event:
                    if let rejection = check(bytes, recordedAt: instant) {
                        reject(rejection, bytes, name, item.record)
                    } else {
                        events += 1
                        try output.writeLine(bytes.bytes(in: bytes.indices))
                    }
                case .rejected(let rejection): reject(rejection, bytes, name, item.record)
                case .ignored(let kind): ignored[kind, default: 0] += 1
                }
            }
        }
    }

    /// Counts files that were left out.
    mutating func leaveOut(_ count: Int) {
        if count > 0 { ignored[InputOpener.leftKind] = count }
    }

    /// Returns why `ledger append` would not take a line; `nil` if it would.
    private mutating func check(_ line: Span<UInt8>, recordedAt: Timestamp) -> Rejection? {
        do throws(Rejection) {
            try reader.read(line, recordedAt: recordedAt)
            return nil
        } catch {
            return error
        }
    }

    private mutating func reject(
        _ rejection: Rejection,
        _ bytes: Span<UInt8>,
        _ name: String,
        _ record: Int
    ) {
        rejected += 1
        guard rejected <= Self.shownProblems else { return }
        let receipt = LineReceipt(
            file: name,
            line: record,
            receipt: .rejected(rejection),
            excerpt: Excerpt.ofLine(bytes)
        )
        if let problem = LineProblem(receipt) { Diagnostic.write(problem.text) }
    }

    /// Reports the outcome.
    func report() {
        if rejected > Self.shownProblems {
            Diagnostic.say("ledger: error: \(rejected - Self.shownProblems) more like these\n")
        }
        let ignoredCount = ignored.values.reduce(0, +)
        let kinds = CountedKind.all(ignored).map(\.text).joined(separator: ", ")
        Diagnostic.say(
            "\(Count.text(events + rejected + ignoredCount, "record", "records")): "
                + "\(Count.text(events, "event", "events")), \(rejected) rejected, "
                + "\(ignoredCount) ignored\(kinds.isEmpty ? "" : " (\(kinds))").\n"
        )
    }
}
