import Geodesy
import TripEvents

/// A trip in progress: what the tracker knows between GO and STOP.
struct OpenTrip: Hashable, Sendable {
    /// The rules that it started with.
    let rules: TrackingRules

    /// Whether a press started it, so that only presses and last resorts end it.
    var isPressed: Bool

    /// The trip as its decided fixes show it.
    var trip: Trip

    /// The search for the start; done with once there is a filter.
    var arming = Arming()

    /// Judges fixes; `nil` until a start has been found.
    var filter: FixFilter?

    /// The impossible fixes that may turn out to be right.
    var run = ReanchorRun()

    /// The last kept fix.
    var latest: Waypoint?

    /// Whether it moves.
    var pace = Pace.moving

    /// Where it has not moved from (`noMovement`), and where it may be parked.
    var movement: Stay
    var parking: Stay

    var intervals = IntervalSample()

    /// Since when the motion sensor says that it stands; `nil` once it has moved on.
    var stationarySince: Timestamp?

    /// Since when its recorder is back from a silence without a fix.
    var recoveringSince: Timestamp?

    /// What would have started another trip in the present silence, should that have ended this.
    var nextStart: PendingStart?

    /// Whether it is being divided in two.
    var division = Division.none

    /// The trips that this one was a part of before it was divided, in order of their starts.
    var earlierParts: [TripID] = []

    /// Measures how far fixes are from these.
    var ruler = Ruler()

    /// Starts a trip of which nothing but its opening is known.
    init(_ trip: Trip, rules: TrackingRules) {
        self.trip = trip
        self.rules = rules
        isPressed = trip.startedBy == .press
        let since = trip.startedAt.timestamp
        movement = Stay(since: since)
        parking = Stay(since: since)
    }

    /// The trip at its last kept fix.
    var asOfLatest: Rest? { latest.map { Rest(trip: measured, place: $0) } }

    /// The trip where it has rested since it last moved.
    var asOfRest: Rest? {
        switch pace {
        case .moving: asOfLatest
        case .resting(let rest): rest
        }
    }

    /// The trip with everything that follows from its decided fixes.
    var measured: Trip {
        var measured = trip
        measured.samplingMilliseconds = intervals.medianMilliseconds
        return measured
    }

    /// Takes the next fix in event order.
    @inline(__always)
    mutating func take(
        _ fix: Fix,
        stamp: EventStamp,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        if let flaw = FixFilter.flaw(of: fix, rules: rules) {
            takeFlawed(fix, flaw: flaw, position: stamp.position, journal: &journal)
        } else if let judgement = filter?.judge(fix, rules: rules, gapLimit: &gapLimit) {
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
        // Last, for the trip may turn out to have ended before this fix.
        trip.recorded.include(stamp.recordedAt)
    }

    /// Ends all waiting: a start that was never confirmed is taken as it is, or the
    /// approximate position if there is none, impossible fixes stay impossible, and a split after
    /// which the trip has not moved on changes nothing.
    mutating func decide(
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

    /// Takes note of an event other than a fix that belongs to the trip.
    mutating func include(_ stamp: EventStamp) {
        trip.recorded.include(stamp.recordedAt)
    }

    /// Takes the vehicle of a press, unless one is known.
    mutating func use(vehicle: String?) {
        trip.vehicle = trip.vehicle ?? vehicle
    }

    /// Goes on after its recorder had died.
    mutating func recover() {
        recoveringSince = nil
        trip.flags.insert(.recovered)
        recoverPart()
    }

    /// Begins to count the time of standing: the motion sensor says that it does.
    mutating func stand(since instant: Timestamp) {
        stationarySince = stationarySince ?? instant
    }

    /// Begins to count the time of standing here anew: the motion sensor says that it drives.
    mutating func unpark(at instant: Timestamp) {
        stationarySince = nil
        parking.since = instant
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
        if let latest = arming.newest ?? arming.oldest,
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
        guard let judgement = filter?.judge(next.fix, rules: rules, gapLimit: &gapLimit) else {
            return
        }
        consider(next, as: judgement, gapLimit: &gapLimit, journal: &journal)
    }

    /// Takes a judged fix, which may begin, extend, complete or end a run of impossible ones.
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

    /// Believes the run: its first fix ends a gap, the others count by the usual rules.
    private mutating func reanchor(
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        let believed = run.takeFixes()
        guard let first = believed.first,
            let jump = filter?.reanchor(at: first.fix, gapLimit: &gapLimit)
        else { return }
        settle(first, as: jump, journal: &journal)
        for fix in believed.dropFirst() {
            follow(fix, gapLimit: &gapLimit, journal: &journal)
        }
    }

    /// Counts a fix whose verdict is final.
    @inline(__always)
    private mutating func settle(
        _ decided: PendingFix,
        as judgement: Judgement,
        journal: inout some VerdictJournal
    ) {
        let isMoving = isMoving(decided.fix, judgement)
        if isMoving {
            if pace.isResting {
                pace = .moving
            }
        } else if !pace.isResting {
            beginRest()
        }
        if division.isPending {
            divide(before: decided, judgement, isMoving: isMoving)
        }
        trip.add(judgement)
        if judgement.verdict.isKept {
            if judgement.elapsedMilliseconds > 0 {
                intervals.record(judgement.elapsedMilliseconds)
            }
            latest = Waypoint(decided)
        }
        journal.note(
            position: decided.position,
            occurredAt: decided.fix.occurredAt,
            verdict: judgement.verdict,
            added: judgement.added,
            gap: judgement.gap
        )
    }

    /// Remembers the trip as it is before a fix that does not move.
    @inline(never)
    private mutating func beginRest() {
        if let asOfLatest {
            pace = .resting(asOfLatest)
        }
    }

    /// Returns whether a fix shows the car moving: it goes as fast as one drives, or has got out of
    /// the place where it was.
    @inline(__always)
    private mutating func isMoving(_ fix: Fix, _ judgement: Judgement) -> Bool {
        guard judgement.verdict.movesAnchor else { return false }
        if judgement.gap.millimeters > 0 {
            // A gap begins at the last kept fix and not at the anchor, so the way is not enough.
            movement.safeUntil = .zero
            parking.safeUntil = .zero
        }
        let travelled =
            trip.distance + trip.gaps.distance + judgement.added + judgement.gap
        let hasMoved = movement.isLeft(
            by: fix,
            travelled: travelled,
            radius: rules.movementRadius,
            ruler: &ruler
        )
        if !isPressed,
            parking.isLeft(
                by: fix,
                travelled: travelled,
                radius: rules.parkedRadius,
                ruler: &ruler
            )
        {
            stationarySince = nil
        }
        return hasMoved || judgement.speedMetersPerSecond >= rules.drivingSpeedMetersPerSecond
    }
}
