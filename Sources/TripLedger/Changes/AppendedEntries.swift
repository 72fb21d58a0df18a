import EventStore
import Projections
import TripEvents

/// What the entries from a position on say, and what they are about.
struct AppendedEntries {
    /// How many entries there are of each type.
    private(set) var counts: [String: UInt64] = [:]

    /// Where the decisions stand, by the identity digests of their events.
    private(set) var decisions: [IdentityDigest: UInt64] = [:]

    /// The trips that decisions name or make.
    private(set) var decidedTrips: Set<TripID> = []

    /// How many fixes came in of each trip that is looked after.
    private(set) var lateFixes: [TripID: UInt64] = [:]

    /// The events that say what was erased, in order of position.
    private(set) var erasures: [StoredEvent] = []

    /// The events by which rules were adopted, in order of position.
    private(set) var rules: [StoredEvent] = []

    /// The events that registered sources, in order of position.
    private(set) var sources: [StoredEvent] = []

    private var evidence: TripEvidence
    private var names: SourceNames

    /// Reads entries.
    ///
    /// - Parameters:
    ///   - range: Their positions.
    ///   - log: The log.
    ///   - evidence: Knows the trips whose late fixes are counted.
    /// - Throws: `EventLogError` or `LMDBError`.
    init(_ range: Range<UInt64>, in log: EventLog, _ evidence: TripEvidence) throws {
        self.evidence = evidence
        names = SourceNames(log)
        guard !range.isEmpty else { return }
        try log.scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                let position = entries.position - 1
                if position >= range.lowerBound { try take(entry, at: position) }
            }
            return block.endPosition < range.upperBound
        }
    }

    private mutating func take(_ entry: EntryView, at position: UInt64) throws {
        if entry.kind == EventKind.fixRecorded.rawValue {
            counts[EventKind.fixRecorded.name, default: 0] += 1
            for trip in try evidence.trips(of: entry, at: position) {
                lateFixes[trip, default: 0] += 1
            }
            return
        }
        let name = try names.name(of: entry.source, at: position)
        let stored = try StoredEvent(entry, at: position, sourceName: name)
        counts[stored.event.body.typeName, default: 0] += 1
        switch stored.event.body {
        case .entriesErased: erasures.append(stored)
        case .rulesAdopted: rules.append(stored)
        case .sourceRegistered: sources.append(stored)
        default: break
        }
        let decision = Decision(
            stored.event,
            identity: stored.identity,
            recordedAt: stored.recordedAt
        )
        guard let decision else { return }
        decisions[stored.identity] = position
        decidedTrips.formUnion(decision.namedTrips)
        if let made = decision.madeTrip { decidedTrips.insert(made) }
    }
}
