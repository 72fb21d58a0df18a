import EventStore
import Projections
import TripEvents
import TripTracking

/// Finds the visits of all sources in one walk over the log.
struct VisitSearch {
    /// How many entries are read between two words about progress.
    private static let entriesPerWord: UInt64 = 100_000

    private let places: PlaceBook
    private let filter: VisitFilter
    private let rules: TrackingRules
    private let adoptions: [RulesAdoption]
    private let end: UInt64
    private let log: EventLog
    private var names: SourceNames
    private var trails: [UInt32: FixTrail] = [:]

    init(
        _ places: PlaceBook,
        _ filter: VisitFilter,
        rules: TrackingRules,
        adoptions: [RulesAdoption],
        upTo end: UInt64,
        in log: EventLog
    ) {
        self.places = places
        self.filter = filter
        self.rules = rules
        self.adoptions = adoptions
        self.end = end
        self.log = log
        names = SourceNames(log)
    }

    /// Returns the visits, newest first.
    mutating func visits(_ onProgress: (UInt64, UInt64) -> Void) throws -> [SourceVisit] {
        try walk(onProgress)
        var found: [SourceVisit] = []
        for number in trails.keys.sorted() {
            guard var trail = trails.removeValue(forKey: number) else { continue }
            try trail.finish()
            for visit in trail.visits where filter.allows(visit) {
                found.append(SourceVisit(source: trail.source, visit: visit))
            }
        }
        found.sort { left, right in
            let times = (left.visit.enteredAt.timestamp, right.visit.enteredAt.timestamp)
            if times.0 != times.1 { return times.0 > times.1 }
            if left.source != right.source { return left.source < right.source }
            return left.visit.place.name.utf8
                .lexicographicallyPrecedes(right.visit.place.name.utf8)
        }
        return Array(found.prefix(filter.limit ?? .max))
    }

    private mutating func walk(_ onProgress: (UInt64, UInt64) -> Void) throws {
        // The trail that is gone along is kept out of the dictionary: it changes with every fix.
        var number: UInt32 = 0
        var trail: FixTrail?
        var nextWord = Self.entriesPerWord
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
            if block.endPosition >= nextWord {
                nextWord = block.endPosition + Self.entriesPerWord
                onProgress(block.endPosition, end)
            }
            return block.endPosition < end
        }
        trails[number] = trail
    }

    /// Returns the trail of a source, or `nil` if nobody asks for it.
    private mutating func newTrail(of number: UInt32) throws -> FixTrail? {
        let name = try names.name(of: number, at: 0)
        if let source = filter.source, !source.utf8.elementsEqual(name.utf8) { return nil }
        return FixTrail(
            of: name,
            VisitFinder(places),
            rules: RulesInForce(rules, adoptions, for: name),
            late: try LateFixes(of: number, upTo: end, in: log)
        )
    }
}
