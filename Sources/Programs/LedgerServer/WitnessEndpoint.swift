import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerKeeping
import NIOCore
import Platform
import TripLedger

/// Cosigns heads of other ledgers: `/witness/add-checkpoint` (C2SP tlog-witness).
///
/// No token is needed: a head must be signed by the owner of a log that `ledger witness add` has
/// named, and must include every entry that the witness saw before.
struct WitnessEndpoint: Sendable {
    /// The book of the witness.
    let book: WitnessBook

    /// The reader whose threads wait for the disk.
    let reader: LedgerReader

    /// The bodies of all requests.
    let bodies: RequestBodies

    /// The most bytes of a request: 63 hashes and a head with many signatures have fewer.
    private static let mostBytes = 64 << 10

    /// The path.
    var routes: [Route] {
        [
            Route(
                .post,
                "/witness/add-checkpoint",
                "Cosigns a head with a proof that nothing has changed since the last one; 409 says "
                    + "the size of that one as text/x.tlog.size (C2SP tlog-witness)",
                taking: BodyForm(kinds: [("text/plain", [])]),
                as: AnswerForm(mediaType: "text/plain; charset=utf-8", schema: nil),
                for: [],
                cosign
            )
        ]
    }

    private func cosign(_ call: Call) async throws(Problem) -> Response {
        try await bodies.withBody(of: call, atMost: Self.mostBytes) { body async throws(Problem) in
            let book = book
            let answer = try await reader.run { try book.answer(to: body, now: WallClock.now) }
            return try Self.response(to: answer)
        }
    }

    private static func response(to answer: CosigningAnswer) throws(Problem) -> Response {
        switch answer {
        case .cosigned(let lines):
            return text(lines.joined(), as: "text/plain; charset=utf-8", .ok)
        case .otherSize(let size): return text("\(size)\n", as: "text/x.tlog.size", .conflict)
        case .malformed(let cause): throw .noCosigningRequest(cause)
        case .unknownOrigin: throw .unknownOrigin
        case .notSigned: throw .headNotSigned
        case .wrongProof: throw .wrongProof
        }
    }

    private static func text(
        _ text: String,
        as mediaType: String,
        _ status: HTTPResponse.Status
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: mediaType, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}

extension Problem {
    /// The body asks for no cosignature.
    fileprivate static func noCosigningRequest(_ cause: String) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "This is no request to cosign a head",
            detail: cause.prefix(1).uppercased() + cause.dropFirst()
                + ". Send what `ledger prove --consistency` prints."
        )
    }

    /// The witness does not know the log.
    fileprivate static let unknownOrigin = Problem(
        kind: "unknown",
        status: .notFound,
        title: "The witness does not know this log",
        detail: "Its owner's key is added with `ledger witness add` where the witness is."
    )

    /// The head is not its owner's.
    fileprivate static let headNotSigned = Problem(
        kind: "not-signed",
        status: .forbidden,
        title: "The head is not signed by the log's owner",
        detail: "Sign it with the key that the witness knows."
    )

    /// The log is not the one that the witness saw before.
    fileprivate static let wrongProof = Problem(
        kind: "wrong-proof",
        status: .unprocessableContent,
        title: "The proof does not hold",
        detail: "The log does not begin with the entries that the witness has seen, or the proof "
            + "is of other heads."
    )
}
