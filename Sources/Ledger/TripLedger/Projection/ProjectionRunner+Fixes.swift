import EventStore
import TripEvents
import TripTracking

// Nearly all entries are fixes that follow the one before them. Two questions are answered once for
// a whole run of them: whether it is late, and whether an event for all sources is due in it.
extension ProjectionRunner {
    /// Gives a run of fixes to its source's tracker, or notes that it is late.
    mutating func take(
        _ run: FixRun,
        of batch: DecodedEntries,
        _ fold: inout SourceFold
    ) throws {
        let start = cursor.size
        let range = run.start..<run.end
        fold.arrival.take(
            batch.fixes.span.extracting(range),
            sequences: run.firstSequence.map { batch.sequences[$0..<$0 + range.count] }
        )
        guard fold.clock.isEmpty else {
            return try evolveOneByOne(run, of: batch, at: start, mayBeLate: true, &fold)
        }
        let first = batch.mark(of: run.start, in: run, at: start)
        // The fixes after a late one are late with it, and come after it.
        guard try !isLate(first, source: run.source, &fold) else { return }
        try evolve(run, of: batch, at: start, &fold)
    }

    /// Feeds a run of fixes, the first of which stands at `start`, to its source's tracker.
    mutating func evolve(
        _ run: FixRun,
        of batch: DecodedEntries,
        at start: UInt64,
        _ fold: inout SourceFold
    ) throws {
        guard fold.clock.isEmpty else {
            return try evolveOneByOne(run, of: batch, at: start, mayBeLate: false, &fold)
        }
        let fixes = batch.fixes.span
        var index = run.start
        while index < run.end {
            let position = start + UInt64(index - run.start)
            if fixes[index].fix.occurredAt >= fold.ambientDueAt {
                let mark = batch.mark(of: index, in: run, at: position)
                try feedAmbientEvents(before: mark, to: run.source, &fold)
            }
            let due = fold.ambientDueAt
            var end = run.end
            // The tracker is given this one in any case, for what is due now comes after it.
            while end > index + 1, fixes[end - 1].fix.occurredAt >= due { end -= 1 }
            index += fold.tracker.evolveOnFastPath(
                fixes.extracting(index..<end),
                firstPosition: position
            )
            guard index < end else { continue }
            let mark = batch.mark(
                of: index,
                in: run,
                at: start + UInt64(index - run.start)
            )
            try takeOnSlowPath(fixes[index], mark, source: run.source, &fold)
            index += 1
        }
        fold.last = batch.mark(
            of: run.end - 1,
            in: run,
            at: start + UInt64(run.end - 1 - run.start)
        )
    }

    /// Feeds a run of fixes by a clock that was wrong to its source's tracker.
    private mutating func evolveOneByOne(
        _ run: FixRun,
        of batch: DecodedEntries,
        at start: UInt64,
        mayBeLate: Bool,
        _ fold: inout SourceFold
    ) throws {
        for index in run.start..<run.end {
            var mark = batch.mark(of: index, in: run, at: start + UInt64(index - run.start))
            mark.occurredAt = fold.clock.time(of: mark.occurredAt)
            if mayBeLate, try isLate(mark, source: run.source, &fold) { continue }
            var recorded = batch.fixes[index]
            recorded.fix.occurredAt = mark.occurredAt
            try feedAmbientEvents(before: mark, to: run.source, &fold)
            try takeOnSlowPath(recorded, mark, source: run.source, &fold)
        }
    }

    /// Gives a fix to a tracker that may open or end a trip.
    private mutating func takeOnSlowPath(
        _ recorded: RecordedFix,
        _ mark: EventMark,
        source: UInt32,
        _ fold: inout SourceFold
    ) throws {
        let stamp = EventStamp(
            occurredAt: mark.occurredAt,
            recordedAt: recorded.recordedAt,
            position: mark.position
        )
        var context = TrackingContext(events: directory)
        fold.last = mark
        try fold.tracker.evolve(fix: recorded.fix, stamp: stamp, in: &context)
        if !context.steps.isEmpty { try book(context.steps, mark, source: source, &fold) }
    }
}
