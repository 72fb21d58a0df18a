import ArgumentParser
import LedgerKeeping
import Platform
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger rescue`.
struct RescueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rescue",
        abstract: "Saves what can be saved from a damaged ledger into a new one.",
        discussion: """
            The damaged files are read and not changed. Entries have checksums and say where they \
            belong: all from position 0 to the first gap go into the new ledger, byte for byte, so \
            that old roots and proofs stay valid, and what was erased stays erased. Entries after \
            a gap go into stranded.jsonl beside it; rescue.json says what is proven, and what is \
            missing. Signed heads prove up to which entry the log is unchanged: those beside \
            the damaged log are found, others are given with --known-head. `ledger verify --key` \
            checks whose signatures they are. Restoring a backup is better where there is one.

            Views are made anew. An event that was erased is not recognised when it is sent again.

            Exit codes: 0 everything is there again; 1 something is lost or in doubt; 2 nothing \
            could be saved.

            Examples:
              ledger rescue book -o saved
              ledger rescue data.mdb -o saved --format json
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(
        help: "The damaged ledger's directory, or its data.mdb, or a backup.",
        completion: .file()
    )
    var source: String

    @Option(
        name: .shortAndLong,
        help: "The directory of the new ledger; nothing may be there.",
        completion: .directory
    )
    var output: String

    @Option(help: "A head that the ledger is known to have had, as SIZE:ROOT.")
    var knownHead: [KnownHead] = []

    func validate() throws {
        try HandedOutFile.requireName(output, ofNew: "a directory")
    }

    func run() throws {
        let meter = ProgressMeter()
        let report = try LedgerRescue(FilePath(source), knownHeads: knownHead.map(\.head))
            .run(
                into: FilePath(output),
                now: WallClock.now,
                onProgress: { meter.show(.log, $0, $1) }
            )
        meter.clear()
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(report.line)
            case .text, .csv, .ids:
                try output.write(FactSheet(Self.facts(report)).text(width: Screen.columnCount))
            }
        }
        guard report.isComplete else {
            let isNothing = report.head.size == 0 && report.strandedRanges.isEmpty
            throw ExitCode(isNothing ? 2 : 1)
        }
    }

    private static func facts(_ report: RescueReport) -> [(label: String, fact: String)] {
        let earlier = report.earlierSize.map { "\($0) before its last change" }
        var facts: [(label: String, fact: String)] = [
            ("Rescued", Count.text(report.head.size, "entry", "entries")),
            ("Into", Excerpt.escaped(report.path.string)),
            ("Root", report.head.root),
            ("Proven by a known head", "the first \(report.provenByHead)"),
            ("Proven by a signed head", "the first \(report.provenBySignedHead)"),
            ("Agree with stored roots", "the first \(report.agreeingWithTree)"),
            (
                "The log said it had",
                report.statedSize.map(String.init) ?? earlier ?? "nothing readable"
            ),
        ]
        for range in report.missingRanges {
            facts.append(("Missing", "positions \(text(range))"))
        }
        for range in report.strandedRanges {
            facts.append(("After a gap", "positions \(text(range)), in stranded.jsonl"))
        }
        for file in report.unreadableHeads {
            facts.append(("No signed head", Excerpt.escaped(file)))
        }
        for size in report.contradictedHeads {
            facts.append(("Contradicted", "the known head of \(size) entries"))
        }
        for size in report.unreachedHeads {
            facts.append(("Not reached", "the known head of \(size) entries"))
        }
        for position in report.conflicts {
            facts.append(("In doubt", "two versions of the block at position \(position)"))
        }
        for finding in report.findings { facts.append(("Wrong", Excerpt.escaped(finding))) }
        if let obstacle = report.obstacle { facts.append(("Stopped", Excerpt.escaped(obstacle))) }
        return facts
    }

    private static func text(_ positions: Range<UInt64>) -> String {
        "\(positions.lowerBound) to \(positions.upperBound - 1)"
    }
}
