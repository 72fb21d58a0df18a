import LMDB
import Platform
import Synchronization
import SystemPackage

/// The views that a ledger has open in this process: one environment, however many snapshots read
/// it at once.
///
/// Another process may swap in new views at any time; then the next caller gets those, and a
/// snapshot of the old ones goes on until it ends. The last one to use a store closes it.
final class OpenViews: Sendable {
    /// The directory `views/`.
    let path: FilePath

    private let isReadOnly: Bool
    private let stored = Mutex<ViewStore?>(nil)

    /// Views in a temporary directory, for a ledger that cannot keep any.
    ///
    /// They are made at most once; holding the lock is the right to bring them up to date.
    private let temporary = Mutex<ViewStore?>(nil)

    init(at path: FilePath, isReadOnly: Bool) {
        self.path = path
        self.isReadOnly = isReadOnly
    }

    /// Returns the views that stand at the path now.
    ///
    /// - Throws: `StaleViews` if there are none, or none that LMDB can open; `LMDBError`.
    func current() throws -> ViewStore {
        try stored.withLock { open in
            if let open, open.isAtPath { return open }
            open = nil
            guard try Directory.holds(path.appending("data.mdb")) else { throw StaleViews.missing }
            let store = try openStore()
            open = store
            return store
        }
    }

    /// Forgets the open views, so that they are opened anew: LMDB refuses to go on with an
    /// environment in which a write has failed.
    func reopen() {
        stored.withLock { $0 = nil }
    }

    /// Runs `body` with views in a temporary directory, one caller at a time.
    ///
    /// - Parameters:
    ///   - isFresh: Whether to begin with empty ones in any case.
    ///   - parent: Where new ones stand.
    ///   - body: What to do.
    /// - Returns: What `body` returned.
    /// - Throws: The error of the system, and the errors of `body`.
    func withTemporary<Result: Sendable & ~Copyable>(
        isFresh: Bool,
        in parent: FilePath = Directory.temporary,
        _ body: (ViewStore) throws -> Result
    ) throws -> Result {
        try temporary.withLock { kept in
            let store = try (isFresh ? nil : kept) ?? ViewStore.createTemporary(in: parent)
            kept = store
            return try body(store)
        }
    }

    /// Closes all views once nothing reads them any more.
    func close() {
        stored.withLock { open in
            open?.close()
            open = nil
        }
        temporary.withLock { open in
            open?.close()
            open = nil
        }
    }

    private func openStore() throws -> ViewStore {
        var attemptsLeft = 3
        while true {
            do {
                return try ViewStore(at: path, isReadOnly: isReadOnly)
            } catch let error as LMDBError {
                // Others were swapped in while these were being opened.
                attemptsLeft -= 1
                if error.code == .replaced, attemptsLeft > 0 { continue }
                guard Self.isHealedByRebuilding(error.code) else { throw error }
                throw StaleViews.damaged(error.description)
            }
        }
    }

    /// Whether opening views failed for a reason that new ones do not have.
    private static func isHealedByRebuilding(_ code: LMDBError.Code) -> Bool {
        switch code {
        case .notFound, .wrongFileType, .symbolicLink, .lockFileLost, .lockFileCut,
            .system(.noSuchFileOrDirectory):
            true
        // A damaged meta page asks for a map larger than an address space.
        case .system(.noMemory): true
        default: code.isDamage
        }
    }
}

extension ViewStore {
    /// Creates empty views in a temporary directory, for as long as this process keeps them open.
    static func createTemporary(in parent: FilePath = Directory.temporary) throws -> ViewStore {
        let path = parent.appending("ledger-views-\(UInt64.random(in: 0 ... .max))")
        let store = try create(at: path, isTemporary: true)
        // The open files live on without names, so that not even a killed process leaves anything.
        try? Directory.remove(path)
        return store
    }
}
