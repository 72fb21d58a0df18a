import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerKeeping
import NIOCore
import Proofs
import ServerStore
import Synchronization
import TripLedger

/// Answers the log as C2SP tlog-tiles lays it out: the last signed head, and tiles and bundles of
/// entries under it.
///
/// The server does not sign: only `ledger head --sign` reads the key. Entries after the last signed
/// head have no tiles yet. A client that may not see the log gets the same answer as if there were
/// none, so that it cannot count the entries.
final class TilesEndpoint: Sendable {
    private static let scopes: [TokenScope] = [.audit, .admin]

    /// The reader of the ledger.
    private let reader: LedgerReader

    /// The tiles of the newest requested head; older heads have no other tiles.
    private let known = Mutex<LogTiles?>(nil)

    init(reader: LedgerReader) {
        self.reader = reader
    }

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/log/checkpoint",
                "The head that was signed last, with its signatures (C2SP tlog-tiles)",
                as: AnswerForm(mediaType: "text/plain; charset=utf-8", schema: nil),
                for: Self.scopes,
                isHidden: true,
                answerHead
            ),
            Route(
                .get,
                "/log/tile/{+path}",
                "A tile of hashes (L/N, L/N.p/W) or a bundle of entries (entries/N, entries/N.p/W) "
                    + "under the head that was signed last",
                as: AnswerForm(mediaType: "application/octet-stream", schema: nil),
                for: Self.scopes,
                isHidden: true,
                countedAs: .tiles,
                answerTile
            ),
        ]
    }

    private func answerHead(_ call: Call) async throws(Problem) -> Response {
        let head = try await reader.run { [self] in try newest().head }
        return Self.response(head.note.bytes, "text/plain; charset=utf-8", cache: "no-cache")
    }

    private func answerTile(_ call: Call) async throws(Problem) -> Response {
        guard let place = TilePlace(path: call.words[0]) else { throw .unknown }
        let bytes = try await reader.run { [self] in
            if let tiles = known.withLock({ $0 }), let bytes = try tiles.bytes(at: place) {
                return bytes as [UInt8]?
            }
            return try newest().bytes(at: place)
        }
        guard let bytes else { throw .unknown }
        // An erasure writes a bundle anew, but never a hash.
        let cache = place.isOfEntries ? "no-cache" : "max-age=31536000, immutable"
        return Self.response(bytes, "application/octet-stream", cache: "private, \(cache)")
    }

    /// Returns the tiles under the head that was signed last.
    ///
    /// - Throws: `LedgerError.notFound` if none was; `.forked` if the log is another one.
    private func newest() throws -> LogTiles {
        let ledger = reader.ledger
        let head = try HeadStore(of: ledger).requireLast()
        let known = known.withLock { $0 }
        if let known, known.head == head { return known }
        let tiles = try LogTiles(of: ledger, under: head)
        self.known.withLock { $0 = tiles }
        return tiles
    }

    private static func response(
        _ bytes: [UInt8],
        _ mediaType: String,
        cache: String
    ) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: mediaType, .cacheControl: cache],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
