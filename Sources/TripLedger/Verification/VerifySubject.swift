/// What a finding or a fact of a check is about.
public enum VerifySubject: String, CaseIterable, Sendable {
    /// Entries and their positions, as they are stored.
    case log

    /// What is stored beside the entries: roots of subtrees, indexes, sources, the log's state.
    case index

    /// What is derived from the log: trips, totals and routines.
    case views

    /// A signed tree head.
    case head

    /// The cosignature of a witness.
    case witness

    /// An inclusion or consistency proof.
    case proof

    /// An entry that a proof is about.
    case entry

    /// A copy of the log in files.
    case export

    /// The check itself: the process that reads the data, its input.
    case check
}
