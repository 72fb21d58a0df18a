import ArgumentParser
import Projections
import TripEvents
import TripLedger

/// The command `ledger edit`.
struct EditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Says, or changes, what a trip was for.",
        discussion: """
            What is not mentioned stays. By rail, by bicycle or on foot it counts nowhere.

            Examples:
              ledger edit last --purpose "Roof inspection" --client ACME --class business
              ledger edit --from-place Home --to-place Office --year 2026 --class commute
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @OptionGroup var selection: TripSelection

    @OptionGroup var details: DetailOptions

    @Option(help: "Where it started: words, or a saved place.", completion: .place)
    var origin: String?

    @Option(
        help: ArgumentHelp("Where it ended.", valueName: "text"),
        completion: .place
    )
    var destination: String?

    @Option(help: ArgumentHelp("The address where it started.", valueName: "text"))
    var fromAddress: String?

    @Option(help: ArgumentHelp("The address where it ended.", valueName: "text"))
    var toAddress: String?

    @Option(
        help: ArgumentHelp(
            "A detail or custom field to clear; can be repeated.",
            valueName: "name"
        ),
        completion: .detail
    )
    var clear: [String] = []

    func validate() throws {
        let given = details.givenNames + ends.filter { $0.text != nil }.map(\.end.rawValue)
        for (end, text) in ends where text == "" {
            throw ValidationError(
                "--\(end.rawValue) is empty; --clear \(end.rawValue) takes it away."
            )
        }
        guard !given.isEmpty || !clear.isEmpty else {
            throw ValidationError("Say what to change, such as --purpose TEXT or --clear purpose.")
        }
        for name in clear where given.contains(End(cleared: name)?.rawValue ?? name) {
            throw ValidationError("\(name) cannot be both set and cleared.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (said, fields) = try ledger.readNow { snapshot in
            (try details.details(in: snapshot), try snapshot.fields())
        }
        var edit = TripEdit(setting: said)
        if let origin { edit.origin = .set(origin) }
        if let destination { edit.destination = .set(destination) }
        if let fromAddress { edit.originAddress = .set(fromAddress) }
        if let toAddress { edit.destinationAddress = .set(toAddress) }
        for name in clear { clear(name, in: &edit, fields) }
        try selection.decide(decision, in: ledger, options) { .edit($0, edit) }
    }

    /// The ends of a trip, by their names in options and --clear.
    private enum End: String, CaseIterable {
        case origin
        case destination
        case fromAddress = "from-address"
        case toAddress = "to-address"

        /// Finds the end that --clear names, as in options or as in CSV and JSON.
        init?(cleared name: String) {
            self.init(rawValue: name.replacing("_", with: "-"))
        }
    }

    /// The names of the ends, as --clear takes them.
    static let endNames = End.allCases.map(\.rawValue)

    /// The given words for the ends.
    private var ends: [(end: End, text: String?)] {
        [
            (.origin, origin), (.destination, destination), (.fromAddress, fromAddress),
            (.toAddress, toAddress),
        ]
    }

    /// Clears a detail, the words for an end, or else the custom field with a name.
    private func clear(_ name: String, in edit: inout TripEdit, _ fields: FieldCatalogue) {
        // Someone may have defined a field of that name.
        if !fields.definitions.contains(where: { $0.key == name }), let end = End(cleared: name) {
            switch end {
            case .origin: edit.origin = .cleared
            case .destination: edit.destination = .cleared
            case .fromAddress: edit.originAddress = .cleared
            case .toAddress: edit.destinationAddress = .cleared
            }
            return
        }
        switch DetailName(rawValue: name) {
        case .title?: edit.title = .cleared
        case .purpose?: edit.purpose = .cleared
        case .notes?: edit.notes = .cleared
        case .category?: edit.category = .cleared
        case .client?: edit.client = .cleared
        case .vehicle?: edit.vehicle = .cleared
        case .tripClass?: edit.tripClass = .cleared
        case .mode?: edit.mode = .cleared
        case .driver?: edit.driver = .cleared
        case nil:
            var fields = edit.fields ?? CustomFields()
            fields[name] = .null
            edit.fields = fields
        }
    }
}
