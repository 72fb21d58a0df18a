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

            If a signed head is kept that the new log does not have, the new ledger can be neither \
            verified nor signed: with --accept-loss such heads are set aside, under new names, and \
            history.jsonl in the new directory names them. Use it when nothing better is left than \
            what is rescued. Tokens beside the damaged log are copied.

            stranded.jsonl has the position, the hash and the bytes of each entry after a gap, for \
            a specialist; no command takes them in. Append their events again from where they \
            came: those that were saved are recognised.

            Views are made anew. An event that was erased is not recognised when it is sent again.

            Exit codes: 0 everything is there again; 1 something is lost or in doubt; 2 nothing \
            could be saved.

            Examples:
              ledger rescue book -o saved
              ledger rescue book -o saved --accept-loss
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

    @Flag(help: "Set signed heads aside that are kept and that the new log does not have.")
    var acceptLoss = false

    func validate() throws {
        try HandedOutFile.requireName(output, ofNew: "a directory")
    }

    func run() throws {
        let meter = ProgressMeter()
        let rescue = LedgerRescue(
            FilePath(source),
            knownHeads: knownHead.map(\.head),
            process: LedgerScanner.process
        )
        let report = try rescue.run(
            into: FilePath(output),
            acceptsLoss: acceptLoss,
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
        Self.note(report)
        guard report.isComplete else {
            let isNothing = report.head.size == 0 && report.strandedRanges.isEmpty
            throw ExitCode(isNothing ? 2 : 1)
        }
        if report.tokens == .unsound { throw ExitCode(1) }
    }

    /// Says what is to be done about what the new ledger lacks.
    private static func note(_ report: RescueReport) {
        if !report.strandedRanges.isEmpty {
            Diagnostic.note(
                "stranded.jsonl has the bytes of entries for a specialist, and no command takes "
                    + "them in. Append their events again from where they came: those that were "
                    + "saved are recognised"
            )
        }
        for file in report.foreignHeads {
            Diagnostic.note(
                "the new ledger can be neither verified nor signed while \(file) is there, a "
                    + "signed head that it does not have. If nothing better is left, rescue again "
                    + "into another directory with --accept-loss, which sets that head aside"
            )
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
        for file in report.headsSetAside {
            facts.append(("Signed head", "set aside as \(Excerpt.escaped(file.string))"))
        }
        if let tokens = report.tokens { facts.append(("Tokens", words(for: tokens))) }
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

    private static func words(for tokens: ServerBackup.Restoration) -> String {
        switch tokens {
        case .restored, .kept: "those beside the damaged log, copied"
        case .unsound: "none, for those beside the damaged log cannot be copied"
        }
    }

    private static func text(_ positions: Range<UInt64>) -> String {
        "\(positions.lowerBound) to \(positions.upperBound - 1)"
    }
}
