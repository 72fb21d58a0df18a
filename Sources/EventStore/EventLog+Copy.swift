internal import LMDB
package import SystemPackage

extension EventLog {
    /// Writes a snapshot of the log's file, byte by byte, to a file that the caller makes durable;
    /// other processes can append during that time.
    ///
    /// - Throws: `LMDBError`.
    package func copy(to descriptor: FileDescriptor) throws {
        try environment.copy(to: descriptor)
    }
}
