import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Decides: `POST /v1/decisions`.
///
/// A request is completed, checked and refused as by the command. Several decisions are checked
/// against one snapshot and stored together, or none of them is.
struct DecisionsEndpoint {
    /// The writer that appends them.
    let writer: EventWriter

    /// The bodies of all requests.
    let bodies: RequestBodies

    /// The reader of the ledger.
    let reader: LedgerReader

    /// The most decisions of a request.
    private static let mostDecisions = 1_000

    /// The path.
    var route: Route {
        Route(
            .post,
            "/v1/decisions",
            "Decides something, or several things of which all are stored or none",
            [RequestConditions.expectedSize],
            fields: [
                RequestConditions.keyField,
                HeadField(
                    name: "If-Match",
                    meaning: "The ETag of a trip: decide only if nothing was decided about the "
                        + "trips since",
                    pattern: "^\"(0|[1-9][0-9]{0,15})\"$"
                ),
            ],
            taking: BodyForm(kinds: [("application/json", ["decision", "posted-decisions"])]),
            as: .object("decisions-answer"),
            for: [.edit, .admin, .ingest],
            reaching: .seen,
            decide
        )
    }

    private func decide(_ call: Call) async throws(Problem) -> Response {
        guard PostedEvents.Form(mediaType: call.request.headers[.contentType]) == .json else {
            throw .decisionMedia
        }
        let conditions = try RequestConditions(call.request)
        let seen = try TripCondition.seen(call.request.headers)
        let access = call.access
        return try await bodies.withBody(of: call) {
            body async throws(Problem) in
            let requests = try await bodies.decode(body.count) { () throws(Problem) in
                try Self.requests(in: body, by: access, conditions)
            }
            // The views are brought up to date first, so that the thread that appends does not have
            // to.
            let named = requests.compactMap { access.knownSource(of: $0) }
            let (clock, unknown) = try await reader.read(seenBy: call.sight) { snapshot in
                var unknown: String?
                for source in named where try !snapshot.knows(source: source) { unknown = source }
                return (snapshot.clock, unknown)
            }
            if let unknown { throw .otherSource(unknown) }
            let (outcomes, head) = try await writer.decide(
                AskedDecisions(
                    requests: requests,
                    by: call.access,
                    seen: seen,
                    expectedSize: conditions.expectedSize
                )
            )
            return try Self.response(to: outcomes, head, conditions, call.access, by: clock)
        }
    }

    /// Reads the decisions in a body, and requires that the asker may decide each.
    private static func requests(
        in body: [UInt8],
        by access: Access,
        _ conditions: RequestConditions
    ) throws(Problem) -> [DecisionRequest] {
        guard let value = try? JSONValue(body.span) else { throw .noDecisions(mostDecisions) }
        var values = [value]
        if value["type"] == nil {
            if case .object = value, value["decisions"] == nil { throw .noType }
            // An unknown member would otherwise be ignored silently.
            if case .object(let members) = value,
                let other = members.first(where: { $0.name != "decisions" })
            {
                throw .otherMember(other.name)
            }
            values = value["decisions"]?.elements ?? []
        }
        guard 1...mostDecisions ~= values.count else { throw .noDecisions(mostDecisions) }
        var reader = DecisionReader()
        var requests: [DecisionRequest] = []
        for (number, value) in values.enumerated() {
            if let id = value["id"]?.text { try access.require(givenID: id.utf8) }
            do throws(Rejection) {
                var request = try reader.request(value, now: WallClock.now)
                request.id = request.id ?? conditions.id(number, of: values.count, by: access)
                request.group = access.group
                request.source = request.source ?? access.source(toDecide: request.decision.kind)
                requests.append(request)
            } catch {
                throw .refused(error, number)
            }
            try access.require(toDecide: requests[number])
            try access.requireOwn(actor: requests[number].actor)
        }
        return requests
    }

    private static func response(
        to outcomes: [DecisionOutcome],
        _ head: LedgerHead,
        _ conditions: RequestConditions,
        _ access: Access,
        by clock: LocalDay?
    ) throws(Problem) -> Response {
        for (number, outcome) in outcomes.enumerated() {
            switch outcome.receipt {
            case .rejected(let rejection): throw .refused(rejection, number)
            case .conflict(let position, let fields):
                throw .conflict(with: position, fields: fields, hasKey: conditions.key != nil)
            case .appended, .duplicate, .heldBack, .passedOver: break
            }
        }
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "no-store",
            .ledgerPosition: "\(head.size)",
        ]
        let isRepeat = outcomes.allSatisfy { outcome in
            if case .duplicate = outcome.receipt { true } else { false }
        }
        if conditions.key != nil, isRepeat { headers[.idempotencyReplayed] = "true" }
        var bytes: [UInt8] = []
        DecisionAnswer.append(
            outcomes.map { DecisionAnswer($0, toReader: access.mayRead) },
            at: head,
            to: &bytes,
            by: clock
        )
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}

extension Problem {
    /// The media type of the body is not one for decisions.
    fileprivate static let decisionMedia = Problem(
        kind: "unknown-media",
        status: .unsupportedMediaType,
        title: "The body is of a kind that is not read here",
        detail: "Send application/json, and say so in Content-Type."
    )

    /// The body is an object without a list of decisions, and does not name its type.
    fileprivate static let noType = Problem(
        kind: "invalid-parameter",
        status: .badRequest,
        title: "The body is no decision",
        detail: "It has no `type`, which says what is decided, such as `details_edited`; see all "
            + "types with `ledger schema decision`.",
        errors: [Detail(field: "type", code: "missing_field")]
    )

    /// There are no decisions in the body, or too many.
    fileprivate static func noDecisions(_ most: Int) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "The body is no decision",
            detail: "Send one, or 1 to \(most) in the list `decisions`; "
                + "see what one looks like with `ledger schema decision`."
        )
    }

    /// A member beside the decisions is not known.
    fileprivate static func otherMember(_ name: String) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "The body has another member",
            detail: "Beside the list `decisions` nothing may stand; each decision has its own.",
            errors: [Detail(field: name, code: "unknown_field")]
        )
    }
}
