import Geodesy
import RowCoding
import TripEvents

/// A trip in progress from its first position on, measured from fix to fix.
struct PlacedTrip: Hashable, Sendable {
    /// What holds of every trip in progress.
    var open: OpenTrip

    /// Judges fixes.
    var filter: FixFilter

    /// The impossible fixes, which enough others can confirm.
    var run = ReanchorRun()

    /// The last kept fix.
    var latest: Waypoint

    /// Whether the trip moves or is still.
    var pace = Pace.moving

    /// The place that the trip has not left (`noMovement`).
    var movement: Stay

    /// The state before a jump that may turn out to be a spike.
    var jump = Jump.none

    /// Measures how fast it gets away.
    var meter: PaceMeter

    /// The rest since it last drove; `nil` while it drives, and in a trip that GO started.
    var rest: Rest?

    /// The evidence for the means of transport of the whole drive, of which the trip may be a part.
    var evidence = ModeEvidence()

    /// The intervals between kept fixes, for the trip's median.
    var intervals = IntervalSample()

    /// The start of the next trip, if the present silence turns out to have ended this one.
    var nextStart: PendingStart?

    /// Where it was at a few instants.
    var way = WaySketcher()

    /// Measures how far fixes are from the stays.
    var metric = LocalMetric()
}

extension PlacedTrip {
    /// Starts measuring at a fix, which is not counted yet.
    init(_ open: OpenTrip, at first: PendingFix) {
        let since = open.trip.startedAt.timestamp
        self.init(
            open: open,
            filter: FixFilter(at: first.fix),
            latest: Waypoint(first),
            movement: Stay(since: since),
            meter: PaceMeter(since: since)
        )
        // No kept fix lies before it.
        way.take(first.fix, after: nil)
    }

    /// The trip at its last kept fix.
    var asOfLatest: TripAtPlace {
        var trip = measured
        trip.fixes.remove(open.trailing.counts)
        return TripAtPlace(trip: trip, place: latest)
    }

    /// The trip when it last moved.
    var asOfRest: TripAtPlace { pace.rest ?? asOfLatest }

    /// Whether it has not driven for some time.
    ///
    /// A `switch`, because a comparison with `nil` copies what it compares.
    @inline(__always)
    var isResting: Bool {
        switch rest {
        case .none: false
        case .some: true
        }
    }

    /// The trip when it last drove; of one that GO started, at its last kept fix.
    var asOfDriving: TripAtPlace { rest?.began ?? asOfLatest }

    /// The trip with the figures that are computed only when asked for.
    var measured: Trip {
        var measured = open.trip
        measured.samplingMilliseconds = intervals.medianMilliseconds
        return measured
    }

    /// The trip as the first part of one that a split may divide.
    var part: TripPart { TripPart(open.trip, intervals: intervals, latest: latest) }

    /// The first instant at which the next trip can turn out to have begun.
    var earliestStartOfNext: Timestamp? {
        [rest?.crawl?.entries.first?.fix.occurredAt, nextStart?.at].compactMap(\.self).min()
    }

    /// Changes the trip by what people, the sensor or the recorder say, and with it the trip before
    /// a jump, which goes on in its place if the jump turns out to be a spike.
    @discardableResult
    mutating func changeWithJump<Result>(_ change: (inout PlacedTrip) -> Result) -> Result {
        let result = change(&self)
        if case .pending(var before, let fixes) = jump {
            _ = change(&before)
            jump = .pending(before: before, fixes: fixes)
        }
        return result
    }

    /// Notes that the motion sensor reports driving: the time without driving starts anew.
    mutating func noteDriving() {
        rest?.milliseconds = 0
        rest?.walkedMilliseconds = 0
    }
}

/// Whether a trip moves.
///
/// `indirect` keeps the stored trip out of `PlacedTrip`, which is changed by every fix.
indirect enum Pace: Hashable, Sendable {
    case moving

    /// It has not moved since this state.
    case still(TripAtPlace)

    var isStill: Bool {
        switch self {
        case .moving: false
        case .still: true
        }
    }

    /// The trip when it last moved; `nil` if it moves.
    var rest: TripAtPlace? {
        switch self {
        case .moving: nil
        case .still(let rest): rest
        }
    }
}

extension PlacedTrip {
    /// Writes the trip.
    func write(to writer: inout RowEncoder) { open.write(to: &writer, placed: self) }
}

extension PlacedTrip {
    /// Takes a fix if neither it nor the time before it can end the trip, which is true of nearly
    /// all.
    ///
    /// - Returns: whether it was taken; if not, nothing has changed.
    mutating func takeOnFastPath(_ fix: Fix, stamp: EventStamp) -> Bool {
        var journal: VerdictJournal? = nil
        return takeOnFastPath(fix, stamp: stamp, journal: &journal)
    }

