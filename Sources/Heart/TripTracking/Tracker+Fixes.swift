import Geodesy
public import TripEvents

extension Tracker {
    /// Takes the next fix.
    ///
    /// - Parameters:
    ///   - fix: the reading.
    ///   - stamp: when it was taken, and where it stands in the log.
    ///   - events: asked about the event that opens or ends a trip, which is rare.
    ///   - steps: receives the trips that the fix opens or ends. How far a trip has got is in
    ///     ``openTrip``.
    /// - Throws: only what `events` throws; the tracker is to be thrown away then.
    /// - Complexity: O(1), without allocation on the fast path. If `events` is costly to pass, call
    ///   ``evolveOnFastPath(_:stamp:)`` first.
    @inlinable
    public mutating func evolve<Events: EventDirectory>(
        fix: Fix,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        if !evolveOnFastPath(fix, stamp: stamp) {
            try takeOnSlowPath(fix, stamp: stamp, events: events, steps: &steps)
        }
    }

    /// Takes the next fix, and tells `journal` every verdict that it decides.
    public mutating func evolve<Events: EventDirectory>(
        fix: Fix,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        try take(fix, stamp: stamp, events: events, steps: &steps, journal: &journal)
    }

    /// Takes the next fix if it can neither open nor end a trip, as nearly all.
    ///
    /// - Returns: whether it was taken; if not, nothing has changed, and the fix MUST be given to
    ///   ``evolve(fix:stamp:events:steps:)``.
    public mutating func evolveOnFastPath(_ fix: Fix, stamp: EventStamp) -> Bool {
        guard coarseness.isNone,
            open?.takeOnFastPath(fix, stamp: stamp, gapLimit: &gapLimit) ?? passesBy(fix)
        else { return false }
        tally.taken += 1
        latestAt = fix.occurredAt
        lastReportAt = fix.occurredAt
        return true
    }

    /// Takes the next fixes, one after the other, up to the first that may open or end a trip.
    ///
    /// One call for many fixes saves 80 of 890 instructions that a replayed fix takes.
    ///
    /// - Parameters:
    ///   - fixes: the readings, in event order.
    ///   - firstPosition: where the first of them stands in the log; the others follow it there.
    /// - Returns: how many were taken; if it is not all, the next one MUST be given to
    ///   ``evolve(fix:stamp:events:steps:)``.
    public mutating func evolveOnFastPath(
        _ fixes: Span<RecordedFix>,
        firstPosition: UInt64
    ) -> Int {
        guard coarseness.isNone else { return 0 }
        guard
            let count = open?
                .takeOnFastPath(
                    fixes,
                    firstPosition: firstPosition,
                    gapLimit: &gapLimit
                )
        else { return passBy(fixes) }
        note(fixes, upTo: count)
        return count
    }

    private mutating func note(_ fixes: Span<RecordedFix>, upTo count: Int) {
        guard count > 0 else { return }
        tally.taken += Int64(count)
        latestAt = fixes[count - 1].fix.occurredAt
        lastReportAt = latestAt
    }

    /// Takes fixes between trips up to the first that means something.
    private mutating func passBy(_ fixes: Span<RecordedFix>) -> Int {
        var count = 0
        while count < fixes.count, passesBy(fixes[count].fix) { count += 1 }
        note(fixes, upTo: count)
        return count
    }

    /// Returns whether a fix between trips means nothing.
    private func passesBy(_ fix: Fix) -> Bool {
        !startsByMovement && fix.accuracyMeters ?? 0 <= rules.maximumAccuracyMeters
    }

    /// Whether movement starts a trip: by the rules, or because GO has no STOP yet.
    private var startsByMovement: Bool { rules.startsByMovement || press != nil }

    @usableFromInline
    mutating func takeOnSlowPath<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep]
    ) throws(Events.Failure) {
        var journal = SilentJournal()
        try take(fix, stamp: stamp, events: events, steps: &steps, journal: &journal)
    }
}

