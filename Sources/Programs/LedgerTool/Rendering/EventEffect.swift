import Geodesy
import LedgerRows
import Platform
import Projections
import Tables
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The effect of an event on the trip of its source, from the states of the source before and after
/// it.
struct EventEffect {
    private let event: TripEvent
    private let unit: DistanceUnit
    private let clock: LocalDay?
    private let before: LedgerStatus.Source?

    /// Reads the state of the source before the event; `nil` if the views cannot be read, which
    /// does not keep the event from being stored.
    init?(of event: TripEvent, in ledger: Ledger) {
        let status = try? ledger.readNow { snapshot in
            try snapshot.status(asOf: event.occurredAt, of: .named(event.source))
        }
        guard let status else { return nil }
        self.event = event
        unit = status.units
        clock = ledger.clock
        before = status.sources.first { $0.name.hasSameBytes(as: event.source) }
    }

    /// Returns what the event has changed: which trip, and a sentence or two.
    ///
    /// - Throws: `LedgerError` if that cannot be read.
    func outcome(after ledger: Ledger) throws -> EventOutcome {
        try ledger.readNow { try outcome(in: $0) }
    }

    private func outcome(in snapshot: borrowing Snapshot) throws -> EventOutcome {
        let status = try snapshot.status(asOf: event.occurredAt, of: .named(event.source))
        guard let after = status.sources.first(where: { $0.name.hasSameBytes(as: event.source) })
        else {
            return EventOutcome()
        }
        if let latestAt = before?.latestAt, event.occurredAt < latestAt {
            return try lateOutcome(in: snapshot)
        }
        let old = before?.live.trip
        let new = after.live.trip
        var sentences: [String] = []
        if let old, old.id != new?.id {
            sentences.append(try ending(of: old.id, in: snapshot))
        }
        if let new {
            sentences.append(new.id == old?.id ? progress(old, new, after) : start(of: new))
        } else if old == nil {
            sentences.append(try stillness(in: snapshot))
        }
        return EventOutcome(
            trip: new?.id ?? old?.id,
            message: sentences.map { $0 + "\n" }.joined()
        )
    }

    private func text(_ time: EventTime) -> String {
        LocalTime.clock(time, seenAt: event.occurredAt, by: clock)
    }

    private func start(of trip: Trip) -> String {
        "Trip \(trip.id.short) started."
    }

    private func ending(
        of trip: TripID,
        in snapshot: borrowing Snapshot
    ) throws -> String {
        let booked = try snapshot.trip(.prefix(trip.description)).booked
        let figures = TripText(booked, unit: unit, clock: clock).shortFigures
        guard booked.abandonReason != nil else {
            return "Trip \(trip.short) ended: \(figures)."
        }
        return "Trip \(trip.short) ended. " + (TripCounting(booked).text ?? "")
    }

    /// The effect of an event that is older than others of its source: the trip that it now begins,
    /// ends or belongs to.
    private func lateOutcome(in snapshot: borrowing Snapshot) throws -> EventOutcome {
        let source = Excerpt.escaped(event.source)
        let why = "It is older than the last event of \(source), so its trips were derived again.\n"
        guard let trip = try lastTrip(startingUpTo: event.occurredAt, in: snapshot) else {
            return EventOutcome(message: why + "No trip of \(source) was going on then.\n")
        }
        let figures = TripText(trip, unit: unit, clock: clock).shortFigures
        let id = trip.id.short
        let start = trip.trip.startedAt
        let started = text(start)
        if start.timestamp == event.occurredAt {
            let what = trip.abandonReason == nil ? nil : TripCounting(trip).text
            let sentence =
                "Trip \(id) starts with it" + (what.map { ". \($0)\n" } ?? ": \(figures).\n")
            return EventOutcome(trip: trip.id, message: why + sentence)
        }
        guard let end = trip.trip.endedAt, end.timestamp <= event.occurredAt else {
            let sentence = "It is during trip \(id), which started \(started).\n"
            return EventOutcome(trip: trip.id, message: why + sentence)
        }
        if end.timestamp == event.occurredAt {
            let what = trip.abandonReason == nil ? nil : TripCounting(trip).text
            let sentence =
                "Trip \(id), which started \(started), ends with it"
                + (what.map { ". \($0)\n" } ?? ": \(figures).\n")
            return EventOutcome(trip: trip.id, message: why + sentence)
        }
        let ended = text(end)
        let sentence =
            "No trip of \(source) was going on then: the last one before, \(id), had ended "
            + "\(ended).\n"
        return EventOutcome(message: why + sentence)
    }

    /// Returns the last trip of the event's source that had started by an instant.
    private func lastTrip(
        startingUpTo instant: Timestamp,
        in snapshot: borrowing Snapshot
    ) throws -> BookedTrip? {
        var found: BookedTrip?
        try snapshot.readTrips(TripFilter(includesUncounted: true)) { row in
            let booked = row.booked
            guard booked.trip.source.hasSameBytes(as: event.source),
                booked.trip.startedAt.timestamp <= instant
            else { return true }
            found = booked
            return false
        }
        return found
    }

    /// The text while the same trip goes on.
    private func progress(_ old: Trip?, _ new: Trip, _ after: LedgerStatus.Source) -> String {
        switch event.body {
        case .goPressed:
            let began = LocalTime.clock(new.startedAt, seenAt: after.instant, by: clock)
            guard new.flags.contains(.pressed), old?.flags.contains(.pressed) == false else {
                return "A trip is going on already since \(began) (\(new.id.short)); "
                    + "nothing changed."
            }
            return "The trip that goes on since \(began) (\(new.id.short)) is yours now; "
                + "STOP ends it."
        case .fixRecorded:
            let added = new.distance - (old?.distance ?? .zero)
            let distance = DistanceText.text(new.distance, in: unit)
            return "Trip \(new.id.short): \(distance) so far, "
                + "\(DistanceText.meters(added)) m more."
        default:
            return SourceActivity(after, unit: unit).message(by: clock) + "."
        }
    }

    /// The text when no trip goes on before or after.
    private func stillness(in snapshot: borrowing Snapshot) throws -> String {
        switch event.body {
        case .stopPressed:
            let others = try snapshot.status(asOf: event.occurredAt, of: .readable).sources
            if let other = others.first(where: { $0.live.trip != nil }), let trip = other.live.trip
            {
                let name = ShellWord.quoted(other.name)
                return "No trip of \(Excerpt.escaped(event.source)) was going on; nothing changed. "
                    + "Trip \(trip.id.short) of \(Excerpt.escaped(other.name)) is: "
                    + "`ledger stop --source \(Excerpt.escaped(name))` ends it."
            }
            guard let last = before?.awaited else {
                return "No trip was going on; nothing changed."
            }
            let ended =
                last.trip.endedAt.map(text) ?? "-"
            return "No trip was going on: the last one (\(last.id.short)) ended \(ended); "
                + "nothing changed."
        case .fixRecorded:
            return "No trip is going on; the fix is kept, and counts nowhere."
        default:
            return "No trip is going on."
        }
    }
}
