package import ServerStore
import Synchronization
package import SystemPackage
package import TripLedger

/// The server's store beside the log, opened when it is first needed.
///
/// So the server starts on a full disk or a read-only medium, and notices the first token without a
/// restart. An opened store counts only while it is at its path: otherwise tokens would outlive a
/// directory that was removed or replaced.
package final class OpenedServerState: Sendable {
    private let ledger: FilePath
    private let opened = Mutex<ServerState?>(nil)

    /// Notes the ledger's directory.
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

    /// Opens the store that is at the path now, unless that is the open one.
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

    /// Returns the store, and creates it if there is none yet.
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
