import EventStore
import Projections
import TripEvents
import TripTracking

/// Notices which places sources enter and leave, fix by fix as they arrive.
///
/// Fixes that come too late for event order are passed over: what they say of visits is history by
/// then, and `Ledger.visits` knows it.
struct VisitWatch {
    /// A source on its way.
    private struct Trail {
        let source: String
        var finder: VisitFinder
        var rules: RulesInForce
        var latestAt: Timestamp
    }

    private let ledger: Ledger
    private var names: SourceNames
    private var places = PlaceBook()
    private var adoptions: [RulesAdoption] = []
    private var trails: [UInt32: Trail] = [:]

    /// Entries that were read.
    private var size: UInt64 = 0

    init(_ ledger: Ledger) {
        self.ledger = ledger
        names = SourceNames(ledger.log)
    }

    /// Reads more of the log, and returns which source entered or left which place.
    ///
    /// When places or rules have changed, everything is found anew from the beginning, as they are
    /// now.
    ///
    /// - Parameters:
    ///   - end: Entries at this position and after it are not read.
    ///   - store: Views that know as much.
    /// - Returns: The arrivals and departures, in order of arrival in the log.
    /// - Throws: `EventLogError`, `StaleViews` or `LMDBError`.
    mutating func changes(
        upTo end: UInt64,
        _ store: ReadableViews
    ) throws -> [(String, VisitChange)] {
        let known = PlaceBook(try TripBook(over: store).decisions(on: .places))
        var ambient = AmbientEvents(of: ledger.log, over: store)
        let adopted = try ambient.adoptions()
        if known != places || adopted != adoptions {
            let before = size
            places = known
            adoptions = adopted
            trails = [:]
            size = 0
            _ = try read(upTo: before)
        }
        return try read(upTo: end)
    }

    private mutating func read(upTo end: UInt64) throws -> [(String, VisitChange)] {
        guard size < end else { return [] }
        guard !places.isEmpty else {
            size = end
            return []
        }
        var changes: [(String, VisitChange)] = []
        try ledger.log.scan(from: size) { block in
            var entries = block.entries
            while entries.position < end, let entry = try entries.next() {
                let position = entries.position - 1
                guard position >= size, let fix = StoredFix(entry, at: position) else { continue }
                changes += try take(fix, of: entry.source)
            }
            return block.endPosition < end
        }
        size = end
        return changes
    }

    private mutating func take(
        _ stored: StoredFix,
        of number: UInt32
    ) throws -> [(String, VisitChange)] {
        let at = stored.fix.occurredAt
        var trail = try trails.removeValue(forKey: number) ?? newTrail(of: number, stored)
        defer { trails[number] = trail }
        guard at >= trail.latestAt else { return [] }
        trail.latestAt = at
        trail.rules.advance(to: at)
        guard trail.rules.rules.canUse(stored.fix) else { return [] }
        return trail.finder.take(stored.fix, utcOffset: stored.utcOffset)
            .map { (trail.source, $0) }
    }

    private mutating func newTrail(of number: UInt32, _ first: StoredFix) throws -> Trail {
        let source = try names.source(of: number, at: first.position)
        return Trail(
            source: source.name,
            finder: VisitFinder(places.book(of: source.group)),
            rules: RulesInForce(ledger.rules, adoptions, for: source),
            latestAt: first.fix.occurredAt
        )
    }
}
