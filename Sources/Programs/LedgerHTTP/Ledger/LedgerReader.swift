import HTTPTypes
package import Hummingbird
import LedgerRows
import NIOCore
import NIOPosix
import Platform
import Reports
import ServiceLifecycle
package import Tables
import TripEvents
package import TripLedger

/// Reads the ledger on a few threads of its own: one snapshot for each answer, which is over before
/// the first byte of the answer is sent.
///
/// A snapshot knows all entries that the log has when it begins: a client that reads after having
/// appended finds what was appended.
package final class LedgerReader: Service {
    /// The number of reads at a time; more wait.
    private static let threadCount = 4

    /// How long a request waits for entries that its answer must include, and the time between two
    /// looks.
    private static let (patience, pause) = (Duration.seconds(2), Duration.milliseconds(50))

    /// The ledger.
    package let ledger: Ledger

    private let pool = NIOThreadPool(numberOfThreads: threadCount)

    /// Starts the threads.
    package init(of ledger: Ledger) {
        self.ledger = ledger
        pool.start()
    }

    /// Reads until the server ends, which is when all requests are answered.
    package func run() async throws {
        try? await gracefulShutdown()
        try await pool.shutdownGracefully()
    }

    /// Answers with what is written from one snapshot, in which time has passed to the present.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - mediaType: The media type of the answer.
    ///   - write: Reads and writes.
    /// - Returns: The answer, with the head up to which was read.
    /// - Throws: `Problem`.
    package func answer(
        _ call: Call,
        as mediaType: String = "application/json",
        _ write: @escaping @Sendable (borrowing Snapshot, inout [UInt8]) throws -> Void
    ) async throws(Problem) -> Response {
        try await waitForEntries(of: call)
        let (bytes, size) = try await read(seenBy: call.sight) { snapshot in
            var bytes: [UInt8] = []
            try write(snapshot, &bytes)
            return (bytes, snapshot.head.size)
        }
        return response(bytes, at: size, as: mediaType)
    }

    /// Answers with what was written when the log had a size.
    package func response(
        _ bytes: [UInt8],
        at size: UInt64,
        as mediaType: String = "application/json"
    ) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: mediaType, .cacheControl: "no-store", .ledgerPosition: "\(size)",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    /// Answers with a page of rows.
    package func page<Row>(
        _ call: Call,
        of columns: Columns<Row>,
        _ read: @escaping @Sendable (borrowing Snapshot) throws -> (rows: [Row], next: String?)
    ) async throws(Problem) -> Response {
        try await answer(call) { snapshot, bytes in
            let group = call.access.selection(in: call.query)
            let missing = try snapshot.missingEntries(of: group)
            let (rows, next) = try read(snapshot)
            RowPage.append(
                rows,
                columns.noting(missing),
                next: next,
                by: snapshot.clock,
                to: &bytes
            )
        }
    }

    /// Reads from one snapshot, in which time has passed to the present.
    ///
    /// - Parameters:
    ///   - sight: The part that the asker sees; the rest is not there.
    ///   - body: Reads.
    /// - Returns: What `body` returned.
    /// - Throws: `Problem`.
    package func read<Result: Sendable>(
        seenBy sight: Sight,
        _ body: @escaping @Sendable (borrowing Snapshot) throws -> Result
    ) async throws(Problem) -> Result {
        let ledger = ledger
        return try await run { try ledger.read(asOf: WallClock.now, seenBy: sight, body) }
    }

    /// Runs disk access on one of the threads, and returns `nil` if it fails.
    ///
    /// Errors are not reported, because no request waits for the result.
    package func look<Result: Sendable>(
        _ body: @escaping @Sendable (Ledger) throws -> Result
    ) async -> Result? {
        let ledger = ledger
        return try? await pool.runIfActive { try body(ledger) }
    }

    /// Runs disk access on one of the threads.
    ///
    /// - Throws: `Problem`.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await pool.runIfActive(body)
        } catch let problem as Problem {
            throw problem
        } catch let error as LedgerError {
            throw Problem(reading: error)
        } catch {
            throw .stopping
        }
    }

    /// Waits until the log has the entries that the answer to a request must include, which another
    /// process may be about to append.
    ///
    /// - Throws: `Problem`.
    package func waitForEntries(of call: Call) async throws(Problem) {
        guard let size = call.query.number(Parameter.atLeast.name) else { return }
        let ledger = ledger
        let end = ContinuousClock.now + Self.patience
        while try await run({ try ledger.head().size }) < size {
            guard ContinuousClock.now < end else { throw .behind }
            do {
                try await Task.sleep(for: Self.pause)
            } catch {
                throw .stopping
            }
            try call.standing.require()
        }
    }
}
