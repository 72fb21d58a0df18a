/// The members that objects of a JSON Schema have, with those of the objects in them.
struct SchemaMembers {
    /// Each member's schemas: it may be described for each of several kinds of object.
    private var members: [String: [[String: Any]]] = [:]

    /// Whether there may be others, which the schema does not name.
    private var isOpen = true

    private let document: [String: Any]

    /// Collects what a part of a document says of its objects.
    init(of schema: [String: Any], in document: [String: Any]) {
        self.init(of: [schema], in: document)
    }

    private init(of schemas: [[String: Any]], in document: [String: Any]) {
        self.document = document
        for schema in schemas { collect(schema) }
    }

    private mutating func collect(_ schema: [String: Any]) {
        if schema["additionalProperties"] as? Bool == false { isOpen = false }
        for (name, member) in schema["properties"] as? [String: Any] ?? [:] {
            members[name, default: []] += [member as? [String: Any] ?? [:]]
        }
        for keyword in ["oneOf", "anyOf"] {
            for choice in schema[keyword] as? [[String: Any]] ?? [] { collect(choice) }
        }
        if let items = schema["items"] as? [String: Any] { collect(items) }
        if let name = (schema["$ref"] as? String)?.split(separator: "/").last,
            let definitions = document["$defs"] as? [String: [String: Any]],
            let definition = definitions[String(name)]
        {
            collect(definition)
        }
    }

    /// Returns the members that only the schema or only a list of columns has.
    ///
    /// - Parameter columns: Names such as `gaps.count` or `sources[].phase`, and types.
    /// - Returns: Their names in order; none if both have the same members.
    func differences(from columns: [(name: String, type: String)]) -> [String] {
        // Members that depend on the row have no names of their own; the schema may name some.
        let dependsOnRow = columns.contains { $0.type == "members" }
        var inner: [String: [(name: String, type: String)]] = [:]
        for column in columns where column.type != "members" {
            let parts = column.name.replacing("[]", with: "")
                .split(separator: ".", maxSplits: 1)
                .map(String.init)
            inner[parts[0], default: []] += parts.count > 1 ? [(parts[1], column.type)] : []
        }
        let missing = dependsOnRow ? [] : members.keys.filter { inner[$0] == nil }
        let further = isOpen ? [] : inner.keys.filter { members[$0] == nil }
        let within = inner.flatMap { name, columns -> [String] in
            guard !columns.isEmpty, let schemas = members[name] else { return [] }
            return SchemaMembers(of: schemas, in: document).differences(from: columns)
                .map { "\(name).\($0)" }
        }
        return (missing + further + within).sorted()
    }
}
