/// Why the ledger could not do what it was asked to: what, where, why, and what to do next.
public struct LedgerError: Error, Hashable, Sendable {
    /// The kind of failure, for programs.
    public enum Code: String, Sendable {
        /// There is no ledger.
        case missingLedger = "missing_ledger"

        /// There is a ledger already, or something else where one should be made.
        case alreadyThere = "already_there"

        /// Somebody else appended first.
        case sizeMoved = "size_moved"

        /// It would lose entries that are known to have been there.
        case wouldLose = "would_lose"

        /// What was asked for is not there, or not clearly named.
        case notFound = "not_found"

        /// An entry cannot be erased, or not without others.
        case notErasable = "not_erasable"

        /// The ledger is damaged.
        case damaged

        /// The log is not the one whose head was signed before.
        case forked

        /// A newer version of the program wrote it.
        case newer

        /// A file cannot be read.
        case unreadableInput = "unreadable_input"

        /// The disk or the system said no.
        case inputOutput = "input_output"
    }

    /// The kind of failure.
    public var code: Code

    /// Where: a path, a file and line, a trip.
    public var place: String

    /// What happened, as a sentence without a full stop.
    public var cause: String

    /// What to do next, as a sentence without a full stop; empty if there is nothing to say.
    public var hint: String

    /// Creates an error.
    public init(_ code: Code, at place: String, cause: String, hint: String = "") {
        self.code = code
        self.place = place
        self.cause = cause
        self.hint = hint
    }
}

extension LedgerError: CustomStringConvertible {
    /// Place and cause, and the hint on a line of its own.
    public var description: String {
        "\(place): \(cause)" + (hint.isEmpty ? "" : "\n\(hint).")
    }
}
