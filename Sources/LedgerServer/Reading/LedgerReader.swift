import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Platform
import RowFormats
import ServiceLifecycle
import TripLedger

/// Reads the ledger on a few threads of its own: one snapshot for each answer, which is over before
/// the first byte of the answer is sent.
///
/// A snapshot knows all entries that the log has when it begins: who reads after having appended
/// finds what was appended.
final class LedgerReader: Service {
    /// What is read at a time; more wait.
    private static let threadCount = 4

    /// How long a request waits for entries that it must know, and how long between two looks.
    private static let (patience, pause) = (Duration.seconds(2), Duration.milliseconds(50))

    /// The ledger.
    let ledger: Ledger

    private let pool = NIOThreadPool(numberOfThreads: threadCount)

    init(of ledger: Ledger) {
        self.ledger = ledger
        pool.start()
    }

    /// Reads until the server ends, which is when all requests are answered.
    func run() async throws {
        try? await gracefulShutdown()
        try await pool.shutdownGracefully()
    }

    /// Answers with what is written from one snapshot, in which time has passed to the present.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - mediaType: What the answer is.
    ///   - write: Reads and writes.
    /// - Throws: `Problem`.
    func answer(
        _ call: Call,
        as mediaType: String = "application/json",
        _ write: @escaping @Sendable (borrowing Snapshot, inout [UInt8]) throws -> Void
    ) async throws(Problem) -> Response {
        try await waitForEntries(of: call)
        let (bytes, size) = try await read { snapshot in
            var bytes: [UInt8] = []
            try write(snapshot, &bytes)
            return (bytes, snapshot.head.size)
        }
        return response(bytes, at: size, as: mediaType)
    }

    /// Answers with what was written when the log had a size.
    func response(
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
    func page<Row>(
        _ call: Call,
        of columns: Columns<Row>,
        _ read: @escaping @Sendable (borrowing Snapshot) throws -> (rows: [Row], next: String?)
    ) async throws(Problem) -> Response {
        try await answer(call) { snapshot, bytes in
            let missing = try snapshot.missingEntries()
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
    /// - Throws: `Problem`.
    func read<Result: Sendable>(
        _ body: @escaping @Sendable (borrowing Snapshot) throws -> Result
    ) async throws(Problem) -> Result {
        let ledger = ledger
        return try await run { try ledger.read(asOf: WallClock.now, body) }
    }

    /// Runs what asks the disk on one of the threads, and returns `nil` if it fails.
    ///
    /// Nothing is said of what went wrong, for nothing was asked for.
    func look<Result: Sendable>(
        _ body: @escaping @Sendable (Ledger) throws -> Result
    ) async -> Result? {
        let ledger = ledger
        return try? await pool.runIfActive { try body(ledger) }
    }

    /// Runs what asks the disk on one of the threads.
    ///
    /// - Throws: `Problem`.
    func run<Result: Sendable>(
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

    /// Waits until the log has the entries that a request must know, which another process may be
    /// about to append.
    ///
    /// - Throws: `Problem`.
    func waitForEntries(of call: Call) async throws(Problem) {
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
        }
    }
}
