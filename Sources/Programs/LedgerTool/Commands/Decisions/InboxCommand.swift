import ArgumentParser
import LedgerRows
import Platform
import Projections
import RoutinesProjection
import Tables
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger inbox`.
struct InboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "Goes through the trips that still need a class or a purpose.",
        discussion: """
            A trip is done once it has a class and, if that is business, a purpose. At a terminal \
            one trip comes after the other, oldest first, with the routine that fits, which is the \
            one that was applied to a trip between the same places, and with what the last trip to \
            that place was for. An answer can be that of the trip before (=), can count for all \
            trips of the same way (a), and can be taken back (z). Elsewhere, and with --list, they \
            are listed.

            A drive that two trips have waits too where both say another class, purpose or client, \
            or neither names a vehicle: `ledger void` takes one of them out, and where both are \
            true, `ledger edit --vehicle` says of which cars they are.

            --apply-routines gives each trip the routine that fits, all at once, and leaves those \
            that no routine fits.

            Examples:
              ledger inbox
              ledger inbox --list --year 2026
              ledger inbox --apply-routines --year 2026 --yes
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var decision: DecisionOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var days: PeriodOptions

    @Option(
        parsing: .unconditional,
        help: "The most trips: the oldest ones.",
        transform: RowLimit.read
    )
    var limit: Int?

    @Flag(help: "List the trips, and ask nothing.")
    var list = false

    @Flag(help: "Give each trip the routine that fits.")
    var applyRoutines = false

    @Flag(name: .shortAndLong, help: "Do not ask before routines are applied to all of them.")
    var yes = false

    func validate() throws {
        guard !list || !applyRoutines else {
            throw ValidationError("--list asks nothing, and --apply-routines decides: use one.")
        }
        guard !yes || applyRoutines else {
            throw ValidationError("--yes goes with --apply-routines.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (waiting, missing) = try ledger.readNow { snapshot in
            (try waitingTrips(in: snapshot, of: ledger), try snapshot.missingEntries())
        }
        if applyRoutines { return try applyRoutines(to: waiting, missing, in: ledger) }
        guard !list, options.format == .text, table.excel == nil, Terminal.isStandardInput,
            Terminal.isStandardOutput, !waiting.isEmpty
        else { return try show(waiting, missing, of: ledger) }
        var dialogue = InboxDialogue(
            waiting,
            purposes: try ledger.readNow { try EarlierPurposes(in: $0) },
            deciding: decision,
            in: ledger,
            options
        )
        try dialogue.run()
    }

    /// Limits a filter to trips that need a class or a purpose, and returns which trips overlap.
    @discardableResult
    private static func limitToWaiting(
        _ filter: inout TripFilter,
        in snapshot: borrowing Snapshot
    ) throws -> TripOverlaps {
        filter.waitsForDetails = true
        filter.overlaps = try snapshot.relateTrips(into: ()) { _, _ in }.1
        return filter.overlaps
    }

    /// Returns how many trips it would ask about.
    static func count(in snapshot: borrowing Snapshot) throws -> Int {
        var filter = TripFilter()
        try limitToWaiting(&filter, in: snapshot)
        var count = 0
        try snapshot.readTrips(filter) { _ in
            count += 1
            return true
        }
        return count
    }

    private func waitingTrips(
        in snapshot: borrowing Snapshot,
        of ledger: Ledger
    ) throws -> [WaitingTrip] {
        var filter = TripFilter(
            period: days.isUnlimited ? nil : try days.period(in: ledger),
            isOldestFirst: true
        )
        let overlaps = try Self.limitToWaiting(&filter, in: snapshot)
        let places = try snapshot.places()
        let catalogue = try snapshot.routines()
        var waiting: [WaitingTrip] = []
        try snapshot.readTrips(filter) { row in
            let booked = overlaps.filled(row.booked)
            waiting.append(
                WaitingTrip(
                    booked,
                    places: places,
                    of: catalogue,
                    asking: overlaps.question(about: row.booked)
                )
            )
            return waiting.count < limit ?? .max
        }
        return waiting
    }

    private func show(
        _ waiting: [WaitingTrip],
        _ missing: MissingEntries,
        of ledger: Ledger
    ) throws {
        try options.list(
            waiting,
            in: table,
            style: table.style(for: ledger),
            noting: missing,
            ifEmpty: "Every trip has a class, and every business trip a purpose."
        )
        if options.format == .text, waiting.contains(where: { $0.question != nil }) {
            Diagnostic.say(OverlapAdvice.answers + "\n")
        }
        let fitting = waiting.count { $0.routine != nil }
        guard options.format == .text, fitting > 0 else { return }
        Diagnostic.say(
            "A routine fits \(fitting) of \(Count.text(waiting.count, "trip", "trips")): "
                + "`ledger inbox --apply-routines` applies it.\n"
        )
    }

    private func applyRoutines(
        to waiting: [WaitingTrip],
        _ missing: MissingEntries,
        in ledger: Ledger
    ) throws {
        let fitting = waiting.filter { $0.routine != nil }
        guard !fitting.isEmpty else {
            return Diagnostic.say("No routine fits a trip that waits.\n")
        }
        if !yes {
            try show(fitting, missing, of: ledger)
            guard Terminal.isStandardInput, options.format == .text else {
                return Diagnostic.say("Nothing was decided: add --yes to do it.\n")
            }
            let trips = Count.text(fitting.count, "trip", "trips")
            guard Question.isAgreed("Apply them to \(trips)?") else { return }
        }
        try decision.decide(
            fitting.compactMap { trip in
                trip.routine.map { .applyRoutine($0.name, to: trip.reference) }
            },
            in: ledger,
            options
        )
    }
}
