package import SystemPackage

/// Says which call of LMDB, or of the system for it, failed, where and why.
package struct LMDBError: Error, Hashable, Sendable {
    /// Why.
    package let code: Code

    /// The C function that failed, such as `mdb_put`; or, where we refused, what was asked for.
    package let operation: String

    /// The directory of the environment, or the file in it that is at fault.
    package let path: FilePath

    /// Creates an error.
    package init(code: Code, operation: String, path: FilePath) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// Whether the transaction may have become durable although its commit failed.
    ///
    /// A commit writes the pages, then the meta page that makes them count, and a failure does not
    /// say on which side of that it was. Nobody may take such a commit for done or for undone
    /// without opening the environment again and looking.
    package var outcomeIsUnknown: Bool {
        guard operation == "mdb_txn_commit" else { return false }
        switch code {
        case .system, .panic, .other, .lostWrite: return true
        default: return false
        }
    }
}
