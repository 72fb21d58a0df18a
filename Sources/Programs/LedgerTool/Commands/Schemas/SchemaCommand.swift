import ArgumentParser
import EmbeddedFiles
import Tables
import TripEvents

/// The command `ledger schema`.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schemas of what commands read and print.",
        discussion: """
            Without a name it lists the schemas, which are of draft 2020-12. --columns lists what \
            the members of a form hold, in which unit, and how they are called in tables.

            Examples:
              ledger schema event > event.v1.schema.json
              ledger schema event fix_recorded
              ledger schema trip --columns
              ledger schema --sql | psql service=fleet
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>

    @Argument(help: "Which schema.")
    var name: Schema?

    @Argument(
        help: ArgumentHelp("Which type of event, such as fix_recorded.", valueName: "type"),
        completion: .list(EventSchema.allValueStrings)
    )
    var kind: EventSchema?

    @Flag(help: "List the columns instead of the JSON Schema.")
    var columns = false

    @Flag(help: "Print the SQL of the replica and of rows instead.")
    var sql = false

    func validate() throws {
        guard !sql || name == nil && !columns else {
            throw ValidationError("--sql is about no form: use it alone.")
        }
        guard kind == nil || name?.name == Schema.event else {
            throw ValidationError("Only `ledger schema event` goes on with a type of event.")
        }
        guard columns else {
            if name != nil { try options.refuseCSV() }
            return
        }
        guard let name else {
            throw ValidationError("Name a schema, such as trip, to list its columns.")
        }
        guard !name.describedColumns.isEmpty else {
            throw ValidationError(
                "\(name.name) has no columns; `ledger schema \(name.name)` prints its form."
            )
        }
    }

    func run() throws {
        if sql {
            return try Output.standard.writing { output in
                for file in EmbeddedFolder.replica.files {
                    try output.write(String(decoding: file.bytes, as: UTF8.self))
                }
            }
        }
        guard let name else { return try list() }
        if let kind { return try show(kind, of: name) }
        guard !columns else { return try list(name.describedColumns) }
        try Output.standard.writing { try $0.write(name.text) }
    }

    /// Shows the form of the events of one kind.
    private func show(_ kind: EventSchema, of schema: Schema) throws {
        let members = columns ? schema.document.map { kind.members(from: $0) } ?? [] : []
        try Output.standard.writing { output in
            guard columns else { return try output.write(kind.text(from: schema.text)) }
            guard options.format == .text else {
                return try output.write(members, EventSchema.Member.columns, as: options.format)
            }
            let facts = members.map { (label: $0.name, fact: ProgramName.shown($0.summary)) }
            try output.write(FactSheet(facts).text(width: Screen.columnCount))
        }
    }

    private func list(_ columns: [ColumnDescription]) throws {
        try Output.standard.writing { output in
            guard options.format == .text else {
                return try output.write(columns, ColumnDescription.columns, as: options.format)
            }
            let facts = columns.map { (label: $0.name, fact: ProgramName.shown($0.summary)) }
            try output.write(FactSheet(facts).text(width: Screen.columnCount))
        }
    }

    private func list() throws {
        try Output.standard.writing { output in
            guard options.format == .text else {
                return try output.write(Schema.all, Schema.columns, as: options.format)
            }
            let facts = Schema.all.map { (label: $0.name, fact: ProgramName.shown($0.summary)) }
            try output.write(FactSheet(facts).text(width: Screen.columnCount))
        }
    }
}

/// A JSON Schema, for looking up the meanings of members.
struct SchemaDocument {
    private let root: JSONValue

    /// Reads a schema; `nil` if it is no JSON.
    init?(_ file: [UInt8]) {
        let end = file.lastIndex { $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
        let json = Array(file[..<end])
        guard let root = try? JSONValue(json.span) else { return nil }
        self.root = root
    }

    /// Returns the description of a member that is named as columns are, such as `gaps.count` or
    /// `sources[].phase`.
    func meaning(of column: String) -> String? {
        var places = [root]
        for name in column.replacing("[]", with: "").split(separator: ".") {
            places = places.flatMap { parts(of: $0) }.compactMap { $0["properties"]?[String(name)] }
        }
        return places.lazy.compactMap { meaning(ofSchema: $0) }.first
    }

    /// Returns the description in a schema within this one; `nil` if it has none.
    func meaning(ofSchema schema: JSONValue) -> String? {
        parts(of: schema).lazy
            .compactMap { part -> String? in
                if case .text(let description)? = part["description"] { description } else { nil }
            }
            .first
    }

    /// Returns a definition.
    func definition(named name: String) -> JSONValue? { root["$defs"]?[name] }

    /// Returns a schema with all schemas that it refers to, has as alternatives or has for its
    /// elements.
    private func parts(of schema: JSONValue) -> [JSONValue] {
        var parts = [schema]
        if case .text(let reference)? = schema["$ref"],
            let name = reference.split(separator: "/").last,
            let definition = root["$defs"]?[String(name)]
        {
            parts += self.parts(of: definition)
        }
        for keyword in ["oneOf", "anyOf", "allOf"] {
            if case .list(let choices)? = schema[keyword] {
                parts += choices.flatMap { self.parts(of: $0) }
            }
        }
        if let elements = schema["items"] { parts += self.parts(of: elements) }
        return parts
    }
}
