internal import Glibc

/// One read transaction that several calls share, so that all of them see the same snapshot.
///
/// It is for reads that a closure cannot hold together; ``Environment/read(_:)`` is simpler where
/// one can. It belongs to the thread that began it: use on another thread, or after ``end()``, is a
/// programming error and stops the program.
// @unchecked because every use checks that it runs on the thread that began the transaction.
package final class SharedRead: @unchecked Sendable {
    private let thread = pthread_self()
    private var transaction: ReadTransaction?

    /// Begins the transaction.
    ///
    /// - Throws: ``LMDBError``.
    package init(of environment: Environment) throws(LMDBError) {
        transaction = try ReadTransaction(in: environment)
    }

    /// Runs `body` on the snapshot.
    package func read<Result: ~Copyable>(
        _ body: (borrowing ReadTransaction) throws -> Result
    ) throws -> Result {
        precondition(pthread_equal(thread, pthread_self()) != 0, "A snapshot is of one thread.")
        switch transaction {
        case .some(let transaction): return try body(transaction)
        case nil: preconditionFailure("The snapshot is over.")
        }
    }

    /// Ends the transaction; does nothing if it has ended.
    package func end() {
        precondition(pthread_equal(thread, pthread_self()) != 0, "A snapshot is of one thread.")
        transaction = nil
    }
}
