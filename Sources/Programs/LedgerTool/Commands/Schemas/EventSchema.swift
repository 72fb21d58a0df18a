import ArgumentParser
import Tables
import TripEvents

/// The form of the events of one kind: their part of the schema of all events.
struct EventSchema: ExpressibleByArgument {
    /// The kind.
    let kind: EventKind

    /// Finds the form of events by their type, such as `fix_recorded`.
    init?(argument: String) {
        guard let kind = EventKind(name: argument), !kind.isReserved else { return nil }
        self.kind = kind
    }

    static var allValueStrings: [String] {
        EventKind.allCases.filter { !$0.isReserved }.map(\.name)
    }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// Returns a JSON Schema of these events alone, in the words of the schema of all events.
    ///
    /// - Parameter whole: The schema of all events, in which each definition begins a line.
    /// - Returns: The lines of the schema.
    func text(from whole: String) -> String {
        let definitions = Self.definitions(in: whole)
        let own = definitions[kind.name] ?? []
        var needed: Set<String> = []
        var open = [kind.name]
        while let name = open.popLast() {
            for found in Self.references(in: definitions[name] ?? [])
            where needed.insert(found).inserted {
                open.append(found)
            }
        }
        let others = needed.sorted().compactMap { definitions[$0] }
        let body = own.dropFirst().dropLast().map { $0.dropFirst(Self.depth) }
        let head = [
            "{",
            #"  "$schema": "https://json-schema.org/draft/2020-12/schema","#,
            #"  "title": "\#(kind.name)","#,
        ]
        let parts = others.map { $0.joined(separator: "\n") }.joined(separator: ",\n")
        return
            (head + [body.joined(separator: "\n") + ","] + [#"  "$defs": {"#, parts, "  }", "}"])
            .joined(separator: "\n") + "\n"
    }

    /// The indentation of a definition, and by how much less other lines are indented.
    private static let (margin, depth) = ("    ", 2)

    /// Returns the lines of each definition of a schema, without the comma behind it.
    private static func definitions(in whole: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        var name: String?
        let lines = whole.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for line in lines.drop(while: { $0 != #"  "$defs": {"# }).dropFirst() {
            if line.hasPrefix(margin + "\"") {
                name = line.split(separator: "\"").dropFirst().first.map(String.init)
            } else if !line.hasPrefix(margin) {
                break
            }
            if let name { found[name, default: []].append(line) }
        }
        return found.mapValues { lines in
            guard let last = lines.last, last.hasSuffix(",") else { return lines }
            return lines.dropLast() + [String(last.dropLast())]
        }
    }

    /// Returns the names of the definitions that lines refer to.
    private static func references(in lines: [String]) -> [String] {
        lines.flatMap { line in
            line.split(separator: "\"").filter { $0.hasPrefix("#/$defs/") }
                .map { String($0.dropFirst("#/$defs/".count)) }
        }
    }
}

extension EventSchema {
    /// A member of these events.
    struct Member: Tabular {
        /// Its name.
        let name: String

        /// What it holds, in words: `number, from -90 to 90`.
        let shape: String

        /// Whether an event may be without it.
        let isOptional: Bool

        /// Its meaning and its unit.
        let meaning: String?

        static let columns = Columns<Member> {
            Column.text("name", "NAME") { $0.name }
            Column.text("type", "TYPE") { $0.shape }
            Column.boolean("optional", "OPTIONAL") { $0.isOptional }
            Column.text("meaning", "MEANING") { $0.meaning }
        }

        /// What it holds and means, for people.
        var summary: String {
            ["\(shape)\(isOptional ? "" : ", required").", meaning].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    /// Returns the members of these events, in the order of the schema of all events.
    func members(from document: SchemaDocument) -> [Member] {
        guard let schema = document.definition(named: kind.name),
            case .object(let properties)? = schema["properties"],
            case .list(let required)? = schema["required"]
        else { return [] }
        let needed = Set(required.compactMap(\.string))
        return properties.map { property in
            Member(
                name: property.name,
                shape: document.shape(of: property.value),
                isOptional: !needed.contains(property.name),
                meaning: document.meaning(ofSchema: property.value)
            )
        }
    }
}

extension SchemaDocument {
    /// Returns what a value may be, in words, such as `number, from -90 to 90`; it does not mention
    /// that the value may be null.
    fileprivate func shape(of schema: JSONValue) -> String {
        if let constant = schema["const"] { return Self.word(constant) }
        if case .list(let choices)? = schema["enum"] {
            return choices.filter { !$0.isNull }.map(Self.word).joined(separator: "|")
        }
        if case .text(let reference)? = schema["$ref"] {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            if let form = Self.forms[name] { return form }
            return definition(named: name).map { shape(of: $0) } ?? name
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            guard case .list(let choices)? = schema[keyword] else { continue }
            let shapes = choices.filter { $0["type"]?.string != "null" && $0["not"] == nil }
                .map { shape(of: $0) }
            guard !shapes.isEmpty else { continue }
            return shapes.joined(separator: " or ")
        }
        var types = [schema["type"]].compactMap(\.self)
        if case .list(let listed)? = schema["type"] { types = listed }
        let words = types.compactMap(\.string).filter { $0 != "null" }
            .map { Self.types[$0] ?? $0 }
        return ([words.joined(separator: " or ")] + bounds(of: schema)).joined(separator: ", ")
    }

    private func bounds(of schema: JSONValue) -> [String] {
        switch (schema["minimum"], schema["maximum"]) {
        case (.number(let least)?, .number(let most)?): ["from \(least) to \(most)"]
        case (.number(let least)?, nil): ["from \(least) on"]
        default: []
        }
    }

    private static func word(_ value: JSONValue) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(value, to: &bytes)
        return value.string ?? String(decoding: bytes, as: UTF8.self)
    }

    /// The names of definitions whose shape does not help people.
    private static let forms = [
        "time": "time", "occurred_at": "time", "date": "day, such as 2025-03-31",
        "trip": "id of a trip", "digest": "64 hexadecimal digits",
    ]

    private static let types = [
        "string": "text", "array": "list", "boolean": "true or false",
    ]
}

extension JSONValue {
    fileprivate var isNull: Bool { if case .null = self { true } else { false } }

    /// The text that this is; `nil` for other values.
    fileprivate var string: String? {
        if case .text(let text) = self { text } else { nil }
    }
}
