import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The bodies of requests, which are read whole: no more of them are in memory at a time than there
/// is room for.
final class RequestBodies: Sendable {
    /// The most bytes of one body.
    static let mostBytes = 16 << 20

    /// The most bytes of all bodies that are held at a time: two of the largest.
    private static let mostBytesTogether = 2 * mostBytes

    private let byteCount = Atomic(0)

    /// Reads the body of a request, and holds room for it until it is answered.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - mostBytes: The most bytes that it may have.
    ///   - answer: Answers it.
    /// - Returns: The answer.
    /// - Throws: `Problem` if it is too large or compressed, cannot be read to its end, or there is
    ///   no room; and what `answer` throws.
    func withBody(
        of request: Request,
        atMost mostBytes: Int = mostBytes,
        answer: (_ body: [UInt8]) async throws(Problem) -> Response
    ) async throws(Problem) -> Response {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }),
            length > mostBytes
        {
            throw .tooLarge(mostBytes)
        }
        // What is small on the way may be larger than the memory.
        guard (request.headers[.contentEncoding] ?? "identity") == "identity" else {
            throw .compressed
        }
        var bytes: [UInt8] = []
        defer { byteCount.subtract(bytes.count, ordering: .relaxed) }
        do {
            for try await piece in request.body {
                guard bytes.count + piece.readableBytes <= mostBytes else {
                    throw Problem.tooLarge(mostBytes)
                }
                // What a client has announced but not sent takes no room from others.
                let (_, together) = byteCount.add(piece.readableBytes, ordering: .relaxed)
                bytes.append(contentsOf: piece.readableBytesView)
                guard together <= Self.mostBytesTogether else { throw Problem.busy }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .cutOff
        }
        return try await answer(bytes)
    }
}
