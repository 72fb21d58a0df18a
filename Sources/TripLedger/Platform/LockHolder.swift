import LMDB

/// A process that holds what this one waits for.
public struct LockHolder: Hashable, Sendable {
    /// Its process identifier.
    public let identifier: Int

    /// The name of its program; empty if this process may not see it.
    public let name: String

    /// Whether it was stopped (SIGSTOP, or Ctrl-Z in a shell), so that it has to be continued or
    /// ended before this process can go on.
    public let isStopped: Bool

    init(_ process: WriterProcess) {
        identifier = process.identifier
        name = process.name
        isStopped = process.isStopped
    }
}
