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
            one trip comes after the other, oldest first, with the routine that fits: the one \
            that was applied to a trip between the same places. Elsewhere, and with --list, they \
            are listed.

            --apply-routines gives each trip the routine that fits, all at once, and leaves those \
            that no routine fits.

            Examples:
              ledger inbox
              ledger inbox --list --year 2026
              ledger inbox --apply-routines --year 2026 --yes
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions
    @OptionGroup var table: TableOptions
    @OptionGroup var days: PeriodOptions

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
        try ask(about: waiting, in: ledger)
    }

    private func waitingTrips(
        in snapshot: borrowing Snapshot,
        of ledger: Ledger
    ) throws -> [WaitingTrip] {
        var filter = TripFilter(
            period: days.isUnlimited ? nil : try days.period(in: ledger),
            isOldestFirst: true
        )
        filter.waitsForDetails = true
        let places = try snapshot.places()
        let catalogue = try snapshot.routines()
        var waiting: [WaitingTrip] = []
        try snapshot.readTrips(filter) { row in
            waiting.append(WaitingTrip(row.booked, places: places, of: catalogue))
            return true
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

// MARK: One after the other

extension InboxCommand {
    private func ask(about waiting: [WaitingTrip], in ledger: Ledger) throws {
        for (index, trip) in waiting.enumerated() {
            try Output.standard.writing { output in
                try output.write("\n\(index + 1) of \(waiting.count)\n")
                try output.write(
                    [trip],
                    WaitingTrip.columns,
                    as: .text,
                    style: .screen(for: ledger)
                )
            }
            guard let answer = answer(about: trip) else { return }
            switch answer {
            case .routine:
                guard let routine = trip.routine else { continue }
                try decision.decide(
                    .applyRoutine(routine.name, to: trip.reference),
                    in: ledger,
                    options
                )
            case .tripClass(let tripClass):
                var edit = TripEdit()
                edit.tripClass = .set(tripClass)
                if tripClass == .business, trip.booked.details.purpose == nil {
                    guard let purpose = Question.answer("Purpose: "), !purpose.isEmpty else {
                        Diagnostic.say("Left as it was: a business trip needs a purpose.\n")
                        continue
                    }
                    edit.purpose = .set(purpose)
                }
                try decision.decide(.edit(trip.reference, edit), in: ledger, options)
            case .void:
                guard let why = Question.answer("Why is it none? "), !why.isEmpty else { continue }
                try decision.decide(.void(trip.reference, why: why), in: ledger, options)
            case .later: continue
            }
        }
    }

    /// The answers of a person about a trip.
    private enum Answer {
        case routine
        case tripClass(TripClass)
        case void
        case later
    }

    /// Asks until there is an answer; `nil` to stop.
    private func answer(about trip: WaitingTrip) -> Answer? {
        let routine = trip.routine.map { "[r]outine \(Excerpt.escaped($0.name)), " } ?? ""
        while true {
            let text = Question.answer(
                routine + "[b]usiness, [c]ommute, [p]ersonal, another class in full, "
                    + "[v]oid, [s]kip, [q]uit: "
            )
            switch text?.lowercased() {
            case nil, "q", "quit": return nil
            case "r" where trip.routine != nil: return .routine
            case "b": return .tripClass(.business)
            case "c": return .tripClass(.commute)
            case "p": return .tripClass(.personal)
            case "v", "void": return .void
            case "s", "skip", "": return .later
            case let word?:
                guard let tripClass = TripClass(rawValue: word), tripClass != .unclassified else {
                    continue
                }
                return .tripClass(tripClass)
            }
        }
    }
}
