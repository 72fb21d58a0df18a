import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import NIOCore
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Serves an app that keeps events with types, properties and geofences, and follows changes by a
/// number: `/api/v1/…`.
///
/// Its events are trips, its types are routines, its geofences are places and the definitions of
/// its properties are custom fields. Members that none of these has are kept with the events that
/// hold the rest, and given back to it.
struct FeedClientEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The keeper that tells of changes.
    let keeper: ViewKeeper

    /// The writer that appends events.
    let writer: EventWriter

    /// The bodies of all requests.
    let bodies: RequestBodies

    /// The name of the user, for the client.
    let user: String

    /// Lets one request at a time make something, so that what it read before does not change
    /// meanwhile.
    let turns = HolderTurns()

    /// The events of samples of HealthKit.
    let samples = HealthSamples()

    /// The paths.
    var routes: [Route] { changeRoutes + eventRoutes + typeRoutes + geofenceRoutes + fieldRoutes }

    /// Who may read.
    static let readers: [TokenScope] = [.read, .admin]

    /// The scopes that may edit trips, and those that may edit everything beside trips.
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
        // A repeated creation is answered with 200.
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
            reaching: .sources,
            answer
        )
    }

    /// Returns the client's schema that a path is about.
    private static func schema(of path: String) -> String {
        switch path.split(separator: "/") {
        case ["changes"]: "client-changes.page"
        case ["changes", "latest-cursor"]: "client-changes.latest"
        case ["events", "batch"]: "client-event.batch"
        case let parts where parts.first == "events": "client-event.event"
        case let parts where parts.first == "geofences": "client-setting.geofence"
        case let parts where parts.first == "event-types" && parts.count < 3:
            "client-setting.event_type"
        default: "client-setting.property_definition"
        }
    }
}

// MARK: - Requests and answers

extension FeedClientEndpoint {
    /// Reads the object in the body of a request, and answers it.
    func answer(
        _ call: Call,
        _ body: (ClientRequest) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        try await bodies.withBody(of: call) { bytes async throws(Problem) in
            let object = try await bodies.decode(bytes.count) { () throws(Problem) in
                guard let object = ClientObject(try? JSONValue(bytes.span)) else {
                    throw .noClientObject
                }
                return object
            }
            return try await body(
                ClientRequest(
                    object: object,
                    author: author(call),
                    key: call.request.headers[.idempotencyKey]
                )
            )
        }
    }

    /// Returns who asks.
    func author(_ call: Call) -> ClientAuthor { ClientAuthor(call.access, now: WallClock.now) }

    /// Reads events and types of the ledger, as far as the client may see them.
    func read<Result: Sendable>(
        _ call: Call,
        _ body: @escaping @Sendable (borrowing Snapshot, ClientEvents) throws -> Result
    ) async throws(Problem) -> Result {
        let (user, source) = (user, author(call).reportSource)
        return try await reader.read(seenBy: call.sight) { snapshot in
            try body(snapshot, try ClientEvents(in: snapshot, of: user, reportedFrom: source))
        }
    }

    /// Makes the decisions of one request, all or none; a decision about a trip that one of them
    /// reports is made after the report.
    ///
    /// - Returns: The answers, in the order of the events.
    /// - Throws: `Problem` if one is refused, or is not known to be stored.
    @discardableResult
    func decide(
        _ some: [TripEvent],
        by author: ClientAuthor
    ) async throws(Problem) -> [Receipt] {
        var (now, later): ([TripEvent], [TripEvent]) = ([], [])
        var reported: Set<TripID> = []
        for event in some {
            if case .tripReported = event.body, let id = event.id {
                reported.insert(TripID(openedBy: id, from: author.reportSource))
            }
            let isLater = !reported.isDisjoint(with: event.body.decidedTrips)
            if isLater { later.append(event) } else { now.append(event) }
        }
        var receipts: [Receipt] = []
        for events in [now, later] where !events.isEmpty {
            let asked = try AskedDecisions(sayingAsNow: events, by: author.access)
            let outcomes = try await writer.decide(asked).outcomes
            for case .rejected(let rejection) in outcomes.map(\.receipt) {
                throw ClientComplaint(rejection).problem
            }
            receipts += outcomes.map(\.receipt)
        }
        return receipts
    }

