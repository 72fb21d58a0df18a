import HTTPTypes
import Hummingbird
import LedgerHTTP
import ServerStore

/// The conditions of a request that appends.
struct RequestConditions: Sendable {
    /// The sender's name for the request.
    private(set) var key: String?

    /// The number of entries that the log must hold.
    private(set) var expectedSize: UInt64?

    /// Whether one event that cannot be stored keeps the others out.
    private(set) var isAllOrNothing = false

    /// The sender's name for the request, in its head.
    static let keyField = HeadField(
        name: "Idempotency-Key",
        meaning: "The name of the request: sent again with it, it appends nothing twice",
        pattern: "^[!-~]{1,\(mostBytesOfKey)}$"
    )

    /// The number of entries, in the query.
    static let expectedSize = Parameter(
        "expect-size",
        .number(0...UInt64(Int64.max)),
        "Store nothing unless the log has so many entries"
    )

    /// The query parameters of a request whose events are stored each for itself.
    static let parameters = [
        expectedSize,
        Parameter(
            "all-or-nothing",
            .word(["true", "false"]),
            "Whether one event that cannot be stored keeps the others out"
        ),
    ]

    /// Reads what a request asks.
    ///
    /// - Throws: `Problem`.
    init(_ request: Request) throws(Problem) {
        if let field = request.headers[.idempotencyKey] {
            key = try Self.key(field)
        }
        let parameters = request.uri.queryParameters
        if let text = parameters["expect-size"] {
            guard let size = UInt64(text) else {
                throw .invalidParameter("expect-size", "a number of entries")
            }
            expectedSize = size
        }
        if let text = parameters["all-or-nothing"] {
            guard let isAsked = Bool(String(text)) else {
                throw .invalidParameter("all-or-nothing", "true or false")
            }
            isAllOrNothing = isAsked
        }
    }

    /// Returns the id of one of the events of the request; `nil` if the request has no name.
    func id(_ number: Int, of count: Int, by access: Access) -> String? {
        key.map { access.id(ofKey: $0) + (count > 1 ? "/\(number)" : "") }
    }

    /// Reads a key, which is a string of RFC 9651 by the draft of `Idempotency-Key`, and stands
    /// there as it is with most senders.
    private static func key(_ field: String) throws(Problem) -> String {
        var key = ""
        if field.hasPrefix("\""), field.hasSuffix("\""), field.utf8.count > 1 {
            var isEscaped = false
            for character in field.dropFirst().dropLast() {
                isEscaped = character == "\\" && !isEscaped
                if !isEscaped { key.append(character) }
            }
        } else {
            key = field
        }
        guard !key.isEmpty, key.utf8.count <= mostBytesOfKey else {
            throw .invalidParameter(
                "Idempotency-Key",
                "a text of at most \(mostBytesOfKey) bytes"
            )
        }
        return key
    }

    private static let mostBytesOfKey = 100
}

extension Access {
    /// Returns the id of the event of a request with a name.
    ///
    /// Each token has names of its own, as the decisions of all of them are of one source. How long
    /// the token's name is stands before it, so that no two of them come to one id.
    func id(ofKey key: String) -> String {
        guard let actor else { return "key:\(key)" }
        return "key:\(actor.utf8.count):\(actor):\(key)"
    }
}
