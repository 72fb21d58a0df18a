import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerKeeping
import Platform
import ServerStore
import TripLedger

/// Exchanges events with other ledgers: `/v1/sync` and `/v1/sync/events`, which `ledger sync` asks.
struct SyncEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The store of what it knows about others.
    let store: OpenedServerState

    /// The endpoint that appends events.
    let events: EventsEndpoint

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/sync",
                "What this ledger is, and how far it has received the log of the one that asks",
                [Self.held],
                fields: [Self.asking, Self.settings],
                as: .object("sync-greeting"),
                for: [.sync],
                greet
            ),
            Route(
                .get,
                "/v1/sync/events",
                "Events for another ledger, a line each, and a last line that says how far they "
                    + "reach",
                [Self.from, Self.size, Self.all],
                fields: [Self.asking],
                as: .lines("log-entry", endingWith: "sync-page"),
                for: [.sync],
                give
            ),
            Route(
                .post,
                "/v1/sync/events",
                "Takes events of another ledger, and answers after the commit which were not taken",
                [Self.from, Self.next],
                fields: [Self.asking, Self.settings],
                taking: BodyForm(kinds: [("application/x-ndjson", ["log-entry"])]),
                as: .lines("receipt", endingWith: "summary"),
                for: [.sync],
                take
            ),
        ]
    }

    /// The range of positions.
    private static let positions: ClosedRange<UInt64> = 0...(1 << 56)

    private static let held = Parameter(
        "held",
        .number(positions),
        "The size of a head of this log that is known: the proof is from there"
    )

    private static let from = Parameter(
        "from",
        .number(positions),
        "The first position",
        isRequired: true
    )

    private static let next = Parameter(
        "next",
        .number(positions),
        "The position that the next page begins at, as in the page"
    )

    private static let size = Parameter(
        "size",
        .number(positions),
        "How many entries the log had when it was asked what it is",
        isRequired: true
    )

    private static let all = Parameter(
        "all",
        .word(["true"]),
        "Events are told too that came from the one that asks: it has lost them"
    )

    private func greet(_ call: Call) async throws(Problem) -> Response {
        let peer = try await peer(of: call)
        let settings = try Self.settings(call.request)
        let held = call.query.number(Self.held.name)
        let greeting = try await exchanging { host in
            try host.greet(peer, settings: settings, held: held)
        }
        return reader.response(greeting.json, at: greeting.head.size)
    }

    private func give(_ call: Call) async throws(Problem) -> Response {
        let peer = try await peer(of: call)
        let from = try Self.required(Self.from, of: call)
        let size = try Self.required(Self.size, of: call)
        let isComplete = call.query.text(Self.all.name) != nil
        let page = try await exchanging { host in
            try host.page(from: from, upTo: size, for: peer, isComplete: isComplete)
        }
        return reader.response(page.bytes, at: page.head.size, as: "application/x-ndjson")
    }

    private func take(_ call: Call) async throws(Problem) -> Response {
        let peer = try await peer(of: call)
        let from = try Self.required(Self.from, of: call)
        // The other sends its settings if both are to compute the same.
        let acceptsOthers = try Self.settings(call.request) == nil
        return try await events.bodies.withBody(of: call) { body async throws(Problem) in
            let read = try await exchanging { host in
                try host.read(body, from: peer, at: from, acceptsOtherSettings: acceptsOthers)
            }
            let answer = try await events.writer.store(read.delivery)
            let now = WallClock.now
            try await exchanging { host in
                try host.noteReceived(read, answer: answer, now: now)
            }
            return reader.response(
                EventsEndpoint.lines(answer, areComplaintsEnough: true),
                at: answer.summary.head.size,
                as: "application/x-ndjson"
            )
        }
    }

    /// Runs a part of an exchange, and translates its errors for the other side.
    private func exchanging<Result: Sendable>(
        _ body: @escaping @Sendable (SyncHost) throws -> Result
    ) async throws(Problem) -> Result {
        let ledger = reader.ledger
        let store = store
        return try await reader.run {
            do {
                return try body(SyncHost(of: ledger, in: store.orCreated()))
            } catch let refusal as SyncRefusal {
                throw Problem(refusal)
            }
        }
    }

    private static func required(
        _ parameter: Parameter,
        of call: Call
    ) throws(Problem) -> UInt64 {
        guard let number = call.query.number(parameter.name) else {
            throw .invalidParameter(parameter.name, "there")
        }
        return number
    }

    // MARK: Members of a request

    private static let asking = HeadField(
        name: "X-Ledger",
        meaning: "The id of the ledger that asks",
        pattern: "^[0-9a-f]{\(SyncGreeting.idLength)}$",
        isRequired: true
    )

    private static let settings = HeadField(
        name: "X-Ledger-Settings",
        meaning: "The time zone, the unit and the rules of the ledger that asks",
        pattern: "^[A-Za-z0-9/_+-]+;[a-z]+;[a-z0-9]+$"
    )

    /// Returns the id of the ledger that asks, which the token must belong to.
    ///
    /// - Throws: `Problem` if it belongs to another one.
    private func peer(of call: Call) async throws(Problem) -> String {
        guard let name = HTTPField.Name(Self.asking.name), let id = call.request.headers[name],
            SyncGreeting.isLedgerID(id)
        else { throw .invalidParameter("X-Ledger", "the id of the ledger that asks") }
        // The owner may speak for any.
        guard case .holder(let token) = call.access else { return id }
        // Sessions of one person have one name: none of them can belong to a ledger.
        guard token.use == .program else { throw .scope(.sync) }
        let store = store
        let answer = try await reader.run {
            try store.orCreated().bind(token, to: id, now: WallClock.now)
        }
        var dispute = TokenDispute(token: token.name, asking: id, owner: nil)
        switch answer {
        case .isOwn: return id
        case .otherLedger(let owner): dispute.owner = owner
        case .otherToken: break
        }
        throw Problem(SyncRefusal.otherLedger(dispute))
    }

    private static func settings(_ request: Request) throws(Problem) -> SyncSettings? {
        guard let name = HTTPField.Name(settings.name), let text = request.headers[name]
        else {
            return nil
        }
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else {
            throw .invalidParameter("X-Ledger-Settings", "a zone, a unit and rules")
        }
        return SyncSettings(timeZone: parts[0], units: parts[1], rules: parts[2])
    }
}

