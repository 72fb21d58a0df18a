import Hummingbird
import LedgerHTTP
import LedgerKeeping
import Proofs
import ServerStore
import TripLedger

/// Answers proofs that the events of a trip are in the log whose head was signed last:
/// `trip-proof.v1.schema.json`.
struct ProofEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/trips/{trip}/proof",
                "The head that was signed last, and for each event of a trip a proof under it",
                [.atLeast],
                as: .lines("trip-proof"),
                for: [.read, .audit, .admin],
                reaching: .seen,
                proof
            )
        ]
    }

    private func proof(_ call: Call) async throws(Problem) -> Response {
        guard let trip = TripReference(call.words[0]) else { throw .unknown }
        try await reader.waitForEntries(of: call)
        let ledger = reader.ledger
        return try await answer { try ledger.positions(of: trip, seenBy: call.sight) }
    }

    /// Answers the last signed head, with a proof under it for each of some events.
    ///
    /// - Parameter positions: Returns the positions of the events, in ascending order.
    /// - Returns: The answer, a line for the head and one for each event.
    /// - Throws: `Problem` if no head was signed, or it does not cover all of them.
    func answer(
        to positions: @escaping @Sendable () throws -> [UInt64]
    ) async throws(Problem) -> Response {
        let ledger = reader.ledger
        let (bytes, size) = try await reader.run {
            let head = try HeadStore(of: ledger).requireLast()
            var bytes: [UInt8] = []
            Self.append([("head", .text(Self.text(head.note.bytes)))], to: &bytes)
            try ledger.prove(try positions(), under: head) { event in
                Self.append(
                    [
                        ("position", .number(literal: "\(event.event.position)")),
                        ("type", .text(event.event.event.body.kind?.name ?? "unknown")),
                        ("entry_base64", .text(Base64.text(event.entry))),
                        ("proof", .text(Self.text(event.proof.bytes))),
                    ],
                    to: &bytes
                )
            }
            return (bytes, head.head.size)
        }
        return reader.response(bytes, at: size, as: "application/x-ndjson")
    }

    private static func append(_ members: [(String, JSONValue)], to bytes: inout [UInt8]) {
        JSONWriter.append(
            members.map { JSONValue.Member(name: $0.0, value: $0.1) },
            to: &bytes
        )
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
