import HTTPTypes
import Hummingbird
import JSONText
import NIOCore
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Serves an app that keeps events with types, properties and geofences, and follows changes by a
/// number: `/api/v1/…`.
///
/// Its events are trips, its types are routines, its geofences are places and the definitions of
/// its properties are custom fields. What it says that none of these has is kept with the events
/// that say the rest, and given back to it.
struct FeedClientEndpoint: Sendable {
    /// What reads the ledger.
    let reader: LedgerReader

    /// What tells of changes.
    let keeper: ViewKeeper

    /// What appends events, and the bodies of requests.
    let events: EventsEndpoint

    /// What the client takes for the name of its user.
    let user: String

    /// The paths.
    var routes: [Route] { changeRoutes + eventRoutes + typeRoutes + geofenceRoutes + fieldRoutes }

    /// Who may read.
    static let readers: [TokenScope] = [.read, .admin]

    /// Who may say what trips were for, and who may say what the ledger knows beside trips.
    static let (editors, owners): ([TokenScope], [TokenScope]) = ([.edit, .admin], [.admin])

    /// Describes a path.
    func route(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ summary: String,
        _ parameters: [Parameter] = [],
        taking members: [BodyMember] = [],
        asList isList: Bool = false,
        for scopes: [TokenScope],
        _ answer: @escaping @Sendable (Call) async throws(Problem) -> Response
    ) -> Route {
        var form = AnswerForm.object(Self.schema(of: path))
        form.isList = isList
        // What was made before is answered with 200.
        if method == .post { form.statuses = [.ok, .created] }
        if path == Self.batch { form.statuses = [.created, .someMade, .badRequest] }
        var body: BodyForm?
        if !members.isEmpty {
            let json = [("application/json", [String]())]
            body = BodyForm(kinds: json, members: members, isOpen: true)
        }
        return Route(
            method,
            "/api/v1/" + path,
            summary,
            parameters,
            taking: body,
            as: method == .delete ? .nothing : form,
            for: scopes,
            answer
        )
    }

    /// Returns which form of the client's a path is about.
    private static func schema(of path: String) -> String {
        if path.hasPrefix("changes") { return "client-changes" }
        return path.hasPrefix("events") ? "client-event" : "client-setting"
    }
}

// MARK: - Requests and answers

extension FeedClientEndpoint {
    /// Reads the object in the body of a request, and answers it.
    func answer(
        _ call: Call,
        _ body: (ClientRequest) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        try await events.bodies.withBody(of: call.request) { bytes async throws(Problem) in
            guard let object = ClientObject(try? JSONValue(bytes.span)) else {
                throw .noClientObject
            }
            var actor: String?
            if case .holder(let token) = call.access { actor = token.name }
            return try await body(
                ClientRequest(
                    object: object,
                    author: ClientAuthor(actor: actor, now: WallClock.now),
                    key: call.request.headers[.clientKey]
                )
            )
        }
    }

    /// Returns who asks, for a request without a body.
    func author(_ call: Call) -> ClientAuthor {
        guard case .holder(let token) = call.access else {
            return ClientAuthor(actor: nil, now: WallClock.now)
        }
        return ClientAuthor(actor: token.name, now: WallClock.now)
    }

    /// Reads events and types of the ledger.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (borrowing Snapshot, ClientEvents) throws -> Result
    ) async throws(Problem) -> Result {
        let user = user
        return try await reader.read { snapshot in
            try body(snapshot, try ClientEvents(in: snapshot, of: user))
        }
    }

    /// Stores events of one request, all or none.
    ///
    /// - Throws: `Problem` if one cannot be stored, or is not known to be.
    @discardableResult
    func store(_ some: [TripEvent]) async throws(Problem) -> [Receipt] {
        guard !some.isEmpty else { return [] }
        var delivery = Delivery(of: some)
        delivery.isAllOrNothing = true
        let receipts = try await events.writer.store(delivery).receipts.map(\.receipt)
        for receipt in receipts {
            if case .rejected(let rejection) = receipt {
                throw ClientComplaint(rejection).problem
            }
        }
        return receipts
    }

    /// Returns a bare value as an answer.
    static func response(
        _ value: JSONValue,
        _ status: HTTPResponse.Status = .ok,
        isReplayed: Bool = false
    ) -> Response {
        var bytes: [UInt8] = []
        JSONWriter.append(value, to: &bytes)
        var headers: HTTPFields = [.contentType: "application/json", .cacheControl: "no-store"]
        if isReplayed { headers[.clientReplayed] = "true" }
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Returns something that was made, or was there already.
    static func made(_ object: ClientObject, isReplayed: Bool) -> Response {
        response(object.value, isReplayed ? .ok : .created, isReplayed: isReplayed)
    }

    /// The answer to what was deleted.
    static var deleted: Response {
        Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    /// Returns what a closure does that may complain, as a problem.
    static func checking<Result>(
        _ body: () throws(ClientComplaint) -> Result
    ) throws(Problem) -> Result {
        do throws(ClientComplaint) {
            return try body()
        } catch {
            throw error.problem
        }
    }
}

/// What the feed client asks for.
struct ClientRequest: Sendable {
    /// The object in the body.
    let object: ClientObject

    /// Who asks, and when.
    let author: ClientAuthor

    /// The client's name for the request.
    let key: String?

    /// Returns the id of what is to be made: the one that the client has given, else its name for
    /// the request, else a new one.
    func newID() throws(ClientComplaint) -> String {
        if let id = try object.id() { return id }
        if let key, ClientID.isUUID(key) { return key }
        return ClientID.random()
    }
}

extension ClientComplaint {
    /// Says why the ledger takes no such event.
    init(_ rejection: Rejection) {
        self.init(rejection.field ?? "event", rejection.sentence)
    }
}

extension ClientID {
    /// Returns a new UUID (RFC 9562, version 4).
    static func random() -> String {
        let (high, low) = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
        let bits = [high & ~0xF000 | 0x4000, low & ~(3 << 62) | 2 << 62]
        let digits =
            bits.map { bits in
                let digits = String(bits, radix: 16)
                return String(repeating: "0", count: 16 - digits.utf8.count) + digits
            }
            .joined()
        var rest = digits[...]
        return [8, 4, 4, 4, 12]
            .map { count in
                defer { rest = rest.dropFirst(count) }
                return String(rest.prefix(count))
            }
            .joined(separator: "-")
    }
}

extension Problem {
    /// The body is no JSON object.
    fileprivate static let noClientObject = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "The body is no JSON object",
        detail: "Send one, in UTF-8 and with each member once."
    )

    /// There is nothing of an id.
    static let noSuchID = Problem(
        kind: "unknown",
        status: .notFound,
        title: "There is nothing of that id",
        detail: "It may have been deleted: see /api/v1/changes."
    )

    /// A request has the id or the key of another one that asked for something else.
    static func clientKeyReused(_ fields: [String]) -> Problem {
        Problem(
            kind: "key-reused",
            status: .unprocessableContent,
            title: "This Idempotency-Key was used for something else",
            detail: fields.map { "\($0) differs." }.joined(separator: " "),
            members: [JSONValue.Member(name: "fields", value: .list(fields.map { .text($0) }))]
        )
    }
}

extension HTTPField.Name {
    fileprivate static let clientKey = clientName("Idempotency-Key")
    fileprivate static let clientReplayed = clientName("X-Idempotency-Replayed")

    private static func clientName(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            preconditionFailure("the names of fields are tokens")
        }
        return name
    }
}
