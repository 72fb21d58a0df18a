import EventStore
import Projections
import TripEvents
import TripTracking

@testable import TripLedger

extension Snapshot {
    /// Returns the visits of places, newest first, found anew in all fixes of the log.
    ///
    /// This is what the view of visits is to be equal to.
    ///
    /// - Parameter filter: Which visits.
    /// - Returns: The visits.
    /// - Throws: `.damaged`, `.inputOutput`.
    func visitsFoundAnew(
        _ filter: VisitFilter = VisitFilter()
    ) throws(LedgerError) -> [SourceVisit] {
        try asking {
            let places = try places()
            guard !places.isEmpty else { return [] }
            var ambient = AmbientEvents(of: log, over: store)
            var search = VisitSearch(
                places,
                filter,
                seenBy: store.sight,
                rules: rules,
                adoptions: try ambient.adoptions(),
                clocks: try ambient.order.clocks(),
                upTo: head.size,
                in: log
            )
            return try search.visits()
        }
    }
}

/// Finds the visits of all sources in one walk over the log, without the view of visits.
///
/// It is the definition of that view, and its tests compare both.
struct VisitSearch {
    private let places: PlaceBook
    private let filter: VisitFilter
    private let sight: Sight
    private let rules: TrackingRules
    private let adoptions: [RulesAdoption]
    private let clocks: ClockBook
    private let end: UInt64
    private let log: ReadableLog
    private var names: SourceNames
    private var trails: [UInt32: FixTrail] = [:]

    init(
        _ places: PlaceBook,
        _ filter: VisitFilter,
        seenBy sight: Sight,
        rules: TrackingRules,
        adoptions: [RulesAdoption],
        clocks: ClockBook,
        upTo end: UInt64,
        in log: ReadableLog
    ) {
        self.places = places
        self.filter = filter
        self.sight = sight
        self.rules = rules
        self.adoptions = adoptions
        self.clocks = clocks
        self.end = end
        self.log = log
        names = SourceNames(log)
    }

    /// Returns the visits, newest first.
    mutating func visits() throws -> [SourceVisit] {
        try walk()
        var found: [SourceVisit] = []
        for number in trails.keys.sorted() {
            guard var trail = trails.removeValue(forKey: number) else { continue }
            try trail.finish()
            for visit in trail.tally.visits where filter.allows(visit) {
                let source = trail.source
                found.append(SourceVisit(source: source.name, group: source.group, visit: visit))
            }
        }
        found.sort { left, right in
            let times = (left.visit.enteredAt.timestamp, right.visit.enteredAt.timestamp)
            if times.0 != times.1 { return times.0 > times.1 }
            let sources = (NameKey(left.source), NameKey(right.source))
            if sources.0 != sources.1 { return sources.0 < sources.1 }
            return left.visit.place.name.utf8
                .lexicographicallyPrecedes(right.visit.place.name.utf8)
        }
        return Array(found.prefix(filter.limit ?? .max))
    }

    private mutating func walk() throws {
        // The trail that is gone along is kept out of the dictionary: it changes with every fix.
        var number: UInt32 = 0
        var trail: FixTrail?
        try log.scan(from: 0) { block in
            var entries = block.entries
            while entries.position < end, let entry = try entries.next() {
                guard entry.source != 0 else { continue }
                if entry.source != number {
                    trails[number] = trail
                    number = entry.source
                    trail = try trails.removeValue(forKey: number) ?? newTrail(of: number)
                }
                try trail?.take(entry, at: entries.position - 1)
            }
            return block.endPosition < end
        }
        trails[number] = trail
    }

    /// Returns the trail of a source, or `nil` if it is not seen or the filter leaves it out.
    private mutating func newTrail(of number: UInt32) throws -> FixTrail? {
        let source = try names.source(of: number, at: 0)
        guard sight.sees(source.name, of: source.group) else { return nil }
        if let name = filter.source, !name.hasSameBytes(as: source.name) { return nil }
        if let group = filter.group, !group.includes(source.group) { return nil }
        return FixTrail(
            of: source,
            VisitTally(
                VisitFinder(places.book(of: source.group)),
                RulesInForce(rules, adoptions, for: source)
            ),
            late: try LateFixes(of: number, upTo: end, in: log),
            clock: clocks.shifts(ofSource: source.name, in: source.group)
        )
    }
}
