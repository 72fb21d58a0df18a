import ServerStore
import Synchronization
import SystemPackage
import TripLedger

/// What stands beside the log for a server, opened when it is needed first.
///
/// So the server starts on a full disk or a medium that cannot be written, and sees the first token
/// without being started again.
final class OpenedServerState: Sendable {
    private let ledger: FilePath
    private let opened = Mutex<ServerState?>(nil)

    /// Takes note of where it is.
    ///
    /// - Parameter ledger: The ledger's directory.
    init(of ledger: FilePath) {
        self.ledger = ledger
    }

    /// What there is; `nil` if there is nothing yet.
    var state: ServerState? {
        get throws(LedgerError) {
            try opened.withLock { (state) throws(LedgerError) in
                if state == nil { state = try ServerState.open(of: ledger) }
                return state
            }
        }
    }

    /// Returns what there is, and makes it if there is nothing yet.
    func orCreated() throws(LedgerError) -> ServerState {
        try opened.withLock { (state) throws(LedgerError) in
            if let state { return state }
            let created = try ServerState.openOrCreate(of: ledger)
            state = created
            return created
        }
    }

    /// Closes it; it MUST NOT be used after that.
    func close() {
        opened.withLock { state in
            state?.close()
            state = nil
        }
    }
}
