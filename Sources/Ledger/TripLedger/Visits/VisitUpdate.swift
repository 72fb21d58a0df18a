import EventStore
import Projections
import TripEvents
import TripTracking
import VisitsProjection

/// Brings the visits up to date with the entries that a run has read.
///
/// Visits follow from the fixes of each source in event order, from the places of its group, from
/// its rules and from its clock. Places are mostly saved after the drives to them, so visits are
/// found when a run knows all decisions: in the entries that are new to the view.
///
/// Where fixes come late, or places, rules or a clock changed what earlier fixes mean, a source is
/// read again from the last instant before which it had left all places. No state but the rows is
/// needed for that.
struct VisitUpdate {
    /// Folds that are read at once.
    private static let foldsPerPage = 512

    private let places: PlaceBook
    private let adoptions: [RulesAdoption]
    private let rules: TrackingRules
    private let log: ReadableLog

    /// Entries of the log that the run has read.
    private let size: UInt64

    /// Visits of one source that are over and not among the rows yet, at most.
    private let mostVisitsOfTrail: Int

    private init(of runner: ProjectionRunner, _ places: PlaceBook, _ adoptions: [RulesAdoption]) {
        self.places = places
        self.adoptions = adoptions
        rules = runner.rules
        log = runner.log
        size = runner.cursor.size
        mostVisitsOfTrail = min(64, runner.rowsPerCommit)
    }

    /// Brings the visits up to date.
    ///
    /// - Parameters:
    ///   - runner: The run, which knows all decisions.
    ///   - onProgress: Told the position that all else has reached, after each commit.
    /// - Throws: `EventLogError`, `StaleViews`, `RowCodingError` or `LMDBError`.
    static func run(
        _ runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        let start = runner.cursor.visitsUpTo
        guard start < runner.cursor.size else { return }
        let decisions = try runner.views.book.decisions(on: .places)
        let places = PlaceBook(decisions)
        if !places.isEmpty {
            let adoptions = try runner.trackers.ambient.adoptions()
            let update = VisitUpdate(of: runner, places, adoptions)
            let hasNews = runner.visitFolds.hasNews
            let earlier =
                try hasNews ? update.places(of: decisions, before: start, in: &runner) : places
            if earlier.isEmpty {
                try update.readAgain(from: nil, in: &runner, onProgress)
            } else {
                var due =
                    try hasNews ? update.dueSources(earlier, before: start, in: &runner) : [:]
                try update.readNewFixes(from: start, &due, in: &runner, onProgress)
                try update.readAgain(from: due, in: &runner, onProgress)
            }
        }
        runner.trackers.cursor.visitsUpTo = runner.cursor.size
        runner.visitFolds.noteAllRead()
    }

    /// Returns the places as they were known before a position of the log.
    private func places(
        of decisions: [Decision],
        before start: UInt64,
        in runner: inout ProjectionRunner
    ) throws -> PlaceBook {
        guard start > 0 else { return PlaceBook() }
        var news: Set<IdentityDigest> = []
        let kinds = [EventKind.placeSaved.rawValue, EventKind.placeRemoved.rawValue]
        try log.eachEntry(in: start..<size) { entry, position in
            guard kinds.contains(entry.kind) else { return }
            let name = try runner.trackers.ambient.order.names.name(of: entry.source, at: position)
            news.insert(IdentityDigest(entry.identityDigest(sourceName: name)))
        }
        return PlaceBook(decisions.filter { !news.contains($0.order.identity) })
    }

