import TripEvents
import TripLedger

/// A warning as people read it.
struct WarningText {
    private let warning: LedgerWarning

    init(_ warning: LedgerWarning) {
        self.warning = warning
    }

    /// The warning, and on a line of its own the command that takes the decision back.
    var text: String {
        "ledger: warning: \(Excerpt.escaped(warning.message)).\n"
            + "`\(Excerpt.escaped(warning.undo))` takes it back.\n"
    }
}
