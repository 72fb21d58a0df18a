import EventStore
import Projections
import TripEvents
import TripTracking

/// The fixes of one source, put into event order on the way, and the visits that they make.
///
/// An entry that was later than all before it from its source stands in the log in order of time,
/// and the others are known to the log: both are merged, so that memory is needed for neither.
struct FixTrail {
    /// The source's name.
    let source: String

    /// The visits so far that are over, in order of their ends.
    private(set) var visits: [Visit] = []

    private var finder: VisitFinder
    private var rules: RulesInForce
    private var late: LateFixes
    private let log: EventLog

    /// The latest time of the source's entries, of whatever kind.
    private var highWaterMark: Int64 = .min

    init(of source: String, _ finder: VisitFinder, rules: RulesInForce, late: LateFixes) {
        self.source = source
        self.finder = finder
        self.rules = rules
        self.late = late
        log = late.log
    }

    /// Takes the next entry of the log that is the source's.
    @inline(__always)
    mutating func take(_ entry: EntryView, at position: UInt64) throws {
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
        try takeLateFixes(before: nil)
        visits += finder.openVisits
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
