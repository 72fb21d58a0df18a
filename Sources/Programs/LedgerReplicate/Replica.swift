import EmbeddedFiles
import LedgerKeeping
import Proofs

/// A ledger's segments in a database.
struct Replica {
    /// A segment in the database, without its bytes.
    struct Place: Hashable {
        /// The position of its first entry.
        let first: UInt64

        /// The position after its last entry.
        let next: UInt64

        /// The root of the first `next` entries.
        let root: Digest
    }

    /// The oldest server, as `server_version_num` says it: before 15 a view shows a driver all that
    /// its owner may read.
    private static let oldestServer: UInt64 = 150_000

    /// The connection to the server that takes changes.
    let session: PostgresSession

    /// The number of the ledger in the database.
    let number: UInt64

    /// The number of takeovers of the ledger, plus one.
    let epoch: UInt64

    /// The ledger's id: 32 hexadecimal digits.
    let id: String

    /// Finds a ledger; `nil` if it is not there.
    ///
    /// - Parameters:
    ///   - word: Its id, or its name.
    ///   - session: A connection.
    /// - Throws: `PostgresFailure`.
    init?(of word: String, over session: PostgresSession) throws(PostgresFailure) {
        let rows = try session.rows(
            """
            SELECT ledger, epoch, encode(id, 'hex') FROM ledger.ledgers
            WHERE encode(id, 'hex') = $1 OR name = $1 ORDER BY encode(id, 'hex') = $1 DESC
            """,
            [.text(word)]
        )
        guard rows.count > 0, let number = rows.number(0, 0), let epoch = rows.number(0, 1) else {
            return nil
        }
        (self.session, self.number, self.epoch) = (session, number, epoch)
        id = rows.text(0, 2)
    }

    /// Returns the names of all ledgers, in their order.
    static func names(over session: PostgresSession) throws(PostgresFailure) -> [String] {
        let rows = try session.rows("SELECT name FROM ledger.ledgers ORDER BY name")
        return (0..<rows.count).map { rows.text($0, 0) }
    }

    /// Makes the tables that are not there yet.
    ///
    /// - Parameters:
    ///   - session: A connection.
    ///   - hasRows: Whether to make the tables of rows, too.
    /// - Throws: `PostgresFailure`; `ReplicaRefusal` if the server is too old.
    static func makeTables(over session: PostgresSession, withRows hasRows: Bool) throws {
        let version = try session.rows(
            """
            SELECT current_setting('server_version_num')::integer, current_setting('server_version')
            """
        )
        guard version.number(0, 0) ?? 0 >= oldestServer else {
            throw ReplicaRefusal.oldServer(version.text(0, 1))
        }
        for name in hasRows ? ["replica.sql", "rows.sql"] : ["replica.sql"] {
            let script = EmbeddedFolder.replica[name]
            // Replicas of two ledgers may begin at once.
            let lock = "SELECT pg_advisory_xact_lock(hashtext('ledger tables'));"
            try session.run("BEGIN;" + lock + String(decoding: script, as: UTF8.self) + "COMMIT")
        }
    }

    /// Gives a ledger a number and a name, if it has none, and if no other ledger has the name.
    ///
    /// - Returns: Whether it was given.
    static func add(
        _ id: String,
        named name: String,
        over session: PostgresSession
    ) throws(PostgresFailure) -> Bool {
        try session
            .rows(
                """
                INSERT INTO ledger.ledgers (id, name) VALUES (decode($1, 'hex'), $2)
                ON CONFLICT DO NOTHING
                """,
                [.text(id), .text(name)]
            )
            .changedCount == 1
    }

    /// Returns where the last segment ends, and the root there; an empty log's if there is none.
    func head() throws(PostgresFailure) -> TreeHead {
        let rows = try session.rows(
            """
            SELECT next, root FROM ledger.segments WHERE ledger = $1 ORDER BY next DESC LIMIT 1
            """,
            [.number(number)]
        )
        guard rows.count == 1, let next = rows.number(0, 0),
            let root = rows.bytes(0, 1).flatMap({ Digest($0) })
        else { return TreeHead(size: 0, root: MerkleFrontier.emptyRoot) }
        return TreeHead(size: next, root: root)
    }

    /// Adds a segment, unless the ledger was taken over.
    ///
    /// - Parameters:
    ///   - segment: The segment.
    ///   - oldRoot: The root before it.
    ///   - epoch: The epoch in which this machine writes.
    /// - Returns: Whether it was added; COMMIT alone does not prove that it is safe.
    /// - Throws: `PostgresFailure`.
    func add(
        _ segment: Segment,
        after oldRoot: Digest,
        inEpoch epoch: UInt64
    ) throws(PostgresFailure) -> Bool {
        try session
            .rows(
                """
                INSERT INTO ledger.segments (ledger, first, next, old_root, root, bytes)
                SELECT ledger, $2::bigint, $3::bigint, $4::bytea, $5::bytea, $6::bytea
                FROM ledger.ledgers WHERE ledger = $1 AND epoch = $7 FOR SHARE
                """,
                [
                    .number(number), .number(segment.first), .number(segment.next),
                    segment.first == 0 ? .null : .bytes(oldRoot.array), .bytes(segment.root.array),
                    .bytes(segment.bytes), .number(epoch),
                ]
            )
            .changedCount == 1
    }

