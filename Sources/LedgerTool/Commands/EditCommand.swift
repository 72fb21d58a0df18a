import ArgumentParser
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger edit`.
struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Says, or changes, what a trip was for.",
        discussion: """
            What is not mentioned stays as it is. Every edit is kept: `ledger history` shows what \
            was said before, by whom and when.

            Examples:
              ledger edit last --purpose "Roof inspection" --client ACME --class business
              ledger edit 6c1f --field project=P-17 --clear notes
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    @OptionGroup var details: DetailOptions

    @Option(
        help: ArgumentHelp(
            "A detail or custom field to take away, such as client; once for each.",
            valueName: "name"
        )
    )
    var clear: [String] = []

    func validate() throws {
        try options.refuseCSV()
        let given = details.givenNames
        guard !given.isEmpty || !clear.isEmpty else {
            throw ValidationError("Say what to change, such as --purpose TEXT or --clear purpose.")
        }
        for name in clear where given.contains(name) {
            throw ValidationError("\(name) cannot be both set and cleared.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let trip = try ledger.trip(trip).trip
        let said = try details.details(in: ledger)
        let edit = DetailsEdited(
            trip: trip.id,
            tripStartedAt: trip.startedAt,
            title: change(.title, said.title),
            purpose: change(.purpose, said.purpose),
            notes: change(.notes, said.notes),
            category: change(.category, said.category),
            client: change(.client, said.client),
            vehicle: change(.vehicle, said.vehicle),
            tripClass: change(.tripClass, said.tripClass),
            fields: fields(said.fields)
        )
        try decision.append(.detailsEdited(edit), about: trip.id, to: ledger, options)
    }

    private func change<Value>(_ name: DetailName, _ value: Value?) -> DetailChange<Value> {
        value.map(DetailChange.set) ?? (clear.contains(name.rawValue) ? .cleared : .unchanged)
    }

    private func fields(_ said: CustomFields?) -> CustomFields? {
        let cleared = clear.filter { DetailName(rawValue: $0) == nil }
        guard said != nil || !cleared.isEmpty else { return nil }
        var fields = said ?? CustomFields()
        for key in cleared { fields[key] = .null }
        return fields
    }
}
