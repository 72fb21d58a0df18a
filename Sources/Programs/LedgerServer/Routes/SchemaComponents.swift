import EmbeddedFiles
import JSONText

/// The JSON Schemas of the ledger as the components of an OpenAPI document.
///
/// They are the files of `Schemas/` that the program holds. Each definition within a schema is a
/// component of its own, such as `client-event.batch`, because generators of clients follow
/// references to components, and not into them.
struct SchemaComponents {
    /// The components, each once.
    private(set) var members: [JSONValue.Member] = []

    private static let ending = ".v1.schema.json"
    private static let place = "#/components/schemas/"
    private static let ofDefinition = "#/$defs/"

    /// The schema of a page, of which there is a component for each form of items.
    private static let page = "page"

    /// Makes the components of some forms and of pages of some, with all that they refer to.
    ///
    /// - Parameters:
    ///   - forms: The names of the forms, which MUST be those of schemas or of definitions.
    ///   - pages: The names of the forms of which there are pages.
    init(of forms: Set<String>, pagesOf pages: Set<String>) {
        let folder = EmbeddedFolder.schemas
        var files: [String: JSONValue] = [:]
        for name in Set(forms.union(pages).map(Self.schema(of:)) + [Self.page]) {
            files[name] = Self.read(folder[name + Self.ending])
        }
        for (name, file) in files.sorted(by: { $0.key < $1.key }) where name != Self.page {
            let moved = Self.moved(file, of: name)
            members.append(JSONValue.Member(name: name, value: moved.without(["$defs"])))
            guard case .object(let definitions)? = moved["$defs"] else { continue }
            members += definitions.map {
                JSONValue.Member(name: "\(name).\($0.name)", value: $0.value)
            }
        }
        guard let page = files[Self.page].map({ Self.moved($0, of: Self.page) }) else { return }
        for form in pages.sorted() {
            guard let file = files[form] else { continue }
            members.append(
                JSONValue.Member(name: Self.page(of: form), value: Self.page(page, of: form, file))
            )
        }
    }

    /// Returns the name of the schema that a form is, or is a definition of.
    static func schema(of form: String) -> String { String(form.prefix { $0 != "." }) }

    /// Returns a reference to the component of a form.
    static func reference(to form: String) -> [JSONValue.Member] {
        [JSONValue.Member(name: "$ref", value: .text(place + form))]
    }

    /// Returns the name of the component of pages with items of a form.
    static func page(of form: String) -> String { "\(form).\(page)" }

    /// Returns a page whose items have a form; its title contains that of the form, because
    /// generators name things after it.
    private static func page(_ page: JSONValue, of form: String, _ file: JSONValue) -> JSONValue {
        let items = page["properties"]?["items"]?.with("items", .object(reference(to: form)))
        let properties = page["properties"]?.with("items", items ?? .null)
        let title = file["title"]?.text ?? form
        return page.with("properties", properties ?? .null).with("title", .text("\(title) page"))
    }

    /// Reads a schema of the program.
    private static func read(_ file: [UInt8]) -> JSONValue {
        let end = file.lastIndex { $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
        let json = Array(file[..<end])
        guard let schema = try? JSONValue(json.span) else {
            preconditionFailure("a schema of the program is JSON")
        }
        return schema
    }

    /// Returns a schema, or a part of one, as it stands among the components.
    private static func moved(_ part: JSONValue, of name: String) -> JSONValue {
        switch part {
        case .null, .boolean, .number, .text: return part
        case .list(let elements): return .list(elements.map { moved($0, of: name) })
        case .object(let members):
            let kept = members.filter { !["$schema", "$id"].contains($0.name) }
            return .object(
                partingConditions(kept.flatMap(spellingTruth).map { moved($0, of: name) })
            )
        }
    }

    /// Returns a keyword, or two equivalent ones for a constant truth value: for such constants,
    /// openapi-python-client generates code that Python cannot parse.
    private static func spellingTruth(_ keyword: JSONValue.Member) -> [JSONValue.Member] {
        guard keyword.name == "const", case .boolean = keyword.value else { return [keyword] }
        return [
            JSONValue.Member(name: "type", value: .text("boolean")),
            JSONValue.Member(name: "enum", value: .list([keyword.value])),
        ]
    }

    /// Returns an object's schema with the conditions on its members separate from the members.
    ///
    /// It is equivalent. But generators of clients take alternatives beside the members for the
    /// whole schema, and leave the members out.
    private static func partingConditions(_ keywords: [JSONValue.Member]) -> [JSONValue.Member] {
        guard keywords.contains(where: { $0.name == "properties" }) else { return keywords }
        var (rest, parts): ([JSONValue.Member], [JSONValue]) = ([], [])
        for keyword in keywords {
            switch keyword.name {
            case "anyOf" where isCondition(keyword.value), "oneOf" where isCondition(keyword.value):
                parts.append(.object([keyword]))
            case "allOf": parts += keyword.value.elements ?? []
            default: rest.append(keyword)
            }
        }
        guard !parts.isEmpty else { return keywords }
        return rest + [JSONValue.Member(name: "allOf", value: .list(parts))]
    }

    /// Whether alternatives are conditions on an object's members, and do not define members.
    private static func isCondition(_ alternatives: JSONValue) -> Bool {
        alternatives.elements?
            .allSatisfy { $0["$ref"] == nil && $0["additionalProperties"] == nil } ?? false
    }

    private static func moved(_ keyword: JSONValue.Member, of name: String) -> JSONValue.Member {
        var keyword = keyword
        switch (keyword.name, keyword.value) {
        case ("$ref", .text(let target)):
            keyword.value = .text(place + target.replacing(ofDefinition, with: "\(name)."))
        case ("properties", .object(let members)), ("$defs", .object(let members)):
            // The names here are those of members, not of keywords. A schema without rules permits
            // a member, because some programs know no other way.
            keyword.value = .object(
                members.map { member in
                    let isAny = if case .boolean(true) = member.value { true } else { false }
                    let schema = isAny ? .object([]) : moved(member.value, of: name)
                    return JSONValue.Member(name: member.name, value: schema)
                }
            )
        default: keyword.value = moved(keyword.value, of: name)
        }
        return keyword
    }
}

extension JSONValue {
    /// Returns an object with a member replaced.
    fileprivate func with(_ name: String, _ value: JSONValue) -> JSONValue {
        guard case .object(var members) = self else { return self }
        for index in members.indices where members[index].name == name {
            members[index].value = value
        }
        return .object(members)
    }

    /// Returns an object without some members.
    fileprivate func without(_ names: [String]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !names.contains($0.name) })
    }
}
