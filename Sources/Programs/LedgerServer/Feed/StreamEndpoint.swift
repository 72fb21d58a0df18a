import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerRows
import NIOCore
import Platform
import Reports
import ServerStore
import ServiceLifecycle
import TripEvents
import TripLedger

/// Sends events as they happen: server-sent events.
struct StreamEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The keeper that tells that something has changed.
    let keeper: ViewKeeper

    /// How trips are related to one another.
    let relations: KnownRelations

    /// Who follows.
    let seats: StreamSeats

    /// The latest news, shared by followers with the same sight.
    private let shared: NewsOfSights
    private let sharedOfPresent: NewsOfSights

    /// The notifications that `ledger watch` would give.
    let notifications: StreamNotifications

    /// Prepares to be followed.
    init(reader: LedgerReader, keeper: ViewKeeper, relations: KnownRelations) {
        shared = NewsOfSights(readsPast: true, present: keeper.present)
        sharedOfPresent = NewsOfSights(readsPast: false, present: keeper.present)
        self.reader = reader
        self.keeper = keeper
        self.relations = relations
        let notifications = StreamNotifications(of: reader.ledger)
        self.notifications = notifications
        seats = StreamSeats { notifications.forget() }
    }

    /// The most changes that wait for a reader: with more, the reader must read them page by page.
    private static let mostWaiting = 64

    /// The silence after which an empty line is sent, so that proxies keep the connection.
    private static let quiet = Duration.seconds(15)

    /// The time after which a stream ends, so that a reader who left without a word keeps no place.
    private static let longest = Duration.seconds(3_600)

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/stream",
                "Server-sent events: status, change, notification, resync",
                [Parameter("source", .text, "Only the status of this source")],
                fields: [
                    HeadField(
                        name: "Last-Event-ID",
                        meaning: "The id of the last event that is known: it goes on from there"
                    )
                ],
                as: AnswerForm(mediaType: "text/event-stream", schema: nil),
                for: [.read, .live, .admin],
                reaching: .seen,
                stream
            )
        ]
    }

    private func stream(_ call: Call) async throws(Problem) -> Response {
        guard let seat = seats.take(for: call.access.holder) else { throw .tooManyStreams }
        let said = try Self.lastEventID(of: call.request)
        let (head, position) = try await keeper.readFeed(seenBy: call.sight) { ($1, $0.head.size) }
        let source = call.query.text("source")
        // A token that may see only the present learns nothing of trips that are over.
        let tellsChanges = call.access.mayRead
        let follower = Follower(
            endpoint: self,
            standing: call.standing,
            sight: call.sight,
            source: source,
            known: said.map { $0.isOf(head) ? $0.number : nil } ?? head.last,
            tellsChanges: tellsChanges
        )
        var headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store",
            .ledgerPosition: "\(position)",
        ]
        if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody { writer in
                // Held until the stream ends.
                _ = seat
                var follower = follower
                try await follower.follow(to: &writer)
                try await writer.finish(nil)
            }
        )
    }

    private static func lastEventID(of request: Request) throws(Problem) -> FeedCursor? {
        guard let name = HTTPField.Name("Last-Event-ID"), let text = request.headers[name] else {
            return nil
        }
        guard let cursor = FeedCursor(text) else {
            throw .invalidParameter("Last-Event-ID", "the id of an event of this stream")
        }
        return cursor
    }
}

extension StreamEndpoint {
    /// A reader of the stream, with what the reader knows.
    private struct Follower: Sendable {
        let endpoint: StreamEndpoint
        let standing: StandingAccess
        let sight: Sight
        let source: String?

        /// The number of the last change that the reader knows; `nil` if the feed no longer has it.
        var known: UInt64?
        let tellsChanges: Bool

        /// How many notifications the follower knows; `nil` at the beginning.
        var notified: Int?

        /// The latest status that was sent of each source.
        var told: [NameKey: SharedNews.StatusKey] = [:]

        /// When a status was last sent: at most one is sent each second.
        var statusAt: ContinuousClock.Instant?

        /// Whether a status may be sent again.
        var isStatusDue: Bool { statusAt.map { .now - $0 >= .seconds(1) } ?? true }