    /// Returns the segments that hold entries of a range.
    func places(of range: Range<UInt64>) throws(PostgresFailure) -> [Place] {
        let rows = try session.rows(
            """
            SELECT first, next, root FROM ledger.segments
            WHERE ledger = $1 AND next > $2 AND first < $3 ORDER BY next
            """,
            [.number(number), .number(range.lowerBound), .number(range.upperBound)]
        )
        return (0..<rows.count)
            .compactMap { row in
                guard let first = rows.number(row, 0), let next = rows.number(row, 1),
                    let root = rows.bytes(row, 2).flatMap({ Digest($0) })
                else { return nil }
                return Place(first: first, next: next, root: root)
            }
    }

    /// Replaces the bytes of a segment by others, with tombstones for erased entries.
    ///
    /// - Returns: Whether the segment is still there.
    func replace(_ place: Place, with bytes: [UInt8]) throws(PostgresFailure) -> Bool {
        try session
            .rows(
                """
                UPDATE ledger.segments SET bytes = $4
                WHERE ledger = $1 AND first = $2 AND next = $3
                """,
                [.number(number), .number(place.first), .number(place.next), .bytes(bytes)]
            )
            .changedCount == 1
    }

    /// Returns the segment that begins at a position; `nil` if there is none.
    func segment(at first: UInt64) throws(PostgresFailure) -> Segment? {
        let rows = try session.rows(
            "SELECT next, root, bytes FROM ledger.segments WHERE ledger = $1 AND first = $2",
            [.number(number), .number(first)]
        )
        guard rows.count == 1, let next = rows.number(0, 0),
            let root = rows.bytes(0, 1).flatMap({ Digest($0) }), let bytes = rows.bytes(0, 2)
        else { return nil }
        return Segment(first: first, next: next, root: root, bytes: bytes)
    }

    /// Fences the machine that has written the ledger so far.
    ///
    /// The server times out before this side does: a request without an answer is not carried out
    /// later.
    ///
    /// - Returns: The epoch in which another machine may write.
    /// - Throws: `PostgresFailure`; if only COMMIT was not answered, the takeover may have happened
    ///   nevertheless.
    func takeOver() throws -> UInt64? {
        var isUndone = true
        do {
            return try session.transaction {
                try session.run("SET LOCAL lock_timeout = '5s'; SET LOCAL statement_timeout = '8s'")
                let rows = try session.rows(
                    "UPDATE ledger.ledgers SET epoch = epoch + 1 WHERE ledger = $1 RETURNING epoch",
                    [.number(number)]
                )
                isUndone = false
                return rows.count == 1 ? rows.number(0, 0) : nil
            }
        } catch let failure as PostgresFailure {
            let ending =
                isUndone
                ? "the other machine is not fenced" : "the other machine may be fenced already"
            throw PostgresFailure(
                state: failure.state,
                description: "\(failure); \(ending): say the same command again"
            )
        }
    }

    /// Keeps a signed head.
    func keep(head note: [UInt8], ofSize size: UInt64) throws(PostgresFailure) {
        try session.rows(
            """
            INSERT INTO ledger.heads (ledger, size, note) VALUES ($1, $2, $3)
            ON CONFLICT (ledger, size) DO NOTHING
            """,
            [.number(number), .number(size), .text(String(decoding: note, as: UTF8.self))]
        )
    }

    /// Replaces several consecutive segments by one.
    ///
    /// - Parameters:
    ///   - range: The positions of their entries.
    ///   - count: How many segments hold them.
    /// - Throws: `PostgresFailure` if they are not what they were; then nothing was changed.
    func join(_ range: Range<UInt64>, ofSegments count: Int) throws {
        try session.transaction {
            try session.rows("SET CONSTRAINTS ALL DEFERRED")
            let bounds: [PostgresValue] = [
                .number(number), .number(range.lowerBound), .number(range.upperBound),
            ]
            let rows = try session.rows(
                """
                WITH gone AS (
                    DELETE FROM ledger.segments
                    WHERE ledger = $1 AND first >= $2 AND next <= $3
                    RETURNING first, old_root, root, bytes)
                SELECT count(*), (array_agg(old_root ORDER BY first))[1],
                    (array_agg(root ORDER BY first DESC))[1],
                    string_agg(bytes, ''::bytea ORDER BY first)
                FROM gone
                """,
                bounds
            )
            guard rows.number(0, 0) == UInt64(count), let root = rows.bytes(0, 2),
                let bytes = rows.bytes(0, 3)
            else { throw PostgresFailure(state: "40001", description: "segments were joined") }
            try session.rows(
                """
                INSERT INTO ledger.segments (ledger, first, next, old_root, root, bytes)
                VALUES ($1, $2, $3, $4, $5, $6)
                """,
                bounds + [
                    rows.bytes(0, 1).map { .bytes($0) } ?? .null, .bytes(root), .bytes(bytes),
                ]
            )
        }
    }

    /// Returns the segments up to a position with how many bytes each has, in their order.
    func sizes(upTo end: UInt64) throws(PostgresFailure) -> [(range: Range<UInt64>, bytes: Int)] {
        let rows = try session.rows(
            """
            SELECT first, next, octet_length(bytes) FROM ledger.segments
            WHERE ledger = $1 AND next <= $2 ORDER BY next
            """,
            [.number(number), .number(end)]
        )
        return (0..<rows.count)
            .compactMap { row in
                guard let first = rows.number(row, 0), let next = rows.number(row, 1),
                    let bytes = rows.number(row, 2)
                else { return nil }
                return (first..<next, Int(bytes))
            }
    }
}
