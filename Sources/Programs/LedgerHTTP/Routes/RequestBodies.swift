import HTTPTypes
package import Hummingbird
import NIOCore
import NIOPosix
import Platform
import ServerStore
import ServiceLifecycle
import Synchronization

/// The bodies of requests, which are read whole: no more of them are in memory at a time than there
/// is room for, and no holder of a token delays others with large bodies.
///
/// There is room for one of the largest bodies of each holder, and some is kept for those who send
/// little. Large bodies of one holder are answered one after another, and decoded on separate
/// threads, so that the threads that answer requests stay free.
package final class RequestBodies: Service {
    /// The most bytes of one body.
    package static let mostBytes = 16 << 20

    /// The bytes that are kept for those who send little, and the most that is little.
    private static let (keptBytes, littleBytes) = (4 << 20, 256 << 10)

    /// The size up to which a body is decoded where its request is answered: it takes a few
    /// milliseconds at most.
    private static let smallBytes = 16 << 10

    /// How many large ones are decoded at a time.
    private static let threadCount = 2

    private let room = Mutex(
        SharedAmount(
            most: 2 * mostBytes + keptBytes,
            mostEach: mostBytes,
            kept: keptBytes,
            forThoseWithUpTo: littleBytes
        )
    )

    /// The requests that are answered: one token's requests, however small, cannot fill the queue
    /// for the disk.
    private let requests = Mutex(SharedAmount(most: .max, mostEach: 128))
    private let turns = HolderTurns()
    private let pool = NIOThreadPool(numberOfThreads: threadCount)

    /// Starts the threads.
    package init() {
        pool.start()
    }

    /// Decodes until the server ends, which is when all requests are answered.
    package func run() async throws {
        try? await gracefulShutdown()
        try await pool.shutdownGracefully()
    }

    /// Reads the body of a request to a route, as the method below does.
    package func withBody(
        of call: Call,
        atMost mostBytes: Int = mostBytes,
        answer: (_ body: [UInt8]) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        try await withBody(
            of: call.request,
            from: call.access.holder,
            while: call.standing,
            atMost: mostBytes,
            answer: answer
        )
    }

    /// Reads the body of a request, and holds room for it until it is answered.
    ///
    /// A body may take a minute, and then wait for its turn. The access that let it in is checked
    /// again after that: nothing is stored with a token that was revoked meanwhile.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - holder: Who sends it: the name of the token, or nothing for the owner and for those who
    ///     need none.
    ///   - standing: The access that let it in.
    ///   - mostBytes: The most bytes that it may have.
    ///   - answer: Answers it.
    /// - Returns: The answer.
    /// - Throws: `Problem` if it is too large or compressed, cannot be read to its end, if there is
    ///   no room, or if its access has ended; and what `answer` throws.
    package func withBody(
        of request: Request,
        from holder: String?,
        while standing: StandingAccess,
        atMost mostBytes: Int = mostBytes,
        answer: (_ body: [UInt8]) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }),
            length > mostBytes
        {
            throw .tooLarge(mostBytes)
        }
        // A compressed body may expand beyond the memory.
        guard (request.headers[.contentEncoding] ?? "identity") == "identity" else {
            throw .compressed
        }
        let holder = holder ?? ""
        var bytes: [UInt8] = []
        defer { room.withLock { $0.give(bytes.count, for: holder) } }
        do {
            for try await piece in request.body {
                guard bytes.count + piece.readableBytes <= mostBytes else {
                    throw Problem.tooLarge(mostBytes)
                }
                // Bytes that a client has announced but not sent take no room from others.
                guard room.withLock({ $0.take(piece.readableBytes, for: holder) }) else {
                    throw Problem.busy
                }
                bytes.append(contentsOf: piece.readableBytesView)
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .cutOff
        }
        guard requests.withLock({ $0.take(1, for: holder) }) else { throw .busy }
        defer { requests.withLock { $0.give(1, for: holder) } }
        let body = bytes
        guard body.count > Self.smallBytes else {
            try standing.require()
            return try await answer(body)
        }
        return try await turns.take(holder) { () async throws(Problem) in
            try standing.require()
            return try await answer(body)
        }
    }

    /// Decodes a body: on another thread if that may take a while.
    ///
    /// - Parameters:
    ///   - byteCount: How many bytes it has.
    ///   - body: Reads it.
    /// - Returns: What `body` returns.
    /// - Throws: `Problem`.
    package func decode<Result: Sendable>(
        _ byteCount: Int,
        _ body: @escaping @Sendable () throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        byteCount > Self.smallBytes ? try await runApart(body) : try body()
    }

    /// Runs long work, or disk access, on a separate thread.
    ///
    /// - Throws: `Problem`.
    package func runApart<Result: Sendable>(
        _ body: @escaping @Sendable () throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        do {
            return try await pool.runIfActive { try body() }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .stopping
        }
    }
}
