import EventStore
import Projections
import TripEvents
import TripTracking

/// Finds the visits of all sources in one walk over the log.
struct VisitSearch {
    /// The number of entries between two reports of progress.
    private static let entriesPerWord: UInt64 = 100_000

    private let places: PlaceBook
    private let filter: VisitFilter
    private let sight: Sight
    private let rules: TrackingRules
    private let adoptions: [RulesAdoption]
    private let clocks: ClockBook
    private let end: UInt64
    private let log: EventLog
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
        in log: EventLog
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
    mutating func visits(_ onProgress: (UInt64, UInt64) -> Void) throws -> [SourceVisit] {
        try walk(onProgress)
        var found: [SourceVisit] = []
        for number in trails.keys.sorted() {
            guard var trail = trails.removeValue(forKey: number) else { continue }
            try trail.finish()
            for visit in trail.visits where filter.allows(visit) {
                found.append(SourceVisit(source: trail.source, group: trail.group, visit: visit))
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

    /// Returns the trail of a source, or `nil` if it is not seen or the filter leaves it out.
    private mutating func newTrail(of number: UInt32) throws -> FixTrail? {
        let source = try names.source(of: number, at: 0)
        guard sight.sees(source.name, of: source.group) else { return nil }
        if let name = filter.source, !name.hasSameBytes(as: source.name) { return nil }
        if let group = filter.group, !group.includes(source.group) { return nil }
        return FixTrail(
            of: source,
            VisitFinder(places.book(of: source.group)),
            rules: RulesInForce(rules, adoptions, for: source),
            late: try LateFixes(of: number, upTo: end, in: log),
            clock: clocks.shifts(ofSource: source.name, in: source.group)
        )
    }
}

/// The fixes of one source, put into event order on the way, and the visits that they make.
///
/// An entry that was later than all before it from its source stands in the log in order of time,
/// and the others are known to the log: both are merged, so that memory is needed for neither. Only
/// those of a clock that was wrong are put into order in memory.
struct FixTrail {
    /// The source's name.
    let source: String

    /// The group that the source belongs to; `nil` for one of the ledger's owner.
    let group: String?

    /// The visits so far that are over, in order of their ends.
    private(set) var visits: [Visit] = []

    private var finder: VisitFinder
    private var rules: RulesInForce
    private var late: LateFixes
    private let log: EventLog
    private let clock: ClockShifts

    /// The fixes of a source whose clock was wrong, at the times that count.
    private var shifted: [StoredFix] = []

    /// The latest time of the source's entries of any kind.
    private var highWaterMark: Int64 = .min

    init(
        of source: RegisteredSource,
        _ finder: VisitFinder,
        rules: RulesInForce,
        late: LateFixes,
        clock: ClockShifts
    ) {
        self.clock = clock
        self.source = source.name
        group = source.group
        self.finder = finder
        self.rules = rules
        self.late = late
        log = late.log
    }

    /// Takes the next entry of the log that is the source's.
    @inline(__always)
    mutating func take(_ entry: EntryView, at position: UInt64) throws {
        guard clock.isEmpty else {
            guard var fix = StoredFix(entry, at: position) else { return }
            fix.fix.occurredAt = clock.time(of: fix.fix.occurredAt)
            shifted.append(fix)
            return
        }
        let occurredAt = entry.occurredAt
        guard occurredAt > highWaterMark else { return }
        highWaterMark = occurredAt
        guard let fix = StoredFix(entry, at: position) else { return }
        if let next = late.next, next.fix.occurredAt <= fix.fix.occurredAt {
            try takeLateFixes(before: fix)
        } else {
            look(at: fix)
        }
    }

    /// Takes the late fixes after the last other one, and ends the trail with the visits that go
    /// on.
    mutating func finish() throws {
        if clock.isEmpty {
            try takeLateFixes(before: nil)
        } else {
            try takeShifted()
        }
        visits += finder.openVisits
    }

    private mutating func takeShifted() throws {
        var rest = shifted.sorted { $0.fix.occurredAt < $1.fix.occurredAt }[...]
        shifted = []
        while let first = rest.first {
            let same = rest.prefix { $0.fix.occurredAt == first.fix.occurredAt }
            rest = rest.dropFirst(same.count)
            for fix in try inEventOrder(Array(same)) { look(at: fix) }
        }
    }

    /// Takes late fixes up to the instant of a fix, among those of its instant the fix, in event
    /// order; without one all late fixes.
    private mutating func takeLateFixes(before fix: StoredFix?) throws {
        var isTaken = fix == nil
        while let first = late.next {
            let instant = first.fix.occurredAt
            if let fix, instant > fix.fix.occurredAt { break }
            var same = try takeLateFixes(at: instant)
            if let fix, instant == fix.fix.occurredAt {
                same.append(fix)
                isTaken = true
            }
            for fix in try inEventOrder(same) { look(at: fix) }
        }
        if let fix, !isTaken { look(at: fix) }
    }

    private mutating func takeLateFixes(at instant: Timestamp) throws -> [StoredFix] {
        var fixes: [StoredFix] = []
        while let next = late.next, next.fix.occurredAt == instant {
            fixes.append(next)
            try late.removeFirst()
        }
        return fixes
    }

    /// Returns fixes of one instant in event order.
    private func inEventOrder(_ fixes: [StoredFix]) throws -> [StoredFix] {
        guard fixes.count > 1 else { return fixes }
        var ordered: [(order: EventOrder, fix: StoredFix)] = []
        for fix in fixes {
            let identity = try log.withEntry(at: fix.position) { entry in
                IdentityDigest(entry.identityDigest(sourceName: source))
            }
            guard let identity else { throw StaleViews.unknownEntry }
            let order = EventOrder(
                occurredAt: fix.fix.occurredAt,
                kind: .fixRecorded,
                sequence: fix.sequence,
                identity: identity
            )
            ordered.append((order, fix))
        }
        return ordered.sorted { $0.order < $1.order }.map(\.fix)
    }

    @inline(__always)
    private mutating func look(at stored: StoredFix) {
        rules.advance(to: stored.fix.occurredAt)
        guard rules.rules.canUse(stored.fix) else { return }
        for case .left(let visit) in finder.take(stored.fix, utcOffset: stored.utcOffset) {
            visits.append(visit)
        }
    }
}

/// The fixes of a source that arrived late, in order of time, a page of them in memory.
struct LateFixes {
    private static let pageCount = 4_096

    private let source: UInt32
    private let end: UInt64
    let log: EventLog
    private var last: LateEntry?
    private var page: ArraySlice<StoredFix> = []
    private var isExhausted = false

    /// Begins with the earliest one.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - end: Entries at this position and after it are left out.
    ///   - log: The log.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    init(of source: UInt32, upTo end: UInt64, in log: EventLog) throws {
        self.source = source
        self.end = end
        self.log = log
        try fill()
    }

    /// The next fix; `nil` after the last one.
    var next: StoredFix? { page.first }

    /// Goes on to the fix after the next.
    mutating func removeFirst() throws {
        page.removeFirst()
        try fill()
    }

    private mutating func fill() throws {
        while page.isEmpty, !isExhausted {
            let entries = try log.lateEntries(of: source, after: last, limit: Self.pageCount)
            last = entries.last
            isExhausted = entries.count < Self.pageCount
            var fixes: [StoredFix] = []
            let positions = entries.map(\.position).filter { $0 < end }
            try log.read(positions) { entry, position in
                if let fix = StoredFix(entry, at: position) { fixes.append(fix) }
                return true
            }
            page = fixes[...]
        }
    }
}

/// A fix as the log holds it, with what puts it into event order.
struct StoredFix {
    /// The reading.
    var fix: Fix

    /// The source's offset from UTC, if it is known.
    var utcOffset: UTCOffset?

    /// The sender's counter, if it gave one.
    var sequence: UInt64?

    /// Where it is in the log.
    var position: UInt64

    /// Reads an entry, or returns `nil` if it holds no fix that this program knows.
    @inline(__always)
    init?(_ entry: EntryView, at position: UInt64) {
        guard entry.kind == EventKind.fixRecorded.rawValue else { return nil }
        let form = PayloadForm(rawValue: entry.form)
        let occurredAt = Timestamp(milliseconds: entry.occurredAt)
        guard let fix = Fix(payload: entry.payload, form: form, occurredAt: occurredAt) else {
            return nil
        }
        self.fix = fix
        self.position = position
        guard form.hasOffset || form.hasSequence,
            let prefix = PayloadPrefix(entry.payload, form: form)
        else { return }
        utcOffset = prefix.utcOffset
        sequence = prefix.sequence
    }
}

/// The rules of one source as time goes on.
struct RulesInForce {
    /// The rules at the last instant that was asked for.
    private(set) var rules: TrackingRules

    private let source: String
    private var coming: ArraySlice<RulesAdoption>

    /// Begins with some rules, which adoptions in event order will change.
    init(_ rules: TrackingRules, _ adoptions: [RulesAdoption], for source: RegisteredSource) {
        self.rules = rules
        self.source = source.name
        coming =
            adoptions.filter { $0.group == nil || $0.group.hasSameBytes(as: source.group) }[...]
    }

    /// Goes on to an instant: rules stand before everything else of their instant.
    @inline(__always)
    mutating func advance(to instant: Timestamp) {
        while let next = coming.first, next.from <= instant {
            rules = rules.adopting(next.adopted, for: source)
            coming.removeFirst()
        }
    }
}

/// Rules that were adopted, and the time from which on they hold.
struct RulesAdoption: Hashable, Sendable {
    /// The time from which on they hold.
    var from: Timestamp

    /// The group that they are for; `nil` for all.
    var group: String?

    /// Whether the ledger adopted them of itself, because of how the source records.
    var isByLedger = false

    /// The rules.
    var adopted: RulesAdopted
}
