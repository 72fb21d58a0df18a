import ArgumentParser
import LedgerKeeping
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger worker`.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Makes rows of streams of ledgers, for programs that compute with many machines.",
        discussion: """
            Reads on standard input what `ledger export --as segments -` writes, of one ledger or \
            of several one after the other, and recomputes each hash. Of each ledger it writes the \
            rows that `ledger trips --all --as-of TIME --format json` has, byte for byte and in \
            that order, each as {"kind":"trip","ledger":…,"row":…}; then one line of kind "end" \
            with size, root, the number of rows and the SHA-256 of their lines. Who saw no end has \
            nothing. The same input always makes the same bytes. --emit names other lists too, \
            as `ledger visits`, `totals` and `vehicle list` have them, and claims, each group's as \
            `ledger report claim` has it.

            A damaged ledger of several has an end with "error", and the others are complete: exit \
            code 1. A stream of one ledger that is damaged, or whose frames are, has no end, and \
            the exit code is 65; 74 if there is no room. Errors are a line of JSON with a code.

            What is read stands in --scratch until its rows are written: in memory (/dev/shm) if \
            there is room, else in TMPDIR. What a killed worker left there, the next one removes.

            Examples:
              ledger export --as segments - | ledger worker --as-of 2026-01-01T00:00:00Z
              ledger worker --as-of 2026-01-01T00:00:00Z --rules v2.jsonl < van.segments
              ledger worker --as-of 2026-01-01T00:00:00Z --emit totals < van.segments
              ledger worker --as-of 2026-01-01T00:00:00Z --emit claims --year 2025 < van
              cat *.segments | ledger worker --as-of 2026-01-01T00:00:00Z > rows.jsonl
            """
    )

    @Option(
        help: ArgumentHelp("Let time pass to this moment, with its offset.", valueName: "time")
    )
    var asOf: EventTime

    @Option(
        help: ArgumentHelp(
            "The lists to make: trips, visits, totals, vehicles and claims, with commas.",
            valueName: "lists"
        )
    )
    var emit = WorkerLists([.trips])

    @Option(
        help: ArgumentHelp(
            "Only of this group of sources, or of several; '' for the owner's.",
            valueName: "group"
        )
    )
    var group: [SelectedGroup] = []

    @Option(.jurisdiction)
    var jurisdiction: String?

    @Option(.year)
    var year: Int?

    @Option(
        help: ArgumentHelp(
            "Go by the rules_adopted in this file, not by those in the logs.",
            valueName: "file"
        ),
        completion: .file()
    )
    var rules: String?

    @Option(help: "Where the ledgers stand while they are read.", completion: .directory)
    var scratch: String?

    @Option(help: "How much may be collected before it is stored: 256M.")
    var memory = ByteSize(byteCount: 256 << 20)

    func validate() throws {
        let hasClaims = emit.lists.contains(.claims)
        guard hasClaims == (year != nil), hasClaims || jurisdiction == nil else {
            throw ValidationError("--emit claims takes a --year, and --jurisdiction goes with it.")
        }
    }

    /// The claim that is asked for.
    private var claim: ReportRequest? {
        guard let year else { return nil }
        var request = ReportRequest(.claim)
        request.year = year
        request.jurisdiction = jurisdiction
        return request
    }

    func run() throws {
        let adopted = try rules.map {
            try AdoptedRules(at: FilePath($0), recordedAt: asOf.timestamp)
        }
        do {
            guard try isComplete(by: adopted) else { throw ExitCode(1) }
        } catch let problem as ReportProblem {
            throw ValidationError(problem.sentence(at: .commandLine))
        }
    }

    /// Works, and returns whether the rows of all ledgers were written.
    private func isComplete(by adopted: AdoptedRules?) throws -> Bool {
        let stream = InputStream.standardInput
        stream.widenPipe()
        return try Output.standard.writing { output in
            var worker = SegmentWorker(
                asOf: asOf.timestamp,
                choice: WorkerChoice(
                    lists: emit.lists,
                    groups: group.map(\.selection),
                    claim: claim
                ),
                rules: adopted,
                scratch: scratch.map { FilePath($0) },
                memory: memory.byteCount,
                output
            )
            return try worker.work { _ = try stream.read(into: &$0, from: 0) }
        }
    }
}

/// An amount of memory as people type it: `256M`, `2G`, `65536K` or a number of bytes.
struct ByteSize: ExpressibleByArgument, CustomStringConvertible {
    private static let units: [(letter: Character, byteCount: Int)] = [
        ("G", 1 << 30), ("M", 1 << 20), ("K", 1 << 10),
    ]

    let byteCount: Int

    init(byteCount: Int) {
        self.byteCount = byteCount
    }

    init?(argument: String) {
        let unit = Self.units.first { argument.uppercased().hasSuffix(String($0.letter)) }
        let digits = unit == nil ? Substring(argument) : argument.dropLast()
        guard digits.allSatisfy(\.isNumber), let number = Int(digits), number > 0 else {
            return nil
        }
        let (byteCount, isTooLarge) = number.multipliedReportingOverflow(by: unit?.byteCount ?? 1)
        guard !isTooLarge else { return nil }
        self.byteCount = byteCount
    }

    var description: String {
        let unit = Self.units.first { byteCount % $0.byteCount == 0 }
        return unit.map { "\(byteCount / $0.byteCount)\($0.letter)" } ?? "\(byteCount)"
    }
}
