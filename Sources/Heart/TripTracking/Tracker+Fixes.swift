import Geodesy
public import TripEvents

extension Tracker {
    /// Takes the next fix.
    ///
    /// - Parameters:
    ///   - fix: the reading.
    ///   - stamp: when it was taken, and where it stands in the log.
    ///   - context: asked about the event that opens or ends a trip, which is rare; told which
    ///     trips the fix opens or ends.
    /// - Throws: only what the context's events throw; the tracker is to be thrown away then.
    /// - Complexity: O(1), without allocation on the fast path. If a context is costly to make,
    ///   call ``evolveOnFastPath(_:stamp:)`` first.
    public mutating func evolve<Events: EventDirectory>(
        fix: Fix,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        // The fast path tells no verdicts.
        guard context.journal == nil, evolveOnFastPath(fix, stamp: stamp) else {
            return try take(fix, stamp: stamp, in: &context)
        }
    }

    /// Takes the next fix if it can neither open nor end a trip, which is true of nearly all.
    ///
    /// - Returns: whether it was taken; if not, nothing has changed, and the fix MUST be given to
    ///   ``evolve(fix:stamp:in:)``.
    public mutating func evolveOnFastPath(_ fix: Fix, stamp: EventStamp) -> Bool {
        guard coarseness.isNone,
            isOpen
                ? stage.changePlaced({ $0.takeOnFastPath(fix, stamp: stamp) }) ?? false
                : passesBy(fix)
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
    ///   ``evolve(fix:stamp:in:)``.
    public mutating func evolveOnFastPath(
        _ fixes: Span<RecordedFix>,
        firstPosition: UInt64
    ) -> Int {
        guard coarseness.isNone else { return 0 }
        guard isOpen else { return passBy(fixes) }
        let count = stage.changePlaced {
            $0.takeOnFastPath(fixes, firstPosition: firstPosition)
        }
        note(fixes, upTo: count ?? 0)
        return count ?? 0
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
}

extension Tracker {
    mutating func take<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        tally.taken += 1
        try passTime(to: fix.occurredAt, in: &context)
        let rules = rulesOfTrip
        coarseness.note(fix, rules: rules)
        let isCoarse = coarseness.isUsual
        stage.changeOpen { $0.isCoarse = isCoarse }
        let isUsable = FixFilter.flaw(of: fix, rules: rules, isCoarse: isCoarse) == nil
        if isUsable, isParked(before: fix) {
            let next = stage.placed?.nextStart
            try end(.silence, in: &context)
            if let next {
                try start(next, lastSeen: nil, in: &context)
            }
        }
        lastReportAt = fix.occurredAt
        if isOpen {
            try follow(fix, stamp: stamp, in: &context)
            guard let cause = causeOfEnd(after: fix, at: stamp.position) else { return }
            try end(cause, in: &context)
            // The fix that showed the end is the first of what follows.
        }
        if isUsable {
            try watch(fix, stamp: stamp, in: &context)
        }
    }

    /// Gives a fix to the trip in progress.
    private mutating func follow<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        stage.changeOpen { open in
            if open.recoveringSince != nil { open.recover() }
        }
        passSplits(beforeFirstPositionWith: PendingFix(fix: fix, position: stamp.position))
        stage.changeOpen { $0.includeInPart(stamp) }
        stage.take(fix, stamp: stamp, journal: &context.journal)
        stage.changePlaced { placed in
            // The silence is over, and the trip goes on.
            if placed.latest.position == stamp.position { placed.nextStart = nil }
        }
        try finishDivision(in: &context)
    }

    /// Returns whether the silence before a usable fix ends the trip, because the car was parked
    /// and the recorder off (*silence*).
    private func isParked(before fix: Fix) -> Bool {
        guard case .underWay(let placed) = stage, !placed.value.open.isPressed else {
            return false
        }
        let latest = placed.value.latest
        let silence = fix.occurredAt.milliseconds(since: latest.at)
        guard placed.value.open.isSilence(silence) else { return false }
        let rules = placed.value.open.rules
        let way = latest.coordinate.distance(to: fix.coordinate)
        guard rules.allows(way, inMilliseconds: silence) else { return false }
        let isNear = way <= rules.silenceRadius
        return (isNear || !rules.isDriving(way, inMilliseconds: silence))
            && !skipPlaces.contain(latest.coordinate)
    }

    /// Returns why the trip has ended, now that it has taken a fix; `nil` if it goes on.
    private func causeOfEnd(after fix: Fix, at position: UInt64) -> TripCause? {
        if case .underWay(let placed) = stage, placed.value.latest.position == position,
            let rest = placed.value.rest, !skipPlaces.contain(rest.place)
        {
            let rules = placed.value.open.rules
            let limit =
                placed.value.open.isToldStanding
                ? rules.stationaryMilliseconds : rules.parkedMilliseconds
            if rest.milliseconds >= limit { return .parked }
            // A recorder that is on only while the engine runs is carried by no one: it is a jam.
            if motion != .automotive, rules.preset != .logger,
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
        guard let since = stage.unmovedSince, let rules = stage.rules else { return false }
        return instant.milliseconds(since: since) >= rules.noMovementMilliseconds
    }

    /// Whether the trip is known by GO and STOP alone: its source has never reported a position.
    ///
    /// Then nothing can show that the trip does not move, or that its device is off.
    var isToldByPresses: Bool {
        guard case .arming(let arming) = stage else { return false }
        return arming.value.open.isPressed && tally.taken == 0
    }

    /// Looks for the start of a drive with a usable fix between trips (*movement*).
    private mutating func watch<Events: EventDirectory>(
        _ fix: Fix,
        stamp: EventStamp,
        in context: inout TrackingContext<Events>
    ) throws(Events.Failure) {
        guard startsByMovement else { return }
        let entry = StartWindow.Entry(
            fix: fix,
            recordedAt: stamp.recordedAt,
            position: stamp.position
        )
        // Between GO and STOP, any way is a part of some trip.
        let rules = press == nil ? rules : rules.goingOn
        let confirmed = stage.changeBetween { between in
            between.take(entry, rules: rules, intervals: &restIntervals)
        }
        guard let confirmed, let drive = confirmed, let first = drive.fixes.first else {
            return forgetPastSplits()
        }
        let beginning = PendingStart(
            cause: .movement,
            at: first.fix.occurredAt,
            recordedAt: first.recordedAt,
            position: first.position
        )
        try start(beginning, lastSeen: drive.departedFrom, in: &context)
        for entry in drive.fixes {
            try follow(
                entry.fix,
                stamp: entry.stamp,
                in: &context
            )
        }
        // It drives now, however slowly it crawled before.
        stage.changePlaced { $0.rest = nil }
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
