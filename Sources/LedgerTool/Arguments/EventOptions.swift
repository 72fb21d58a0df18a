import ArgumentParser
import Geodesy
import Platform
import Projections
import RowFormats
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The options of commands that append one event.
struct EventOptions: ParsableArguments {
    @Option(help: "Who reports the event.")
    var source = "manual"

    @Option(
        help: ArgumentHelp(
            "When it happened: 2026-03-14T15:09:26+01:00, or milliseconds since 1970 "
                + "(default: now).",
            valueName: "time"
        )
    )
    var at: EventTime?

    @Option(help: "Your name for the event; sending it again is then recognised.")
    var id: String?

    /// Appends an event that says `body`, and shows the receipt and, to people, what that meant
    /// for the trip of its source.
    func append(_ body: EventBody, _ options: GlobalOptions) throws {
        let now = WallClock.now
        let time = at ?? EventTime(now, utcOffset: WallClock.utcOffset(at: now))
        let event = TripEvent(
            source: source,
            occurredAt: time.timestamp,
            utcOffset: time.utcOffset,
            id: id,
            body: body
        )
        let ledger = try options.open()
        defer { ledger.close() }
        let effect = options.format == .text ? EventEffect(of: event, in: ledger) : nil
        let receipts = try ledger.append(
            [event],
            now: now,
            happenWhenSent: at == nil,
            mostSources: Ledger.mostSources
        )
        let receipt = receipts[0]
        var shown = event
        if case .duplicate(let position) = receipt {
            try ledger.scanLog(from: position) { stored in
                shown = stored.event
                return false
            }
        }
        try EventReceipt(receipt, for: shown).show(options)
        guard case .appended = receipt, let text = try effect?.text(after: ledger) else { return }
        try Output.standard.writing { try $0.write(text) }
    }
}

/// What an event means for the trip of its source, told from what the source was doing before it
/// and is doing after it.
struct EventEffect {
    private let event: TripEvent
    private let unit: DistanceUnit
    private let before: LedgerStatus.Source?

    /// Looks at the source before the event; `nil` if the views cannot be read: the event is stored
    /// all the same.
    init?(of event: TripEvent, in ledger: Ledger) {
        let status = try? ledger.readNow { snapshot in
            try snapshot.status(asOf: event.occurredAt, of: .named(event.source))
        }
        guard let status else { return nil }
        self.event = event
        unit = status.founding.units
        before = status.sources.first { $0.name == event.source }
    }

    /// Returns what the event has changed, in a sentence or two.
    ///
    /// - Throws: `LedgerError` if that cannot be read.
    func text(after ledger: Ledger) throws -> String {
        try ledger.readNow { try text(in: $0) }
    }

    private func text(in snapshot: borrowing Snapshot) throws -> String {
        let status = try snapshot.status(asOf: event.occurredAt, of: .named(event.source))
        guard let after = status.sources.first(where: { $0.name == event.source }) else {
            return ""
        }
        if let latestAt = before?.latestAt, event.occurredAt < latestAt {
            return "It happened before what \(Excerpt.escaped(event.source)) reported last; "
                + "its trips were derived again with it in its place.\n"
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
            sentences.append(stillness)
        }
        return sentences.map { $0 + "\n" }.joined()
    }

    private func start(of trip: Trip) -> String {
        "Trip \(trip.id.short) started."
    }

    private func ending(
        of trip: TripID,
        in snapshot: borrowing Snapshot
    ) throws -> String {
        let booked = try snapshot.trip(.prefix(trip.description)).booked
        let figures = TripText(booked, unit: unit).shortFigures
        guard let reason = booked.abandonReason else {
            return "Trip \(trip.short) ended: \(figures)."
        }
        return "Trip \(trip.short) came to nothing (\(reason.rawValue)); it counts nowhere."
    }

    /// What is said while the same trip goes on.
    private func progress(_ old: Trip?, _ new: Trip, _ after: LedgerStatus.Source) -> String {
        switch event.body {
        case .goPressed:
            let began = LocalTime.clock(new.startedAt, seenAt: after.instant)
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
            return SourceActivity(after, unit: unit).message + "."
        }
    }

    /// What is said when no trip goes on before or after.
    private var stillness: String {
        switch event.body {
        case .stopPressed:
            guard let last = before?.awaited else {
                return "No trip was going on; nothing changed."
            }
            let ended =
                last.trip.endedAt.map { LocalTime.clock($0, seenAt: event.occurredAt) } ?? "-"
            return "No trip was going on: the last one (\(last.id.short)) ended \(ended); "
                + "nothing changed."
        case .fixRecorded:
            return "No trip is going on; the fix is kept, and counts nowhere."
        default:
            return "No trip is going on."
        }
    }
}