    @inline(__always)
    private mutating func takeOnFastPath(
        _ fix: Fix,
        stamp: EventStamp,
        journal: inout VerdictJournal?
    ) -> Bool {
        guard open.stationarySince == nil, open.recoveringSince == nil,
            open.walkingSince == nil, !open.division.isPending, !jump.isPending,
            fix.accuracyMeters ?? 0 <= open.rules.maximumAccuracyMeters,
            fix.occurredAt.milliseconds(since: filter.lastAt)
                <= TrackingRules.shortestWaitMilliseconds,
            fix.occurredAt.milliseconds(since: movement.since)
                < open.rules.noMovementMilliseconds,
            (rest?.milliseconds ?? 0) < TrackingRules.shortestRestMilliseconds
        else { return false }
        take(fix, stamp: stamp, journal: &journal)
        return true
    }

    /// Takes fixes up to the first that ``takeOnFastPath(_:stamp:)`` does not take.
    ///
    /// - Returns: how many were taken.
    mutating func takeOnFastPath(_ fixes: Span<RecordedFix>, firstPosition: UInt64) -> Int {
        // One variable for all fixes: Swift ends the life of each by a call.
        var journal: VerdictJournal? = nil
        for index in fixes.indices {
            let recorded = fixes[index]
            let stamp = EventStamp(
                occurredAt: recorded.fix.occurredAt,
                recordedAt: recorded.recordedAt,
                position: firstPosition + UInt64(index)
            )
            guard takeOnFastPath(recorded.fix, stamp: stamp, journal: &journal) else {
                return index
            }
        }
        return fixes.count
    }

    /// Takes the next fix in event order.
    @inline(__always)
    mutating func take(_ fix: Fix, stamp: EventStamp, journal: inout VerdictJournal?) {
        let next = PendingFix(fix: fix, position: stamp.position)
        if let flaw = FixFilter.flaw(of: fix, rules: open.rules, isCoarse: open.isCoarse) {
            settle(next, as: Judgement(verdict: flaw), journal: &journal)
        } else {
            heedJump(next, journal: &journal)
            let judgement = filter.judge(fix, in: &open)
            if judgement.verdict.isKept, run.fixes.isEmpty {
                settle(next, as: judgement, journal: &journal)
            } else {
                consider(next, as: judgement, journal: &journal)
            }
        }
        finish(fix, stamp: stamp)
    }

    /// Takes note of when a fix that was counted was stored, and of the way since the trip drove.
    @inline(__always)
    mutating func finish(_ fix: Fix, stamp: EventStamp) {
        // Last, because a snapshot of the trip at an earlier fix must not include this one.
        open.include(stamp)
        if isResting, latest.position == stamp.position {
            followCrawl(fix, stamp: stamp)
        }
    }

    @inline(never)
    private mutating func followCrawl(_ fix: Fix, stamp: EventStamp) {
        rest?.include(stamp)
        let entry = StartWindow.Entry(
            fix: fix,
            recordedAt: stamp.recordedAt,
            position: stamp.position
        )
        if rest?.crawl?.take(entry, rules: open.rules, metric: &metric) == false {
            rest?.crawl = nil
        }
    }

    /// Settles everything that waits for later fixes.
    ///
    /// Impossible fixes stay impossible. A split after which the trip has not moved on changes
    /// nothing.
    mutating func settlePending(journal: inout VerdictJournal?) {
        open.division = .none
        for fix in run.takeFixes() {
            settle(fix, as: Judgement(verdict: .impossibleSpeed), journal: &journal)
        }
    }
}

extension PlacedTrip {
    /// Starts with the first fix, whose verdict is final.
    mutating func begin(at first: PendingFix, journal: inout VerdictJournal?) {
        settle(first, as: Judgement(verdict: .accepted), journal: &journal)
    }

    /// Judges a usable fix after the start.
    mutating func follow(_ next: PendingFix, journal: inout VerdictJournal?) {
        heedJump(next, journal: &journal)
        let judgement = filter.judge(next.fix, in: &open)
        consider(next, as: judgement, journal: &journal)
    }

    /// Takes a judged fix, which may begin, extend, complete or end a run of impossible fixes.
    private mutating func consider(
        _ next: PendingFix,
        as judgement: Judgement,
        journal: inout VerdictJournal?
    ) {
        let impossible = Judgement(verdict: .impossibleSpeed)
        guard judgement.verdict == .impossibleSpeed else {
            if judgement.verdict != .stale {
                for fix in run.takeFixes() {
                    settle(fix, as: impossible, journal: &journal)
                }
            }
            settle(next, as: judgement, journal: &journal)
            return
        }
        if let latest = run.fixes.last, next.fix.occurredAt <= latest.fix.occurredAt {
            settle(next, as: Judgement(verdict: .stale), journal: &journal)
            return
        }
        for disproved in run.extend(with: next, rules: open.rules) {
            settle(disproved, as: impossible, journal: &journal)
        }
        if run.isConvincing(rules: open.rules) {
            reanchor(journal: &journal)
        }
    }

    /// Accepts the run: its first fix ends a gap, the others count by the usual rules.
    private mutating func reanchor(journal: inout VerdictJournal?) {
        let accepted = run.takeFixes()
        guard let first = accepted.first else { return }
        let jump = filter.reanchor(at: first.fix, gapLimit: &open.gapLimit)
        settle(first, as: jump, journal: &journal)
        for fix in accepted.dropFirst() {
            follow(fix, journal: &journal)
        }
    }

