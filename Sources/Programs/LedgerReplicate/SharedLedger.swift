import Synchronization
import SystemPackage
import TripLedger

/// A ledger that is open while a thread of this program uses it: a process can open it once at a
/// time.
///
/// It is closed in between, so that an erasure can write the log's file anew.
final class SharedLedger: Sendable {
    private struct State {
        var ledger: Ledger?

        /// How many threads use it.
        var userCount = 0
    }

    /// The ledger's directory.
    let path: FilePath

    private let isReadOnly: Bool
    private let state = Mutex(State())

    /// Names the ledger in a directory.
    ///
    /// - Parameters:
    ///   - path: The directory.
    ///   - isReadOnly: Whether nothing will be written, not even views.
    init(at path: FilePath, isReadOnly: Bool) {
        self.path = path
        self.isReadOnly = isReadOnly
    }

    /// Hands over the open ledger, which MUST NOT be used after `body`.
    ///
    /// - Returns: What `body` returned.
    /// - Throws: `LedgerError` if it cannot be opened, and what `body` throws.
    func using<Result>(_ body: (Ledger) throws -> Result) throws -> Result {
        let ledger = try opened()
        defer { leave() }
        return try body(ledger)
    }

    private func opened() throws -> Ledger {
        try state.withLock { state in
            let ledger: Ledger
            if let open = state.ledger {
                ledger = open
            } else {
                ledger = try Ledger(at: path, isReadOnly: isReadOnly)
                state.ledger = ledger
            }
            state.userCount += 1
            return ledger
        }
    }

    private func leave() {
        state.withLock { state in
            state.userCount -= 1
            guard state.userCount == 0 else { return }
            state.ledger?.close()
            state.ledger = nil
        }
    }
}
