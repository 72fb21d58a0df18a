import Projections
import TripEvents

/// A decision about a trip that is not there.
struct ShownOrphan {
    /// The titles of the columns of CSV.
    static let titles = [
        "missing_trip", "trip_started_at", "type", "content", "actor", "source", "occurred_at",
        "recorded_at", "to_do",
    ]

    private let orphan: OrphanedDecision

    init(_ orphan: OrphanedDecision) {
        self.orphan = orphan
    }

    /// For people, a fact on a line.
    var text: String {
        let startedAt = orphan.tripStartedAt.map { LocalTime.text($0) } ?? "not said"
        return FactSheet([
            ("Trip", orphan.trip.description), ("Started", startedAt),
            ("Decided", "\(LocalTime.text(occurredAt)) by \(Excerpt.escaped(who))"),
            ("Says", "\(type) \(Excerpt.escaped(event.contentJSON))"), ("To do", toDo),
        ])
        .text
    }

    /// For programs (`orphan.v1.schema.json`): what the ledger says of it, then the event's
    /// members.
    var json: [UInt8] {
        var json = RowJSON()
        json.add("missing_trip", text: orphan.trip.description)
        json.add("to_do", text: toDo)
        json.add("recorded_at", time: EventTime(orphan.decision.recordedAt))
        var line = Array(json.object.dropLast())
        line.append(UInt8(ascii: ","))
        var members: [UInt8] = []
        event.appendJSON(to: &members)
        line.append(contentsOf: members.dropFirst())
        return line
    }

    /// For spreadsheets.
    var csv: CSVRow {
        var row = CSVRow()
        row.add(text: orphan.trip.description)
        row.add(
            text: orphan.tripStartedAt.map {
                RFC3339.text($0.timestamp, utcOffset: $0.utcOffset)
            }
        )
        row.add(text: type)
        row.add(text: event.contentJSON)
        row.add(text: event.actor)
        row.add(text: event.source)
        row.add(text: RFC3339.text(occurredAt.timestamp, utcOffset: occurredAt.utcOffset))
        row.add(text: RFC3339.text(orphan.decision.recordedAt))
        row.add(text: toDo)
        return row
    }

    private var event: TripEvent { orphan.decision.event }

    private var type: String { event.body.kind?.name ?? "unknown" }

    private var occurredAt: EventTime {
        EventTime(event.occurredAt, utcOffset: event.utcOffset)
    }

    private var who: String { event.actor ?? event.source }

    private var toDo: String {
        let why =
            orphan.tripStartedAt == nil
            ? "It does not say when the trip started, so no other trip takes it over."
            : "No trip was under way when this one started."
        return why + " It takes effect once the trip's events are appended. If the trip has "
            + "another id now (see `ledger trips --all`), decide the same about that one."
    }
}
