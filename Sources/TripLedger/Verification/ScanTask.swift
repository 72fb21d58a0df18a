public import SystemPackage

/// What a process that may crash is asked to read.
public enum ScanTask: Hashable, Sendable {
    /// The log of the ledger in a directory, which must have had these heads; and when the entries
    /// from a position on were recorded.
    case log(FilePath, knownHeads: [LedgerHead] = [], recordedFrom: UInt64? = nil)

    /// The views of the ledger in a directory; new ones may stand in a scratch directory.
    case views(FilePath, scratch: FilePath)

    /// No more than what a ledger in a directory says of itself.
    case glance(FilePath)

    /// The log of the ledger in a directory, slowly: at most so many bytes a second, for at most so
    /// many minutes, from where the last time ended or from the start.
    case scrub(FilePath, bytesPerSecond: UInt64?, minutes: UInt32?, isResumed: Bool)
}
