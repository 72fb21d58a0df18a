import ArgumentParser
import LedgerKeeping
import Platform
import ServerStore
import SystemPackage
import Tables
import TripEvents
import TripLedger

/// The command `ledger erase`.
struct EraseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Erases the content of entries; their positions and hashes stay.",
        discussion: """
            Without --yes it shows what would be erased, and erases nothing. What is erased cannot \
            be brought back: when it happened, where, who sent it, everything but the kind of \
            event, its source, when the ledger stored it, and the name and the SHA-256 of the file \
            from which it was imported, if it was. The entry's hash stays, so that every tree \
            head, proof and signature made before or after holds. An event says which entries \
            were erased, by whom and why; `ledger log` shows it.

            A trip that loses fixes measures less and shows the flag erased; `ledger adjust` sets \
            the distance that you claim. The event that opened a trip can only go with all of \
            the trip: that is what --trip is for. It takes what the trip's source reported from \
            start to end, and what was decided about it. An event from which another trip, or \
            what stays of this one, has its name is kept, and named.

            An erased event that is sent again is recognised and not stored again: the ledger \
            keeps a hash of its identity under a random key, by which only a person who has the \
            ledger's directory could test a guess.

            With --group, what the sources of a group reported goes, and what the owner decided \
            about their trips; the names of the sources stay. With --set-aside, what was delivered \
            by a source and could not become an event goes: `ledger refused` lists it. It is no \
            part of the log, which says nothing of it.

            The log's file and the views are written anew, and notices that wait are struck out. \
            Copies are not reached: backups, exports, ledgers with which `ledger sync` has \
            exchanged events, and, in the ledger's directory, logs that restore-backup has moved \
            aside, stranded.jsonl, server/drop after a crash, and notices/ while another process \
            sends from there. Those that are known are named.

            Examples:
              ledger erase 40-51,60 --why 'asked for by the passenger' --yes
              ledger erase --trip 6c1f --why 'private trip' --yes
              ledger erase --group 17 --why 'moved to the other ledger' --yes
              ledger erase --set-aside phone --yes
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    @Argument(help: "Positions, as `ledger log` shows them: 12, 40-51 or 12,40-51.")
    var positions: [PositionArgument] = []

    @Option(help: "Erase everything about a trip: the beginning of its id, or last, or active.")
    var trip: TripReference?

    @Option(help: "Erase all that concerns this group of sources but their names.")
    var group: SourceGroup?

    @Option(
        help: ArgumentHelp(
            "Erase the refused deliveries of a source.",
            valueName: "source"
        ),
        completion: .source
    )
    var setAside: String?

    @Option(help: "Why; it stays in the log. Do not repeat what is to be erased.")
    var why: String?

    @Option(help: "Who decides (default: LEDGER_ACTOR, else you).")
    var actor: String?

    @Flag(help: "Erase it.")
    var yes = false

    @Flag(help: "Only rewrite the files, to finish an erasure that was cut off.")
    var sweep = false

    func validate() throws {
        let subjects = [!positions.isEmpty, trip != nil, group != nil, setAside != nil, sweep]
        guard subjects.count(where: { $0 }) == 1 else {
            throw ValidationError(
                "Name positions, or a trip with --trip, or a group with --group, or a source with "
                    + "--set-aside, or say --sweep."
            )
        }
        guard setAside == nil || why == nil && actor == nil else {
            throw ValidationError("Refused deliveries go without a trace: leave out --why.")
        }
        guard sweep || setAside != nil || why?.isEmpty == false else {
            throw ValidationError("Say with --why why it is erased.")
        }
        guard (why?.utf8.count ?? 0) <= 4_000, (actor?.utf8.count ?? 0) <= 200 else {
            throw ValidationError("--why has at most 4,000 bytes and --actor at most 200.")
        }
    }

    func run() throws {
        if let setAside {
            let path = try options.path
            try LedgerOption.requireLogBesideServer(at: path)
            return try SetAsideErasure(source: setAside, in: path, options).run(isDone: yes)
        }
        var ledger = try options.open()
        defer { ledger.close() }
        var shown = ErasureResult(try finishing(&ledger), isSweep: sweep)
        if !sweep, !yes {
            try write(shown)
            Diagnostic.say("Nothing was erased. Say --yes to erase it.\n")
            throw ExitCode(1)
        }
        if shown.plan.count > 0 {
            shown.events = try ledger.erase(
                shown.plan,
                why: why ?? "",
                actor: DecisionOptions.decider(actor),
                now: WallClock.now
            )
        }
        try finish(&ledger, &shown)
        if !sweep { try SetAsideErasure.noteRest(in: ledger.path) }
        if shown.events != nil, ReplicaState(of: ledger.path) != nil {
            Diagnostic.say(Self.replicaWords)
        }
    }

    /// Returns the plan.
    ///
    /// If there is no such trip, and an erasure was cut off, that one is finished first: it may
    /// have been the same.
    private func finishing(_ ledger: inout Ledger) throws -> ErasurePlan {
        do {
            return try plan(ledger)
        } catch var error as LedgerError {
            guard error.code == .notFound, try ledger.needsSweep() else { throw error }
            var words = "What an erasure left is still in the files: say `ledger erase --sweep`"
            if yes {
                let nothing = try ledger.readNow { try $0.planErasure(of: RangeSet<UInt64>()) }
                var shown = ErasureResult(nothing, isSweep: true)
                try finish(&ledger, &shown)
                words = "An earlier erasure was cut off, and is finished now"
            }
            error.hint = error.hint.isEmpty ? words : "\(words). \(error.hint)"
            throw error
        }
    }

    /// Writes the files anew so that nothing is left in them, and shows what was done.
    private func finish(_ ledger: inout Ledger, _ shown: inout ErasureResult) throws {
        do throws(LedgerError) {
            let books = try NoticeBook.strikeErased(inBooksOf: ledger)
            if try ledger.needsSweep() {
                guard let swept = try ledger.sweep() else {
                    throw Self.stillOpenElsewhere(at: ledger.path.string)
                }
                ledger = swept
                shown.isSwept = true
            }
            shown.unswept = try ledger.unsweptNames() + books
            if sweep { try SetAsideErasure.sweep(in: ledger.path) }
        } catch {
            // Erased entries stay erased, even if the files could not be written anew.
            try write(shown)
            throw Self.leavingRemains(error)
        }
        try write(shown)
    }

    /// The sentence about erased entries that the replica still has.
    private static let replicaWords =
        "`ledger replicate` erases it in the database, too. There VACUUM takes away the rows that "
        + "held\nit; the archive of its WAL and its base backups hold it for as long as you keep "
        + "them.\n"

    private func plan(_ ledger: Ledger) throws -> ErasurePlan {
        var all = RangeSet<UInt64>()
        for argument in positions { all.formUnion(argument.positions) }
        return try ledger.readNow { snapshot in
            if let group { return try snapshot.planErasure(ofGroup: group.name) }
            return try trip.map { try snapshot.planErasure(of: $0) }
                ?? snapshot.planErasure(of: all)
        }
    }

    private func write(_ shown: ErasureResult) throws {
        try Output.show(shown, as: options.format, text: \.text)
    }

    private static func leavingRemains(_ error: LedgerError) -> LedgerError {
        guard error.hint.isEmpty else { return error }
        var error = error
        error.hint =
            "What was erased may still be in unused places of the files. When this is mended, say "
            + "`ledger erase --sweep`"
        return error
    }

    static func stillOpenElsewhere(at path: String) -> LedgerError {
        LedgerError(
            .inputOutput,
            at: path,
            cause: "another process has the ledger open, so that its files could not be written "
                + "anew: what was erased may still be in unused places of them",
            hint: "End the other process, then say `ledger erase --sweep`"
        )
    }
}

/// Positions of entries as a person gives them: `12`, `40-51` or `12,40-51`.
struct PositionArgument: ExpressibleByArgument {
    /// The positions.
    let positions: RangeSet<UInt64>

    init?(argument: String) {
        guard let ranges = PositionRanges(argument) else { return nil }
        positions = ranges.set
    }
}

/// The effect that an erasure had, or would have.
struct ErasureResult: Tabular {
    /// The entries to erase.
    let plan: ErasurePlan

    /// The positions of the events that record the erasure; `nil` if nothing was erased.
    var events: [UInt64]?

    /// Whether the files were written anew.
    var isSwept = false

    /// Other files of the ledger's directory that may hold erased entries.
    var unswept: [String] = []

    /// How many ranges of positions, trips and sources are named at most for people.
    private static let mostNamed = 100

    /// Whether nothing was to be erased, only files to be written anew.
    private let isSweep: Bool

    init(_ plan: ErasurePlan, isSweep: Bool) {
        self.plan = plan
        self.isSweep = isSweep
    }

    /// For people.
    var text: String {
        var text = ""
        if plan.count > 0 {
            text += erasureText
        } else if isSweep {
            text +=
                isSwept ? "" : "Nothing that was erased is left in the log's file and the views.\n"
        } else {
            text += "There is nothing to erase: what these entries said is gone.\n"
        }
        if !plan.keptPositions.isEmpty {
            let kept = plan.keptPositions.ranges.map(Self.text).joined(separator: ",")
            text +=
                "What is at \(kept) \(events == nil ? "would stay" : "stays"): a trip of which "
                + "more stays has its name from there.\n"
        }
        if isSwept { text += "The log's file and the views were written anew.\n" }
        if !unswept.isEmpty {
            let names = Excerpt.escaped(unswept.joined(separator: ", "))
            text += "What was erased may still be in \(names), which you can delete.\n"
        }
        return text
    }

    /// The entries and trips, and the events that record the erasure.
    private var erasureText: String {
        let entries = Count.text(plan.count, "entry", "entries")
        let positions = Self.list(plan.positions.ranges.map(Self.text), separator: ",")
        var text = "\(events == nil ? "Would erase" : "Erased") \(entries): \(positions).\n"
        let lost = plan.lostTrips.sorted()
        for trip in lost.prefix(Self.mostNamed) {
            text += "Trip \(Self.short(trip)) \(events == nil ? "would go" : "is gone").\n"
        }
        if lost.count > Self.mostNamed {
            let more = Count.text(lost.count - Self.mostNamed, "more trip", "more trips")
            text += "Beside these \(more).\n"
        }
        for trip in plan.shortenedTrips.sorted() {
            text +=
                "Trip \(Self.short(trip)) "
                + (events == nil ? "would lose" : "has lost") + " events.\n"
        }
        if let event = events?.first { text += "The event at position \(event) says so.\n" }
        for (things, names) in [("sources", plan.sources), ("files", plan.files)]
        where !names.isEmpty {
            let list = Self.list(names.map { Excerpt.escaped($0) }, separator: ", ")
            text += "The log keeps the names of the \(things): \(list).\n"
        }
        return text
    }

    /// For programs: `erasure.v1.schema.json`.
    static let columns = Columns<ErasureResult> {
        Column.boolean("erased") { $0.events != nil }
        Column.integer("entries") { $0.plan.count }
        Column.list("positions") { $0.plan.positions.ranges.map(text) }
        Column.list("kept_positions") { $0.plan.keptPositions.ranges.map(text) }
        Column.list("events") { ($0.events ?? []).map { String($0) } }
        Column.list("lost_trips") { $0.plan.lostTrips.sorted().map(\.description) }
        Column.list("shortened_trips") { $0.plan.shortenedTrips.sorted().map(\.description) }
        Column.list("kept_sources") { $0.plan.sources }
        Column.list("kept_files") { $0.plan.files }
        Column.boolean("swept") { $0.isSwept }
        Column.list("unswept") { $0.unswept }
    }

    private static func text(_ range: Range<UInt64>) -> String {
        let last = range.upperBound - 1
        return range.lowerBound == last ? "\(last)" : "\(range.lowerBound)-\(last)"
    }

    /// Lists some names; only the first ones if there are many.
    private static func list(_ names: [String], separator: String) -> String {
        let shown = names.prefix(mostNamed).joined(separator: separator)
        return names.count > mostNamed ? shown + separator + "…" : shown
    }

    private static func short(_ trip: TripID) -> String {
        String(trip.description.prefix(12))
    }
}
