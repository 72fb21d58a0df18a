import LedgerRows
import Platform
import SystemPackage
import TripLedger

/// Writes the rows of a ledger to the tables of `rows.sql`: changes of its feed, with the cursor in
/// the same transaction.
struct RowFollower {
    /// The most changes that go to the server at once.
    private static let mostChanges = 500

    /// The longest wait until these are written.
    private static let patience = Duration.seconds(60)

    private let ledger: FilePath
    private let session: PostgresSession

    /// How far the rows that the server has go; `nil` if that was not asked yet.
    private var known: Known?

    private struct Known {
        /// The cursor; `nil` if there are no rows.
        var cursor: FeedCursor?

        /// The size of the log when the sources were written; `nil` if it was another connection.
        var size: UInt64?
    }

    /// Prepares to write the rows of the ledger in a directory.
    init(of ledger: FilePath, over session: PostgresSession) {
        self.ledger = ledger
        self.session = session
    }

    /// Writes what has changed.
    ///
    /// - Parameters:
    ///   - replica: The ledger in the database.
    ///   - epoch: The epoch in which this machine writes.
    /// - Returns: Whether that is still the epoch; else nothing was written.
    /// - Throws: `LedgerError`, `PostgresFailure`; then the session is of no more use.
    mutating func take(of replica: Replica, inEpoch epoch: UInt64) throws -> Bool {
        var known = try self.known ?? Known(cursor: cursor(of: replica))
        let ledger = try Ledger(at: self.ledger)
        defer { ledger.close() }
        let now = WallClock.now
        func write() throws -> Bool? {
            try ledger.read(asOf: now) { snapshot in
                guard let head = try snapshot.feedHead() else { return nil }
                guard try isNew(in: snapshot, head, known) else { return true }
                try session.rows("BEGIN")
                guard try holds(epoch, of: replica) else { return false }
                // Rows can be written again: no receipt waits for a second server to have them.
                try session.rows("SET LOCAL synchronous_commit = local")
                try writeChanges(of: replica, in: snapshot, head, after: &known.cursor)
                try writeSources(of: replica, in: snapshot, asOf: now)
                try session.rows("COMMIT")
                known.size = snapshot.head.size
                return true
            }
        }
        var isWritten = try write()
        if isWritten == nil {
            try ledger.beginFeed()
            isWritten = try write()
        }
        self.known = known
        // The feed is lost again only if the views were deleted meanwhile: the next call begins it.
        return isWritten ?? true
    }

    /// Returns whether there is something that the server does not have.
    private func isNew(
        in snapshot: borrowing Snapshot,
        _ head: FeedHead,
        _ known: Known
    ) throws -> Bool {
        guard let cursor = known.cursor, cursor.isOf(head), known.size == snapshot.head.size else {
            return true
        }
        return cursor.number < head.last
    }

    /// Returns how far the rows that the server has go; `nil` if it has none.
    private func cursor(of replica: Replica) throws(PostgresFailure) -> FeedCursor? {
        let rows = try session.rows(
            """
            SELECT lpad(to_hex(epoch), 16, '0') || '-' || number FROM fleet.cursors
            WHERE ledger = $1
            """,
            [.number(replica.number)]
        )
        return rows.count > 0 ? FeedCursor(rows.text(0, 0)) : nil
    }

    /// Returns whether this machine may still write, and keeps others from taking the ledger over
    /// before the transaction ends.
    private func holds(_ epoch: UInt64, of replica: Replica) throws(PostgresFailure) -> Bool {
        let rows = try session.rows(
            "SELECT epoch FROM ledger.ledgers WHERE ledger = $1 FOR SHARE",
            [.number(replica.number)]
        )
        return rows.count > 0 && rows.number(0, 0) == epoch
    }

    /// Writes all changes after a cursor; if the feed is another one, all rows in the place of
    /// those that there are.
    private func writeChanges(
        of replica: Replica,
        in snapshot: borrowing Snapshot,
        _ head: FeedHead,
        after cursor: inout FeedCursor?
    ) throws {
        if let known = cursor, !known.isOf(head) { cursor = nil }
        let relations = try TripRelations(in: snapshot)
        var hasMore = true
        while hasMore {
            let page = try ChangePage(
                after: cursor,
                of: head,
                in: snapshot,
                limit: Self.mostChanges,
                relations
            )
            try session.rows(
                "SELECT fleet.take($1::integer, $2::text, $3::text, $4::jsonb)",
                [
                    .number(replica.number), cursor.map { .text($0.text) } ?? .null,
                    .text(page.next.text), .text(String(decoding: page.changes, as: UTF8.self)),
                ],
                within: Self.patience
            )
            cursor = page.next
            hasMore = page.hasMore
        }
        let leftOut = relations.overlaps.all.filter(\.isLeftOut).map(\.ends.trip.description)
        try session.rows(
            """
            SELECT fleet.leave_out($1::integer,
                ARRAY(SELECT decode(id, 'hex') FROM unnest(string_to_array($2, ',')) AS id))
            """,
            [.number(replica.number), .text(leftOut.joined(separator: ","))],
            within: Self.patience
        )
    }

    /// Writes what each source reported last.
    private func writeSources(
        of replica: Replica,
        in snapshot: borrowing Snapshot,
        asOf instant: Timestamp
    ) throws {
        let sources = try SourceActivity.json(in: snapshot, asOf: instant)
        try session.rows(
            "SELECT fleet.take_status($1::integer, $2::jsonb)",
            [.number(replica.number), .text(String(decoding: sources, as: UTF8.self))],
            within: Self.patience
        )
    }
}
