import EventStore
import Projections
import TripEvents
import TripTracking
import TripsProjection

/// Knows which entries of the log say something about which trips.
///
/// These are all that a trip's source reported between its start and its end, and what people
/// decided about it, whichever source told.
struct TripEvidence {
    private struct Span {
        let times: ClosedRange<Int64>
        let trip: TripID
    }

    /// The measured trips of each source in order of their starts; they do not overlap.
    private var spans: [UInt32: [Span]] = [:]
    private let trips: Set<TripID>
    private var names: SourceNames

    /// Prepares to look for what concerns some trips.
    ///
    /// - Parameters:
    ///   - rows: All trips of the ledger.
    ///   - log: Its log.
    /// - Throws: `EventLogError` or `LMDBError`.
    init(_ rows: [TripRow], in log: EventLog) throws {
        trips = Set(rows.map(\.trip.id))
        names = SourceNames(log)
        for row in rows where row.booked.isMeasured || !row.booked.parts.isEmpty {
            guard let source = try log.number(ofSource: row.trip.source) else { continue }
            let start = row.trip.startedAt.timestamp.milliseconds
            let end = row.trip.endedAt?.timestamp.milliseconds ?? .max
            guard start <= end else { continue }
            spans[source, default: []].append(Span(times: start...end, trip: row.trip.id))
        }
        for source in spans.keys {
            spans[source]?.sort { $0.times.lowerBound < $1.times.lowerBound }
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
        let stored = try StoredEvent(entry, at: position, sourceName: name)
        return found.union(stored.event.body.subjects.filter(trips.contains))
    }

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
        guard range.lowerBound > 0 else { return nil }
        let span = spans[range.lowerBound - 1]
        return span.times.contains(time) ? span : nil
    }
}

extension EventBody {
    /// The trips that an event names.
    fileprivate var subjects: [TripID] {
        switch self {
        case .recoveryDecided(let decided): [decided.trip]
        case .detailsEdited(let edit): [edit.trip]
        case .routineApplied(let application): [application.trip]
        case .tripsMerged(let merge): merge.trips
        case .tripSplit(let split): [split.trip]
        case .tripVoided(let voiding): [voiding.trip]
        case .tripRestored(let restoring): [restoring.trip]
        case .distanceAdjusted(let adjustment): [adjustment.trip]
        default: []
        }
    }
}
