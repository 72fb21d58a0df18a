import EventStore
import Projections
import TripEvents
import TripTracking

/// The fixes of one source, put into event order on the way, and the visits that they make.
///
/// An entry that was later than all before it from its source stands in the log in order of time,
/// and the others are known to the log: both are merged, so that memory is needed for neither. Only
/// those of a clock that was wrong are put into order in memory.
struct FixTrail {
    /// The source.
    let source: RegisteredSource

    /// How the source's clock was wrong.
    let clock: ClockShifts

    /// The instant of the first fixes that are taken.
    let start: Timestamp

    /// The visits that the fixes so far make.
    var tally: VisitTally

    private var late: LateFixes
    private let log: ReadableLog

    /// The fixes of a source whose clock was wrong, at the times that count.
    private var shifted: [StoredFix] = []

    /// The latest time of the source's entries of any kind.
    private var highWaterMark: Int64 = .min

    init(
        of source: RegisteredSource,
        _ tally: VisitTally,
        late: LateFixes,
        clock: ClockShifts
    ) {
        self.clock = clock
        self.source = source
        self.tally = tally
        self.late = late
        start = late.start
        log = late.log
    }

    /// Takes the next entry of the log that is the source's.
    @inline(__always)
    mutating func take(_ entry: EntryView, at position: UInt64) throws {
        // What was erased has no time; the log knows which entries are late without it.
        guard !entry.isTombstone else { return }
        guard clock.isEmpty else {
            guard var fix = StoredFix(entry, at: position) else { return }
            fix.fix.occurredAt = clock.time(of: fix.fix.occurredAt)
            if fix.fix.occurredAt >= start { shifted.append(fix) }
            return
        }
        let occurredAt = entry.occurredAt
        guard occurredAt > highWaterMark, occurredAt >= start.milliseconds else { return }
        highWaterMark = occurredAt
        guard let fix = StoredFix(entry, at: position) else { return }
        if let next = late.next, next.fix.occurredAt <= fix.fix.occurredAt {
            try takeLateFixes(before: fix)
        } else {
            tally.take(fix)
        }
    }

    /// Takes the late fixes after the last fix that is not late.
    mutating func finish() throws {
        if clock.isEmpty {
            try takeLateFixes(before: nil)
        } else {
            try takeShifted()
        }
    }

    private mutating func takeShifted() throws {
        var rest = shifted.sorted { $0.fix.occurredAt < $1.fix.occurredAt }[...]
        shifted = []
        while let first = rest.first {
            let same = rest.prefix { $0.fix.occurredAt == first.fix.occurredAt }
            rest = rest.dropFirst(same.count)
            for fix in try inEventOrder(Array(same)) { tally.take(fix) }
        }
    }

    /// Takes the late fixes up to the instant of a fix, and the fix in its place among those of its
    /// instant, in event order; without a fix, all late fixes.
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
            for fix in try inEventOrder(same) { tally.take(fix) }
        }
        if let fix, !isTaken { tally.take(fix) }
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
                IdentityDigest(entry.identityDigest(sourceName: source.name))
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
}

/// The fixes of a source that arrived late, in order of time, a page of them in memory.
struct LateFixes {
    /// The most fixes in memory.
    static let mostInPage = 4_096

    /// The instant of the first fixes.
    let start: Timestamp

    /// The log.
    let log: ReadableLog

    private let source: UInt32
    private let end: UInt64
    private let pageCount: Int
    private var last: LateEntry?
    private var page: ArraySlice<StoredFix> = []
    private var isExhausted = false

    /// Begins with the earliest one.
    ///
    /// - Parameters:
    ///   - source: The source's number.
    ///   - start: Fixes that happened before this instant are left out.
    ///   - end: Entries at this position and after it are left out.
    ///   - log: The log.
    ///   - pageCount: The most fixes in memory.
    /// - Throws: `EventLogError.damaged` or `LMDBError`.
    init(
        of source: UInt32,
        from start: Timestamp = Timestamp(milliseconds: .min),
        upTo end: UInt64,
        in log: ReadableLog,
        pageCount: Int = Self.mostInPage
    ) throws {
        self.source = source
        self.start = start
        self.pageCount = pageCount
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
            let entries = try log.lateEntries(
                of: source,
                from: start.milliseconds,
                after: last,
                limit: pageCount
            )
            last = entries.last ?? last
            isExhausted = entries.count < pageCount
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
        coming = adoptions.filter { $0.concerns(source) }[...]
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

    /// Where the adoption stands in the log.
    var position: UInt64

    /// Returns whether it is for a source.
    func concerns(_ source: RegisteredSource) -> Bool {
        (group == nil || group.hasSameBytes(as: source.group))
            && (adopted.appliesTo == nil || adopted.appliesTo.hasSameBytes(as: source.name))
    }
}
