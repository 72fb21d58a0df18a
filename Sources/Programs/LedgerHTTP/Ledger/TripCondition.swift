package import HTTPTypes
package import TripEvents
package import TripLedger

/// The field `If-Match` of decisions about trips: nothing was decided about them since the sender
/// saw them.
///
/// It says the last position that the sender knows, as `ETag` does of a trip that is read.
package struct TripCondition: Sendable {
    private let seen: UInt64
    private let trips: Set<TripID>

    /// Asks that nothing was decided about some trips since a position.
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

    /// Returns the last position that the sender knows; `nil` if it does not say that it matters.
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

    /// The field `ETag` of what was read when a position was the last.
    package static func tag(of position: UInt64) -> String { "\"\(position)\"" }
}
