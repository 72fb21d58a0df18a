package import HTTPTypes
package import Hummingbird
import JSONText
package import ServerStore
import TripEvents
package import TripLedger

/// A path of the server, with its full description: it answers requests, and `/openapi.json` is
/// made from it.
package struct Route: Sendable {
    /// The method; where GET is answered, HEAD is too.
    package let method: HTTPRequest.Method

    /// The path, such as `/v1/trips/{trip}`: a segment in braces stands for any word, and the last
    /// one of `/log/tile/{path}` for all that follows.
    package let path: String

    /// The answer, as a sentence without a full stop.
    package let summary: String

    /// The parameters of the query.
    package let parameters: [Parameter]

    /// Further fields of the head, beside those of every request.
    package let fields: [HeadField]

    /// The form of the body; `nil` if there is none.
    package let body: BodyForm?

    /// The form of a good answer.
    package let form: AnswerForm

    /// The scopes of which a token must have one; empty if no token is needed.
    package let scopes: [TokenScope]

    /// The form in which it is said why a request was not done.
    package let refusal: Refusal

    /// Whether a request that no token allows is answered as if the path did not exist.
    package let isHidden: Bool

    /// Whether clients that do not see everything may use it.
    package let reach: Reach

    /// The kind as which a request is counted.
    package let kind: Quotas.Kind

    /// Answers a request.
    package let answer: @Sendable (Call) async throws(Problem) -> Response

    /// The beginning of a segment that stands for all that follows.
    private static let openStart = "{+"

    private let segments: [Substring]

    /// Describes a path, whose last segment begins with `{+` if it stands for all that follows.
    package init(
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
        reaching reach: Reach = .whole,
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
        self.reach = reach
        self.kind = kind ?? (method == .get ? .reads : .writes)
        self.answer = answer
        segments = Self.segments(of: path)
    }

    /// Returns what a request with a token is counted as; `nil` if it is not.
    ///
    /// Auditors and other ledgers read or write everything, in any number of requests: a log of a
    /// million entries has nearly 8,000 tiles and bundles.
    package func quota(for token: Token) -> Quotas.Kind? {
        let isOfWhole = [TokenScope.audit, .sync]
            .contains {
                scopes.contains($0) && token.scopes.contains($0)
            }
        guard !scopes.isEmpty, !isOfWhole else { return nil }
        return kind
    }

    /// Returns what stands for the segments in braces, or `nil` if a path is not this one.
    package func words(of path: [Substring]) -> [String]? {
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
    package static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }
}

/// The form of a good answer.
package struct AnswerForm: Sendable {
    /// Its media type.
    package let mediaType: String

    /// The name of its schema, or of a definition within one, such as `client-event.batch`; of a
    /// list, the schema of an item.
    package let schema: String?

    /// Whether it is a page of a list.
    package var isPage: Bool

    /// The name of the schema of each line, where events that came as lines are answered so.
    package var lineSchema: String?

    /// The name of the schema of the last line, if that is another one than of those before.
    package var lastSchema: String?

    /// Other forms on request: media types, some with the name of a schema.
    package var others: [(mediaType: String, schema: String?)]

    /// Whether it is a bare list of what has the schema.
    package var isList: Bool

    /// The statuses with which it comes.
    package var statuses: [HTTPResponse.Status]

    /// Describes an answer.
    package init(
        mediaType: String,
        schema: String?,
        isPage: Bool = false,
        lineSchema: String? = nil,
        lastSchema: String? = nil,
        others: [(mediaType: String, schema: String?)] = [],
        isList: Bool = false,
        statuses: [HTTPResponse.Status] = [.ok]
    ) {
        self.mediaType = mediaType
        self.schema = schema
        self.isPage = isPage
        self.lineSchema = lineSchema
        self.lastSchema = lastSchema
        self.others = others
        self.isList = isList
        self.statuses = statuses
    }

    /// Nothing: what was asked for is done.
    package static let nothing = AnswerForm(mediaType: "", schema: nil, statuses: [.noContent])

    /// One JSON object.
    package static func object(_ schema: String) -> AnswerForm {
        AnswerForm(mediaType: "application/json", schema: schema)
    }

    /// A page of a list of JSON objects.
    package static func page(of schema: String) -> AnswerForm {
        AnswerForm(mediaType: "application/json", schema: schema, isPage: true)
    }

    /// A JSON object on each line.
    package static func lines(_ schema: String, endingWith last: String? = nil) -> AnswerForm {
        AnswerForm(mediaType: "application/x-ndjson", schema: schema, lastSchema: last)
    }
}

/// Whether a path is open to those who do not see everything: holders of tokens of some sources, or
/// of a group of sources.
///
/// A path that sets no reach is closed to them. An open path MUST read everything in its answer
/// with the sight of the client (``Call/sight``).
package enum Reach: Sendable {
    /// It tells of the ledger as a whole.
    case whole

    /// Tokens of sources may ask, and tokens of a group may not.
    case sources

    /// All may ask, each of what it sees.
    case seen
}

/// The form in which it is said why a request was not done.
package enum Refusal: Sendable {
    /// As a problem document.
    case problem

    /// As the webhook app reads it: `{"detail":…}`.
    case detail

    /// Returns the answer.
    package func response(to problem: Problem) -> Response {
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
package struct HeadField: Sendable {
    /// Its name.
    package let name: String

    /// Its meaning, as a sentence without a full stop.
    package let meaning: String

    /// The form of its value, as a regular expression; `nil` for any text.
    package let pattern: String?

    /// Whether it must be there.
    package let isRequired: Bool

    /// Describes a field.
    package init(
        name: String,
        meaning: String,
        pattern: String? = nil,
        isRequired: Bool = false
    ) {
        self.name = name
        self.meaning = meaning
        self.pattern = pattern
        self.isRequired = isRequired
    }
}

/// The form of a request's body.
package struct BodyForm: Sendable {
    /// The media types, each with the names of the schemas that it may have.
    package let kinds: [(mediaType: String, schemas: [String])]

    /// The members of the object that it is, or that each of its items is, where there is no
    /// schema.
    package let members: [BodyMember]

    /// Whether it may have other members, which are passed over.
    package let isOpen: Bool

    /// Whether there must be one.
    package let isRequired: Bool

    /// Describes a body.
    package init(
        kinds: [(mediaType: String, schemas: [String])],
        members: [BodyMember] = [],
        isOpen: Bool = false,
        isRequired: Bool = true
    ) {
        self.kinds = kinds
        self.members = members
        self.isOpen = isOpen
        self.isRequired = isRequired
    }
}

/// A request to a route.
package struct Call: Sendable {
    /// The request.
    package let request: Request

    /// Who asks.
    package let access: Access

    /// The same access, to be checked again by a long-lived answer.
    package let standing: StandingAccess

    /// The words in the place of the segments in braces, in their order.
    package let words: [String]

    /// The query.
    package let query: Query

    /// The facts about the connection.
    package let context: ServerContext

    /// Puts together what there is to know of a request.
    package init(
        request: Request,
        access: Access,
        standing: StandingAccess,
        words: [String],
        query: Query,
        context: ServerContext
    ) {
        self.request = request
        self.access = access
        self.standing = standing
        self.words = words
        self.query = query
        self.context = context
    }

    /// The part of the ledger that the asker sees: every answer MUST be read with it.
    package var sight: Sight { access.sight }
}
