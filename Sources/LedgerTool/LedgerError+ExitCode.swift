import TripLedger

extension LedgerError.Code {
    /// What the process exits with after this error; the list stands in `ledger --help`.
    var exitCode: Int32 {
        switch self {
        case .sizeMoved, .damaged, .forked, .wouldLose: 1
        case .missingLedger, .alreadyThere, .notFound, .ambiguous, .notMergeable, .notSplittable,
            .nothingToRecover, .notErasable, .newer, .unreadableInput:
            65
        case .inputOutput: 74
        }
    }
}
