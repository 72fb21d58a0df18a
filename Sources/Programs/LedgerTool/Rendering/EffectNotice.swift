import Platform
import Projections
import Tables
import TripEvents
import TripLedger

/// The notice of `ledger append` about decisions that it has stored and that have no effect.
struct EffectNotice {
    /// A decision that has no effect, in `summary.v1.schema.json`.
    struct Line: Tabular {
        let position: UInt64
        let decision: DecisionWithoutEffect

        static let columns = Columns<Line> {
            Column.integer("position") { $0.position }
            Column.name("type") { $0.decision.decision.event.body.kind?.name }
            Column.trip("trip") { $0.decision.trip }
            Column.name("reason") { $0.decision.obstacle.name }
            Column.telling("why") { $0.decision.sentence(by: $1) + "." }
            Column.text("command") { $0.decision.obstacle.command(about: $0.decision.trip) }
        }
    }

    /// The first decisions, in event order.
    let lines: [Line]

    private let count: Int
    private let clock: LocalDay?

    /// How many entries that were there before may be read for the sake of this.
    private static let mostEntriesBehind: UInt64 = 10_000

    /// How many decisions are listed at most, and how many are named to people.
    private static let (mostListed, mostNamed) = (100, 5)

    /// Looks at the decisions that were stored, if the views are nearly up to date.
    ///
    /// An error here does not undo what is stored.
    ///
    /// - Parameters:
    ///   - summary: The sums over the input.
    ///   - ledger: The ledger.
    init(about summary: IntakeSummary, in ledger: Ledger) {
        guard !summary.decisions.isEmpty,
            let lag = try? ledger.lag() ?? summary.head.size,
            lag <= UInt64(summary.appended) + Self.mostEntriesBehind,
            let found = try? ledger.readNow({
                try $0.decisionsWithoutEffect(at: summary.decisions)
            })
        else {
            (lines, count, clock) = ([], 0, nil)
            return
        }
        lines = found.prefix(Self.mostListed)
            .map { Line(position: $0.position, decision: $0.decision) }
        count = Set(found.map(\.position)).count
        // Only now, as the views tell the settings without reading the log once more.
        clock = found.isEmpty ? nil : ledger.clock
    }

    /// Says it to people, in one line.
    func say() {
        guard !lines.isEmpty else { return }
        let named = lines.prefix(Self.mostNamed).map { $0.decision.sentence(by: clock) }
        let more = lines.count > named.count ? ["and others"] : []
        let decisions = Count.text(count, "decision has", "decisions have")
        Diagnostic.say(
            "\(decisions) no effect: \(Excerpt.escaped((named + more).joined(separator: "; "))). "
                + "`ledger changes --orphans` says what to do.\n"
        )
    }
}