    /// Returns the sources to be read again because of other events than late fixes, and from when.
    private func dueSources(
        _ earlier: PlaceBook,
        before start: UInt64,
        in runner: inout ProjectionRunner
    ) throws -> [UInt32: Timestamp] {
        let adopted = adoptions.filter { $0.position >= start }
        var changes: [[UInt8]: Timestamp?] = [:]
        var due: [UInt32: Timestamp] = [:]
        var keys = KeyRange(from: ViewKey.source(1), upTo: ViewKey.source(.max))
        while true {
            let rows = try runner.visitFolds.rows.rows(in: keys, limit: Self.foldsPerPage)
            for row in rows {
                let number = ViewKey.number(ofSource: row.key)
                var fold = try VisitFold(decoding: row.value)
                let source = try runner.trackers.ambient.order.names.source(
                    of: number,
                    at: size
                )
                let group = Array((source.group ?? "").utf8)
                let change =
                    changes[group]
                    ?? places.earliestDifference(from: earlier, for: source.group)
                changes[group] = .some(change)
                let clock = try runner.trackers.ambient.order.clock(of: source)
                var effects = adopted.filter { $0.concerns(source) }.map(\.from)
                effects += [change, fold.dueFrom].compactMap(\.self)
                if clock != fold.clock {
                    effects += [clock, fold.clock].compactMap(\.earliestEffect)
                    fold.clock = clock
                    runner.visitFolds.put(fold, of: number)
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
    private func readNewFixes(
        from start: UInt64,
        _ due: inout [UInt32: Timestamp],
        in runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var trails: [UInt32: NewFixes] = [:]
        // The trail in use is kept out of the dictionary: it changes with every fix.
        var number: UInt32 = 0
        var trail: NewFixes?
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
                        ?? newFixes(
                            of: number,
                            at: position,
                            isDue: due[number] != nil,
                            in: &runner
                        )
                }
                if let late = trail?.take(fix) {
                    due[number] = min(due[number] ?? late, late)
                } else if trail.map({ $0.tally.finished.count >= mostVisitsOfTrail }) ?? false {
                    try putFinished(
                        &trail,
                        of: number,
                        trailCount: trails.count,
                        in: &runner,
                        onProgress
                    )
                }
            }
            return block.endPosition < size
        }
        trails[number] = trail
        for number in trails.keys.sorted() {
            guard let trail = trails.removeValue(forKey: number), due[number] == nil else {
                continue
            }
            try put(trail.tally, clock: trail.clock, of: number, in: &runner, onProgress)
        }
    }

    private func putFinished(
        _ trail: inout NewFixes?,
        of number: UInt32,
        trailCount: Int,
        in runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        guard var taken = trail else { return }
        trail = nil
        try putFinished(
            of: &taken.tally,
            of: number,
            trailCount: trailCount,
            in: &runner,
            onProgress
        )
        trail = taken
    }

    /// Prepares to take new fixes of a source.
    private func newFixes(
        of number: UInt32,
        at position: UInt64,
        isDue: Bool,
        in runner: inout ProjectionRunner
    ) throws -> NewFixes {
        let source = try runner.trackers.ambient.order.names.source(of: number, at: position)
        let places = places.book(of: source.group)
        let rules = RulesInForce(rules, adoptions, for: source)
        let clock = try runner.trackers.ambient.order.clock(of: source)
        let beginning = Timestamp(milliseconds: .min)
        guard var fold = try runner.visitFolds.fold(of: number) else {
            runner.visitFolds.put(
                VisitFold(latest: beginning, clock: clock, dueFrom: beginning),
                of: number
            )
            let tally = VisitTally(VisitFinder(places), rules)
            return NewFixes(tally, after: beginning, clock: clock, isLate: isDue)
        }
        let visits = runner.views.visits
        let open = isDue ? [] : try openVisits(of: fold, of: number, in: places, visits)
        // If the run is cut off, the next one begins again here.
        fold.dueFrom = fold.dueFrom ?? fold.latest
        runner.visitFolds.put(fold, of: number)
        let tally = VisitTally(goingOnWith: open, after: fold.latest, in: places, rules)
        return NewFixes(tally, after: fold.latest, clock: clock, isLate: isDue)
    }

    /// Returns the visits of a fold that go on, in order of their beginnings.
    ///
    /// - Throws: `StaleViews` or `RowCodingError` if a row is missing or damaged, or `LMDBError`.
    private func openVisits(
        of fold: VisitFold,
        of number: UInt32,
        in places: PlaceBook,
        _ visits: StoredVisits
    ) throws -> [FoundVisit] {
        try fold.open.map { entrance in
            let found = try visits.row(of: number, entrance).found(in: places)
            guard let found else { throw StaleViews.unknownPlace }
            return found
        }
    }

    /// Reads sources again, each from the last instant before the given one before which it had
    /// left all places; `nil` to read all from the beginning.
    private func readAgain(
        from due: [UInt32: Timestamp]?,
        in runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        guard due?.isEmpty != true else { return }
        var trails: [UInt32: FixTrail] = [:]
        var start: UInt64 = due == nil ? 0 : size
        for (number, instant) in (due ?? [:]).sorted(by: { $0.key < $1.key }) {
            let from = try runner.views.visits.chainStart(of: number, before: instant)
            let count = due?.count ?? 1
            let trail = try self.trail(of: number, from: from, among: count, in: &runner)
            let first = try log.inOrderPositions(
                of: number,
                from: trail.clock.earliestReported(from: from).milliseconds
            )
            start = min(start, first?.lowerBound ?? size)
            trails[number] = trail
        }
        try walk(&trails, from: start, isOfAll: due == nil, in: &runner, onProgress)
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
            try put(trail.tally, clock: trail.clock, of: number, in: &runner, onProgress)
        }
        try readAgain(from: again, in: &runner, onProgress)
    }