    /// Counts a fix of a jump that was not part of the way.
    @inline(never)
    mutating func settleSpike(_ spike: PendingFix, journal: inout VerdictJournal?) {
        settle(spike, as: Judgement(verdict: .spike), journal: &journal)
    }

    /// Counts a fix whose verdict is final.
    @inline(__always)
    private mutating func settle(
        _ decided: PendingFix,
        as judgement: Judgement,
        journal: inout VerdictJournal?
    ) {
        if !open.isPressed, !isResting { beginRest(at: judgement) }
        let isMoving = isMoving(decided.fix, judgement)
        if isMoving {
            if pace.isStill {
                pace = .moving
            }
        } else if !pace.isStill {
            becomeStill()
        }
        if open.division.isPending {
            divide(
                before: decided,
                judgement,
                isMoving: isMoving && !jump.isPending && !isResting,
                journal: &journal
            )
        }
        // Judged for the second part, if the trip has just been divided.
        var judgement = judgement
        judgement.isExcluded = open.excludes(decided.fix.occurredAt)
        open.trip.add(judgement)
        if judgement.verdict.isKept {
            if judgement.elapsedMilliseconds > 0 {
                intervals.record(judgement.elapsedMilliseconds)
            }
            if decided.fix.occurredAt.milliseconds >= way.due {
                way.take(decided.fix, after: judgement.verdict.endsGap ? nil : latest)
            }
            latest = Waypoint(decided)
            if !open.trailing.isEmpty { open.trailing.forget() }
            followPace(of: decided.fix, judgement)
        } else {
            open.trailing.add(judgement.verdict)
        }
        journal?.note(decided, judgement)
    }

    /// Remembers the trip as it is before a fix that does not move.
    @inline(never)
    private mutating func becomeStill() {
        pace = .still(asOfLatest)
    }

    /// Measures the pace at a kept fix, and whether the trip drives or rests.
    @inline(__always)
    private mutating func followPace(of fix: Fix, _ judgement: Judgement) {
        let leg = meter.take(fix, isAfterGap: judgement.verdict.endsGap, metric: &metric)
        if let leg {
            add(leg, endingAt: fix.occurredAt)
        } else if meter.since == fix.occurredAt {
            open.hearing.restart(at: fix.occurredAt)
        }
        guard !open.isPressed else { return }
        if isResting {
            followRest(fix, judgement, leg)
        } else if judgement.speedMetersPerSecond < open.rules.drivingSpeedMetersPerSecond,
            !judgement.verdict.endsGap
        {
            // The way to the first slow fix was driven if a source reports seldom.
            startResting()
        }
    }

    /// Notes, at the first kept fix that was not reached by driving, what the trip becomes if it
    /// has ended there.
    @inline(__always)
    private mutating func beginRest(at judgement: Judgement) {
        let speed = open.rules.drivingSpeedMetersPerSecond
        guard judgement.verdict.isKept, judgement.speedMetersPerSecond < speed else { return }
        let isSlow =
            if judgement.verdict.endsGap {
                // A car that is still where it was before a silence had stopped by then.
                judgement.gap <= open.rules.parkedRadius
            } else {
                Double(judgement.added.millimeters) < speed * Double(judgement.elapsedMilliseconds)
            }
        if isSlow { startResting() }
    }

    @inline(never)
    private mutating func startResting() {
        rest = Rest(began: asOfLatest)
    }

    @inline(never)
    private mutating func followRest(_ fix: Fix, _ judgement: Judgement, _ leg: Leg?) {
        rest?.milliseconds += min(
            judgement.elapsedMilliseconds,
            open.rules.unknownIntervalGapMilliseconds
        )
        var isOver = false
        if let leg {
            isOver = rest?.isOver(with: leg, at: fix, rules: open.rules, metric: &metric) ?? false
        } else if judgement.verdict.endsGap {
            isOver =
                judgement.speedMetersPerSecond >= open.rules.drivingSpeedMetersPerSecond
                && judgement.gap > open.rules.parkedRadius
        }
        if isOver {
            rest = nil
            open.forgetStanding()
        }
    }

    /// Returns whether a fix shows the car moving: at driving speed, or out of the radius in which
    /// it has stayed.
    @inline(__always)
    private mutating func isMoving(_ fix: Fix, _ judgement: Judgement) -> Bool {
        guard judgement.verdict.movesAnchor else { return false }
        if judgement.gap.millimeters > 0 {
            // A gap is measured from the last kept fix and not from the anchor, so the distance
            // travelled does not bound how far the trip has got from its stays.
            movement.safeUntil = .zero
        }
        let travelled =
            open.trip.travelled + judgement.added + judgement.gap
        let hasMoved = movement.isLeft(
            by: fix,
            travelled: travelled,
            radius: open.rules.movementRadius,
            metric: &metric
        )
        return hasMoved || judgement.speedMetersPerSecond >= open.rules.drivingSpeedMetersPerSecond
    }
}
