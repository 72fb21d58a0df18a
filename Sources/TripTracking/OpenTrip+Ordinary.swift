import TripEvents

extension OpenTrip {
    /// Takes a fix that can neither end the trip nor the recovery of its recorder, as nearly all.
    ///
    /// - Returns: whether it was one; if not, nothing has changed.
    @inline(__always)
    mutating func tookOrdinary(
        _ fix: Fix,
        stamp: EventStamp,
        gapLimit: inout GapLimit
    ) -> Bool {
        guard let lastAt = filter?.lastAt, stationarySince == nil, recoveringSince == nil,
            !division.isPending,
            fix.occurredAt.milliseconds(since: lastAt) <= TrackingRules.shortestWaitMilliseconds,
            fix.occurredAt.milliseconds(since: movement.since) < rules.noMovementMilliseconds,
            isPressed
                || fix.occurredAt.milliseconds(since: parking.since) < rules.parkedMilliseconds
        else { return false }
        var journal = SilentJournal()
        take(fix, stamp: stamp, gapLimit: &gapLimit, journal: &journal)
        return true
    }

    /// Takes fixes as long as they are ordinary.
    ///
    /// - Returns: how many were.
    mutating func takeOrdinary(
        _ fixes: Span<RecordedFix>,
        firstPosition: UInt64,
        gapLimit: inout GapLimit
    ) -> Int {
        var limit = gapLimit
        defer { gapLimit = limit }
        var index = 0
        while true {
            index = takeSteady(
                fixes,
                from: index,
                firstPosition: firstPosition,
                gapLimit: &limit
            )
            guard index < fixes.count else { return index }
            let recorded = fixes[index]
            let stamp = EventStamp(
                occurredAt: recorded.fix.occurredAt,
                recordedAt: recorded.recordedAt,
                position: firstPosition + UInt64(index)
            )
            guard tookOrdinary(recorded.fix, stamp: stamp, gapLimit: &limit) else { return index }
            index += 1
        }
    }

    /// Takes fixes from one on as long as the trip goes on as it went.
    ///
    /// - Returns: where the first one is that it did not take.
    @inline(__always)
    private mutating func takeSteady(
        _ fixes: Span<RecordedFix>,
        from start: Int,
        firstPosition: UInt64,
        gapLimit: inout GapLimit
    ) -> Int {
        guard var stretch = SteadyStretch(self) else { return start }
        var index = start
        // From the second fix on, the last kept one is the one before.
        var isAfterKept =
            start > 0 ? fixes[start - 1].fix.coordinate == stretch.filter.last : false
        while index < fixes.count {
            let lastAt = stretch.filter.lastAt
            let step = isAfterKept ? fixes[index].wayFromPrevious : nil
            guard stretch.took(fixes[index], step: step, rules: rules) else { break }
            let interval = stretch.filter.lastAt.milliseconds(since: lastAt)
            gapLimit.record(interval)
            intervals.record(interval)
            isAfterKept = true
            index += 1
        }
        guard index > start else { return start }
        include(stretch)
        latest = Waypoint(
            coordinate: stretch.filter.last,
            at: stretch.filter.lastAt,
            position: firstPosition + UInt64(index - 1)
        )
        return index
    }

    /// Takes over what the fixes of a stretch have changed.
    @inline(__always)
    private mutating func include(_ stretch: SteadyStretch) {
        filter = stretch.filter
        movement = stretch.movement
        parking = stretch.parking
        ruler = stretch.ruler
        trip.fixes.accepted = stretch.accepted
        trip.fixes.jitter = stretch.jitter
        trip.distance = stretch.distance
        trip.movingMilliseconds = stretch.movingMilliseconds
        trip.maximumSpeedMetersPerSecond = stretch.maximumSpeedMetersPerSecond
        trip.recorded = stretch.recorded
    }
}
