import Geodesy
import TripEvents

extension OpenTrip {
    /// Takes a fix if neither it nor the time before it can end the trip, as nearly all.
    ///
    /// - Returns: whether it was taken; if not, nothing has changed.
    @inline(__always)
    mutating func takeOnFastPath(
        _ fix: Fix,
        stamp: EventStamp,
        gapLimit: inout GapLimit
    ) -> Bool {
        guard let lastAt = filter?.lastAt, stationarySince == nil, recoveringSince == nil,
            walkingSince == nil, !division.isPending, !jump.isPending,
            fix.accuracyMeters ?? 0 <= rules.maximumAccuracyMeters,
            fix.occurredAt.milliseconds(since: lastAt) <= TrackingRules.shortestWaitMilliseconds,
            fix.occurredAt.milliseconds(since: movement.since) < rules.noMovementMilliseconds,
            (rest?.milliseconds ?? 0) < TrackingRules.shortestRestMilliseconds
        else { return false }
        var journal = SilentJournal()
        take(fix, stamp: stamp, gapLimit: &gapLimit, journal: &journal)
        return true
    }

    /// Takes fixes up to the first that ``takeOnFastPath(_:stamp:gapLimit:)`` does not take.
    ///
    /// - Returns: how many were taken.
    mutating func takeOnFastPath(
        _ fixes: Span<RecordedFix>,
        firstPosition: UInt64,
        gapLimit: inout GapLimit
    ) -> Int {
        // A local variable, which the compiler can keep in registers.
        var limit = gapLimit
        defer { gapLimit = limit }
        for index in fixes.indices {
            let recorded = fixes[index]
            let stamp = EventStamp(
                occurredAt: recorded.fix.occurredAt,
                recordedAt: recorded.recordedAt,
                position: firstPosition + UInt64(index)
            )
            guard takeOnFastPath(recorded.fix, stamp: stamp, gapLimit: &limit) else {
                return index
            }
        }
        return fixes.count
    }

    /// Takes the next fix in event order.
    @inline(__always)
    mutating func take(
        _ fix: Fix,
        stamp: EventStamp,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        if let flaw = FixFilter.flaw(of: fix, rules: rules, isCoarse: isCoarse) {
            takeFlawed(fix, flaw: flaw, position: stamp.position, journal: &journal)
        } else {
            heedJump(fix, at: stamp.position, gapLimit: &gapLimit, journal: &journal)
            judge(fix, stamp: stamp, gapLimit: &gapLimit, journal: &journal)
        }
        // Last, because a snapshot of the trip at an earlier fix must not include this one.
        trip.recorded.include(stamp.recordedAt)
        if isResting, latest?.position == stamp.position {
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
        if rest?.crawl?.take(entry, rules: rules, metric: &metric) == false { rest?.crawl = nil }
    }

    @inline(__always)
    private mutating func judge(
        _ fix: Fix,
        stamp: EventStamp,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        if let judgement = filter?.judge(fix, rules: rules, gapLimit: &gapLimit) {
            let judged = PendingFix(fix: fix, position: stamp.position)
            if judgement.verdict.isKept, run.fixes.isEmpty {
                settle(judged, as: judgement, journal: &journal)
            } else {
                consider(
                    judged,
                    as: judgement,
                    gapLimit: &gapLimit,
                    journal: &journal
                )
            }
        } else {
            search(
                PendingFix(fix: fix, position: stamp.position),
                gapLimit: &gapLimit,
                journal: &journal
            )
        }
    }

    /// Returns when the trip has its first position if it takes a fix; `nil` if it has one already,
    /// or has none with that fix either.
    func firstPosition(with next: PendingFix) -> Timestamp? {
        guard filter == nil,
            FixFilter.flaw(of: next.fix, rules: rules, isCoarse: isCoarse) == nil
        else { return nil }
        var arming = arming
        if let latest = arming.latest, next.fix.occurredAt <= latest.fix.occurredAt {
            return arming.oldest?.fix.occurredAt
        }
        let outcome = arming.take(next, rules: rules)
        return (outcome.start ?? arming.oldest)?.fix.occurredAt
    }

    /// Settles everything that waits for later fixes.
    ///
    /// A start that was never confirmed becomes the start; without one, the approximate position
    /// does. Impossible fixes stay impossible. A split after which the trip has not moved on
    /// changes nothing.
    mutating func settlePending(
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        division = .none
        if let first = arming.oldest {
            let next = arming.newest
            begin(at: first, journal: &journal)
            if let next {
                follow(next, gapLimit: &gapLimit, journal: &journal)
            }
        } else if filter == nil {
            setStart(nil)
        }
        for fix in run.takeFixes() {
            settle(fix, as: Judgement(verdict: .impossibleSpeed), journal: &journal)
        }
    }
}

extension OpenTrip {
    private mutating func takeFlawed(
        _ fix: Fix,
        flaw: Verdict,
        position: UInt64,
        journal: inout some VerdictJournal
    ) {
        if filter == nil, flaw == .poorAccuracy, let accuracy = fix.accuracyMeters {
            arming.takePoor(fix, accuracyMeters: accuracy, rules: rules)
        }
        settle(
            PendingFix(fix: fix, position: position),
            as: Judgement(verdict: flaw),
            journal: &journal
        )
    }

