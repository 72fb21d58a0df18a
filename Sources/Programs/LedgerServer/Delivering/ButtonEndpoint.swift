import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import NIOCore
import Platform
import ServerStore
import Synchronization
import TripEvents
import TripLedger

/// Presses GO and STOP by an address alone: `/press/TOKEN/go` and `/press/TOKEN/stop`, for
/// automations of phones, tags and cars, which cannot send header fields or a body.
///
/// A GET presses too, because most of them can only do that. But browsers, cameras and messengers
/// also open addresses for previews: they get a page with one button, which posts.
struct ButtonEndpoint: Sendable {
    /// The path before the token.
    static let path = "/press/"

    private let gate: Gate
    private let reader: LedgerReader
    private let writer: EventWriter
    private let devices: DeviceRegister
    private let recent = RecentPresses()

    init(gate: Gate, reader: LedgerReader, writer: EventWriter, devices: DeviceRegister) {
        self.gate = gate
        self.reader = reader
        self.writer = writer
        self.devices = devices
    }

    /// The time of the press, in the query.
    private static let at = Parameter(
        "at",
        .text,
        "When it was pressed, as RFC 3339 or seconds since 1970, at most 31 days ago; the present "
            + "if it is not said"
    )

    /// The paths.
    var routes: [Route] {
        Press.allCases.flatMap { press in
            [HTTPRequest.Method.get, .post]
                .map { method in
                    Route(
                        method,
                        Self.path + "{token}/" + press.rawValue,
                        method == .get
                            ? "Presses \(press.name); a browser gets a button that does"
                            : "Presses \(press.name) with a token that can only press",
                        [Self.at],
                        as: AnswerForm(
                            mediaType: "text/plain",
                            schema: nil,
                            others: [("text/html", nil)]
                        ),
                        for: []
                    ) { call async throws(Problem) in
                        try await answer(to: call, press)
                    }
                }
        }
    }

    private func answer(to call: Call, _ press: Press) async throws(Problem) -> Response {
        let text = call.words[0]
        guard TokenText(text)?.scope == .press,
            // Too many guesses are answered with a delay.
            case .valid(let token) = try await gate.answer(
                to: text,
                in: call.request,
                call.context
            ),
            let source = token.sources.first
        else {
            throw .tokenUnknown(
                "It presses nothing, or was revoked; `ledger token new NAME --press` makes one."
            )
        }
        let words = ButtonWords(for: call.request)
        if call.request.method != .post, Self.isLooking(call.request) {
            return Self.page(words.document(for: press))
        }
        let now = WallClock.now
        let said = try call.query.text(Self.at.name).map(Self.time)
        try Self.requireRecent(said, at: now)
        let presser = SourceKey(source, of: token.group)
        let time = await moment(of: press, by: presser, at: said ?? EventTime(now))
        let delivery = Self.delivery(of: press, at: time, from: source, with: token)
        let receipt = try await writer.store(delivery).receipts.first?.receipt
        if case .rejected(let rejection)? = receipt {
            throw .invalidParameter(Self.at.name, "another time: \(rejection.sentence)")
        }
        devices.note(token, at: "press", now: now, app: call.request.headers[.userAgent])
        guard call.request.method == .post, Self.isLooking(call.request) else {
            return Response(.ok, as: "text/plain; charset=utf-8", "\(words.pressed(press))\n".utf8)
        }
        return Self.page(words.documentOfPressed(press))
    }

    /// Returns the time of a press: its own, or that of the same press a moment ago, unless the
    /// other button was pressed since then at any door of the ledger.
    private func moment(
        of press: Press,
        by presser: SourceKey,
        at time: EventTime
    ) async -> EventTime {
        let last = recent.repeated(by: press, of: presser, at: time)
        let (kind, source) = (press.other.kind, presser.source.name)
        let seen = await reader.look { ledger in
            var isUndone = false
            if let last {
                let filter = try LogFilter(for: ledger, types: [.event(kind)], sources: [source])
                _ = try ledger.scanLog(from: last.sizeBefore, where: filter) { entry in
                    switch entry {
                    case .reading: break
                    case .event(let other):
                        isUndone = other.stored.event.occurredAt >= last.at.timestamp
                    }
                    return !isUndone
                }
            }
            return (isUndone: isUndone, size: try ledger.head().size)
        }
        return recent.time(
            of: press,
            by: presser,
            at: time,
            unless: seen?.isUndone == true ? last : nil,
            // If the log cannot be read now, the next press looks at all of it.
            sizeBefore: seen?.size ?? 0
        )
    }