    /// Makes decisions, each independently of the others.
    ///
    /// Those that can be stored are stored together; the reason why one is refused is the answer to
    /// that one.
    ///
    /// - Returns: The answers, in the order of the events.
    /// - Throws: `Problem` if they are not known to be stored.
    func decideEach(
        _ some: [TripEvent],
        by author: ClientAuthor
    ) async throws(Problem) -> [Result<Receipt, Problem>] {
        var answers = [Result<Receipt, Problem>?](repeating: nil, count: some.count)
        while case let left = answers.indices.filter({ answers[$0] == nil }), !left.isEmpty {
            let asked = try AskedDecisions(
                sayingAsNow: left.map { some[$0] },
                by: author.access
            )
            switch try await writer.ask(asked).ending {
            case .refused(let index, let refusal):
                answers[left[index]] = .failure(.refused(refusal, 0))
            case .changed: preconditionFailure("it does not matter what was decided meanwhile")
            case .decided(let outcomes):
                let isStored = outcomes.allSatisfy(\.receipt.isStored)
                for (index, outcome) in zip(left, outcomes) {
                    switch outcome.receipt {
                    case .rejected, .conflict: answers[index] = .success(outcome.receipt)
                    case .appended, .duplicate, .heldBack, .passedOver:
                        // It is stored in the next attempt, which leaves out those that block the
                        // others.
                        if isStored { answers[index] = .success(outcome.receipt) }
                    }
                }
            }
        }
        return answers.compactMap(\.self)
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
        if isReplayed { headers[.idempotencyReplayed] = "true" }
        return Response(
            status: status,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Reads the object in the body of a request that makes something, and answers it after the
    /// requests that came before.
    func making(
        _ call: Call,
        _ body: (ClientRequest) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        try await answer(call) { request async throws(Problem) in
            try await turns.take(user) { () async throws(Problem) in try await body(request) }
        }
    }

    /// Returns something that was made, or was there already.
    static func made(_ object: ClientObject, isReplayed: Bool) -> Response {
        response(object.value, isReplayed ? .ok : .created, isReplayed: isReplayed)
    }

    /// The answer to what was deleted.
    static var deleted: Response {
        Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    /// Runs a closure, and turns its complaint into a problem.
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

/// A request of the feed client.
struct ClientRequest: Sendable {
    /// The object in the body.
    let object: ClientObject

    /// Who asks, and when.
    let author: ClientAuthor

    /// The client's name for the request.
    let key: String?

    /// Whether the client's name for the request is the id of what it makes.
    ///
    /// Then it repeats an earlier request. Else the existing thing is changed to what the request
    /// says.
    func isNamed(_ id: String) -> Bool { key.hasSameBytes(as: id) }

    /// Returns the id of what is to be made: the one that the client has given, else its name for
    /// the request, else a new one.
    func newID() throws(ClientComplaint) -> String {
        if let id = try object.id() { return id }
        if let key, ClientID.isUUID(key) { return key }
        return ClientID.random()
    }
}

extension ClientComplaint {
    /// Explains why the ledger refuses such an event.
    init(_ rejection: Rejection) {
        // The custom fields of the ledger are among the properties of the client.
        let field = rejection.field == "fields" ? "properties" : rejection.field
        self.init(field ?? "event", rejection.sentence)
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

    /// Nothing has the id.
    static let noSuchID = Problem(
        kind: "unknown",
        status: .notFound,
        title: "There is nothing of that id",
        detail: "It may have been deleted: see /api/v1/changes."
    )

    /// Another type has the requested name.
    static func duplicateType(_ id: String) -> Problem {
        Problem(
            kind: "duplicate",
            status: .conflict,
            title: "A duplicate: another type has this name",
            detail: "Use that one: it is /api/v1/event-types/\(id)."
        )
    }

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
