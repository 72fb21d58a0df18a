import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerRows
import Platform
import ServerStore
import TripEvents
import TripLedger

/// Appends events: `POST /v1/events`.
struct EventsEndpoint {
    /// The writer that appends them.
    let writer: EventWriter

    /// The bodies of all requests.
    let bodies: RequestBodies

    /// The reader of the ledger.
    let reader: LedgerReader

    /// The path.
    var route: Route {
        Route(
            .post,
            "/v1/events",
            "Appends events, and answers each after the commit",
            RequestConditions.parameters,
            fields: [RequestConditions.keyField],
            taking: BodyForm(
                kinds: [
                    ("application/x-ndjson", ["event"]),
                    ("application/json", ["event", "posted-events"]),
                    ("application/cloudevents-batch+json", []),
                    ("application/cloudevents+json", []),
                ],
                members: Self.cloudEvent,
                isOpen: true
            ),
            as: AnswerForm(
                mediaType: "application/json",
                schema: "events-answer",
                lineSchema: "receipt",
                lastSchema: "summary"
            ),
            for: [.ingest, .edit, .admin, .sync],
            reaching: .seen
        ) { call throws(Problem) in
            let mediaType = call.request.headers[.contentType]
            guard let form = PostedEvents.Form(mediaType: mediaType) else { throw .unknownMedia }
            return try await answer(to: call, as: form)
        }
    }

    /// The members of a CloudEvent: `data` has the others of an event.
    private static let cloudEvent = [
        BodyMember("specversion", .word(["1.0"]), isRequired: true),
        BodyMember("id", .text(most: 255), isRequired: true),
        BodyMember("source", .text(most: 255), isRequired: true),
        BodyMember("type", .text(most: 100), isRequired: true),
        BodyMember("time", .instant), BodyMember("subject", .text(most: 128)),
        BodyMember("data", .object),
    ]

    /// Appends the events in the body of a request, and answers after the commit.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - form: The form of the events.
    ///   - making: Makes the events of the body.
    /// - Returns: The answer.
    /// - Throws: `Problem`.
    func answer(
        to call: Call,
        as form: PostedEvents.Form,
        making: @escaping @Sendable (_ body: [UInt8]) throws(Problem) -> [UInt8] = { $0 }
    ) async throws(Problem) -> Response {
        let (request, access) = (call.request, call.access)
        let conditions = try RequestConditions(request)
        let fields = request.headers
        return try await bodies.withBody(of: call) {
            body async throws(Problem) in
            let (delivery, corrections, condition) = try await bodies.decode(body.count) {
                () throws(Problem) in
                var events = try PostedEvents(try making(body), as: form)
                try events.prepare(
                    with: PostedEvents.Defaults(
                        access: access,
                        occurredAt: WallClock.now,
                        key: conditions.key.map { access.id(ofKey: $0) }
                    )
                )
                return (events.delivery, events.corrections, try TripCondition(fields, events))
            }
            var stored = delivery
            stored.group = access.group
            stored.expectedSize = conditions.expectedSize
            stored.isAllOrNothing = conditions.isAllOrNothing
            let answer = try await writer.store(stored, if: condition, correcting: corrections)
            let withoutEffect = await withoutEffect(answer.summary)
            let notes = await reader.look { ledger in
                IntakeNote.aboutNoTrips(
                    after: answer.summary,
                    in: ledger,
                    seenBy: access.sight,
                    asOf: WallClock.now
                )
            }
            return try Self.response(to: answer, in: form, conditions, withoutEffect, notes ?? [])
        }
    }

    /// Looks for decisions that were stored and have no effect.
    ///
    /// The obstacle may belong to anyone, but a client that does not see the whole ledger decides
    /// at `/v1/decisions`, and so has stored no decisions here.
    private func withoutEffect(_ summary: IntakeSummary) async -> EffectNotice {
        guard !summary.decisions.isEmpty else { return EffectNotice() }
        let notice = await reader.look { ledger in
            EffectNotice(about: summary, in: ledger, asOf: WallClock.now)
        }
        return notice ?? EffectNotice()
    }

