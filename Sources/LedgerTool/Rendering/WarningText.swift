import TripEvents
import TripLedger

/// A warning as people read it.
struct WarningText {
    private let warning: LedgerWarning

    init(_ warning: LedgerWarning) {
        self.warning = warning
    }

    /// What may be wrong, and on a line of its own what takes it back.
    var text: String {
        "ledger: warning: \(Excerpt.escaped(warning.message)).\n"
            + "`\(Excerpt.escaped(warning.undo))` takes it back.\n"
    }
}
