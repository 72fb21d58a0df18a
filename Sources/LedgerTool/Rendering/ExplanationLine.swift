import Geodesy
import Projections
import TripEvents
import TripLedger
import TripTracking

/// One event of an explanation: what was reported, what the rules made of it, what it added.
struct ExplanationLine {
    /// The columns for people.
    static let columns: [TextTable.Column] = [
        .words("TIME"), .words("EVENT"), .numbers("LATITUDE"), .numbers("LONGITUDE"),
        .numbers("ACCURACY m"), .numbers("SPEED m/s"), .words("VERDICT"), .numbers("ADDED m"),
        .numbers("GAP m"), .numbers("SUM m"),
    ]

    /// The titles of the columns for spreadsheets.
    static let csvTitles = [
        "position", "occurred_at", "type", "lat", "lon", "accuracy", "speed", "verdict",
        "added_m", "gap_m", "sum_m",
    ]

    private let explained: ExplainedEvent

    init(_ explained: ExplainedEvent) {
        self.explained = explained
    }

    /// The cells for people.
    var cells: [String] {
        [
            LocalTime.text(time), type, fix?.latitude.description ?? "",
            fix?.longitude.description ?? "", fix?.accuracy?.description ?? "",
            fix?.speed?.description ?? "", explained.verdict?.rawValue ?? "",
            fix == nil && explained.added == .zero
                ? "" : ShownDistance.meters(explained.added),
            explained.gap == .zero ? "" : ShownDistance.meters(explained.gap),
            ShownDistance.meters(explained.sum),
        ]
    }

    /// The record for spreadsheets.
    var csv: CSVRow {
        var row = CSVRow()
        row.add(number: String(explained.stored.position))
        row.add(text: RFC3339.text(time.timestamp, utcOffset: time.utcOffset))
        row.add(text: type)
        row.add(number: fix?.latitude.description)
        row.add(number: fix?.longitude.description)
        row.add(number: fix?.accuracy?.description)
        row.add(number: fix?.speed?.description)
        row.add(text: explained.verdict?.rawValue)
        row.add(number: ShownDistance.meters(explained.added))
        row.add(number: ShownDistance.meters(explained.gap))
        row.add(number: ShownDistance.meters(explained.sum))
        return row
    }

    /// For programs (`explanation.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("position", integer: Int64(explained.stored.position))
        json.add("occurred_at", time: time)
        json.add("type", text: type)
        if let fix {
            json.add("lat", number: fix.latitude)
            json.add("lon", number: fix.longitude)
            if let accuracy = fix.accuracy { json.add("accuracy", number: accuracy) }
            if let speed = fix.speed { json.add("speed", number: speed) }
        }
        if let verdict = explained.verdict { json.add("verdict", text: verdict.rawValue) }
        json.add("added_m", thousandths: explained.added.millimeters)
        json.add("gap_m", thousandths: explained.gap.millimeters)
        json.add("sum_m", thousandths: explained.sum.millimeters)
        return json
    }

    private var event: TripEvent { explained.stored.event }

    private var time: EventTime { EventTime(event.occurredAt, utcOffset: event.utcOffset) }

    private var type: String { event.body.kind?.name ?? "unknown" }

    private var fix: FixRecorded? {
        guard case .fixRecorded(let fix) = event.body else { return nil }
        return fix
    }
}
