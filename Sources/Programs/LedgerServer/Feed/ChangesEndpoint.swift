import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerRows
import Reports
import ServiceLifecycle
import TripLedger

/// Answers what has changed since a cursor.
struct ChangesEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The keeper that tells that something has changed.
    let keeper: ViewKeeper

    /// How trips are related to one another.
    let relations: KnownRelations

    /// The places of those who wait.
    private let seats = StreamSeats()

    init(reader: LedgerReader, keeper: ViewKeeper, relations: KnownRelations) {
        self.reader = reader
        self.keeper = keeper
        self.relations = relations
    }

    /// The most changes of other kinds that a page passes over.
    private static let mostRows = 10_000

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/changes",
                "Rows that changed, each once and as it is now",
                [.cursor, .limit, Self.kinds, Self.wait, .atLeast],
                as: .page(of: "change"),
                reaching: .seen,
                changes
            ),
            Route(
                .get,
                "/v1/changes/latest-cursor",
                "The cursor of a reader who knows all rows",
                [.atLeast],
                as: .object("latest-cursor"),
                reaching: .seen,
                latest
            ),
        ]
    }

    private static let kinds = Parameter(
        "kinds",
        .words(FeedSubject.Kind.allCases.map(\.rawValue)),
        "Only of these kinds"
    )

    private static let wait = Parameter(
        "wait",
        .number(0...30),
        "How many seconds to wait for a change if there is none"
    )

    /// The parts of a page.
    private struct Page: Sendable {
        var bytes: [UInt8]
        var position: UInt64
        var isEmpty: Bool
    }

    private func changes(_ call: Call) async throws(Problem) -> Response {
        let cursor = try Self.cursor(call.query)
        try await reader.waitForEntries(of: call)
        let seconds = call.query.number(Self.wait.name) ?? 0
        let end = ContinuousClock.now + .seconds(Int64(clamping: seconds))
        let seat = seconds > 0 ? seats.take(for: call.access.holder) : nil
        guard seat != nil || seconds == 0 else { throw .tooManyStreams }
        // The seat is held until the request is answered.
        defer { _ = consume seat }
        // The subscription begins before the feed is read, so that no news is missed in between.
        let subscriber = keeper.subscribe(while: call.standing)
        defer { keeper.unsubscribe(subscriber) }
        var page = try await page(call, after: cursor)
        if page.isEmpty, seconds > 0 {
            for await _ in subscriber.looks.cancelOnGracefulShutdown() {
                page = try await self.page(call, after: cursor)
                if !page.isEmpty || ContinuousClock.now >= end { break }
            }
            try call.standing.require()
        }
        return reader.response(page.bytes, at: page.position)
    }

    private static func cursor(_ query: Query) throws(Problem) -> FeedCursor? {
        guard let text = query.text(Parameter.cursor.name) else { return nil }
        guard let cursor = FeedCursor(text) else {
            throw .invalidParameter(Parameter.cursor.name, "next_cursor of a page of changes")
        }
        return cursor
    }

    private func page(_ call: Call, after cursor: FeedCursor?) async throws(Problem) -> Page {
        let query = call.query
        let kinds =
            query.text(Self.kinds.name)
            .map {
                Set($0.split(separator: ",").compactMap { FeedSubject.Kind(rawValue: String($0)) })
            }
            ?? Set(FeedSubject.Kind.allCases)
        let relations = relations
        return try await keeper.readFeed(seenBy: call.sight) { snapshot, head in
            if let cursor, !cursor.isOf(head) { throw Problem.cursorGone }
            let page = try snapshot.feedPage(
                after: cursor?.number ?? 0,
                kinds: kinds,
                limit: query.limit,
                mostRows: Self.mostRows
            )
            let writer = try ChangeWriter(
                for: page.items,
                in: snapshot,
                noting: try snapshot.missingEntries().member
            ) { try relations.relations(in: $0) }
            var items: [[UInt8]] = []
            for item in page.items {
                var bytes: [UInt8] = []
                try writer.append(item, of: head, in: snapshot, to: &bytes)
                items.append(bytes)
            }
            var bytes: [UInt8] = []
            let next = FeedCursor(head, page.next).text
            RowPage.append(
                itemCount: items.count,
                next: next,
                hasMore: page.hasMore,
                to: &bytes
            ) { $1 += items[$0] }
            return Page(
                bytes: bytes,
                position: snapshot.head.size,
                isEmpty: items.isEmpty && !page.hasMore
            )
        }
    }

    private func latest(_ call: Call) async throws(Problem) -> Response {
        try await reader.waitForEntries(of: call)
        let (head, position) = try await keeper.readFeed(seenBy: call.sight) {
            ($1, $0.head.size)
        }
        let cursor = FeedCursor(head, head.last).text
        return reader.response(Array(#"{"cursor":"\#(cursor)"}"#.utf8), at: position)
    }
}

extension Problem {
    /// The feed of the cursor no longer exists.
    static let cursorGone = Problem(
        kind: "cursor-gone",
        status: .gone,
        title: "The changes since then are not known any more",
        detail: "Read them from the beginning, without cursor, and drop rows that do not come."
    )
}