        /// Sends events until the reader leaves, the server is to end, the token no longer permits
        /// reading, or an hour has passed.
        @concurrent
        mutating func follow(to writer: inout any ResponseBodyWriter) async throws {
            let keeper = endpoint.keeper
            let subscriber = keeper.subscribe(while: standing)
            defer { keeper.unsubscribe(subscriber) }
            let start = ContinuousClock.now
            var spokenAt = start
            try await writer.write(ByteBuffer(string: "retry: 3000\n\n"))
            guard try await tell(to: &writer, &spokenAt) else { return }
            for await _ in subscriber.looks.cancelOnGracefulShutdown() {
                guard try await tell(to: &writer, &spokenAt) else { return }
                let now = ContinuousClock.now
                if now - spokenAt >= StreamEndpoint.quiet {
                    spokenAt = now
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                }
                if now - start >= StreamEndpoint.longest { return }
            }
        }

        /// Sends what is new, and returns whether to go on.
        @concurrent
        private mutating func tell(
            to writer: inout any ResponseBodyWriter,
            _ spokenAt: inout ContinuousClock.Instant
        ) async throws -> Bool {
            let news = try await endpoint.news(for: self)
            if told != news.told { statusAt = .now }
            known = news.known
            told = news.told
            var bytes = news.bytes
            if tellsChanges {
                let (notifications, known) = (endpoint.notifications, notified)
                let sight = sight
                let found = try await endpoint.reader.run {
                    try notifications.news(after: known, seenBy: sight)
                }
                notified = found.known
                for row in found.rows {
                    bytes += "event: notification\ndata: ".utf8 + row + "\n\n".utf8
                }
            }
            guard standing.holds else { return false }
            guard !bytes.isEmpty else { return true }
            spokenAt = .now
            try await writer.write(ByteBuffer(bytes: bytes))
            return true
        }
    }

    /// The news for a reader.
    private struct News: Sendable {
        var bytes: [UInt8] = []
        var known: UInt64?
        var told: [NameKey: SharedNews.StatusKey]
    }

    private func news(for follower: Follower) async throws(Problem) -> News {
        let shared = (follower.tellsChanges ? shared : sharedOfPresent).news(seenBy: follower.sight)
        let relations = relations
        return try await keeper.readFeed(seenBy: follower.sight) { snapshot, head in
            var news = News(known: follower.known, told: follower.told)
            if follower.isStatusDue {
                let statuses =
                    if let source = follower.source {
                        try shared.statuses(
                            of: .named(source),
                            in: snapshot,
                            asOf: WallClock.now
                        )
                    } else {
                        try shared.statuses(in: snapshot)
                    }
                for status in statuses where news.told[status.source] != status.key {
                    guard status.key.isFirstWord || news.told[status.source] != nil else {
                        continue
                    }
                    news.told[status.source] = status.key
                    news.bytes += status.message
                }
            }
            guard follower.tellsChanges else { return news }
            var changes = SharedNews.Changes(messages: [], known: nil)
            if let known = follower.known, known <= head.last {
                changes = try shared.changes(after: known, upTo: head) {
                    try Self.changes(after: known, head, in: snapshot, relations)
                }
            }
            guard let known = changes.known else {
                Self.addResync(to: &news, head)
                return news
            }
            news.bytes += changes.messages
            news.known = known
            return news
        }
    }

    /// Reads what has changed since a number.
    private static func changes(
        after known: UInt64,
        _ head: FeedHead,
        in snapshot: borrowing Snapshot,
        _ relations: KnownRelations
    ) throws -> SharedNews.Changes {
        let page = try snapshot.feedPage(
            after: known,
            kinds: Set(FeedSubject.Kind.allCases),
            limit: mostWaiting,
            mostRows: mostWaiting
        )
        guard !page.hasMore else { return SharedNews.Changes(messages: [], known: nil) }
        var bytes: [UInt8] = []
        let writer = try ChangeWriter(
            for: page.items,
            in: snapshot,
            noting: try snapshot.missingEntries().member
        ) { try relations.relations(in: $0) }
        for item in page.items {
            bytes += "id: \(FeedCursor(head, item.number).text)\nevent: change\ndata: ".utf8
            try writer.append(item, of: head, in: snapshot, to: &bytes)
            bytes += "\n\n".utf8
        }
        return SharedNews.Changes(messages: bytes, known: page.next)
    }

    private static func addResync(to news: inout News, _ head: FeedHead) {
        let cursor = FeedCursor(head, head.last).text
        news.bytes += "id: \(cursor)\nevent: resync\ndata: {\"cursor\":\"\(cursor)\"}\n\n".utf8
        news.known = head.last
    }
}

extension Problem {
    /// No more followers are allowed, in all or with this token.
    static let tooManyStreams = Problem(
        kind: "busy",
        status: .serviceUnavailable,
        title: "Too many follow already",
        detail: "Ask for /v1/changes with wait, or try again later.",
        headers: [.retryAfter: "30"]
    )
}
