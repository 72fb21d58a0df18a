import EventStore
import Projections
import TripEvents
import TripTracking

// Visits follow from the fixes of each source in event order, from the places of its group, from
// its rules and from its clock. Places are mostly saved after the drives to them, so visits are
// found when a run knows all decisions: in the entries that are new to the view.
//
// Where fixes come late, or places, rules or a clock changed what earlier fixes mean, a source is
// read again from the last instant before which it had left all places. No state but the rows is
// needed for that.
extension ProjectionRunner {
    /// The kinds of events that may change what earlier fixes mean for visits.
    private static let visitNews: Set<EventKind> = [
        .placeSaved, .placeRemoved, .rulesAdopted, .clockShifted,
    ]

    /// Folds that are read at once.
    private static let foldsPerPage = 512

    /// Visits of one source that are over and not among the rows yet, at most.
    private var mostVisitsOfTrail: Int { min(64, rowsPerCommit) }

    /// What is known beside the fixes.
    private struct Basis {
        var places: PlaceBook
        var adoptions: [RulesAdoption]
    }

    /// Takes note of an event that may change what earlier fixes mean for visits.
    mutating func noteVisits(_ kind: EventKind) {
        if Self.visitNews.contains(kind) { hasVisitNews = true }
    }

    /// Brings the visits up to date with the entries that were read.
    ///
    /// - Parameter onProgress: Told the position that all else has reached, after each commit.
    /// - Throws: `EventLogError`, `StaleViews` or `LMDBError`.
    mutating func updateVisits(_ onProgress: (UInt64) -> Void) throws {
        let start = trackers.cursor.visitsUpTo
        guard start < trackers.cursor.size else { return }
        let decisions = try views.book.decisions(on: .places)
        let places = PlaceBook(decisions)
        if !places.isEmpty {
            let basis = Basis(places: places, adoptions: try trackers.ambient.adoptions())
            let earlier = try hasVisitNews ? self.places(of: decisions, before: start) : places
            if earlier.isEmpty {
                try readVisitsAgain(from: nil, basis, onProgress)
            } else {
                var due = try hasVisitNews ? dueSources(basis, earlier, before: start) : [:]
                try readNewFixes(from: start, basis, &due, onProgress)
                try readVisitsAgain(from: due, basis, onProgress)
            }
        }
        trackers.cursor.visitsUpTo = trackers.cursor.size
        hasVisitNews = false
    }

    /// Returns the places as they were known before a position of the log.
    private mutating func places(
        of decisions: [Decision],
        before start: UInt64
    ) throws -> PlaceBook {
        guard start > 0 else { return PlaceBook() }
        var news: Set<IdentityDigest> = []
        let kinds = [EventKind.placeSaved.rawValue, EventKind.placeRemoved.rawValue]
        let log = log
        try log.eachEntry(in: start..<trackers.cursor.size) { entry, position in
            guard kinds.contains(entry.kind) else { return }
            let name = try trackers.ambient.order.names.name(of: entry.source, at: position)
            news.insert(IdentityDigest(entry.identityDigest(sourceName: name)))
        }
        return PlaceBook(decisions.filter { !news.contains($0.order.identity) })
    }

    /// Returns the sources to be read again because of other events than late fixes, and from when.
    private mutating func dueSources(
        _ basis: Basis,
        _ earlier: PlaceBook,
        before start: UInt64
    ) throws -> [UInt32: Timestamp] {
        let adopted = basis.adoptions.filter { $0.position >= start }
        var changes: [[UInt8]: Timestamp?] = [:]
        var due: [UInt32: Timestamp] = [:]
        var keys = KeyRange(from: ViewKey.source(1), upTo: ViewKey.source(.max))
        while true {
            let rows = try views.visits.folds.rows(in: keys, limit: Self.foldsPerPage)
            for row in rows {
                let number = ViewKey.number(ofSource: row.key)
                var fold = try VisitFold(decoding: row.value)
                let source = try trackers.ambient.order.names.source(
                    of: number,
                    at: trackers.cursor.size
                )
                let group = Array((source.group ?? "").utf8)
                let change =
                    changes[group]
                    ?? basis.places.earliestDifference(from: earlier, for: source.group)
                changes[group] = .some(change)
                let clock = try trackers.ambient.order.clock(of: source)
                var effects = adopted.filter { $0.concerns(source) }.map(\.from)
                effects += [change, fold.dueFrom].compactMap(\.self)
                if clock != fold.clock {
                    effects += [clock, fold.clock].compactMap(\.earliestEffect)
                    fold.clock = clock
                    views.visits.put(fold, of: number)
                }
                if let first = effects.min(), first <= fold.latest || fold.dueFrom != nil {
                    due[number] = first
                }
            }
            guard rows.count == Self.foldsPerPage, let last = rows.last else { return due }
            keys.from = last.key + [0]
        }
    }

