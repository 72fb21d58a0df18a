import EventStore
import Projections
import TripEvents
import TripTracking

// A decision about a clock moves events in the event order of their source, which is folded again
// from the first that moves.
extension ProjectionRunner {
    /// Returns what people said about clocks, as far as this run has read.
    mutating func clocks() throws -> ClockBook {
        if let clockBook { return clockBook }
        let book = ClockBook(try BookRows(over: store).decisions(on: .clocks))
        clockBook = book
        return book
    }

    /// Returns how the clock of a source was wrong.
    mutating func clock(of source: RegisteredSource) throws -> ClockShifts {
        try clocks().shifts(ofSource: source.name, in: source.group)
    }

    /// Takes note of a decision, which may be about a clock.
    mutating func noteClock(_ decision: Decision) throws {
        guard decision.event.body.kind == .clockShifted else { return }
        _ = try clocks()
        if let name = clockBook?.add(decision) { clockNews.insert(Array(name.utf8)) }
    }

    /// Tells the sources about decisions on their clocks.
    ///
    /// They are given again the events that they were given meanwhile by the old clock.
    mutating func tellClocks() throws {
        for bytes in clockNews.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let name = String(decoding: bytes, as: UTF8.self)
            guard let source = try log.number(ofSource: name),
                try folds[source] != nil || storedFolds.value(ViewKey.source(source)) != nil
            else { continue }
            var fold = try fold(of: source, at: cursor.size)
            let clock = try clock(
                of: RegisteredSource(name: name, group: fold.tracker.group)
            )
            if fold.clock != clock { try change(&fold, of: source, to: clock) }
            folds[source] = fold
        }
        clockNews = []
    }

    private mutating func change(
        _ fold: inout SourceFold,
        of source: UInt32,
        to clock: ClockShifts
    ) throws {
        let effects = [fold.clock.earliestEffect, clock.earliestEffect].compactMap(\.self)
        fold.clock = clock
        guard let earliest = effects.min(), let last = fold.last, earliest <= last.occurredAt,
            fold.lateFrom.map({ earliest < $0.occurredAt }) ?? true
        else { return }
        // Before all events of its instant, whichever position it has.
        fold.lateFrom = EventMark(startOf: earliest, position: 0)
        cursor.lateSources.insert(source)
    }
}

extension ArrivalClock {
    /// Takes an entry that may hold a fix.
    mutating func take(_ entry: EntryView, at position: UInt64) {
        let recordedAt = Timestamp(milliseconds: entry.recordedAt)
        // A forger's clock must not stop the sums.
        guard let stored = StoredFix(entry, at: position),
            RFC3339.writable.contains(stored.fix.occurredAt), RFC3339.writable.contains(recordedAt)
        else { return }
        take(RecordedFix(fix: stored.fix, recordedAt: recordedAt), sequence: stored.sequence)
    }
}

extension SourceFold {
    /// The last time that the source's clock went back, if it was not said what is to be made of
    /// it.
    var clockStep: ClockStep? {
        arrival.step.flatMap { clock.tell(of: $0.to) ? nil : $0 }
    }
}
