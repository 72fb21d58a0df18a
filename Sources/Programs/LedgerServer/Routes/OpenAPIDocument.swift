import HTTPTypes
import JSONText
import LedgerHTTP
import ServerStore
import Synchronization

/// The paths of the server as an OpenAPI 3.1 document, made from the routes that answer them.
struct OpenAPIDocument {
    private let routes: [Route]

    init(of routes: [Route]) {
        self.routes = routes
    }

    /// The document.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        return bytes
    }

    private var members: [JSONValue.Member] {
        [
            Self.member("openapi", "3.1.0"),
            Self.member(
                "info",
                [
                    Self.member("title", "ledger serve"),
                    Self.member("version", "1"),
                    Self.member(
                        "summary",
                        "Appending events, reading trips, and following changes of a trip ledger."
                    ),
                ]
            ),
            Self.member("security", .list([Self.object([Self.member("bearer", .list([]))])])),
            Self.member("paths", paths),
            Self.member(
                "components",
                [
                    Self.member(
                        "securitySchemes",
                        [
                            Self.member(
                                "bearer",
                                [Self.member("type", "http"), Self.member("scheme", "bearer")]
                            )
                        ]
                    ),
                    Self.member("schemas", schemas),
                ]
            ),
        ]
    }

    /// The schemas of all bodies and answers.
    private var schemas: [JSONValue.Member] {
        var (forms, pages): (Set<String>, Set<String>) = (["problem"], [])
        for route in routes {
            forms.formUnion(route.body?.kinds.flatMap(\.schemas) ?? [])
            let answer = route.form
            forms.formUnion([answer.lineSchema, answer.lastSchema].compactMap(\.self))
            forms.formUnion(answer.others.compactMap(\.schema))
            guard let schema = answer.schema else { continue }
            if answer.isPage { pages.insert(schema) }
            forms.insert(schema)
        }
        return SchemaComponents(of: forms, pagesOf: pages).members
    }

    /// The paths, each with its methods, in the order of the routes.
    private var paths: [JSONValue.Member] {
        var paths: [(path: String, methods: [JSONValue.Member])] = []
        for route in routes {
            let method = Self.member(route.method.rawValue.lowercased(), Self.operation(route))
            if let index = paths.firstIndex(where: { $0.path == route.path }) {
                paths[index].methods.append(method)
            } else {
                paths.append((route.path, [method]))
            }
        }
        return paths.map { Self.member($0.path, $0.methods) }
    }

    private static func operation(_ route: Route) -> [JSONValue.Member] {
        var members = [
            member("operationId", name(of: route)), member("summary", route.summary + "."),
        ]
        if route.scopes.isEmpty {
            members.append(member("security", .list([])))
        } else {
            let scopes = route.scopes.map(\.rawValue).joined(separator: " or ")
            let others = route.isHidden ? " Without one, nothing seems to be here." : ""
            members.append(member("description", "For tokens of the scope \(scopes).\(others)"))
        }
        let parameters =
            pathParameters(of: route) + route.parameters.map(parameter) + route.fields.map(field)
        if !parameters.isEmpty { members.append(member("parameters", .list(parameters))) }
        if let body = route.body { members.append(member("requestBody", self.body(body))) }
        let answers = route.form.statuses.map { status in
            member("\(status.code)", answer(route.form, as: status))
        }
        members.append(
            member("responses", answers + [member("default", refusal(route.refusal))])
        )
        return members
    }

    /// Returns a name that stands for a route in programs, such as `get_v1_trips_trip`.
    private static func name(of route: Route) -> String {
        let words = route.path.split { !$0.isLetter && !$0.isNumber }
        return ([route.method.rawValue.lowercased()] + words.map(String.init))
            .joined(separator: "_")
    }

    private static func pathParameters(of route: Route) -> [JSONValue] {
        Route.segments(of: route.path).filter { $0.hasPrefix("{") }
            .map { segment in
                object([
                    member("name", String(segment.dropFirst().dropLast())),
                    member("in", "path"),
                    member("required", .boolean(true)),
                    member("schema", [member("type", "string")]),
                ])
            }
    }

    private static func parameter(_ parameter: Parameter) -> JSONValue {
        var members = [
            member("name", parameter.name), member("in", "query"),
            member("description", parameter.meaning + "."),
        ]
        var schema = self.schema(of: parameter.form)
        if case .words = parameter.form {
            members += [member("style", "form"), member("explode", .boolean(false))]
        } else if parameter.isRepeatable {
            schema = [member("type", "array"), member("items", schema)]
        }
        if parameter.isRequired { members.append(member("required", .boolean(true))) }
        members.append(member("schema", schema))
        return object(members)
    }

    private static func field(_ field: HeadField) -> JSONValue {
        var schema = [member("type", "string")]
        if let pattern = field.pattern { schema.append(member("pattern", pattern)) }
        return object([
            member("name", field.name), member("in", "header"),
            member("description", field.meaning + "."),
            member("required", .boolean(field.isRequired)), member("schema", schema),
        ])
    }

    private static func body(_ form: BodyForm) -> [JSONValue.Member] {
        let kinds = form.kinds.map { kind in
            let names = kind.schemas.map { "`ledger schema \($0)`" }.joined(separator: " or ")
            let isNamed = !kind.schemas.isEmpty
            return (kind, isNamed ? "\(kind.mediaType): see \(names)." : nil)
        }
        var members = [
            member("required", .boolean(form.isRequired)),
            member(
                "content",
                kinds.map { kind, _ in
                    member(kind.mediaType, [member("schema", schema(of: kind, in: form))])
                }
            ),
        ]
        let description = kinds.compactMap(\.1).joined(separator: " ")
        if !description.isEmpty { members.append(member("description", description)) }
        return members
    }

    /// Returns the schema of a body of one media type; lines and batches are lists of their items.
    private static func schema(
        of kind: (mediaType: String, schemas: [String]),
        in form: BodyForm
    ) -> [JSONValue.Member] {
        var one = schema(of: kind.schemas)
        if kind.schemas.isEmpty {
            // An object without members is described as one, too.
            let isDescribed =
                !form.members.isEmpty || kind.mediaType.hasSuffix("json") && !form.isOpen
            one =
                isDescribed
                ? schema(of: form.members, isOpen: form.isOpen) : plain(kind.mediaType)
        }
        if kind.mediaType.hasSuffix(lines) { return list(of: one) }
        guard kind.mediaType.hasSuffix(batch) else { return one }
        // Equivalent to `items`. With `items`, a function that openapi-python-client generates
        // would accept no body, because it tests for a list of one type.
        return [
            member("type", "array"), member("minItems", .number(literal: "1")),
            member("unevaluatedItems", one),
        ]
    }

    /// The ends of media types of JSON objects, one on each line or in a list.
    private static let (lines, batch) = ("x-ndjson", "-batch+json")

    /// Returns the schema of a value with one of some forms.
    private static func schema(of forms: [String]) -> [JSONValue.Member] {
        let references = forms.map(SchemaComponents.reference(to:))
        guard references.count > 1 else { return references.first ?? [] }
        return [member("anyOf", .list(references.map { .object($0) }))]
    }

    private static func list(of items: [JSONValue.Member]) -> [JSONValue.Member] {
        [member("type", "array"), member("items", items)]
    }

    /// Returns the schema of a value that has only a media type.
    private static func plain(_ mediaType: String) -> [JSONValue.Member] {
        if mediaType.hasSuffix("json") { return [member("type", "object")] }
        return mediaType.hasPrefix("text/") ? text([]) : text([member("format", "binary")])
    }

    private static func schema(of form: Parameter.Form) -> [JSONValue.Member] {
        switch form {
        case .text: text([nonEmpty, member("pattern", #"^[^\u0000]*$"#)])
        case .group:
            text([
                member("maxLength", .number(literal: "64")),
                member("pattern", #"^[^\u0000-\u001f\u007f-\u009f]*$"#),
            ])
        case .zone: text([nonEmpty])
        case .day: text([member("format", "date")])
        case .days: [member("anyOf", .list([Parameter.Form.day, .month].map(choice) + [year]))]
        case .month: text([member("pattern", "^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])$")])
        case .instant: text([member("format", "date-time")])
        case .number(let range):
            [
                member("type", "integer"),
                member("minimum", .number(literal: "\(range.lowerBound)")),
                member("maximum", .number(literal: "\(range.upperBound)")),
            ]
        case .word(let words): word(words)
        case .words(let words):
            [
                member("type", "array"), member("minItems", .number(literal: "1")),
                member("items", word(words)),
            ]
        }
    }

    private static func choice(_ form: Parameter.Form) -> JSONValue { .object(schema(of: form)) }

    private static let year = object(text([member("pattern", "^(?!0000)[0-9]{4}$")]))

    /// The pattern of a server's address: names and ports need no more than this.
    private static let address =
        "^https?://[A-Za-z0-9]([A-Za-z0-9.-]{0,60}[A-Za-z0-9])?"
        + "(:([1-9][0-9]{0,3}|[1-5][0-9]{4}))?(/[A-Za-z0-9._~-]{1,60}){0,4}$"

    private static func schema(
        of members: [BodyMember],
        isOpen: Bool
    ) -> [JSONValue.Member] {
        let required = members.filter(\.isRequired).map { JSONValue.text($0.name) }
        return [
            member("type", "object"),
            member("properties", members.map { member($0.name, schema(of: $0.form)) }),
            required.isEmpty ? nil : member("required", .list(required)),
            isOpen ? nil : member("additionalProperties", .boolean(false)),
        ]
        .compactMap(\.self)
    }

    private static func schema(of form: BodyMember.Form) -> [JSONValue.Member] {
        switch form {
        case .text(let most): text(most: most, without: #"\u0000-\u001f\u007f-\u009f"#)
        case .lines(let most):
            text(most: most, without: #"\u0000-\u0008\u000b-\u001f\u007f-\u009f"#)
        case .matching(let pattern): text([member("pattern", "^(\(pattern))$")])
        case .day: text([member("format", "date")])
        case .word(let words): word(words)
        case .uuid: text([member("format", "uuid")])
        case .address: text([member("pattern", address)])
        case .instant: text([member("format", "date-time")])
        case .number(let range):
            [
                member("type", "number"),
                member("minimum", .number(literal: "\(range.lowerBound)")),
                member("maximum", .number(literal: "\(range.upperBound)")),
            ]
        case .boolean: [member("type", "boolean")]
        case .object: [member("type", "object")]
        case .any: []
        case .texts: [member("type", "array"), member("items", text([nonEmpty]))]
        case .objects(let members, let most):
            [
                member("type", "array"), member("minItems", .number(literal: "1")),
                member("maxItems", .number(literal: "\(most)")),
                member("items", schema(of: members, isOpen: true)),
            ]
        }
    }

    /// The schema of a text with some rules.
    private static func text(_ rules: [JSONValue.Member]) -> [JSONValue.Member] {
        [member("type", "string")] + rules
    }

    /// The schema of a text that is not empty and has none of some characters.
    private static func text(most: Int, without characters: String) -> [JSONValue.Member] {
        text([
            nonEmpty, member("maxLength", .number(literal: "\(most)")),
            member("pattern", "^[^\(characters)]*$"),
        ])
    }

    private static let nonEmpty = member("minLength", .number(literal: "1"))

    private static func word(_ words: [String]) -> [JSONValue.Member] {
        [member("type", "string"), member("enum", .list(words.map { .text($0) }))]
    }

    private static func answer(
        _ form: AnswerForm,
        as status: HTTPResponse.Status
    ) -> [JSONValue.Member] {
        guard status != .noContent else { return [member("description", "It is done.")] }
        var content = [content(form.mediaType, schema(of: form))]
        if let lineSchema = form.lineSchema {
            let forms = [lineSchema, form.lastSchema].compactMap(\.self)
            content.append(self.content("application/x-ndjson", list(of: schema(of: forms))))
        }
        for (mediaType, other) in form.others {
            let schema = other.map(SchemaComponents.reference(to:)) ?? plain(mediaType)
            content.append(self.content(mediaType, schema))
        }
        // A request for several things may also fail as a whole, or be malformed.
        if status.kind != .successful { content.append(problem) }
        return [member("description", meaning(of: form)), member("content", content)]
    }

    /// Returns the schema of an answer in its first form.
    private static func schema(of form: AnswerForm) -> [JSONValue.Member] {
        guard let schema = form.schema, !form.isText else { return plain(form.mediaType) }
        if form.isPage { return SchemaComponents.reference(to: SchemaComponents.page(of: schema)) }
        let one = SchemaComponents.reference(to: schema)
        guard !form.isList else { return list(of: one) }
        guard form.mediaType.hasSuffix(lines) else { return one }
        return list(of: self.schema(of: [schema, form.lastSchema].compactMap(\.self)))
    }

    /// Returns a sentence that says where an answer is described.
    private static func meaning(of form: AnswerForm) -> String {
        func named(_ form: String) -> String {
            "`ledger schema \(SchemaComponents.schema(of: form))`"
        }
        let isText = form.isText || form.mediaType.hasSuffix("json")
        var sentence = form.schema.map { "See \(named($0))" } ?? (isText ? "Text" : "Bytes")
        if form.isPage { sentence += ", of which `ledger schema page` has some" }
        if form.isList { sentence = "A list. Of each: \(sentence)" }
        if let lineSchema = form.lineSchema { sentence += ", or \(named(lineSchema)) on each line" }
        if let lastSchema = form.lastSchema {
            sentence += ", and of the last line \(named(lastSchema))"
        }
        return sentence + "."
    }

    private static func content(
        _ mediaType: String,
        _ schema: [JSONValue.Member]
    ) -> JSONValue.Member {
        member(mediaType, [member("schema", schema)])
    }

    private static func refusal(_ refusal: Refusal) -> [JSONValue.Member] {
        switch refusal {
        case .problem:
            return [
                member("description", "Why it was not done: see `ledger schema problem`."),
                member("content", [problem]),
            ]
        case .detail:
            let detail = [BodyMember("detail", .text(most: 10_000), isRequired: true)]
            let schema = schema(of: detail, isOpen: false)
            return [
                member("description", "Why it was not done."),
                member("content", [content("application/json", schema)]),
            ]
        }
    }

    private static let problem = content(
        "application/problem+json",
        SchemaComponents.reference(to: "problem")
    )

    private static func object(_ members: [JSONValue.Member]) -> JSONValue { .object(members) }

    private static func member(_ name: String, _ value: JSONValue) -> JSONValue.Member {
        JSONValue.Member(name: name, value: value)
    }

    private static func member(_ name: String, _ text: String) -> JSONValue.Member {
        member(name, .text(text))
    }

    private static func member(
        _ name: String,
        _ members: [JSONValue.Member]
    ) -> JSONValue.Member {
        member(name, .object(members))
    }
}

extension AnswerForm {
    /// Whether it is a text, about which a schema says nothing more.
    fileprivate var isText: Bool { mediaType.hasPrefix("text/") }
}

/// A document that is written on the first request, so that the start does not wait for it.
final class WrittenDocument: Sendable {
    private let document: OpenAPIDocument

    /// The bytes once they are written.
    private let written = Mutex<[UInt8]?>(nil)

    init(_ document: OpenAPIDocument) {
        self.document = document
    }

    /// The document.
    var bytes: [UInt8] {
        written.withLock { written in
            let bytes = written ?? document.bytes
            written = bytes
            return bytes
        }
    }
}