extension Tracker {
    private mutating func take<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        tally.taken += 1
        try passTime(to: fix.occurredAt, events: events, steps: &steps, journal: &journal)
        let rules = open?.rules ?? rules
        coarseness.note(fix, rules: rules)
        open?.isCoarse = coarseness.isUsual
        let isUsable = FixFilter.flaw(of: fix, rules: rules, isCoarse: coarseness.isUsual) == nil
        if isUsable, isParked(before: fix) {
            let next = open?.nextStart
            try end(.silence, events: events, steps: &steps, journal: &journal)
            if let next {
                try start(next, lastSeen: nil, events: events, steps: &steps)
            }
        }
        lastReportAt = fix.occurredAt
        if open != nil {
            try follow(fix, stamp: stamp, events: events, steps: &steps, journal: &journal)
            if let cause = causeOfEnd(after: fix, at: stamp.position) {
                try end(cause, events: events, steps: &steps, journal: &journal)
                guard isUsable else { return }
                // The fix that showed the end is the first of what follows.
                try watch(fix, stamp: stamp, events: events, steps: &steps, journal: &journal)
            }
        } else if isUsable {
            try watch(fix, stamp: stamp, events: events, steps: &steps, journal: &journal)
        }
    }

    /// Gives a fix to the trip in progress.
    private mutating func follow<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        if open?.recoveringSince != nil {
            open?.recover()
        }
        passSplits(beforeFirstPositionWith: PendingFix(fix: fix, position: stamp.position))
        open?.includeInPart(stamp)
        open?.take(fix, stamp: stamp, gapLimit: &gapLimit, journal: &journal)
        if open?.latest?.position == stamp.position {
            // The silence is over, and the trip goes on.
            open?.nextStart = nil
        }
        try finishDivision(events: events, steps: &steps)
    }

    /// Returns whether the silence before a usable fix ends the trip, because the car was parked
    /// and the recorder off (*silence*).
    private func isParked(before fix: Fix) -> Bool {
        guard let open, !open.isPressed, let latest = open.latest else { return false }
        let rules = open.rules
        let silence = fix.occurredAt.milliseconds(since: latest.at)
        guard silence > gapLimit.silenceMilliseconds(rules: rules) else { return false }
        let way = latest.coordinate.distance(to: fix.coordinate)
        guard rules.allows(way, inMilliseconds: silence) else { return false }
        let isNear = way <= rules.silenceRadius
        return (isNear || !rules.isDriving(way, inMilliseconds: silence))
            && !skipPlaces.contain(latest.coordinate)
    }

    /// Returns why the trip has ended, now that it has taken a fix; `nil` if it goes on.
    private func causeOfEnd(after fix: Fix, at position: UInt64) -> TripCause? {
        guard let open else { return nil }
        if let latest = open.latest, latest.position == position, let rest = open.rest,
            !skipPlaces.contain(rest.place)
        {
            let isToldParked = open.stationarySince != nil || open.walkingSince != nil
            let limit =
                isToldParked
                ? open.rules.stationaryMilliseconds : open.rules.parkedMilliseconds
            if rest.milliseconds >= limit { return .parked }
            // A recorder that is on only while the engine runs is carried by no one: it is a jam.
            if motion != .automotive, open.rules.preset != .logger,
                rest.walkedMilliseconds >= TrackingRules.steadyWalkMilliseconds,
                rest.place.distance(to: fix.coordinate) > TrackingRules.steadyWalk
            {
                return .walking
            }
        }
        return hasNotMoved(until: fix.occurredAt) ? .noMovement : nil
    }

    /// Returns whether the trip has not moved for so long that STOP was forgotten (*noMovement*).
    func hasNotMoved(until instant: Timestamp) -> Bool {
        guard let open else { return false }
        return instant.milliseconds(since: open.movement.since) >= open.rules.noMovementMilliseconds
    }

    /// Whether the trip is known by GO and STOP alone: its source has never reported a position.
    ///
    /// Then nothing can show that the trip does not move, or that its device is off.
    var isToldByPresses: Bool {
        guard let open else { return false }
        return open.isPressed && open.latest == nil && tally.taken == 0
    }

    /// Looks for the start of a drive with a usable fix between trips (*movement*).
    private mutating func watch<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        events: Events,
        steps: inout [TripStep],
        journal: inout some VerdictJournal
    ) throws(Events.Failure) {
        guard startsByMovement else { return }
        let entry = StartWindow.Entry(
            fix: fix,
            recordedAt: stamp.recordedAt,
            position: stamp.position
        )
        let confirmed = window.take(entry, rules: rules)
        guard let drive = confirmed.map({ crawl?.leading($0) ?? $0 }), let first = drive.first
        else {
            if crawl?.take(entry, rules: rules, metric: &metric) == false { crawl = nil }
            forgetPastSplits()
            return
        }
        let beginning = PendingStart(
            cause: .movement,
            at: first.fix.occurredAt,
            recordedAt: first.recordedAt,
            position: first.position
        )
        // A crawl begins where the last trip ended.
        let isLed = first.position != confirmed?.first?.position
        let lastSeen = isLed ? nil : window.departedFrom
        try start(beginning, lastSeen: lastSeen, events: events, steps: &steps)
        for entry in drive {
            try follow(
                entry.fix,
                stamp: entry.stamp,
                events: events,
                steps: &steps,
                journal: &journal
            )
        }
        // It drives now, however slowly it crawled before.
        open?.rest = nil
    }
}

/// A fix and when the ledger stored it: all that the fast path needs of an entry.
public struct RecordedFix: Hashable, Sendable {
    /// The reading.
    public var fix: Fix

    /// When the ledger stored it.
    public var recordedAt: Timestamp

    /// Creates a fix of a log.
    @inlinable
    public init(fix: Fix, recordedAt: Timestamp) {
        self.fix = fix
        self.recordedAt = recordedAt
    }
}