    /// Looks for the start with a usable fix.
    private mutating func search(
        _ next: PendingFix,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        if let latest = arming.latest,
            next.fix.occurredAt <= latest.fix.occurredAt
        {
            settle(next, as: Judgement(verdict: .stale), journal: &journal)
            return
        }
        let outcome = arming.take(next, rules: rules)
        if let dropped = outcome.dropped {
            settle(
                dropped,
                as: Judgement(verdict: .impossibleSpeed),
                journal: &journal
            )
        }
        guard let start = outcome.start else { return }
        begin(at: start, journal: &journal)
        if let between = outcome.between {
            follow(between, gapLimit: &gapLimit, journal: &journal)
        }
        follow(next, gapLimit: &gapLimit, journal: &journal)
    }

    /// Starts measuring at a fix.
    private mutating func begin(
        at first: PendingFix,
        journal: inout some VerdictJournal
    ) {
        setStart(first.fix)
        arming = Arming()
        filter = FixFilter(at: first.fix)
        settle(first, as: Judgement(verdict: .accepted), journal: &journal)
    }

    private mutating func setStart(_ first: Fix?) {
        if let approximate = arming.approximatePosition(before: first, rules: rules) {
            trip.start = approximate
            trip.flags.insert(.approximateStart)
        } else {
            trip.start = first?.coordinate
        }
    }

    /// Judges a usable fix after the start.
    private mutating func follow(
        _ next: PendingFix,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        heedJump(next.fix, at: next.position, gapLimit: &gapLimit, journal: &journal)
        guard let judgement = filter?.judge(next.fix, rules: rules, gapLimit: &gapLimit) else {
            return
        }
        consider(next, as: judgement, gapLimit: &gapLimit, journal: &journal)
    }

    /// Takes a judged fix, which may begin, extend, complete or end a run of impossible fixes.
    private mutating func consider(
        _ next: PendingFix,
        as judgement: Judgement,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
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
        for disproved in run.extend(with: next, rules: rules) {
            settle(disproved, as: impossible, journal: &journal)
        }
        if run.isConvincing(rules: rules) {
            reanchor(gapLimit: &gapLimit, journal: &journal)
        }
    }

    /// Accepts the run: its first fix ends a gap, the others count by the usual rules.
    private mutating func reanchor(
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        let accepted = run.takeFixes()
        guard let first = accepted.first,
            let jump = filter?.reanchor(at: first.fix, gapLimit: &gapLimit)
        else { return }
        settle(first, as: jump, journal: &journal)
        for fix in accepted.dropFirst() {
            follow(fix, gapLimit: &gapLimit, journal: &journal)
        }
    }

    /// Counts a fix of a jump that was none of the way.
    @inline(never)
    mutating func settleSpike(_ spike: PendingFix, journal: inout some VerdictJournal) {
        settle(spike, as: Judgement(verdict: .spike), journal: &journal)
    }

