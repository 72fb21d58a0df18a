internal import LMDB
package import SystemPackage

extension EventLog {
    /// Writes the log as it is now, byte by byte, to a file that the caller makes durable; others
    /// may go on appending.
    ///
    /// - Throws: `LMDBError`.
    package func copy(to descriptor: FileDescriptor) throws {
        try environment.copy(to: descriptor)
    }
}
