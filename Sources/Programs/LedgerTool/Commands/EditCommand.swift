import ArgumentParser
import TripEvents
import TripLedger

/// The command `ledger edit`.
struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Says, or changes, what a trip was for.",
        discussion: """
            What is not mentioned stays as it is; `ledger history` shows what it was. --mode \
            beats what the rules make of the trip: one by rail or bicycle, or on foot, counts \
            nowhere, and one by car counts. Several trips at once: `ledger help \
            filters`.

            Examples:
              ledger edit last --purpose "Roof inspection" --client ACME --class business
              ledger edit 6c1f --field project=P-17 --clear notes
              ledger edit --from-place Home --to-place Office --year 2026 --class commute
            """
    )

    @OptionGroup var options: GlobalOptions
    @OptionGroup var decision: DecisionOptions

    @OptionGroup var selection: TripSelection

    @OptionGroup var details: DetailOptions

    @Option(
        help: ArgumentHelp(
            "A detail or custom field to clear; can be repeated.",
            valueName: "name"
        ),
        completion: .detail
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
        var edit = TripEdit(setting: try ledger.readNow { try details.details(in: $0) })
        for name in clear { clear(name, in: &edit) }
        try selection.decide(decision, in: ledger, options) { .edit($0, edit) }
    }

    /// Takes a detail, or else the custom field with a name, away.
    private func clear(_ name: String, in edit: inout TripEdit) {
        switch DetailName(rawValue: name) {
        case .title?: edit.title = .cleared
        case .purpose?: edit.purpose = .cleared
        case .notes?: edit.notes = .cleared
        case .category?: edit.category = .cleared
        case .client?: edit.client = .cleared
        case .vehicle?: edit.vehicle = .cleared
        case .tripClass?: edit.tripClass = .cleared
        case .mode?: edit.mode = .cleared
        case nil:
            var fields = edit.fields ?? CustomFields()
            fields[name] = .null
            edit.fields = fields
        }
    }
}