    /// Takes the fixes that come after all others of their sources, and notes which come late.
    private mutating func readNewFixes(
        from start: UInt64,
        _ basis: Basis,
        _ due: inout [UInt32: Timestamp],
        _ onProgress: (UInt64) -> Void
    ) throws {
        var trails: [UInt32: NewFixes] = [:]
        // The trail that is gone along is kept out of the dictionary: it changes with every fix.
        var number: UInt32 = 0
        var trail: NewFixes?
        let (log, size) = (log, trackers.cursor.size)
        try log.scan(from: start) { block in
            var entries = block.entries
            while entries.position < size, let entry = try entries.next() {
                let position = entries.position - 1
                guard position >= start, entry.source != 0,
                    let fix = StoredFix(entry, at: position)
                else { continue }
                if entry.source != number {
                    trails[number] = trail
                    number = entry.source
                    trail =
                        try trails.removeValue(forKey: number)
                        ?? newFixes(of: number, at: position, basis, isDue: due[number] != nil)
                }
                if let late = trail?.take(fix) {
                    due[number] = min(due[number] ?? late, late)
                } else if trail.map({ $0.tally.finished.count >= mostVisitsOfTrail }) ?? false {
                    try putFinished(&trail, of: number, trailCount: trails.count, onProgress)
                }
            }
            return block.endPosition < size
        }
        trails[number] = trail
        for number in trails.keys.sorted() {
            guard let trail = trails.removeValue(forKey: number), due[number] == nil else {
                continue
            }
            try put(trail.tally, clock: trail.clock, of: number, onProgress)
        }
    }

    private mutating func putFinished(
        _ trail: inout NewFixes?,
        of number: UInt32,
        trailCount: Int,
        _ onProgress: (UInt64) -> Void
    ) throws {
        guard var taken = trail else { return }
        trail = nil
        try putFinished(of: &taken.tally, of: number, trailCount: trailCount, onProgress)
        trail = taken
    }

    /// Prepares to take new fixes of a source.
    private mutating func newFixes(
        of number: UInt32,
        at position: UInt64,
        _ basis: Basis,
        isDue: Bool
    ) throws -> NewFixes {
        let source = try trackers.ambient.order.names.source(of: number, at: position)
        let places = basis.places.book(of: source.group)
        let rules = RulesInForce(rules, basis.adoptions, for: source)
        let clock = try trackers.ambient.order.clock(of: source)
        let beginning = Timestamp(milliseconds: .min)
        guard var fold = try views.visits.fold(of: number) else {
            views.visits.put(
                VisitFold(latest: beginning, clock: clock, dueFrom: beginning),
                of: number
            )
            let tally = VisitTally(VisitFinder(places), rules)
            return NewFixes(tally, after: beginning, clock: clock, isLate: isDue)
        }
        let open = isDue ? [] : try views.visits.openVisits(of: fold, of: number, in: places)
        // If the run is cut off, the next one begins again here.
        fold.dueFrom = fold.dueFrom ?? fold.latest
        views.visits.put(fold, of: number)
        let tally = VisitTally(goingOnWith: open, after: fold.latest, in: places, rules)
        return NewFixes(tally, after: fold.latest, clock: clock, isLate: isDue)
    }

    /// Reads sources again, each from the last instant before the given one before which it had
    /// left all places; `nil` to read all from the beginning.
    private mutating func readVisitsAgain(
        from due: [UInt32: Timestamp]?,
        _ basis: Basis,
        _ onProgress: (UInt64) -> Void
    ) throws {
        guard due?.isEmpty != true else { return }
        var trails: [UInt32: FixTrail] = [:]
        var start: UInt64 = due == nil ? 0 : trackers.cursor.size
        for (number, instant) in (due ?? [:]).sorted(by: { $0.key < $1.key }) {
            let from = try views.visits.chainStart(of: number, before: instant)
            let trail = try self.trail(of: number, from: from, basis, among: due?.count ?? 1)
            let first = try log.inOrderPositions(
                of: number,
                from: trail.clock.earliestReported(from: from).milliseconds
            )
            start = min(start, first?.lowerBound ?? trackers.cursor.size)
            trails[number] = trail
        }
        try walk(&trails, from: start, basis, isOfAll: due == nil, onProgress)
        var again: [UInt32: Timestamp] = [:]
        for number in trails.keys.sorted() {
            guard var trail = trails.removeValue(forKey: number) else { continue }
            try trail.finish()
            let beginning = Timestamp(milliseconds: .min)
            if trail.tally.latest == nil, trail.start > beginning {
                // Its clock moved all later fixes before that instant.
                again[number] = beginning
                continue
            }
            try put(trail.tally, clock: trail.clock, of: number, onProgress)
        }
        try readVisitsAgain(from: again, basis, onProgress)
    }

