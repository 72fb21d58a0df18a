package import ServerStore
import Synchronization
package import SystemPackage
package import TripLedger

/// The server's store beside the log, opened when it is first needed.
///
/// So the server starts on a full disk or a medium that cannot be written, and sees the first token
/// without being started again. What was opened counts only as long as it stands at its path: with
/// the files of a directory that was removed or replaced, tokens would outlive it.
package final class OpenedServerState: Sendable {
    private let ledger: FilePath
    private let opened = Mutex<ServerState?>(nil)

    /// Takes note of where it is.
    ///
    /// - Parameter ledger: The ledger's directory.
    package init(of ledger: FilePath) {
        self.ledger = ledger
    }

    /// The store; `nil` if there is none yet.
    package var state: ServerState? {
        get throws(LedgerError) {
            try opened.withLock { (state) throws(LedgerError) in
                try Self.open(&state, of: ledger)
                return state
            }
        }
    }

    /// Opens what stands at the path now, unless it is what is open.
    ///
    /// An opened state that is no longer there is closed when its last user is done.
    private static func open(
        _ state: inout ServerState?,
        of ledger: FilePath
    ) throws(LedgerError) {
        if let opened = state, opened.isAtPath { return }
        state = nil
        state = try ServerState.open(of: ledger)
    }

    /// Returns what there is, and makes it if there is nothing yet.
    package func orCreated() throws(LedgerError) -> ServerState {
        try opened.withLock { (state) throws(LedgerError) in
            try Self.open(&state, of: ledger)
            if let state { return state }
            let created = try ServerState.openOrCreate(of: ledger)
            state = created
            return created
        }
    }

    /// Closes it; it MUST NOT be used after that.
    package func close() {
        opened.withLock { state in
            state?.close()
            state = nil
        }
    }
}
