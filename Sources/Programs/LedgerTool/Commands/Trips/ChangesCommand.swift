import ArgumentParser
import LedgerRows
import Platform
import Projections
import Reports
import Tables
import TotalsProjection
import TripEvents
import TripLedger
import TripTracking

/// The command `ledger changes`.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes",
        abstract: "Lists what was appended after a head or a date, and what it changed.",
        discussion: """
            With --since, what an auditor asks: which ended trips have changed since, which \
            were added afterwards, who edited, adjusted, voided, merged or split earlier trips, \
            what was erased and why. A head is the file of a signed one, or its size, a colon and \
            its root as a report prints them; the log must begin with its entries. A date is that \
            of storing: what happened before may have come in later. Signatures are checked by \
            `ledger verify`. CSV has a line for each field that people changed, of earlier trips \
            and of settings, as `ledger history --all` has; text and JSON also say what late data \
            changed.

            With --orphans, decisions that have no effect, and why. Late data can change where \
            a trip starts, and with that its id. Decisions about it then go to the trip that was \
            under way at its start. If there was none they are kept and listed. So are decisions \
            that came from elsewhere and would be refused here, such as a merge of trips of two \
            vehicles: they take effect once nothing is in their way any more.

            Examples:
              ledger changes --since paper.note
              ledger changes --since 2026-01-01
              ledger changes --since 1041 --format json
              ledger changes --orphans
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Option(
        help: ArgumentHelp(
            "List what came after a signed head (a file, or - for standard input), SIZE:ROOT, so "
                + "many entries, a day or a time.",
            valueName: "head|date"
        ),
        completion: .file()
    )
    var since: ChangesSince?

    @Flag(help: "List decisions that have no effect, and why.")
    var orphans = false

    private static let noOrphans = "Every decision has its effect."

    func validate() throws {
        guard orphans || table.columns == nil || table.excel != nil || options.format != .text
        else {
            throw ValidationError(
                "What people read about changes has several tables: --columns goes with --format "
                    + "csv or --excel."
            )
        }
        guard orphans != (since != nil) else {
            throw ValidationError("Say which changes: --since HEAD, --since DATE or --orphans.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        guard let since else { return try showOrphans(of: ledger) }
        let start = try since.start(in: ledger)
        let (changes, missing, lines) = try ledger.readFromLog(asOf: WallClock.now) { snapshot in
            let changes = try snapshot.changes(since: start)
            let settings = try snapshot.settingChanges(from: changes.since.size)
            let lines = changes.amendments.reversed().map { AuditLine($0.amendment) } + settings
            return (changes, try snapshot.missingEntries(), lines)
        }
        let shown = ChangesPage(
            changes,
            missing,
            from: start,
            style: table.style(for: ledger)
        )
        try table.output.writing { output in
            let format = try table.format(options.format)
            switch format {
            case .json:
                try output.write(
                    [shown.changes],
                    LedgerChanges.columns.noting(missing),
                    as: .json,
                    style: table.style(for: ledger)
                )
            case .csv, .ids:
                try output.write(
                    lines,
                    table.chosen(of: AuditLine.columns, as: format, noting: missing),
                    as: format,
                    style: table.style(for: ledger)
                )
            case .text: try shown.writeText(to: output)
            }
        }
    }

    private func showOrphans(of ledger: Ledger) throws {
        let decisions = try ledger.readNow { try $0.decisionsWithoutEffect() }
        // People see a page for each, unless they ask for a table.
        guard options.format == .text, table.excel == nil, table.columns == nil else {
            return try options.list(
                decisions,
                in: table,
                style: table.style(for: ledger),
                ifEmpty: Self.noOrphans
            )
        }
        try options.showEach(decisions, style: .screen(for: ledger))
        if decisions.isEmpty { Diagnostic.say(Self.noOrphans + "\n") }
    }
}

/// The time or the entries after which changes are listed.
enum ChangesSince: ExpressibleByArgument {
    private static let minuteMilliseconds: Int64 = 60_000

    /// A number of first entries that are known.
    case size(UInt64)

    /// From a local day on, in the ledger's time zone.
    case day(CivilDate)

    /// From an instant on.
    case time(EventTime)

    /// The entries of a head are known.
    case head(NamedHead)

    /// Reads digits as a number of entries, a date as a day, RFC 3339 as a time, and
    /// everything else as a head.
    init?(argument: String) {
        if let size = UInt64(argument) {
            self = .size(size)
        } else if let day = CivilDate(argument: argument) {
            self = .day(day)
        } else if let time = RFC3339.time(argument) {
            self = .time(time)
        } else if let head = NamedHead(argument: argument) {
            self = .head(head)
        } else {
            return nil
        }
    }

    /// Returns the start from which changes are listed.
    ///
    /// - Throws: `LedgerError.unreadableInput` if the head cannot be read, `ValidationError` if
    ///   this machine does not know the ledger's time zone.
    func start(in ledger: Ledger) throws -> ChangesStart {
        switch self {
        case .size(let size): return .size(size)
        case .time(let time): return .instant(time.timestamp)
        case .head(let head): return .head(try head.read().head)
        case .day(let day):
            return .instant(Self.beginning(of: day, in: try ledger.requireClock().zone))
        }
    }

    /// Returns when a local day begins.
    private static func beginning(of day: CivilDate, in zone: TimeZoneRules) -> Timestamp {
        let midnight = Int64(day.daysSince1970) * Timestamp.millisecondsPerDay
        func offset(at instant: Int64) -> Int64 {
            let offset = zone.utcOffset(at: Timestamp(milliseconds: instant))
            return Int64(offset?.minutes ?? 0) * minuteMilliseconds
        }
        // The offset at midnight equals that of an instant near it, unless clocks change just then.
        return Timestamp(milliseconds: midnight - offset(at: midnight - offset(at: midnight)))
    }
}

/// The page about entries after a head, for people: changes of earlier trips come first.
struct ChangesPage {
    let changes: LedgerChanges
    private let missing: MissingEntries
    private let start: ChangesStart
    private let style: TextStyle

    init(
        _ changes: LedgerChanges,
        _ missing: MissingEntries,
        from start: ChangesStart,
        style: TextStyle
    ) {
        self.missing = missing
        self.changes = changes
        self.start = start
        self.style = style
    }

    /// Writes the facts, then a table for each kind of change that there is.
    func writeText(to output: Output) throws {
        try output.write(FactSheet(facts).text(width: Screen.columnCount))
        try write(
            "Trips that had ended and have changed since",
            changes.changedTrips,
            ChangedTrip.columns,
            to: output
        )
        try write(
            "Trips that had started before and were added since",
            changes.addedTrips.map { LedgerChanges.AddedTrip(booked: $0) },
            LedgerChanges.AddedTrip.columns,
            to: output
        )
        for section in Section.allCases {
            let lines = changes.amendments.map(\.amendment)
                .filter { Section(of: $0.kind) == section }
            try write(section.title, lines, TripAmendment.columns, to: output)
        }
        try write(
            "Entries that were erased",
            changes.erasures,
            StoredEvent.erasureColumns,
            to: output
        )
        try write(
            "Rules that were adopted",
            changes.rules,
            StoredEvent.adoptionColumns,
            to: output
        )
        try write(
            "Clocks that were found to be wrong",
            changes.clockShifts,
            StoredEvent.clockColumns,
            to: output
        )
        try write("New sources", changes.sources, StoredEvent.sourceColumns, to: output)
        let others = changes.newSourceCount - UInt64(changes.sources.count)
        if others > 0 {
            let all = ProgramName.shown("`ledger log` has all")
            try output.write("… and \(Count.text(others, "more", "more")); \(all).\n")
        }
        try output.write(remarks)
    }

    private var facts: [(label: String, fact: String)] {
        let then =
            "\(Count.text(changes.since.size, "entry", "entries")), root "
            + changes.since.root
        var facts: [(label: String, fact: String)] = []
        switch start {
        case .instant(let instant):
            let time = EventTime(instant).told(by: style.clock)
            facts.append(("Since", LocalTime.text(time)))
        case .head: facts.append(("Since", "a head; the log begins with its entries, unchanged"))
        case .size: break
        }
        facts.append(("Then", then))
        facts.append(
            (
                "Now",
                "\(Count.text(changes.until.size, "entry", "entries")), root \(changes.until.root)"
            )
        )
        facts += missing.facts
        if let clock = style.clock {
            facts.append(("Time zone", Excerpt.escaped(clock.zone.words)))
        }
        facts.append(("Appended", appended))
        return facts
    }

    private var appended: String {
        guard changes.entryCount > 0 else { return "nothing" }
        let types = changes.entryCounts.map { "\($0.count) \($0.type)" }
        return Count.text(changes.entryCount, "entry", "entries")
            + ": \(types.joined(separator: ", "))"
    }

    /// Writes a table with a title above it, if there are rows.
    private func write<Row>(
        _ title: String,
        _ rows: [Row],
        _ columns: Columns<Row>,
        to output: Output
    ) throws {
        guard !rows.isEmpty else { return }
        try output.write("\n\(title):\n")
        try output.write(rows, columns, as: .text, style: style)
    }

    /// The changes that are only counted.
    private var remarks: String {
        var sentences: [String] = []
        if changes.before != nil, changes.entryCount > 0, !concernsEarlierTrips {
            sentences.append("No trip that had started before is another now.")
        }
        if changes.laterTripCount > 0 {
            let trips = Count.text(changes.laterTripCount, "trip has", "trips have")
            sentences.append("\(trips) started since.")
        }
        if changes.withoutEffect > 0 {
            let decisions = Count.text(changes.withoutEffect, "decision has", "decisions have")
            sentences.append(
                ProgramName.shown("\(decisions) no effect: see `ledger changes --orphans`.")
            )
        }
        return sentences.isEmpty ? "" : "\n" + sentences.map { $0 + "\n" }.joined()
    }

    private var concernsEarlierTrips: Bool {
        !changes.changedTrips.isEmpty || !changes.addedTrips.isEmpty
            || !changes.amendments.isEmpty || !changes.erasures.isEmpty
    }
}

extension ChangesPage {
    /// The sections for decisions about earlier trips.
    private enum Section: CaseIterable {
        case edits
        case distances
        case corrections

        init(of kind: EventKind) {
            switch kind {
            case .distanceAdjusted: self = .distances
            case .tripVoided, .tripRestored, .tripsMerged, .tripSplit, .stretchExcluded,
                .tripReported:
                self = .corrections
            default: self = .edits
            }
        }

        var title: String {
            switch self {
            case .edits: "Edits of earlier trips"
            case .distances: "Distances of earlier trips that were set by hand"
            case .corrections:
                "Earlier trips that were voided, restored, merged, split, shortened or reported by "
                    + "hand"
            }
        }
    }
}
