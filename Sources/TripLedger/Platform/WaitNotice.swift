import LMDB

/// Says whom to tell that this process waits for another one, which it does without an end.
public struct WaitNotice: Sendable {
    /// How long to wait before telling.
    let delayMilliseconds: UInt32

    /// Called once for each wait; perhaps on a thread of its own.
    let tell: @Sendable (LockHolder) -> Void

    /// Creates a notice.
    ///
    /// - Parameters:
    ///   - delayMilliseconds: How long to wait before telling.
    ///   - tell: Called once for each wait that takes longer, perhaps on a thread of its own.
    public init(
        afterMilliseconds delayMilliseconds: UInt32 = 2_000,
        tell: @escaping @Sendable (LockHolder) -> Void
    ) {
        self.delayMilliseconds = delayMilliseconds
        self.tell = tell
    }

    /// The same notice for the writer lock of LMDB.
    var waitReport: Environment.WaitReport {
        Environment.WaitReport(delay: .milliseconds(Int(delayMilliseconds))) { [tell] in
            tell(LockHolder($0))
        }
    }
}
