package import HTTPTypes
package import TripEvents
package import TripLedger

/// The field `If-Match` of decisions about trips: the condition that nothing was decided about them
/// since the sender saw them.
///
/// It has the last position that the sender knows, as the `ETag` of a trip gives it.
package struct TripCondition: Sendable {
    private let seen: UInt64
    private let trips: Set<TripID>

    /// Requires that nothing was decided about some trips since a position.
    package init(seen: UInt64, trips: Set<TripID>) {
        self.seen = seen
        self.trips = trips
    }

    /// Returns the position of the last entry about the trips that the sender has not seen; `nil`
    /// if there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func change(in ledger: Ledger) throws(LedgerError) -> UInt64? {
        try ledger.lastEntry(naming: trips, from: seen + 1)
    }

    /// Returns the last position that the sender knows; `nil` if the request does not have the
    /// field.
    ///
    /// - Throws: `Problem` if it is not a position.
    package static func seen(_ headers: HTTPFields) throws(Problem) -> UInt64? {
        guard let field = headers[.ifMatch] else { return nil }
        let text = field.hasPrefix("\"") ? String(field.dropFirst().dropLast()) : field
        guard let seen = UInt64(text), seen < 1 << 56, field == text || field == tag(of: seen)
        else {
            throw .invalidParameter("If-Match", "the ETag of a trip, such as \"88\"")
        }
        return seen
    }

    /// The field `ETag` of an answer that was read up to a position.
    package static func tag(of position: UInt64) -> String { "\"\(position)\"" }
}
