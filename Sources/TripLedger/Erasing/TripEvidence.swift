import EventStore
import Projections
import TripEvents
import TripTracking
import TripsProjection

/// Knows which entries of the log say something about which trips, as of one size of the log.
///
/// These are all that a trip's source reported between its start and its end, and what people
/// decided about it, whichever source told.
struct TripEvidence {
    private struct Span {
        let times: ClosedRange<Int64>
        let trip: TripID

        /// The latest end of this span and those before it.
        var latestEnd: Int64
    }

    /// How many entries the log had when the trips were made from it; later ones MUST NOT be asked
    /// about.
    let size: UInt64

    /// The measured trips of each source in order of their starts; a merged trip has a span, and
    /// its parts have theirs.
    private var spans: [UInt32: [Span]] = [:]
    private let trips: Set<TripID>
    private let book: BookRows
    private var names: SourceNames

    /// Prepares to look for what concerns some trips.
    ///
    /// - Parameters:
    ///   - rows: All trips of the ledger.
    ///   - book: The book that they were made from.
    ///   - size: How many entries the book was made from.
    ///   - log: The log.
    /// - Throws: `EventLogError` or `LMDBError`.
    init(_ rows: [TripRow], _ book: BookRows, upTo size: UInt64, in log: EventLog) throws {
        self.size = size
        self.book = book
        trips = Set(rows.map(\.trip.id))
        names = SourceNames(log)
        for row in rows where row.booked.isMeasured || !row.booked.parts.isEmpty {
            guard let source = try log.number(ofSource: row.trip.source) else { continue }
            let start = row.trip.startedAt.timestamp.milliseconds
            let end = row.trip.endedAt?.timestamp.milliseconds ?? .max
            guard start <= end else { continue }
            spans[source, default: []]
                .append(Span(times: start...end, trip: row.trip.id, latestEnd: end))
        }
        for source in spans.keys {
            spans[source]?.sort { $0.times.lowerBound < $1.times.lowerBound }
            var latestEnd = Int64.min
            for index in spans[source]?.indices ?? 0..<0 {
                latestEnd = max(latestEnd, spans[source]?[index].latestEnd ?? latestEnd)
                spans[source]?[index].latestEnd = latestEnd
            }
        }
    }

    /// Returns the trip that an entry opened, or `nil` if it opened none.
    mutating func trip(openedBy entry: EntryView, at position: UInt64) throws -> TripID? {
        let name = try names.name(of: entry.source, at: position)
        let trip = TripID(openedBy: IdentityDigest(entry.identityDigest(sourceName: name)))
        return trips.contains(trip) ? trip : nil
    }

    /// Returns the trips that an entry says something about.
    mutating func trips(of entry: EntryView, at position: UInt64) throws -> Set<TripID> {
        guard entry.source != 0, !entry.isTombstone else { return [] }
        var found = Set<TripID>()
        if let span = span(around: entry.occurredAt, of: entry.source) {
            // At the moment of an end the next trip may begin.
            let isAtEnd = entry.occurredAt == span.times.upperBound
            let opened = isAtEnd ? try trip(openedBy: entry, at: position) : nil
            found.insert(opened ?? span.trip)
        }
        guard entry.kind != EventKind.fixRecorded.rawValue else { return found }
        if let opened = try trip(openedBy: entry, at: position) { found.insert(opened) }
        let name = try names.name(of: entry.source, at: position)
        return found.union(try subjects(of: StoredEvent(entry, at: position, sourceName: name)))
    }

    /// Returns the trips that an event names, and those that took over what it says of one that has
    /// gone.
    private func subjects(of stored: StoredEvent) throws -> Set<TripID> {
        if case .recoveryDecided(let decided) = stored.event.body {
            return trips.intersection([decided.trip])
        }
        let decision = Decision(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        guard let decision else { return [] }
        let named = decision.namedTrips
        let hosts = try named.filter { !trips.contains($0) }
            .compactMap { try TripBook().host(of: decision, about: $0, in: book) }
        return trips.intersection(named + hosts)
    }

    /// Returns the innermost span that a time lies in: a part's rather than the merged trip's.
    private func span(around time: Int64, of source: UInt32) -> Span? {
        guard let spans = spans[source] else { return nil }
        var range = 0..<spans.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if spans[middle].times.lowerBound <= time {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return spans[..<range.lowerBound].reversed()
            .prefix { $0.latestEnd >= time }
            .first { $0.times.contains(time) }
    }
}
