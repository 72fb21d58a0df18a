import Geodesy
import TripEvents

/// A trip in progress: what the tracker knows between GO and STOP.
struct OpenTrip: Hashable, Sendable {
    /// The trip as its decided fixes show it.
    private(set) var trip: Trip

    /// The search for the start; done with once there is a filter.
    private(set) var arming = Arming()

    /// Judges fixes; `nil` until a start has been found.
    private(set) var filter: FixFilter?

    /// The impossible fixes that may turn out to be right.
    private(set) var run = ReanchorRun()

    /// Starts a trip of which nothing but its opening is known.
    init(_ trip: Trip) {
        self.trip = trip
    }

    /// Goes on where another one stood.
    init(_ trip: Trip, arming: Arming, filter: FixFilter?, run: ReanchorRun) {
        self.trip = trip
        self.arming = arming
        self.filter = filter
        self.run = run
    }

    /// Takes the next fix in event order.
    @inline(__always)
    mutating func take(
        _ fix: Fix,
        stamp: EventStamp,
        rules: TrackingRules,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        trip.recorded.include(stamp.recordedAt)
        if let flaw = FixFilter.flaw(of: fix, rules: rules) {
            takeFlawed(fix, flaw: flaw, position: stamp.position, rules: rules, journal: &journal)
        } else if let judgement = filter?.judge(fix, rules: rules, gapLimit: &gapLimit) {
            let judged = PendingFix(fix: fix, position: stamp.position)
            if run.fixes.isEmpty, judgement.verdict != .impossibleSpeed {
                settle(judged, as: judgement, journal: &journal)
            } else {
                consider(
                    judged,
                    as: judgement,
                    rules: rules,
                    gapLimit: &gapLimit,
                    journal: &journal
                )
            }
        } else {
            search(
                PendingFix(fix: fix, position: stamp.position),
                rules: rules,
                gapLimit: &gapLimit,
                journal: &journal
            )
        }
    }

    /// Ends all waiting: a start that was never confirmed is taken as it is, or the
    /// approximate position if there is none, and impossible fixes stay impossible.
    mutating func decide(
        rules: TrackingRules,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        if let first = arming.oldest {
            let next = arming.newest
            begin(at: first, rules: rules, journal: &journal)
            if let next {
                follow(next, rules: rules, gapLimit: &gapLimit, journal: &journal)
            }
        } else if filter == nil {
            setStart(nil, rules: rules)
        }
        for fix in run.takeFixes() {
            settle(fix, as: Judgement(verdict: .impossibleSpeed), journal: &journal)
        }
    }

    /// Ends the trip, once everything has been decided; without any position it is none.
    mutating func end(at stamp: EventStamp, by cause: TripCause, vehicle: String?) {
        trip.recorded.include(stamp.recordedAt)
        trip.vehicle = trip.vehicle ?? vehicle
        trip.endedAt = EventTime(stamp.occurredAt, utcOffset: stamp.utcOffset)
        trip.endedBy = cause
        trip.end = filter?.last
        if trip.start == nil {
            trip.status = .abandoned
            trip.abandonReason = .noPosition
        } else {
            trip.status = .completed
        }
    }
}

extension OpenTrip {
    private mutating func takeFlawed(
        _ fix: Fix,
        flaw: Verdict,
        position: UInt64,
        rules: TrackingRules,
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
        rules: TrackingRules,
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
            settle(dropped, as: Judgement(verdict: .impossibleSpeed), journal: &journal)
        }
        guard let start = outcome.start else { return }
        begin(at: start, rules: rules, journal: &journal)
        if let between = outcome.between {
            follow(between, rules: rules, gapLimit: &gapLimit, journal: &journal)
        }
        follow(next, rules: rules, gapLimit: &gapLimit, journal: &journal)
    }

    /// Starts measuring at a fix.
    private mutating func begin(
        at first: PendingFix,
        rules: TrackingRules,
        journal: inout some VerdictJournal
    ) {
        setStart(first.fix, rules: rules)
        arming = Arming()
        filter = FixFilter(at: first.fix)
        settle(first, as: Judgement(verdict: .accepted), journal: &journal)
    }

    private mutating func setStart(_ first: Fix?, rules: TrackingRules) {
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
        rules: TrackingRules,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        guard let judgement = filter?.judge(next.fix, rules: rules, gapLimit: &gapLimit) else {
            return
        }
        consider(next, as: judgement, rules: rules, gapLimit: &gapLimit, journal: &journal)
    }

    /// Takes a judged fix, which may begin, extend, complete or end a run of impossible ones.
    private mutating func consider(
        _ next: PendingFix,
        as judgement: Judgement,
        rules: TrackingRules,
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
            reanchor(rules: rules, gapLimit: &gapLimit, journal: &journal)
        }
    }

    /// Believes the run: its first fix ends a gap, the others count by the usual rules.
    private mutating func reanchor(
        rules: TrackingRules,
        gapLimit: inout GapLimit,
        journal: inout some VerdictJournal
    ) {
        let believed = run.takeFixes()
        guard let first = believed.first,
            let jump = filter?.reanchor(at: first.fix, gapLimit: &gapLimit)
        else { return }
        settle(first, as: jump, journal: &journal)
        for fix in believed.dropFirst() {
            follow(fix, rules: rules, gapLimit: &gapLimit, journal: &journal)
        }
    }

    /// Counts a fix whose verdict is final.
    @inline(__always)
    private mutating func settle(
        _ decided: PendingFix,
        as judgement: Judgement,
        journal: inout some VerdictJournal
    ) {
        trip.add(judgement)
        journal.note(
            position: decided.position,
            occurredAt: decided.fix.occurredAt,
            verdict: judgement.verdict,
            added: judgement.added,
            gap: judgement.gap
        )
    }
}
