import HTTPTypes
import TripLedger

// MARK: - What is not read

extension Problem {
    /// The path takes no parameter of that name.
    static func unknownParameter(_ name: String, known: [String]) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "A parameter is not known here",
            detail: known.isEmpty
                ? "This path takes none." : "This path takes \(known.joined(separator: ", ")).",
            errors: [Detail(field: name, code: "unknown_parameter")]
        )
    }

    /// The entries that a request is about did not come in time.
    static let behind = Problem(
        kind: "behind",
        status: .serviceUnavailable,
        title: "The ledger has not so many entries",
        detail: "Ask again later, or without at_least.",
        headers: [.retryAfter: "2"]
    )

    /// The server ends.
    static let stopping = Problem(
        kind: "stopping",
        status: .serviceUnavailable,
        title: "The server ends",
        detail: "Ask again in a few seconds.",
        headers: [.retryAfter: "5"]
    )

    /// Says why nothing could be read.
    init(reading error: LedgerError) {
        switch error.code {
        case .notFound, .ambiguous:
            self.init(
                kind: "unknown",
                status: .notFound,
                title: "There is nothing of that name",
                detail: error.cause.prefix(1).uppercased() + error.cause.dropFirst() + "."
            )
        default:
            // What it says of the disk is for the owner, who finds it on standard error.
            ServeProgram.complain("\(error)")
            self.init(
                kind: "not-readable",
                status: .serviceUnavailable,
                title: "The ledger cannot be read now",
                detail: "Its owner finds the reason where the server was started.",
                headers: [.retryAfter: "10"]
            )
        }
    }
}
