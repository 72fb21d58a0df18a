import ArgumentParser
import LedgerRows
import Projections
import RoutinesProjection
import Tables
import TripEvents
import TripLedger
import TripsProjection

/// The command `ledger routine`.
struct RoutineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routine",
        abstract: "Keeps templates for trips that happen again and again.",
        discussion: """
            A routine is applied by a person, with `ledger routine apply` or `ledger go \
            --routine`; or by itself, to trips between places: `ledger routine save --from-place`. \
            What people say about a trip wins over what applies by itself, and what is said later \
            over what was said before.

            Examples:
              ledger routine save Office --title "To the office" --class commute
              ledger routine suggest last
              ledger routine apply Office last
            """,
        subcommands: [
            RoutineSaveCommand.self,
            RoutineApplyCommand.self,
            RoutineListCommand.self,
            RoutineSuggestCommand.self,
            RoutineRemoveCommand.self,
        ]
    )
}

/// The command `ledger routine save`.
struct RoutineSaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Saves a routine, or changes it.",
        discussion: """
            What is left out stays as it was saved before; --from-trip takes everything that a \
            trip says about itself. Trips to which the routine was applied before stay as they are.

            With --from-place, --to-place or both it applies by itself to every trip that goes so \
            and starts from now on, or since a day. Such a trip has the flag by_rule; whatever is \
            said about it, before or after, wins.

            Examples:
              ledger routine save Office --title "To the office" --class commute
              ledger routine save "Visit ACME" --from-trip last --vehicle van
              ledger routine save Office --to-place Office --days mon-fri
              ledger routine save Gym --class personal --to-place Gym --since 2026-01-01
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the routine.", completion: .routine)
    var name: String

    @Option(help: ArgumentHelp("A trip whose details are the template.", valueName: "trip"))
    var fromTrip: TripReference?

    @OptionGroup var details: DetailOptions

    @OptionGroup(title: "The trips to which it applies by itself") var pattern: PatternOptions

    func validate() throws {
        guard fromTrip != nil || !details.givenNames.isEmpty || pattern.isGiven else {
            throw ValidationError(
                "Say what its trips are for, such as --purpose TEXT, or --from-trip TRIP."
            )
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let said = try ledger.readNow { try details.details(in: $0) }
        let edit = try pattern.edit(in: ledger)
        try decision.decide(
            .saveRoutine(name, said, edit, from: fromTrip),
            in: ledger,
            options
        ) { _ in (try? applied(in: ledger)) ?? "" }
    }

    /// Returns a sentence with the number of trips so far to which it applies automatically; empty
    /// if there are none, or if that was just ended.
    private func applied(in ledger: Ledger) throws -> String {
        let trips = try ledger.readNow { snapshot in
            try snapshot.trips(TripFilter())
                .count { row in
                    row.booked.flags.contains(.byRule) && row.booked.routine.hasSameBytes(as: name)
                }
        }
        guard trips > 0, !pattern.byHand else { return "" }
        return "It applies by itself to \(Count.text(trips, "trip", "trips")) so far.\n"
    }
}

/// The command `ledger routine apply`.
struct RoutineApplyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apply",
        abstract: "Applies a routine to a trip.",
        discussion: """
            What the routine says replaces what the trip says; what it does not mention stays. \
            Several trips get it at once: name them, or say which, such as --from-place.

            Examples:
              ledger routine apply Office last
              ledger routine apply Office --from-place Home --to-place Office --unclassified
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the routine.", completion: .routine)
    var name: String

    @OptionGroup var selection: TripSelection

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try selection.decide(decision, in: ledger, options) { .applyRoutine(name, to: $0) }
    }
}

/// The command `ledger routine list`.
struct RoutineListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract:
            "Lists routines, how often they were applied, and what their trips have in common.",
        discussion: """
            Example:
              ledger routine list
            """
    )

    @OptionGroup var options: GlobalOptions<RowFormat>
    @OptionGroup var table: TableOptions

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try options.list(
            from: ledger,
            in: table,
            ifEmpty: "There are no routines; `ledger routine save` makes one."
        ) { snapshot in
            let places = try snapshot.places()
            return try snapshot.routines().routines.map { ListedRoutine($0, places: places) }
        }
    }
}

/// The command `ledger routine suggest`.
struct RoutineSuggestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Lists the routines that may fit a trip, best first.",
        discussion: """
            Best are those that were applied to a trip between the same places, to 250 m, then \
            those at about the same time of day, then those that were used last. Nothing is \
            applied: `ledger routine apply` does that.

            Example:
              ledger routine suggest last
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (booked, catalogue) = try ledger.readNow { snapshot in
            (try snapshot.trip(trip).booked, try snapshot.routines())
        }
        try options.list(
            catalogue.suggestions(for: booked),
            in: table,
            style: table.style(for: ledger),
            ifEmpty: booked.hasDetails
                ? "Trip \(booked.id.short) says what it was for already."
                : "There are no routines; `ledger routine save` makes one."
        )
    }
}

/// The command `ledger routine remove`.
struct RoutineRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a routine; trips to which it was applied stay as they are.",
        discussion: """
            Example:
              ledger routine remove Office
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The name of the routine.", completion: .routine)
    var name: String

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        try decision.decide(.removeRoutine(name), in: ledger, options)
    }
}
