import ArgumentParser
import LedgerKeeping
import Proofs
import Tables
import TripEvents
import TripLedger

/// The command `ledger prove`.
struct ProveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prove",
        abstract: "Writes proofs that events are in the log, or that the log has only grown.",
        discussion: """
            For each event, three files are written to a new directory: the entry's bytes, the \
            event as JSON, and a C2SP tlog-proof that leads from the bytes to a signed head. \
            They can be checked with your verifier key and nothing else.

            With --consistency, a proof is printed that the log of one signed head begins with \
            that of an older one; a witness needs it to cosign.

            Examples:
              ledger prove 1041 --output proof
              ledger prove last --output trip
              ledger prove --consistency old.note > consistency.proof
              ledger prove --consistency old.note new.note > consistency.proof
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Flag(help: "Prove that the log has only grown since a signed head.")
    var consistency = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The new directory for the proofs of events.", valueName: "dir"),
        completion: .directory
    )
    var output: String?

    @Option(
        help: ArgumentHelp(
            "The signed head that proofs of events lead to (default: the last one).",
            valueName: "file"
        ),
        completion: .file()
    )
    var head: String?

    @Argument(
        help: ArgumentHelp(
            "The event's position, or the trip: the beginning of its id, or last, or active. With "
                + "--consistency the older signed head and the newer one (default: the last one).",
            valueName: "subject"
        ),
        completion: .trip
    )
    var subjects: [String]

    func validate() throws {
        if consistency {
            guard subjects.count <= 2, output == nil, head == nil else {
                throw ValidationError("--consistency takes one or two signed heads.")
            }
        } else {
            guard subjects.count == 1, ProofSubject(argument: subjects[0]) != nil else {
                throw ValidationError("Name one position or one trip.")
            }
            guard output != nil else {
                throw ValidationError("Name a new directory with --output.")
            }
            try HandedOutFile.requireName(output, ofNew: "a directory")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        if consistency {
            try proveConsistency(of: ledger)
        } else if let output, let subject = ProofSubject(argument: subjects[0]) {
            let signed = try head.map(HandedOverFile.head) ?? HeadStore(of: ledger).requireLast()
            var folder = ProofFolder(at: output, under: signed)
            let positions = try subject.positions(in: ledger)
            try Output.standard.writing { lines in
                try ledger.prove(positions, under: signed) { event in
                    let written = try folder.write(event)
                    if options.format == .json { try lines.writeLine(json: written) }
                }
                if options.format == .text {
                    let count = Count.text(positions.count, "event", "events")
                    try lines.writeLine("Proved \(count) in \(Excerpt.escaped(output)).")
                    let command = "`ledger verify \(Excerpt.escaped(output)) --key VKEY`"
                    try lines.writeLine("Check with \(ProgramName.shown(command)).")
                    if case .trip = subject {
                        try lines.writeLine(
                            "Say with it that it is \(count): no proof says that none is missing."
                        )
                    }
                }
            }
        }
    }

    private func proveConsistency(of ledger: Ledger) throws {
        let older = try HandedOverFile.head(subjects[0])
        let newer =
            try subjects.dropFirst().first.map(HandedOverFile.head)
            ?? HeadStore(of: ledger).requireLast()
        let proof = try ledger.consistencyProof(from: older, to: newer)
        let printed = PrintedConsistency(
            older: older,
            newer: newer,
            proof: String(decoding: proof.bytes, as: UTF8.self)
        )
        try Output.show(printed, as: options.format, text: \.proof)
    }
}

/// A proof that a log has only grown.
struct PrintedConsistency: Tabular {
    let older: SignedHead
    let newer: SignedHead
    let proof: String

    /// For programs: `consistency.v1.schema.json`.
    static let columns = Columns<PrintedConsistency> {
        Column.text("origin") { $0.newer.content.origin }
        Column.integer("older_size") { $0.older.head.size }
        Column.integer("newer_size") { $0.newer.head.size }
        Column.text("proof") { $0.proof }
    }
}

/// The subject of a proof: one event, or all events of a trip.
enum ProofSubject: ExpressibleByArgument {
    /// The most digits of a position; more digits are the beginning of a trip's id.
    private static let maximumPositionDigitCount = 17

    case event(position: UInt64)
    case trip(TripReference)

    /// Reads digits as a position, and everything else as a trip.
    init?(argument: String) {
        if argument.utf8.count <= Self.maximumPositionDigitCount,
            argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let position = UInt64(argument)
        {
            self = .event(position: position)
        } else if let trip = TripReference(argument) {
            self = .trip(trip)
        } else {
            return nil
        }
    }

    /// Finds the events.
    func positions(in ledger: Ledger) throws -> [UInt64] {
        switch self {
        case .event(let position): [position]
        case .trip(let reference): try ledger.positions(of: reference)
        }
    }
}
