import HTTPTypes
import JSONText
import ServerStore

/// The paths of the server in the form of OpenAPI 3.1, made of the routes that answer them.
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
                    )
                ]
            ),
        ]
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
        members.append(
            member(
                "responses",
                [
                    member("200", answer(route.form)),
                    member("default", problem),
                ]
            )
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

    private static func content(_ form: BodyForm) -> [JSONValue.Member] {
        guard !form.texts.isEmpty else { return [] }
        let text = [member("type", "string"), member("minLength", .number(literal: "1"))]
        return [
            member(
                "schema",
                [
                    member("type", "object"),
                    member("properties", form.texts.map { member($0, text) }),
                    member("additionalProperties", .boolean(false)),
                ]
            )
        ]
    }

    private static func body(_ form: BodyForm) -> [JSONValue.Member] {
        let kinds = form.kinds.map { kind in
            let names = kind.schemas.map { "`ledger schema \($0)`" }.joined(separator: " or ")
            let isNamed = !kind.schemas.isEmpty
            return (kind.mediaType, isNamed ? "\(kind.mediaType): see \(names)." : nil)
        }
        var members = [
            member("required", .boolean(form.isRequired)),
            member("content", kinds.map { member($0.0, content(form)) }),
        ]
        let description = kinds.compactMap(\.1).joined(separator: " ")
        if !description.isEmpty { members.append(member("description", description)) }
        return members
    }

    private static func schema(of form: Parameter.Form) -> [JSONValue.Member] {
        switch form {
        case .text: [member("type", "string"), member("minLength", .number(literal: "1"))]
        case .day: [member("type", "string"), member("format", "date")]
        case .number(let range):
            [
                member("type", "integer"),
                member("minimum", .number(literal: "\(range.lowerBound)")),
                member("maximum", .number(literal: "\(range.upperBound)")),
            ]
        case .word(let words):
            [member("type", "string"), member("enum", .list(words.map { .text($0) }))]
        case .words(let words):
            [
                member("type", "array"), member("minItems", .number(literal: "1")),
                member(
                    "items",
                    [member("type", "string"), member("enum", .list(words.map { .text($0) }))]
                ),
            ]
        }
    }

    private static func answer(_ form: AnswerForm) -> [JSONValue.Member] {
        let isText = form.mediaType.hasPrefix("text/") || form.mediaType.hasSuffix("json")
        var description =
            form.schema.map { "See `ledger schema \($0)`" } ?? (isText ? "Text" : "Bytes")
        if form.isPage { description += ", of which `ledger schema page` has some" }
        var content = [member(form.mediaType, .object([]))]
        if let schema = form.lineSchema {
            description += ", or `ledger schema \(schema)` on each line"
            content.append(member("application/x-ndjson", .object([])))
        }
        content += form.otherMediaTypes.map { member($0, .object([])) }
        return [member("description", description + "."), member("content", content)]
    }

    private static var problem: [JSONValue.Member] {
        [
            member("description", "Why it was not done: see `ledger schema problem`."),
            member("content", [member("application/problem+json", .object([]))]),
        ]
    }

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
