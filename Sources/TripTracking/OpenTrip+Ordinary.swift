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
        for index in fixes.indices {
            let recorded = fixes[index]
            let stamp = EventStamp(
                occurredAt: recorded.fix.occurredAt,
                recordedAt: recorded.recordedAt,
                position: firstPosition + UInt64(index)
            )
            guard tookOrdinary(recorded.fix, stamp: stamp, gapLimit: &limit) else { return index }
        }
        return fixes.count
    }
}
