import HTTPTypes
import JSONText
import TripEvents
import TripLedger

/// The field `If-Match` of decisions about trips: nothing was decided about them since the sender
/// saw them.
///
/// It says the last position that the sender knows, as `ETag` does of a trip that is read.
struct TripCondition: Sendable {
    private let seen: UInt64
    private let trips: Set<TripID>

    /// Reads what a request asks for; `nil` if it asks for nothing.
    ///
    /// - Parameters:
    ///   - headers: The fields of the request.
    ///   - events: Its events, which must say something of trips.
    /// - Throws: `Problem`.
    init?(_ headers: HTTPFields, _ events: PostedEvents) throws(Problem) {
        guard let seen = try Self.seen(headers) else { return nil }
        var trips = Set<TripID>()
        events.forEachLine { line in
            guard let event = try? JSONValue(line) else { return }
            let names = [event["trip"]?.text].compactMap(\.self) + (event["trips"]?.texts ?? [])
            trips.formUnion(names.compactMap { TripID($0) })
        }
        guard !trips.isEmpty else {
            throw .invalidParameter("If-Match", "left out, as no event says something of a trip")
        }
        self.seen = seen
        self.trips = trips
    }

    /// Returns the position of the last entry that says something of the trips which the sender
    /// has not seen; `nil` if there is none.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    func change(in ledger: Ledger) throws(LedgerError) -> UInt64? {
        try ledger.lastEntry(naming: trips, from: seen + 1)
    }

    /// Returns the last position that the sender knows; `nil` if it does not say that it matters.
    ///
    /// - Throws: `Problem` if it is none.
    static func seen(_ headers: HTTPFields) throws(Problem) -> UInt64? {
        guard let field = headers[.ifMatch] else { return nil }
        let text = field.hasPrefix("\"") ? String(field.dropFirst().dropLast()) : field
        guard let seen = UInt64(text), seen < 1 << 56, field == text || field == tag(of: seen)
        else {
            throw .invalidParameter("If-Match", "the ETag of a trip, such as \"88\"")
        }
        return seen
    }

    /// The field `ETag` of what was read when a position was the last.
    static func tag(of position: UInt64) -> String { "\"\(position)\"" }
}