extension Problem {
    /// Two ledgers do not exchange events.
    fileprivate init(_ refusal: SyncRefusal) {
        switch refusal {
        case .settingsDiffer(let names):
            self.init(
                kind: "settings-differ",
                status: .conflict,
                title: "The ledgers compute differently",
                detail: "They differ in \(names.joined(separator: ", ")).",
                members: [
                    JSONValue.Member(name: "fields", value: .list(names.map { .text($0) }))
                ]
            )
        case .otherGroup(let difference):
            self.init(
                kind: "other-group",
                status: .conflict,
                title: "A source belongs to another group in this ledger",
                detail: "\(difference.cause). \(GroupDifference.hint).",
                members: difference.members
            )
        case .sameLedger:
            self.init(
                kind: "same-ledger",
                status: .conflict,
                title: "This is the same ledger",
                detail: "Two copies of one ledger cannot be told apart: sync with a new one."
            )
        case .otherLedger(let dispute):
            self.init(
                kind: "other-ledger",
                status: .conflict,
                title: "The token belongs to another ledger, or the ledger to another token",
                detail: "\(dispute.cause). \(dispute.hint).",
                members: dispute.members
            )
        case .setBack(let until):
            self.init(
                kind: "peer-set-back",
                status: .conflict,
                title: "Your log was shorter or other than this",
                detail: "Until \(until) was received with another root; send from 0, or restore "
                    + "the newer copy.",
                members: [
                    JSONValue.Member(name: "until", value: .number(literal: "\(until)"))
                ]
            )
        case .malformed(let why):
            self.init(
                kind: "invalid-parameter",
                status: .badRequest,
                title: "This is not what a ledger sends",
                detail: "See: \(why)."
            )
        }
    }
}

extension GroupDifference {
    /// The members of a problem document.
    fileprivate var members: [JSONValue.Member] {
        var members = [JSONValue.Member(name: "source", value: .text(source))]
        if let sent { members.append(JSONValue.Member(name: "group", value: .text(sent))) }
        if let kept { members.append(JSONValue.Member(name: "own_group", value: .text(kept))) }
        return members
    }
}

extension TokenDispute {
    /// The members of a problem document.
    fileprivate var members: [JSONValue.Member] {
        var members = [
            JSONValue.Member(name: "token", value: .text(token)),
            JSONValue.Member(name: "asking", value: .text(asking)),
        ]
        if let owner { members.append(JSONValue.Member(name: "owner", value: .text(owner))) }
        return members
    }
}
