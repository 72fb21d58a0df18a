import HTTPTypes
import Hummingbird
import JSONText
import ServerStore

/// A path that is answered, with everything that there is to know of it: requests are answered by
/// it, and `/openapi.json` is made of it.
struct Route: Sendable {
    /// The method; where GET is answered, HEAD is too.
    let method: HTTPRequest.Method

    /// The path, such as `/v1/trips/{trip}`: a segment in braces stands for any word, and the last
    /// one of `/log/tile/{path}` for all that follows.
    let path: String

    /// What is answered, as a sentence without a full stop.
    let summary: String

    /// What may stand in the query.
    let parameters: [Parameter]

    /// What the head may say beside what every request says.
    let fields: [HeadField]

    /// What the body may be; `nil` if there is none.
    let body: BodyForm?

    /// What a good answer looks like.
    let form: AnswerForm

    /// What a token must allow one of; none if no token is needed.
    let scopes: [TokenScope]

    /// How it is said why a request was not done.
    let refusal: Refusal

    /// Whether it is answered as if nothing stood here, if no token allows it.
    let isHidden: Bool

    /// What a request is counted as.
    let kind: Quotas.Kind

    /// Answers a request.
    let answer: @Sendable (Call) async throws(Problem) -> Response

    /// How a segment begins that stands for all that follows.
    private static let openStart = "{+"

    private let segments: [Substring]

    /// Describes a path, whose last segment begins with `{+` if it stands for all that follows.
    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ summary: String,
        _ parameters: [Parameter] = [],
        fields: [HeadField] = [],
        taking body: BodyForm? = nil,
        as form: AnswerForm,
        for scopes: [TokenScope] = [.read, .admin],
        refusing refusal: Refusal = .problem,
        isHidden: Bool = false,
        countedAs kind: Quotas.Kind? = nil,
        _ answer: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) {
        self.scopes = scopes
        self.method = method
        self.path = path.replacing(Self.openStart, with: "{")
        self.summary = summary
        self.parameters = parameters
        self.fields = fields
        self.body = body
        self.form = form
        self.refusal = refusal
        self.isHidden = isHidden
        self.kind = kind ?? (method == .get ? .reads : .writes)
        self.answer = answer
        segments = Self.segments(of: path)
    }

    /// Returns what a request with a token is counted as; `nil` if it is not.
    ///
    /// Auditors and other ledgers read or write all there is, in as many requests as that takes: a
    /// log of a million entries has nearly 8,000 tiles and bundles.
    func quota(for token: Token) -> Quotas.Kind? {
        let isOfWhole = [TokenScope.audit, .sync]
            .contains {
                scopes.contains($0) && token.scopes.contains($0)
            }
        guard !scopes.isEmpty, !isOfWhole else { return nil }
        return kind
    }

    /// Returns what stands for the segments in braces, or `nil` if a path is not this one.
    func words(of path: [Substring]) -> [String]? {
        let isOpen = segments.last?.hasPrefix(Self.openStart) == true
        guard path.count == segments.count || isOpen && path.count > segments.count else {
            return nil
        }
        var words: [String] = []
        for (index, segment) in segments.enumerated() {
            let word = path[index]
            if segment.hasPrefix(Self.openStart) {
                words.append(path[index...].joined(separator: "/"))
            } else if segment.hasPrefix("{") {
                guard !word.isEmpty else { return nil }
                words.append(String(word))
            } else if segment != word {
                return nil
            }
        }
        return words
    }

    /// Returns the parts of a path.
    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}

/// What a good answer looks like.
struct AnswerForm: Sendable {
    /// Its media type.
    let mediaType: String

    /// The name of its schema; of a list, the schema of an item.
    let schema: String?

    /// Whether it is a page of a list.
    var isPage = false

    /// The name of the schema of each line, where events that came as lines are answered so.
    var lineSchema: String?

    /// What else it may be, if that is asked for: media types, some with the name of a schema.
    var others: [(mediaType: String, schema: String?)] = []

    /// Whether it is a bare list of what has the schema.
    var isList = false

    /// The statuses with which it comes.
    var statuses: [HTTPResponse.Status] = [.ok]

    /// Nothing: what was asked for is done.
    static let nothing = AnswerForm(mediaType: "", schema: nil, statuses: [.noContent])

    /// One JSON object.
    static func object(_ schema: String) -> AnswerForm {
        AnswerForm(mediaType: "application/json", schema: schema)
    }

    /// A page of a list of JSON objects.
    static func page(of schema: String) -> AnswerForm {
        AnswerForm(mediaType: "application/json", schema: schema, isPage: true)
    }

    /// A JSON object on each line.
    static func lines(_ schema: String) -> AnswerForm {
        AnswerForm(mediaType: "application/x-ndjson", schema: schema)
    }
}

/// How it is said why a request was not done.
enum Refusal: Sendable {
    /// As a problem document.
    case problem

    /// As the webhook app reads it: `{"detail":…}`.
    case detail

    /// Returns the answer.
    func response(to problem: Problem) -> Response {
        guard case .detail = self else { return problem.response }
        var detail = problem.detail
        var fields = problem.headers
        if problem.kind == Problem.tokenMissing.kind {
            detail = "Bearer token required"
            fields[.wwwAuthenticate] = "Bearer"
        }
        var bytes: [UInt8] = []
        JSONWriter.append([JSONValue.Member(name: "detail", value: .text(detail))], to: &bytes)
        fields[.contentType] = "application/json"
        return Response(
            status: problem.status,
            headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

/// A field that the head of a request may have.
struct HeadField: Sendable {
    /// Its name.
    let name: String

    /// What it means, as a sentence without a full stop.
    let meaning: String

    /// What its value looks like, as a regular expression; `nil` for any text.
    var pattern: String?

    /// Whether it must be there.
    var isRequired = false
}

/// What the body of a request may be.
struct BodyForm: Sendable {
    /// The media types, each with the names of the schemas that it may have.
    let kinds: [(mediaType: String, schemas: [String])]

    /// The members of the object that it is, where there is no schema.
    var members: [BodyMember] = []

    /// Whether it may have other members, which are passed over.
    var isOpen = false

    /// Whether there must be one.
    var isRequired = true
}

/// A request to a route.
struct Call: Sendable {
    /// The request.
    let request: Request

    /// Who asks.
    let access: Access

    /// What stands for the segments in braces, in their order.
    let words: [String]

    /// What is asked for in the query.
    let query: Query

    /// What is known of the connection.
    let context: ServerContext
}
