import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import Synchronization
import TripLedger

/// Answers which trips still need a class, a purpose, or a decision about another trip of their
/// drive, as the command `inbox` lists them, and their number.
///
/// Counting them takes a look at all trips, so the count is cached until a row changes.
final class InboxEndpoint: Sendable {
    /// How many trips wait.
    private struct Counts: Sendable {
        var unclassified = 0
        var withoutPurpose = 0

        /// Trips that lack neither, but whose drive has another trip.
        var twins = 0

        /// All of them.
        var all: Int { unclassified + withoutPurpose + twins }
    }

    private struct Known: Sendable {
        var head: FeedHead
        var end: Timestamp?
        var counts: Counts
    }

    /// The most rows that a page looks at.
    private static let mostRows = 10_000

    private let reader: LedgerReader
    private let keeper: ViewKeeper
    private let known = Mutex(PerSight<Known>())

    init(reader: LedgerReader, keeper: ViewKeeper) {
        self.reader = reader
        self.keeper = keeper
    }

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/inbox",
                "Trips that need a class or a purpose, newest first, with the routine that fits",
                [.cursor, .limit, .atLeast],
                as: .page(of: "waiting-trip"),
                reaching: .seen,
                list
            ),
            Route(
                .get,
                "/v1/inbox/count",
                "How many trips need a class or a purpose",
                [.atLeast],
                as: .object("inbox-count"),
                reaching: .seen,
                count
            ),
        ]
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let position = try TripsEndpoint.position(in: call.query)
        var filter = TripFilter(limit: call.query.limit)
        filter.waitsForDetails = true
        return try await reader.page(call, of: WaitingTrip.columns) { [filter] snapshot in
            var filter = filter
            let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
            filter.overlaps = overlaps
            let places = try snapshot.places()
            let catalogue = try snapshot.routines()
            let page = try snapshot.tripPage(filter, after: position, mostRows: Self.mostRows)
            let rows = page.rows.map { row in
                WaitingTrip(
                    overlaps.filled(row.booked),
                    places: places,
                    of: catalogue,
                    asking: overlaps.question(about: row.booked)
                )
            }
            return (rows, page.next?.text)
        }
    }

    private func count(_ call: Call) async throws(Problem) -> Response {
        try await reader.waitForEntries(of: call)
        let found = try await keeper.readFeed(seenBy: call.sight) {
            [self] snapshot, head -> (Counts, UInt64) in
            (try self.counts(in: snapshot, head), snapshot.head.size)
        }
        let (counts, size) = found
        let members = [
            ("waiting", counts.all), ("unclassified", counts.unclassified),
            ("without_purpose", counts.withoutPurpose), ("twins", counts.twins),
        ]
        var bytes: [UInt8] = []
        JSONWriter.append(
            members.map { JSONValue.Member(name: $0, value: .number(literal: "\($1)")) },
            to: &bytes
        )
        return reader.response(bytes, at: size)
    }

    private func counts(in snapshot: borrowing Snapshot, _ head: FeedHead) throws -> Counts {
        let end = try snapshot.latestEndByTime()
        let sight = snapshot.sight
        let known = known.withLock { $0[sight] }
        if let known, known.head == head, known.end == end { return known.counts }
        var filter = TripFilter()
        filter.waitsForDetails = true
        let (_, overlaps) = try snapshot.relateTrips(into: ()) { _, _ in }
        filter.overlaps = overlaps
        var counts = Counts()
        try snapshot.readTrips(filter) { row in
            switch overlaps.filled(row.booked).missingDetail {
            case .tripClass?: counts.unclassified += 1
            case .purpose?: counts.withoutPurpose += 1
            // Two trips of one drive contradict each other, or neither names its vehicle.
            case nil: counts.twins += 1
            }
            return true
        }
        self.known.withLock { $0[sight] = Known(head: head, end: end, counts: counts) }
        return counts
    }
}
