import HTTPTypes
import Hummingbird
import LedgerKeeping
import Platform
import ServerStore
import TripLedger

/// Exchanges events with other ledgers: `/v1/sync` and `/v1/sync/events`, which `ledger sync` asks.
struct SyncEndpoint: Sendable {
    /// What reads the ledger.
    let reader: LedgerReader

    /// What it keeps of others.
    let store: OpenedServerState

    /// What appends events.
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
                as: .lines("log-entry"),
                for: [.sync],
                give
            ),
            Route(
                .post,
                "/v1/sync/events",
                "Takes events of another ledger, and answers after the commit which were not taken",
                [Self.from, Self.next],
                fields: [Self.asking],
                taking: BodyForm(kinds: [("application/x-ndjson", ["log-entry"])]),
                as: .lines("receipt"),
                for: [.sync],
                take
            ),
        ]
    }

    /// Where positions end.
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
        let peer = try Self.peer(call.request)
        let settings = try Self.settings(call.request)
        let held = call.query.number(Self.held.name)
        let greeting = try await exchanging { host in
            try host.greet(peer, settings: settings, held: held)
        }
        return reader.response(greeting.json, at: greeting.head.size)
    }

    private func give(_ call: Call) async throws(Problem) -> Response {
        let peer = try Self.peer(call.request)
        let from = try Self.required(Self.from, of: call)
        let size = try Self.required(Self.size, of: call)
        let isComplete = call.query.text(Self.all.name) != nil
        let page = try await exchanging { host in
            try host.page(from: from, upTo: size, for: peer, isComplete: isComplete)
        }
        return reader.response(page.bytes, at: page.head.size, as: "application/x-ndjson")
    }

    private func take(_ call: Call) async throws(Problem) -> Response {
        let peer = try Self.peer(call.request)
        let from = try Self.required(Self.from, of: call)
        return try await events.bodies.withBody(of: call.request) { body async throws(Problem) in
            let read = try await exchanging { host in try host.read(body, from: peer, at: from) }
            let answer = try await events.writer.store(read.delivery)
            let now = WallClock.now
            try await exchanging { host in
                try host.noteReceived(read.page, of: read.delivery, answer: answer, now: now)
            }
            return reader.response(
                EventsEndpoint.lines(answer, areComplaintsEnough: true),
                at: answer.summary.head.size,
                as: "application/x-ndjson"
            )
        }
    }

    /// Runs a part of an exchange, and says of what it throws what it means for the other side.
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

    // MARK: What a request says

    /// How many digits the id of a ledger has.
    private static let idLength = 32

    private static let asking = HeadField(
        name: "X-Ledger",
        meaning: "The id of the ledger that asks",
        pattern: "^[0-9a-f]{\(idLength)}$",
        isRequired: true
    )

    private static let settings = HeadField(
        name: "X-Ledger-Settings",
        meaning: "The time zone, the unit and the rules of the ledger that asks",
        pattern: "^[A-Za-z0-9/_+-]+;[a-z]+;[a-z0-9]+$"
    )

    private static func peer(_ request: Request) throws(Problem) -> String {
        guard let name = HTTPField.Name(asking.name), let id = request.headers[name],
            id.utf8.count == idLength, id.utf8.allSatisfy({ $0.isHexadecimalDigit })
        else { throw .invalidParameter("X-Ledger", "the id of the ledger that asks") }
        return id
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

extension UInt8 {
    /// Whether it is one of 0–9 and a–f.
    fileprivate var isHexadecimalDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
    }
}