    private static func response(
        to answer: DeliveryAnswer,
        in form: PostedEvents.Form,
        _ conditions: RequestConditions,
        _ withoutEffect: EffectNotice,
        _ notes: [IntakeNote]
    ) throws(Problem) -> Response {
        let receipts = answer.receipts.map(\.receipt)
        if receipts.count == 1, case .conflict(let position, let fields) = receipts[0] {
            throw .conflict(with: position, fields: fields, hasKey: conditions.key != nil)
        }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers[.ledgerPosition] = "\(answer.summary.head.size)"
        let isRepeat = { (receipt: Receipt) in
            if case .duplicate = receipt { true } else { false }
        }
        if conditions.key != nil, !receipts.isEmpty, receipts.allSatisfy(isRepeat) {
            headers[.idempotencyReplayed] = "true"
        }
        headers[.contentType] = form == .lines ? "application/x-ndjson" : "application/json"
        let bytes =
            form == .lines
            ? lines(answer, withoutEffect, noting: notes)
            : object(answer, withoutEffect, noting: notes)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Returns the answers and their totals, each on a line of its own.
    ///
    /// - Parameters:
    ///   - answer: The answers.
    ///   - withoutEffect: The decisions among the events that have no effect.
    ///   - notes: Further notes.
    ///   - areComplaintsEnough: Whether the answers to events that are stored are left out.
    /// - Returns: JSON lines.
    static func lines(
        _ answer: DeliveryAnswer,
        _ withoutEffect: EffectNotice = EffectNotice(),
        noting notes: [IntakeNote] = [],
        areComplaintsEnough: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for receipt in answer.receipts
        where !areComplaintsEnough || receipt.receipt.isComplaint {
            receipt.appendAnswer(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        DeliverySummary(answer.summary, withoutEffect, noting: notes).append(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Returns the answers and their totals as one object: `events-answer.v1.schema.json`.
    private static func object(
        _ answer: DeliveryAnswer,
        _ withoutEffect: EffectNotice,
        noting notes: [IntakeNote]
    ) -> [UInt8] {
        var bytes = Array(#"{"receipts":["#.utf8)
        for (index, receipt) in answer.receipts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            receipt.appendAnswer(to: &bytes)
        }
        bytes.append(contentsOf: #"],"summary":"#.utf8)
        DeliverySummary(answer.summary, withoutEffect, noting: notes).append(to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension TripCondition {
    /// Reads what a request asks for; `nil` if it asks for nothing.
    ///
    /// - Parameters:
    ///   - headers: The fields of the request.
    ///   - events: Its events, which must be about trips.
    /// - Throws: `Problem`.
    init?(_ headers: HTTPFields, _ events: PostedEvents) throws(Problem) {
        guard let seen = try Self.seen(headers) else { return nil }
        var trips = Set<TripID>()
        events.forEachLine { line in
            guard let event = try? JSONValue(line) else { return }
            let names = [event["trip"]?.text].compactMap(\.self) + (event["trips"]?.texts ?? [])
            trips.formUnion(names.compactMap { TripID($0) })
        }
        guard !trips.isEmpty else {
            throw .invalidParameter("If-Match", "left out, as no event says something of a trip")
        }
        self.init(seen: seen, trips: trips)
    }
}

/// The conditions of a request that appends.
struct RequestConditions: Sendable {
    /// The sender's name for the request.
    private(set) var key: String?

    /// The number of entries that the log must hold.
    private(set) var expectedSize: UInt64?

    /// Whether one event that cannot be stored keeps the others out.
    private(set) var isAllOrNothing = false

    /// The sender's name for the request, in its head.
    static let keyField = HeadField(
        name: "Idempotency-Key",
        meaning: "The name of the request: sent again with it, it appends nothing twice",
        pattern: "^[!-~]{1,\(mostBytesOfKey)}$"
    )

    /// The number of entries, in the query.
    static let expectedSize = Parameter(
        "expect-size",
        .number(0...UInt64(Int64.max)),
        "Store nothing unless the log has so many entries"
    )

    /// The query parameters of a request whose events are stored independently of one another.
    static let parameters = [
        expectedSize,
        Parameter(
            "all-or-nothing",
            .word(["true", "false"]),
            "Whether one event that cannot be stored keeps the others out"
        ),
    ]

    /// Reads what a request asks.
    ///
    /// - Throws: `Problem`.
    init(_ request: Request) throws(Problem) {
        if let field = request.headers[.idempotencyKey] {
            key = try Self.key(field)
        }
        let parameters = request.uri.queryParameters
        if let text = parameters["expect-size"] {
            guard let size = UInt64(text) else {
                throw .invalidParameter("expect-size", "a number of entries")
            }
            expectedSize = size
        }
        if let text = parameters["all-or-nothing"] {
            guard let isAsked = Bool(String(text)) else {
                throw .invalidParameter("all-or-nothing", "true or false")
            }
            isAllOrNothing = isAsked
        }
    }

    /// Returns the id of one of the events of the request; `nil` if the request has no name.
    func id(_ number: Int, of count: Int, by access: Access) -> String? {
        key.map { access.id(ofKey: $0) + (count > 1 ? "/\(number)" : "") }
    }

    /// Reads a key, which is a string of RFC 9651 by the draft of `Idempotency-Key`, but which most
    /// senders write without quotes.
    private static func key(_ field: String) throws(Problem) -> String {
        var key = ""
        if field.hasPrefix("\""), field.hasSuffix("\""), field.utf8.count > 1 {
            var isEscaped = false
            for character in field.dropFirst().dropLast() {
                isEscaped = character == "\\" && !isEscaped
                if !isEscaped { key.append(character) }
            }
        } else {
            key = field
        }
        guard !key.isEmpty, key.utf8.count <= mostBytesOfKey else {
            throw .invalidParameter(
                "Idempotency-Key",
                "a text of at most \(mostBytesOfKey) bytes"
            )
        }
        return key
    }

    private static let mostBytesOfKey = 100
}

extension Access {
    /// Returns the id of the event of a request with a name.
    ///
    /// The id contains the token's name, because the decisions of all tokens are of one source. The
    /// length of the token's name comes first, so that no two ids are the same. The owner has no
    /// name; the id says so if the request's name could be taken for that of a token.
    func id(ofKey key: String) -> String {
        guard let actor else {
            let mayBeOfToken = key.utf8.contains(UInt8(ascii: ":"))
            return Self.keyPrefix + (mayBeOfToken ? "0::" : "") + key
        }
        return "\(Self.keyPrefix)\(actor.utf8.count):\(actor):\(key)"
    }

    /// The prefix of ids of requests with a name, which no id from a client may have.
    private static let keyPrefix = "key:"

    /// Requires that a given id of an event, in UTF-8, is not that of a request with a name: it
    /// could block an event that another client is about to send.
    ///
    /// A client that may store everything of another ledger passes on ids that were made there.
    ///
    /// - Throws: `Problem` if it is one.
    func require(givenID id: some Sequence<UInt8>) throws(Problem) {
        let handsOnLedgers = isAllowed([.sync]) || isAllowed([.admin]) && sight.isEverything
        guard !handsOnLedgers, id.starts(with: Self.keyPrefix.utf8) else { return }
        throw .invalidParameter(
            "id",
            "a text that does not begin with \(Self.keyPrefix), as the ids of requests with an "
                + "Idempotency-Key do",
            title: "The id is reserved"
        )
    }
}