    /// Returns the event.
    ///
    /// Its id is that of the press, so that a retry is recognised even after a restart of the
    /// server.
    private static func delivery(
        of press: Press,
        at time: EventTime,
        from source: String,
        with token: Token
    ) -> Delivery {
        let milliseconds = time.timestamp.milliseconds
        var members: [JSONValue.Member] = [
            .init(name: "type", value: .text(press.kind.name)),
            .init(name: "source", value: .text(source)),
            .init(
                name: "occurred_at",
                value: time.utcOffset == nil
                    ? .number(literal: "\(milliseconds)")
                    : .text(RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
            ),
            .init(name: "id", value: .text("press:\(press.rawValue):\(milliseconds)")),
        ]
        if press == .go, let vehicle = token.vehicle {
            members.append(.init(name: "vehicle", value: .text(vehicle)))
        }
        var bytes: [UInt8] = []
        JSONWriter.append(members, to: &bytes)
        var delivery = Delivery([Delivery.Item(.success(bytes.indices))], in: bytes)
        delivery.group = token.group
        return delivery
    }

    /// Reads a time: RFC 3339, whose plus sign may have become a space, or seconds or milliseconds
    /// since 1970.
    private static func time(_ text: String) throws(Problem) -> EventTime {
        if let number = Int64(text) {
            // The lowest number has no absolute value of its type.
            let isSeconds = number.magnitude < 100_000_000_000
            return EventTime(Timestamp(milliseconds: isSeconds ? number * 1_000 : number))
        }
        guard let time = RFC3339.time(text.replacing(" ", with: "+")) else {
            throw .invalidParameter(
                at.name,
                "a time such as 2026-01-31T08:30:00+01:00, or seconds since 1970"
            )
        }
        return time
    }

    /// How long a press may be on its way: the phone that queued it may have been without a network
    /// for a holiday.
    private static let longestMilliseconds = 31 * Timestamp.millisecondsPerDay

    /// How far the clock of the pressing device may be ahead.
    private static let aheadMilliseconds = Timestamp.millisecondsPerDay

    /// Requires that the time that a press gives is plausible.
    private static func requireRecent(
        _ time: EventTime?,
        at now: Timestamp
    ) throws(Problem) {
        guard let time else { return }
        // For times far from the present, their difference would overflow.
        let earliest = now.advanced(byMilliseconds: -longestMilliseconds)
        let latest = now.advanced(byMilliseconds: aheadMilliseconds)
        guard (earliest...latest).contains(time.timestamp) else {
            throw .invalidParameter(
                at.name,
                "a time of the last 31 days, and at most a day ahead; what happened before that is "
                    + "told with `ledger go --at`"
            )
        }
    }

    /// Whether a request comes from a program that previews an address for a person, and not from
    /// an automation.
    private static func isLooking(_ request: Request) -> Bool {
        if request.method == .head { return true }
        func value(_ name: String) -> String {
            HTTPField.Name(name).flatMap { request.headers[$0] }?.lowercased() ?? ""
        }
        let agent = value("User-Agent")
        return value("Sec-Fetch-Dest") == "document" || value("Accept").contains("text/html")
            || (value("Sec-Purpose") + value("Purpose") + value("X-Moz")).contains("prefetch")
            || Self.lookers.contains { agent.contains($0) }
    }

    /// Parts of the names of programs that fetch the links in a message for a preview.
    private static let lookers = [
        "bot", "preview", "facebookexternalhit", "whatsapp", "skype", "embed", "crawler",
    ]

    private static func page(_ document: String) -> Response {
        var response = Response(.ok, as: "text/html; charset=utf-8", document.utf8)
        response.headers[.cacheControl] = "no-store"
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        for (name, value) in [
            ("Referrer-Policy", "no-referrer"), ("X-Robots-Tag", "noindex, nofollow"),
        ] {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }

    /// A button.
    enum Press: String, CaseIterable {
        case go
        case stop

        /// Its name for people.
        var name: String { rawValue.uppercased() }

        /// The other one.
        var other: Press {
            switch self {
            case .go: .stop
            case .stop: .go
            }
        }

        /// The event of a press.
        var kind: EventKind {
            switch self {
            case .go: .goPressed
            case .stop: .stopPressed
            }
        }
    }
}

/// The latest press of each source, since the server was started.
///
/// The same press within some seconds is one press, if nothing else was pressed in between:
/// automations fire twice when a car's Bluetooth comes and goes.
final class RecentPresses: Sendable {
    /// The time within which the same press is one.
    private static let lastingMilliseconds: Int64 = 10_000

    /// A press.
    struct Pressed: Hashable, Sendable {
        /// The button.
        let press: ButtonEndpoint.Press

        /// When it was pressed.
        let at: EventTime

        /// The size of the log before it was stored: events that undo it come after that.
        fileprivate let sizeBefore: UInt64

        /// Whether another press at a time counts as the same.
        fileprivate func isSame(as other: ButtonEndpoint.Press, at time: EventTime) -> Bool {
            press == other
                && abs(time.timestamp.milliseconds(since: at.timestamp))
                    <= RecentPresses.lastingMilliseconds
        }
    }

    private let latest = Mutex<[SourceKey: Pressed]>([:])

    /// Returns the latest press if a press at a time may count as the same.
    func repeated(
        by press: ButtonEndpoint.Press,
        of presser: SourceKey,
        at time: EventTime
    ) -> Pressed? {
        latest.withLock { $0[presser] }.flatMap { $0.isSame(as: press, at: time) ? $0 : nil }
    }

    /// Returns the time of a press: its own, or that of the same press a moment ago.
    ///
    /// - Parameters:
    ///   - press: The button.
    ///   - presser: The source for which it is pressed.
    ///   - time: Its own time.
    ///   - undone: The press after which the other button was pressed elsewhere; `nil` for none.
    ///   - size: The size of the log before the press is stored.
    /// - Returns: The time.
    func time(
        of press: ButtonEndpoint.Press,
        by presser: SourceKey,
        at time: EventTime,
        unless undone: Pressed?,
        sizeBefore size: UInt64
    ) -> EventTime {
        latest.withLock { latest in
            if let last = latest[presser], last.isSame(as: press, at: time), last != undone {
                return last.at
            }
            latest[presser] = Pressed(press: press, at: time, sizeBefore: size)
            return time
        }
    }
}
