internal import CLMDB

/// Names an open table, LMDB's "named database", of one environment.
///
/// Tables come from ``Environment/openTables(_:)`` or ``WriteTransaction/createTable(_:)`` and are
/// good for that environment until they are dropped or it is closed. A table made in a transaction
/// that is aborted is not good for anything. The corresponding C type is `MDB_dbi`.
package struct Table: Sendable, Hashable {
    /// The number LMDB knows it by.
    let identifier: MDB_dbi

    /// The one environment that it can be used with.
    let environment: ObjectIdentifier
}
