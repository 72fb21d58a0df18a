package import Tables
import TripEvents
package import TripLedger

/// The sums over the events of a request, with the log's head after it.
package struct DeliverySummary: Tabular {
    private let intake: IntakeSummary
    private let withoutEffect: EffectNotice
    private let notes: [IntakeNote]

    /// Takes the sums, and the decisions among the events that have no effect.
    ///
    /// - Parameters:
    ///   - intake: The sums.
    ///   - withoutEffect: The decisions.
    ///   - notes: Further notes.
    package init(
        _ intake: IntakeSummary,
        _ withoutEffect: EffectNotice,
        noting notes: [IntakeNote] = []
    ) {
        self.intake = intake
        self.withoutEffect = withoutEffect
        self.notes = [intake.misspeltNote].compactMap(\.self) + notes
    }

    /// Its members: `summary.v1.schema.json`.
    package static let columns = Columns<DeliverySummary> {
        IntakeSummary.counts.of { $0.intake }
        EffectNotice.columns.of { $0.withoutEffect }
        Column.rows("notes", IntakeNote.columns) { $0.notes }
            .optional(onlyWhere: { !$0.notes.isEmpty })
        Column.integer("size") { $0.intake.head.size }
        Column.name("root") { $0.intake.head.root }
    }
}

extension DeliverySummary {
    /// Appends it as an object of JSON.
    package func append(to bytes: inout [UInt8]) {
        Self.columns.appendJSON(self, to: &bytes, by: withoutEffect.clock)
    }
}
