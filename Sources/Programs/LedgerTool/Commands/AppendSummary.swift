import LedgerKeeping
import LedgerRows
import Tables
import TripEvents
import TripLedger

/// The last line of `ledger append`.
struct AppendSummary: Tabular {
    /// The sums over the input.
    let intake: IntakeSummary

    /// The work that was done after it.
    let followUp: ImportFollowUp

    /// Its decisions that have no effect.
    let withoutEffect: EffectNotice

    /// What is worth a word about files of other apps.
    let notes: [IntakeNote]

    /// What became of trips; `nil` if it was not asked for, or could not be told.
    let trips: AppendedTrips?

    /// Whether the trips are listed.
    let listsTrips: Bool

    /// The head of the ledger, if all this happened to a copy of it.
    let headBefore: LedgerHead?

    /// Its members: `summary.v1.schema.json`.
    static let columns = Columns<AppendSummary> {
        Column.boolean("dry_run") { $0.headBefore != nil }
            .optional(onlyWhere: { $0.headBefore != nil })
        IntakeSummary.counts.of { $0.intake }
        Column.rows("rules", MeasuredRules.columns) { $0.followUp.rules }
            .optional(onlyWhere: { !$0.followUp.rules.isEmpty })
        Column.integer("vehicle_named") { summary in
            summary.followUp.editedTrips > 0 ? summary.followUp.editedTrips : nil
        }
        .optional
        Column.rows("same_drives", SameDrive.columns) { summary in
            summary.followUp.sameDrives.map { SameDrive(overlap: $0) }
        }
        .optional(onlyWhere: { !$0.followUp.sameDrives.isEmpty })
        EffectNotice.columns.of { $0.withoutEffect }
        Column.rows("notes", IntakeNote.columns) { $0.notes }
            .optional(onlyWhere: { !$0.notes.isEmpty })
        Column.rows("trips", AppendedTrips.Line.columns) { $0.trips?.lines ?? [] }
            .optional(onlyWhere: { $0.listsTrips && $0.trips != nil })
        Column.integer("size") { ($0.headBefore ?? $0.intake.head).size }
        Column.name("root") { ($0.headBefore ?? $0.intake.head).root }
    }
}

extension AppendSummary {
    /// Writes it for people: what became of trips, with the next command, and what became of lines.
    func write(to output: Output, style: TextStyle) throws {
        if let trips {
            try output.writeSentences(trips.sentence(style) + "\n", style)
            if listsTrips, !trips.lines.isEmpty {
                try output.write(
                    trips.lines,
                    AppendedTrips.Line.columns,
                    as: .text,
                    style: style
                )
                try output.writeZone(of: AppendedTrips.Line.columns, style)
            }
        }
        try output.writeSentences(balance + "\n", style)
    }

    /// What became of everything that was read; the figures come to the first.
    var balance: String {
        guard intake.read > 0 else { return "Nothing was read." }
        let appended = headBefore == nil ? "appended" : "would be appended"
        let kinds = intake.ignored.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let more = kinds.count > Self.mostKinds ? ", ..." : ""
        let ignored = kinds.prefix(Self.mostKinds).joined(separator: ", ") + more
        let parts: [(count: Int, what: String)] = [
            (intake.appended, appended), (intake.duplicate, "there already"),
            (intake.conflict, "in conflict"), (intake.rejected, "rejected"),
            (intake.heldBack, "held back"), (intake.passedOver, "passed over"),
            (intake.ignored.values.reduce(0, +), "not used (\(Excerpt.escaped(ignored)))"),
            (intake.blank, "blank"),
        ]
        let told = parts.filter { $0.count > 0 }.map { "\(Count.grouped($0.count)) \($0.what)" }
        return "Of \(Count.grouped(intake.read)) read: \(told.joined(separator: ", "))."
    }

    /// How many kinds of what is not used are named.
    private static let mostKinds = 3
}
