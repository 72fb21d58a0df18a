import LedgerRows
import Platform
import TripLedger

/// Writes the rows of a ledger to the tables of `rows.sql`: changes of its feed, with the cursor in
/// the same transaction.
struct RowFollower {
    /// The most changes that go to the server at once.
    private static let mostChanges = 500

    /// The longest wait until these are written.
    private static let patience = Duration.seconds(60)

    private let ledger: SharedLedger
    private let session: PostgresSession

    /// The rows that the server has; `nil` if that was not asked yet.
    private var known: Known?

    /// What a writer knows of the rows that the server has.
    private struct Known {
        /// How far they go; `nil` if there are no rows.
        var cursor: FeedCursor?

        /// The size of the log when the sources were written; `nil` if another connection wrote
        /// them.
        var size: UInt64?

        /// The facts in rows that do not come from the rows' own changes; `nil` if another
        /// connection wrote them.
        var basis: Basis?
    }

    /// The facts that rows show about other rows, places and settings.
    private struct Basis {
        let settings: SettingsBook
        let places: PlaceBook
        let drivers: DriverBook
        let relations: TripRelations

        init(in snapshot: borrowing Snapshot) throws {
            settings = snapshot.settings
            places = try snapshot.places()
            drivers = try snapshot.drivers()
            relations = try TripRelations(in: snapshot)
        }

        /// Returns whether it differs from another one at most by the relations of trips.
        func differsByRelationsAlone(from other: Basis) -> Bool {
            settings == other.settings && places == other.places && drivers == other.drivers
        }
    }

    /// The outcome of a try to write.
    private enum Outcome {
        /// The server has all rows.
        case written(Known)

        /// Another machine has taken the ledger over.
        case fenced

        /// The ledger's views have no feed yet.
        case noFeed
    }

    /// Prepares to write the rows of a ledger.
    init(of ledger: SharedLedger, over session: PostgresSession) {
        self.ledger = ledger
        self.session = session
    }

    /// Writes what has changed.
    ///
    /// - Parameters:
    ///   - replica: The ledger in the database.
    ///   - epoch: The epoch in which this machine writes.
    /// - Returns: Whether that is still the epoch; else nothing was written.
    /// - Throws: `LedgerError`, `PostgresFailure`; then the session MUST NOT be used again.
    mutating func take(of replica: Replica, inEpoch epoch: UInt64) throws -> Bool {
        let known = try self.known ?? Known(cursor: cursor(of: replica))
        let outcome = try ledger.using { ledger -> Outcome in
            let outcome = try write(ledger, of: replica, inEpoch: epoch, after: known)
            guard case .noFeed = outcome else { return outcome }
            try ledger.beginFeed()
            return try write(ledger, of: replica, inEpoch: epoch, after: known)
        }
        switch outcome {
        case .written(let known):
            self.known = known
            return true
        case .fenced: return false
        // The feed is missing again only if the views were deleted meanwhile: the next call begins
        // it.
        case .noFeed: return true
        }
    }

    /// Writes what a ledger has that the server does not have.
    private func write(
        _ ledger: Ledger,
        of replica: Replica,
        inEpoch epoch: UInt64,
        after known: Known
    ) throws -> Outcome {
        let now = WallClock.now
        return try ledger.read(asOf: now) { snapshot in
            guard let head = try snapshot.feedHead() else { return .noFeed }
            guard try isNew(in: snapshot, head, known) else { return .written(known) }
            // Long work is done before the transaction, because the server ends an idle one.
            let basis = try Basis(in: snapshot)
            try session.rows("BEGIN")
            // A table that another session holds must not keep the ledger open for long.
            try session.rows("SET LOCAL lock_timeout = '5s'")
            guard try isStill(epoch, of: replica) else { return .fenced }
            // Rows can be written again: no receipt waits for a second server to have them.
            try session.rows("SET LOCAL synchronous_commit = local")
            var written = known
            try writeChanges(of: replica, in: snapshot, head, basis, after: &written)
            try writeSources(of: replica, in: snapshot, asOf: now)
            // Takeovers by others are blocked only from here on, because many rows take a while.
            guard try isStill(epoch, of: replica, untilCommit: true) else { return .fenced }
            try session.rows("COMMIT")
            written.size = snapshot.head.size
            return .written(written)
        }
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
    /// before the transaction ends, if that is asked for.
    private func isStill(
        _ epoch: UInt64,
        of replica: Replica,
        untilCommit isHeld: Bool = false
    ) throws(PostgresFailure) -> Bool {
        let rows = try session.rows(
            "SELECT epoch FROM ledger.ledgers WHERE ledger = $1\(isHeld ? " FOR SHARE" : "")",
            [.number(replica.number)]
        )
        return rows.count > 0 && rows.number(0, 0) == epoch
    }

    /// Writes all changes after those that are known; if the feed is a different one, all rows in
    /// place of the present ones.
    private func writeChanges(
        of replica: Replica,
        in snapshot: borrowing Snapshot,
        _ head: FeedHead,
        _ basis: Basis,
        after known: inout Known
    ) throws {
        let cursor = known.cursor.flatMap { $0.isOf(head) ? $0 : nil }
        known.cursor = try readPages(after: cursor, of: head, in: snapshot, basis) { page, since in
            try session.rows(
                "SELECT fleet.take($1::integer, $2::text, $3::text, $4::jsonb)",
                [
                    .number(replica.number), since.map { .text($0.text) } ?? .null,
                    .text(page.next.text), .text(String(decoding: page.changes, as: UTF8.self)),
                ],
                within: Self.patience
            )
        }
        if cursor != nil {
            try writeAgain(of: replica, in: snapshot, head, basis, insteadOf: known.basis)
        }
        known.basis = basis
    }

    /// Writes those rows again whose content differs since their last change; if it is not known
    /// which, all are checked.
    private func writeAgain(
        of replica: Replica,
        in snapshot: borrowing Snapshot,
        _ head: FeedHead,
        _ basis: Basis,
        insteadOf old: Basis?
    ) throws {
        func write(_ changes: [UInt8]) throws(PostgresFailure) {
            try session.rows(
                "SELECT fleet.take_again($1::integer, $2::jsonb)",
                [.number(replica.number), .text(String(decoding: changes, as: UTF8.self))],
                within: Self.patience
            )
        }
        guard let old, basis.differsByRelationsAlone(from: old) else {
            _ = try readPages(after: nil, of: head, in: snapshot, basis) { page, _ in
                try write(page.changes)
            }
            return
        }
        var trips = Array(basis.relations.differences(from: old.relations))[...]
        while !trips.isEmpty {
            let part = trips.prefix(Self.mostChanges)
            trips = trips.dropFirst(part.count)
            try write(ChangePage.lastChanges(of: part, of: head, in: snapshot, basis.relations))
        }
    }

    /// Hands over all pages of a feed after a cursor, each with the cursor before it, and returns
    /// the cursor after them.
    private func readPages(
        after start: FeedCursor?,
        of head: FeedHead,
        in snapshot: borrowing Snapshot,
        _ basis: Basis,
        _ body: (_ page: ChangePage, _ since: FeedCursor?) throws -> Void
    ) throws -> FeedCursor? {
        var cursor = start
        var hasMore = true
        while hasMore {
            let page = try ChangePage(
                after: cursor,
                of: head,
                in: snapshot,
                limit: Self.mostChanges,
                basis.relations
            )
            try body(page, cursor)
            cursor = page.next
            hasMore = page.hasMore
        }
        return cursor
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
