/// Why the log could not do what it was asked to.
public enum EventLogError: Error, Hashable, Sendable {
    /// Something stored is not what it was when it was written.
    ///
    /// `position` is the first one that cannot be trusted.
    case damaged(position: UInt64, String)

    /// The log holds another number of entries than the caller expected; nothing was appended.
    case sizeMoved(expected: UInt64, actual: UInt64)

    /// The log was written by a newer program.
    case newerFormat(String)

    /// The directory holds an LMDB environment that is not a log.
    case notALog(String)

    /// An entry that was to be erased cannot be: it is the ledger's own, not there, or gone
    /// already.
    case notErasable(position: UInt64)

    /// The log is a copy from which entries were withheld: nothing can be appended to it.
    case isIncompleteCopy

    /// A log has room for 16,777,215 sources.
    case tooManySources
}

extension EventLogError: CustomStringConvertible {
    /// The error as a sentence without a full stop.
    public var description: String {
        switch self {
        case .damaged(let position, let what):
            "the log is damaged from position \(position) on: \(what)"
        case .sizeMoved(let expected, let actual):
            "the log holds \(actual) entries, not the expected \(expected)"
        case .newerFormat(let what):
            "the log was written by a newer version of ledger (\(what))"
        case .notALog(let what):
            "this is no event log: \(what)"
        case .notErasable(let position):
            "the entry at position \(position) is the ledger's own, or its content is gone already"
        case .isIncompleteCopy:
            "this is a copy from which entries were withheld, so that nothing can be appended"
        case .tooManySources:
            "the log already has 16,777,215 sources, which is as many as it can name"
        }
    }
}
