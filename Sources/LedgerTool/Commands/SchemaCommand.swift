import ArgumentParser
import RowFormats

/// The command `ledger schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of what crosses the border.",
        discussion: """
            Without a name it lists the schemas, which are of draft 2020-12.

            Examples:
              ledger schema
              ledger schema event > event.v1.schema.json
            """
    )

    @OptionGroup var options: GlobalOptions

    @Argument(help: "Which schema.")
    var name: Schema?

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        try Output.standard.writing { output in
            if let name {
                try output.write(name.text)
            } else {
                let facts = Schema.allCases.map { (label: $0.rawValue, fact: $0.summary) }
                try output.write(FactSheet(facts).text)
            }
        }
    }
}