    /// Counts a fix whose verdict is final.
    @inline(__always)
    private mutating func settle(
        _ decided: PendingFix,
        as judgement: Judgement,
        journal: inout some VerdictJournal
    ) {
        if !isPressed, !isResting { beginRest(at: judgement) }
        let isMoving = isMoving(decided.fix, judgement)
        if isMoving {
            if pace.isResting {
                pace = .moving
            }
        } else if !pace.isResting {
            beginRest()
        }
        var judgement = judgement
        judgement.isExcluded = hasExclusions && exclusions.contain(decided.fix.occurredAt)
        if division.isPending {
            divide(before: decided, judgement, isMoving: isMoving && !jump.isPending && !isResting)
        }
        trip.add(judgement)
        if judgement.verdict.isKept {
            if judgement.elapsedMilliseconds > 0 {
                intervals.record(judgement.elapsedMilliseconds)
            }
            if decided.fix.occurredAt.milliseconds >= way.due {
                way.take(decided.fix, after: judgement.verdict.endsGap ? nil : latest)
            }
            latest = Waypoint(decided)
            if hasTrailing { forgetTrailing() }
            followPace(of: decided.fix, judgement)
        } else {
            trailing[judgement.verdict] += 1
            hasTrailing = true
        }
        journal.note(
            position: decided.position,
            occurredAt: decided.fix.occurredAt,
            verdict: judgement.verdict,
            added: judgement.isExcluded ? .zero : judgement.added,
            excluded: judgement.isExcluded ? judgement.added : .zero,
            gap: judgement.gap
        )
    }

    /// A fix was kept: those before it are the trip's, whatever comes.
    @inline(never)
    private mutating func forgetTrailing() {
        trailing = VerdictCounts()
        hasTrailing = false
    }

    /// Remembers the trip as it is before a fix that does not move.
    @inline(never)
    private mutating func beginRest() {
        if let asOfLatest {
            pace = .resting(asOfLatest)
        }
    }

    /// Measures the pace at a kept fix, and whether the trip drives or rests.
    @inline(__always)
    private mutating func followPace(of fix: Fix, _ judgement: Judgement) {
        let leg = meter.take(fix, isAfterGap: judgement.verdict.endsGap, metric: &metric)
        if let leg { add(leg, endingAt: fix.occurredAt) }
        guard !isPressed else { return }
        if isResting {
            followRest(fix, judgement, leg)
        } else if judgement.speedMetersPerSecond < rules.drivingSpeedMetersPerSecond,
            !judgement.verdict.endsGap
        {
            // The way to the first slow fix was driven if a source reports seldom.
            startResting()
        }
    }

    /// Notes with the first kept fix that was not driven to what the trip becomes if it has ended.
    @inline(__always)
    private mutating func beginRest(at judgement: Judgement) {
        let speed = rules.drivingSpeedMetersPerSecond
        guard judgement.verdict.isKept, !judgement.verdict.endsGap,
            judgement.speedMetersPerSecond < speed
        else { return }
        if Double(judgement.added.millimeters) < speed * Double(judgement.elapsedMilliseconds) {
            startResting()
        }
    }

    @inline(never)
    private mutating func startResting() {
        guard let asOfLatest else { return }
        rest = Rest(began: asOfLatest)
    }

    @inline(never)
    private mutating func followRest(_ fix: Fix, _ judgement: Judgement, _ leg: Leg?) {
        rest?.milliseconds += min(
            judgement.elapsedMilliseconds,
            rules.unknownIntervalGapMilliseconds
        )
        var isOver = false
        if let leg {
            isOver = rest?.isOver(with: leg, at: fix, rules: rules, metric: &metric) ?? false
        } else if judgement.verdict.endsGap {
            isOver =
                judgement.speedMetersPerSecond >= rules.drivingSpeedMetersPerSecond
                && judgement.gap > rules.parkedRadius
        }
        if isOver {
            rest = nil
            stationarySince = nil
            walkingSince = nil
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
            trip.travelled + judgement.added + judgement.gap
        let hasMoved = movement.isLeft(
            by: fix,
            travelled: travelled,
            radius: rules.movementRadius,
            metric: &metric
        )
        return hasMoved || judgement.speedMetersPerSecond >= rules.drivingSpeedMetersPerSecond
    }
}
