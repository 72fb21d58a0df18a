import Projections
package import Tables
package import TripEvents
package import TripLedger

/// The notice about decisions that were taken in as facts and have no effect: `ledger append` and
/// `POST /v1/events` give it with their sums.
package struct EffectNotice: Sendable {
    /// A decision that has no effect, in `summary.v1.schema.json`.
    fileprivate struct Line: Tabular, Sendable {
        let position: UInt64
        let decision: DecisionWithoutEffect

        static let columns = Columns<Line> {
            Column.integer("position") { $0.position }
            Column.name("type") { $0.decision.decision.event.body.kind?.name }
            Column.trip("trip") { $0.decision.trip }
            Column.name("reason") { $0.decision.obstacle.name }
            Column.telling("why") { $0.decision.sentence(by: $1) + "." }
            Column.text("command") { $0.decision.command }
        }
    }

    /// The first decisions, in event order.
    private let lines: [Line]

    /// How many decisions there are.
    package let count: Int

    /// The clock for times in the notice; `nil` for each time's own offset.
    package let clock: LocalDay?

    /// The most earlier entries that may be read for the sake of this.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// How many decisions are listed at most.
    private static let mostListed = 100

    /// Notices nothing.
    package init() { (lines, count, clock) = ([], 0, nil) }

    /// Looks at the decisions that were stored, if the views are nearly up to date.
    ///
    /// It reads nothing from the disk if no decision was stored. An error here does not undo what
    /// is stored.
    ///
    /// - Parameters:
    ///   - summary: The sums over the input.
    ///   - ledger: The ledger.
    ///   - now: The present.
    package init(about summary: IntakeSummary, in ledger: Ledger, asOf now: Timestamp) {
        guard !summary.decisions.isEmpty,
            let lag = try? ledger.lag() ?? summary.head.size,
            lag <= UInt64(summary.appended) + Self.mostEntriesBehind,
            let found = try? ledger.read(
                asOf: now,
                { try $0.decisionsWithoutEffect(at: summary.decisions) }
            ), !found.isEmpty
        else {
            (lines, count, clock) = ([], 0, nil)
            return
        }
        lines = found.prefix(Self.mostListed)
            .map { Line(position: $0.position, decision: $0.decision) }
        count = Set(found.map(\.position)).count
        // Only now, as the views tell the settings without reading the log once more.
        clock = ledger.clock
    }

    /// Returns the first of them, each in a sentence without a full stop.
    package func sentences(most: Int) -> [String] {
        lines.prefix(most).map { $0.decision.sentence(by: clock) }
    }
}

extension EffectNotice: Tabular {
    /// The member of sums: `summary.v1.schema.json`.
    package static let columns = Columns<EffectNotice> {
        Column.rows("without_effect", Line.columns) { $0.lines }
            .optional(onlyWhere: { !$0.lines.isEmpty })
    }
}