    /// Walks over the log, and gives each trail its source's entries.
    ///
    /// - Parameters:
    ///   - trails: The trails.
    ///   - start: The position to begin at.
    ///   - isOfAll: Whether to begin a trail for each source that has none.
    ///   - runner: The run.
    ///   - onProgress: Told of commits.
    /// - Throws: `EventLogError`, `StaleViews` or `LMDBError`.
    private func walk(
        _ trails: inout [UInt32: FixTrail],
        from start: UInt64,
        isOfAll: Bool,
        in runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var number: UInt32 = 0
        var trail: FixTrail?
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
                            among: trails.count,
                            in: &runner
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
                        in: &runner,
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
    private func trail(
        of number: UInt32,
        from instant: Timestamp,
        among count: Int,
        in runner: inout ProjectionRunner
    ) throws -> FixTrail {
        let source = try runner.trackers.ambient.order.names.source(of: number, at: size)
        let clock = try runner.trackers.ambient.order.clock(of: source)
        for entrance in try runner.views.visits.entrances(of: number, from: instant) {
            try runner.views.note(VisitNews(forgetting: entrance, of: number))
        }
        // If the run is cut off, the next one begins again here.
        var fold =
            try runner.visitFolds.fold(of: number) ?? VisitFold(latest: instant, clock: clock)
        fold.dueFrom = min(fold.dueFrom ?? instant, instant)
        runner.visitFolds.put(fold, of: number)
        return FixTrail(
            of: source,
            VisitTally(
                VisitFinder(places.book(of: source.group)),
                RulesInForce(rules, adoptions, for: source)
            ),
            late: try LateFixes(
                of: number,
                from: instant,
                upTo: size,
                in: log,
                pageCount: max(64, LateFixes.mostInPage / max(1, count))
            ),
            clock: clock
        )
    }

    /// Puts the visits of a source that are over among the rows, and commits these if they are
    /// many.
    private func putFinished(
        of tally: inout VisitTally,
        of number: UInt32,
        trailCount: Int,
        in runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        for found in tally.takeFinished() {
            try runner.views.note(VisitNews(found, of: number))
            runner.trackers.bufferedRows += 1
        }
        guard runner.trackers.bufferedRows >= max(runner.rowsPerCommit, trailCount) else { return }
        try runner.commit()
        onProgress(size)
    }

    /// Puts the visits of a source among the rows, and notes how far it was read.
    private func put(
        _ tally: VisitTally,
        clock: ClockShifts,
        of number: UInt32,
        in runner: inout ProjectionRunner,
        _ onProgress: (UInt64) -> Void
    ) throws {
        var tally = tally
        let open = tally.open
        for found in open { try runner.views.note(VisitNews(found, of: number)) }
        let fold = tally.latest.map {
            VisitFold(latest: $0, clock: clock, open: open.map(\.entrance))
        }
        runner.visitFolds.put(fold, of: number)
        try putFinished(of: &tally, of: number, trailCount: 0, in: &runner, onProgress)
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
            // Visits since the last fix before the new ones may be among the rows already.
            isLate = true
            return min(instant, start)
        }
        latest = instant
        tally.take(stored)
        return nil
    }
}
