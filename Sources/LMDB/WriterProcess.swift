internal import Glibc
internal import SystemPackage

/// Names a process that others wait for, such as the one that holds an environment's writer lock.
package struct WriterProcess: Hashable, Sendable {
    /// Its process identifier.
    package let identifier: Int

    /// The name of its program; empty if this process may not see it.
    package let name: String

    /// Whether it was stopped (SIGSTOP, or Ctrl-Z in a shell), so that it has to be continued or
    /// ended before anybody can write.
    package let isStopped: Bool

    /// Looks up the process of a thread in `/proc`.
    package init(thread: Int32) {
        var fields: [Substring: Substring] = [:]
        for line in Self.status(thread).split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        identifier = fields["Tgid:"].flatMap { Int($0) } ?? Int(thread)
        name = String(fields["Name:"] ?? "")
        isStopped = fields["State:"]?.lowercased().hasPrefix("t") ?? false
    }

    private static func status(_ thread: pid_t) -> String {
        let path = FilePath("/proc/\(thread)/status")
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        else { return "" }
        defer { try? descriptor.close() }
        let reader = PageReader(descriptor: descriptor, path: path)
        return String(decoding: (try? reader.bytes(at: 0, count: 4_096)) ?? [], as: UTF8.self)
    }
}
