internal import Synchronization

/// Knows the data files of the environments that this process has open.
///
/// Closing a second environment of the same files would drop the process's locks on them, so that
/// readers of the first one would lose their pages to writers.
enum EnvironmentRegistry {
    private static let openFiles = Mutex<Set<FileIdentity>>([])

    /// Reserves a file, or returns `false` if this process has it open.
    static func reserve(_ file: FileIdentity) -> Bool {
        openFiles.withLock { $0.insert(file).inserted }
    }

    /// Ends a reservation.
    static func release(_ file: FileIdentity) {
        _ = openFiles.withLock { $0.remove(file) }
    }
}