    /// Walks over the log, and gives each trail its source's entries.
    ///
    /// - Parameters:
    ///   - trails: The trails.
    ///   - start: The position to begin at.
    ///   - basis: What is known beside the fixes.
    ///   - isOfAll: Whether to begin a trail for each source that has none.
    ///   - onProgress: Told of commits.
    /// - Throws: `EventLogError`, `StaleViews` or `LMDBError`.
    private mutating func walk(
        _ trails: inout [UInt32: FixTrail],
        from start: UInt64,
        _ basis: Basis,
        isOfAll: Bool,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var number: UInt32 = 0
        var trail: FixTrail?
        let (log, size) = (log, trackers.cursor.size)
        guard start < size else { return }
        try log.scan(from: start) { block in
            var entries = block.entries
            while entries.position < size, let entry = try entries.next() {
                let position = entries.position - 1
                guard position >= start, entry.source != 0 else { continue }
                if entry.source != number {
                    trails[number] = trail
                    number = entry.source
                    trail = trails.removeValue(forKey: number)
                    if trail == nil, isOfAll {
                        let beginning = Timestamp(milliseconds: .min)
                        trail = try self.trail(
                            of: number,
                            from: beginning,
                            basis,
                            among: trails.count
                        )
                    }
                }
                try trail?.take(entry, at: position)
                if let count = trail?.tally.finished.count, count >= mostVisitsOfTrail,
                    var taken = trail
                {
                    trail = nil
                    try putFinished(
                        of: &taken.tally,
                        of: number,
                        trailCount: trails.count,
                        onProgress
                    )
                    trail = taken
                }
            }
            return block.endPosition < size
        }
        trails[number] = trail
    }

    /// Begins to read a source again, and forgets its visits from there on.
    private mutating func trail(
        of number: UInt32,
        from instant: Timestamp,
        _ basis: Basis,
        among count: Int
    ) throws -> FixTrail {
        let source = try trackers.ambient.order.names.source(of: number, at: trackers.cursor.size)
        let clock = try trackers.ambient.order.clock(of: source)
        try views.visits.forget(from: instant, of: number)
        // If the run is cut off, the next one begins again here.
        var fold = try views.visits.fold(of: number) ?? VisitFold(latest: instant, clock: clock)
        fold.dueFrom = min(fold.dueFrom ?? instant, instant)
        views.visits.put(fold, of: number)
        return FixTrail(
            of: source,
            VisitTally(
                VisitFinder(basis.places.book(of: source.group)),
                RulesInForce(rules, basis.adoptions, for: source)
            ),
            late: try LateFixes(
                of: number,
                from: instant,
                upTo: trackers.cursor.size,
                in: log,
                pageCount: max(64, LateFixes.mostInPage / max(1, count))
            ),
            clock: clock
        )
    }

    /// Puts the visits of a source that are over among the rows, and commits these if they are
    /// many.
    private mutating func putFinished(
        of tally: inout VisitTally,
        of number: UInt32,
        trailCount: Int,
        _ onProgress: (UInt64) -> Void
    ) throws {
        for found in tally.takeFinished() {
            try views.visits.put(found, of: number)
            trackers.bufferedRows += 1
        }
        guard trackers.bufferedRows >= max(rowsPerCommit, trailCount) else { return }
        try commit()
        onProgress(trackers.cursor.size)
    }

    /// Puts the visits of a source among the rows, and notes how far it was read.
    private mutating func put(
        _ tally: VisitTally,
        clock: ClockShifts,
        of number: UInt32,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var tally = tally
        let open = tally.open
        for found in open { try views.visits.put(found, of: number) }
        let fold = tally.latest.map {
            VisitFold(latest: $0, clock: clock, open: open.map(\.entrance))
        }
        views.visits.put(fold, of: number)
        try putFinished(of: &tally, of: number, trailCount: 0, onProgress)
    }
}

/// The new fixes of one source, taken as they stand in the log as long as none of them is late.
private struct NewFixes {
    /// How the source's clock was wrong.
    let clock: ClockShifts

    /// The visits that the fixes make.
    var tally: VisitTally

    /// The instant of the last fix before them.
    private let start: Timestamp

    private var latest: Timestamp
    private var isLate: Bool

    init(_ tally: VisitTally, after start: Timestamp, clock: ClockShifts, isLate: Bool) {
        self.tally = tally
        self.start = start
        self.clock = clock
        self.isLate = isLate
        latest = start
    }

    /// Takes the next fix in the log; if it is late, or comes after one that is, returns from when
    /// on the source is to be read again.
    mutating func take(_ stored: StoredFix) -> Timestamp? {
        var stored = stored
        if !clock.isEmpty { stored.fix.occurredAt = clock.time(of: stored.fix.occurredAt) }
        let instant = stored.fix.occurredAt
        guard !isLate, instant > latest else {
            // The visits since the last fix before all these may be among the rows.
            isLate = true
            return min(instant, start)
        }
        latest = instant
        tally.take(stored)
        return nil
    }
}
