import LedgerRows
import TripEvents

extension EffectNotice {
    /// How many decisions are named to people.
    private static let mostNamed = 5

    /// Says it to people, in one line.
    func say() {
        let sentences = sentences(most: Self.mostNamed + 1)
        guard !sentences.isEmpty else { return }
        let named = sentences.prefix(Self.mostNamed)
        let more = sentences.count > named.count ? ["and others"] : []
        let decisions = Count.text(count, "decision has", "decisions have")
        Diagnostic.say(
            "\(decisions) no effect: \(Excerpt.escaped((named + more).joined(separator: "; "))). "
                + "`ledger changes --orphans` says what to do.\n"
        )
    }
}
