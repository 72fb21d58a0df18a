import ArgumentParser
import Projections
import Tables
import TripEvents
import TripLedger

/// The command `ledger field`.
struct FieldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "field",
        abstract: "Defines or lists the custom fields of trips.",
        discussion: """
            Examples:
              ledger field define project --type select --option P-17 --option P-18
              ledger field list
              ledger edit last --field project=P-17
            """,
        subcommands: [FieldDefineCommand.self, FieldListCommand.self]
    )
}

/// The command `ledger field define`.
struct FieldDefineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "define",
        abstract: "Defines a custom field of trips, or changes its definition.",
        discussion: """
            What is left out stays as it was defined before. Values that trips have already are \
            kept as they are.

            Examples:
              ledger field define project --type select --option P-17 --option P-18
              ledger field define parking --label "Parking (EUR)" --type number --order 1
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>
    @OptionGroup var decision: DecisionOptions

    @Argument(help: "What the field is called on the command line and in JSON.", completion: .field)
    var key: String

    @Option(help: "What people see (default: the key).")
    var label: String?

    @Option(help: "What the field holds (default: text).")
    var type: CustomFieldType?

    @Option(
        name: .customLong("option"),
        help: ArgumentHelp("A choice of a field of type select; once for each.", valueName: "text")
    )
    var choices: [String] = []

    @Option(help: "Where it stands among the fields, lowest first (default: last).")
    var order: UInt32?

    func validate() throws {
        guard DetailName(rawValue: key) == nil else {
            throw ValidationError("Every trip has the field \(key); choose another key.")
        }
        guard !key.contains("=") else {
            throw ValidationError("The key must not contain =, as in --field KEY=VALUE.")
        }
    }

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        var edit = FieldEdit()
        edit.label = label
        edit.valueType = type
        edit.options = choices.isEmpty ? nil : choices
        edit.order = order
        try decision.decide(.defineField(key, edit), in: ledger, options)
    }
}

/// The command `ledger field list`.
struct FieldListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the custom fields of trips in their order.",
        discussion: """
            Example:
              ledger field list
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
            ifEmpty: "There are no custom fields; `ledger field define` defines one."
        ) { try $0.fields().definitions }
    }
}
