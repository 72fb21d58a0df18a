package import EventStore
import Projections
package import TripEvents
import TripTracking
package import TripsProjection

/// Knows which entries of the log say something about which trips, as of one size of the log.
///
/// These are all entries that a trip's source reported between its start and its end, and people's
/// decisions about the trip, from whichever source.
package struct TripEvidence {
    private struct Span {
        let times: ClosedRange<Int64>
        let trip: TripID

        /// The latest end of this span and those before it.
        var latestEnd: Int64
    }

    /// How many entries the log had when the trips were made from it; later ones MUST NOT be asked
    /// about.
    package let size: UInt64

    /// The measured trips of each source in order of their starts; a merged trip has a span, and
    /// its parts have theirs.
    private var spans: [UInt32: [Span]] = [:]

    /// The trips that there are, each with the group that it belongs to.
    private let trips: [TripID: String?]
    private let book: TripBook
    private var names: SourceNames
    private let clocks: ClockBook

    /// How the clocks of sources were wrong, by number, as far as that was needed.
    private var shifts: [UInt32: ClockShifts] = [:]

    /// Prepares to look for what concerns some trips.
    ///
    /// - Parameters:
    ///   - rows: All trips of the ledger.
    ///   - book: The book that they were made from.
    ///   - size: How many entries the book was made from.
    ///   - log: The log.
    /// - Throws: `EventLogError` or `LMDBError`.
    init(_ rows: [TripRow], _ book: TripBook, upTo size: UInt64, in log: ReadableLog) throws {
        self.size = size
        self.book = book
        trips = Dictionary(rows.map { ($0.trip.id, $0.trip.group) }) { first, _ in first }
        names = SourceNames(log)
        clocks = ClockBook(try book.decisions(on: .clocks))
        for row in rows where row.trip.startedBy != .report || !row.booked.parts.isEmpty {
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
    package mutating func trip(openedBy entry: EntryView, at position: UInt64) throws -> TripID? {
        let name = try names.name(of: entry.source, at: position)
        let trip = TripID(openedBy: IdentityDigest(entry.identityDigest(sourceName: name)))
        return isThere(trip) ? trip : nil
    }

    /// Returns whether there is a trip.
    package func isThere(_ trip: TripID) -> Bool { trips[trip] != nil }

    /// Returns the trips that an entry says something about.
    package mutating func trips(of entry: EntryView, at position: UInt64) throws -> Set<TripID> {
        guard entry.source != 0, !entry.isTombstone else { return [] }
        var found = Set<TripID>()
        let happenedAt = try time(of: entry, at: position)
        if let span = span(around: happenedAt, of: entry.source) {
            // At the moment of an end the next trip may begin.
            let isAtEnd = happenedAt == span.times.upperBound
            let opened = isAtEnd ? try trip(openedBy: entry, at: position) : nil
            found.insert(opened ?? span.trip)
        }
        guard entry.kind != EventKind.fixRecorded.rawValue else { return found }
        if let opened = try trip(openedBy: entry, at: position) { found.insert(opened) }
        let source = try names.source(of: entry.source, at: position)
        let stored = try StoredEvent(entry, at: position, source: source)
        if case .recoveryDecided(let decided) = stored.event.body {
            return found.union(subject(of: decided, at: happenedAt, by: entry.source))
        }
        return found.union(try subjects(of: stored))
    }

    /// Returns when an entry counts as having happened, in milliseconds since 1970.
    private mutating func time(of entry: EntryView, at position: UInt64) throws -> Int64 {
        guard !clocks.isEmpty else { return entry.occurredAt }
        let source = try names.source(of: entry.source, at: position)
        let clock =
            shifts[entry.source] ?? clocks.shifts(ofSource: source.name, in: source.group)
        shifts[entry.source] = clock
        return clock.time(of: Timestamp(milliseconds: entry.occurredAt)).milliseconds
    }

    /// Returns the trips that an event names, and those that took over what it says of one that has
    /// gone.
    ///
    /// For a source of a group trips of others do not exist: what it says of them is said of trips
    /// that have gone.
    package func subjects(of stored: StoredEvent) throws -> Set<TripID> {
        let decision = Decision(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        guard let decision else { return [] }
        func exists(_ trip: TripID) -> Bool { trips[trip].map(decision.concerns) ?? false }
        let named = decision.namedTrips
        let hosts = try named.filter { !exists($0) }
            .compactMap { try book.host(of: decision, about: $0) }
        let goers = try book.trips(goingBy: decision)
        return Set((named + hosts + goers).filter(exists))
    }

    /// Returns the trip that a decision after a crash is about: the one that it names or, if that
    /// has another id now, the one that was under way when it says that the trip started, or else
    /// the last one that its source had begun.
    private func subject(
        of decided: RecoveryDecided,
        at time: Int64,
        by source: UInt32
    ) -> Set<TripID> {
        guard !isThere(decided.trip) else { return [decided.trip] }
        let started = decided.tripStartedAt?.timestamp.milliseconds
        let last = spans[source]?.last { $0.times.lowerBound <= time }
        let then = started.flatMap { span(around: $0, of: source) } ?? last
        return then.map { [$0.trip] } ?? []
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

extension Snapshot {
    /// Returns all trips in order of their starts, those that do not count among them.
    package func allTrips() throws -> [TripRow] {
        var rows: [TripRow] = []
        try store.scanTrips(isDescending: false) { row in
            rows.append(row)
            return true
        }
        return rows
    }

    /// Prepares to look for what concerns trips.
    package func evidence() throws -> TripEvidence {
        try TripEvidence(allTrips(), TripBook(over: store), upTo: head.size, in: log)
    }

    /// Returns the positions of all entries that say something about some trips or their parts.
    package func positions(
        about rows: [TripRow],
        _ evidence: TripEvidence
    ) throws -> RangeSet<UInt64> {
        let trips = Set(rows.flatMap { [$0.trip.id] + $0.booked.shownTrips })
        var positions = RangeSet<UInt64>()
        guard !trips.isEmpty else { return positions }
        var evidence = evidence
        try log.eachEntry(in: 0..<evidence.size) { entry, position in
            if try !evidence.trips(of: entry, at: position).isDisjoint(with: trips) {
                positions.insert(contentsOf: position..<position + 1)
            }
        }
        return positions
    }
}
