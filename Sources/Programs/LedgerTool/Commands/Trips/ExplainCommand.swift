import ArgumentParser
import LedgerRows
import Projections
import Reports
import Tables
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The command `ledger explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Computes a trip again from the log and prints every event with its verdict.",
        discussion: """
            The sum of what the fixes add is the trip's distance. If the view of trips says \
            something else, the exit code is 1. With --format json the last line is the trip.

            Examples:
              ledger explain last
              ledger explain 6c1f --format csv > trip.csv
            """
    )

    @OptionGroup var options: GlobalOptions<TableFormat>
    @OptionGroup var table: TableOptions
    @OptionGroup var moment: AsOfOption

    @Argument(help: "The trip: the beginning of its id, or last, or active.")
    var trip: TripReference

    func run() throws {
        let ledger = try options.open()
        defer { ledger.close() }
        let (explanation, places, missing, inferences) = try ledger.read(
            asOf: try moment.instant(in: ledger)
        ) { snapshot in
            let explanation = try snapshot.explain(trip)
            return (
                explanation, try snapshot.places(), try snapshot.missingEntries(),
                Array(try snapshot.inferences(beside: explanation.row.booked).reversed())
            )
        }
        let format = try table.format(options.format)
        let shown = ExplanationPage(
            explanation,
            columns: try table.chosen(of: ExplainedEvent.columns, as: format),
            style: table.style(for: ledger),
            places: places,
            missing: missing,
            inferences: inferences
        )
        try table.output.writing { try shown.write(to: $0, as: format) }
        try explanation.confirm(in: ledger.path)
    }
}

/// A trip computed again, event by event.
struct ExplanationPage {
    private let explanation: TripExplanation
    private let columns: Columns<ExplainedEvent>
    private let style: TextStyle
    private let places: PlaceBook
    private let missing: MissingEntries
    private let inferences: [ReportedInference]

    init(
        _ explanation: TripExplanation,
        columns: Columns<ExplainedEvent>,
        style: TextStyle,
        places: PlaceBook,
        missing: MissingEntries,
        inferences: [ReportedInference]
    ) {
        self.missing = missing
        self.inferences = inferences
        self.explanation = explanation
        self.columns = columns
        self.style = style
        self.places = places
    }

    /// Writes the events, and the trip that they make.
    func write(to output: Output, as format: RowFormat) throws {
        switch format {
        case .text: try writeText(to: output)
        case .json: try writeJSON(to: output)
        case .csv, .ids: try writeTable(to: output, as: format)
        }
    }

    private func writeText(to output: Output) throws {
        try output.writeHead(missing)
        try output.write(explanation.events, columns, as: .text, style: style)
        try output.writeZone(of: columns, style)
        try output.write("\n" + FactSheet(facts).text(width: Screen.columnCount))
    }

    private var facts: [(label: String, fact: String)] {
        let trip = explanation.trip
        let shown = TripText(booked, unit: style.unit, clock: style.clock)
        let view = DistanceText.meters(explanation.row.trip.distance)
        var facts: [(label: String, fact: String)] = []
        if let rules = explanation.rules {
            let reasons = TripReasons(trip: trip, rules: rules, clock: style.clock)
            facts += [
                ("Began", reasons.beginning), ("Ended", reasons.ending), ("Mode", shown.mode),
            ]
        }
        let claimed = DistanceText.meters(booked.claimedDistance)
        facts.append(("Distance", "\(claimed) m (\(shown.distance))"))
        if booked.adjusted != nil {
            facts.append(("Measured", "\(DistanceText.meters(trip.distance)) m"))
        }
        if trip.excluded != .zero {
            let meters = DistanceText.meters(trip.excluded)
            facts.append(("Excluded", "\(meters) m, which people excluded from the distance"))
        }
        facts += explanation.odometers.map { odometer in
            let values = [odometer.start, odometer.end]
                .map { DistanceText.text($0, in: style.unit) }
            return ("Odometer", "\(values[0]) at GO, \(values[1]) at STOP")
        }
        facts += reports.map { ("Reported", $0) }
        facts += [("Gaps", shown.gaps), ("Fixes", shown.fixes)]
        facts +=
            InferenceText(inferences, beside: trip, in: style.unit, by: style.clock)
            .labelled
        facts += explanation.amendments.filter(Self.concernsFigures)
            .map { ("Decided", text($0)) }
        facts.append(
            (
                "View",
                explanation.isConfirmed
                    ? "says the same"
                    : explanation.addsUp
                        ? "says something else: \(view) m"
                        : "says \(view) m, to which the lines do not add up"
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
            let stored = text(EventTime(explained.stored.recordedAt))
            return "by \(Excerpt.escaped(event.actor ?? event.source)) at "
                + "\(text(time)), stored \(stored); not measured"
        }
    }

    /// Whether a decision affects the trip's figures, and not only its purpose.
    private static func concernsFigures(_ amendment: TripAmendment) -> Bool {
        switch amendment.kind {
        case .distanceAdjusted, .tripsMerged, .tripSplit, .stretchExcluded, .tripVoided,
            .tripRestored:
            true
        default: false
        }
    }

    private func text(_ time: EventTime) -> String { LocalTime.text(time.told(by: style.clock)) }

    private func text(_ amendment: TripAmendment) -> String {
        let change = amendment.change
        let why = amendment.why.map { ": " + Excerpt.escaped($0) } ?? ""
        let noEffect = amendment.withoutEffect.map { "; no effect: \($0.phrase.english)" } ?? ""
        return "\(change.field) \(Self.text(change.old)) → \(Self.text(change.new)) by "
            + "\(Excerpt.escaped(amendment.actor ?? amendment.source)) at "
            + "\(text(amendment.occurredAt))\(why)\(noEffect)"
    }

    private static func text(_ value: CustomValue?) -> String {
        switch value {
        case .text(let text)?: Excerpt.escaped(text)
        case .number(let number)?: number.description
        case .boolean(let boolean)?: String(boolean)
        case .null?, nil: "-"
        }
    }

    /// The trip as computed now, with the decisions of people.
    private var booked: BookedTrip {
        var booked = explanation.row.booked
        booked.trip = explanation.trip
        return booked
    }

    private func writeJSON(to output: Output) throws {
        try output.write(explanation.events, ExplainedEvent.columns, as: .json, style: style)
        try output.write(
            [NamedTrip(booked, places: places, inferences: inferences)],
            NamedTrip.columns.noting(missing),
            as: .json,
            style: style
        )
    }

    private func writeTable(to output: Output, as format: RowFormat) throws {
        try output.write(explanation.events, columns.noting(missing), as: format, style: style)
    }
}
