internal import Glibc
internal import SystemPackage

/// A process that holds a lock for which this one waits.
public struct LockHolder: Hashable, Sendable {
    /// Its process identifier.
    public let identifier: Int

    /// The name of its program; empty if this process may not see it.
    public let name: String

    /// Whether it was stopped (SIGSTOP, or Ctrl-Z in a shell), so that it has to be continued or
    /// ended before this process can go on.
    public let isStopped: Bool

    /// Looks up the process of a thread in `/proc`.
    package init(thread: Int32) {
        let path = FilePath("/proc/\(thread)/status")
        let status = try? WholeFile.read(path, maximumByteCount: 1 << 16)
        var fields: [Substring: Substring] = [:]
        for line in String(decoding: status ?? [], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        identifier = fields["Tgid:"].flatMap { Int($0) } ?? Int(thread)
        name = String(fields["Name:"] ?? "")
        isStopped = fields["State:"]?.lowercased().hasPrefix("t") ?? false
    }
}

/// Tells the caller that this process waits for a lock of another one; such a wait has no limit.
public struct WaitNotice: Sendable {
    /// How long to wait before telling.
    package let delay: Duration

    /// Called once for each wait; perhaps on a thread of its own.
    package let tell: @Sendable (LockHolder) -> Void

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - delay: How long to wait before telling.
    ///   - tell: Called once for each wait that takes longer, perhaps on a thread of its own.
    public init(
        after delay: Duration = .seconds(2),
        tell: @escaping @Sendable (LockHolder) -> Void
    ) {
        self.delay = delay
        self.tell = tell
    }
}
