import Projections
import RowFormats
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// A trip computed again, event by event.
struct ShownExplanation {
    private let explanation: TripExplanation
    private let unit: DistanceUnit
    private let places: PlaceBook

    init(_ explanation: TripExplanation, unit: DistanceUnit, places: PlaceBook) {
        self.explanation = explanation
        self.unit = unit
        self.places = places
    }

    /// Writes the events, and the trip that they make.
    func write(to output: Output, as format: RowFormat) throws {
        switch format {
        case .text: try writeText(to: output)
        case .json: try writeJSON(to: output)
        case .csv: try writeCSV(to: output)
        }
    }

    private func writeText(to output: Output) throws {
        try output.write(explanation.events, ExplainedEvent.columns, as: .text)
        try output.write("\n" + FactSheet(facts).text)
    }

    private var facts: [(label: String, fact: String)] {
        let trip = explanation.trip
        let shown = ShownTrip(booked, unit: unit)
        let view = DistanceText.meters(explanation.row.trip.distance)
        var facts = [
            (
                "Distance",
                "\(DistanceText.meters(booked.claimedDistance)) m (\(shown.distance))"
            )
        ]
        if booked.adjusted != nil {
            facts.append(("Measured", "\(DistanceText.meters(trip.distance)) m"))
        }
        facts += reports.map { ("Reported", $0) }
        facts += [("Gaps", shown.gaps), ("Fixes", shown.fixes)]
        facts += explanation.amendments.filter(Self.concernsFigures)
            .map { ("Decided", Self.text($0)) }
        facts.append(
            (
                "View",
                explanation.isConfirmed ? "says the same" : "says something else: \(view) m"
            )
        )
        return facts
    }

    /// Who reported the trips that were not measured, and when.
    private var reports: [String] {
        explanation.events.compactMap { explained in
            guard case .tripReported = explained.stored.event.body else { return nil }
            let event = explained.stored.event
            let time = EventTime(event.occurredAt, utcOffset: event.utcOffset)
            let stored = LocalTime.text(EventTime(explained.stored.recordedAt))
            return "by \(Excerpt.escaped(event.actor ?? event.source)) at "
                + "\(LocalTime.text(time)), stored \(stored); not measured"
        }
    }

    /// Whether a decision is about what the trip counts for, and not about what it was for.
    private static func concernsFigures(_ amendment: TripAmendment) -> Bool {
        switch amendment.kind {
        case .distanceAdjusted, .tripsMerged, .tripSplit, .tripVoided, .tripRestored: true
        default: false
        }
    }

    private static func text(_ amendment: TripAmendment) -> String {
        let change = amendment.change
        let why = amendment.why.map { ": " + Excerpt.escaped($0) } ?? ""
        return "\(change.field) \(text(change.old)) → \(text(change.new)) by "
            + "\(Excerpt.escaped(amendment.actor ?? amendment.source)) at "
            + "\(LocalTime.text(amendment.occurredAt))\(why)"
    }

    private static func text(_ value: CustomValue?) -> String {
        switch value {
        case .text(let text)?: Excerpt.escaped(text)
        case .number(let number)?: number.description
        case .boolean(let boolean)?: String(boolean)
        case .null?, nil: "-"
        }
    }

    /// The trip as it comes out now, with what people decided about it.
    private var booked: BookedTrip {
        var booked = explanation.row.booked
        booked.trip = explanation.trip
        return booked
    }

    private func writeJSON(to output: Output) throws {
        try output.write(explanation.events, ExplainedEvent.columns, as: .json)
        try output.writeLine(json: NamedTrip(booked, places: places))
    }

    private func writeCSV(to output: Output) throws {
        try output.write(explanation.events, ExplainedEvent.columns, as: .csv)
    }
}
