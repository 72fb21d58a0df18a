import Platform
import Synchronization

/// The data files of the environments that this process has open.
///
/// Closing a second environment of the same files would drop the process's locks on them, and
/// writers would overwrite pages that readers of the first one use.
enum EnvironmentRegistry {
    /// Few enough to search.
    private static let openFiles = Mutex<[FileIdentity]>([])

    /// Reserves a file, or returns `false` if this process has it open.
    static func reserve(_ file: FileIdentity) -> Bool {
        openFiles.withLock { files in
            guard !files.contains(file) else { return false }
            files.append(file)
            return true
        }
    }

    /// Ends a reservation.
    static func release(_ file: FileIdentity) {
        openFiles.withLock { $0.removeAll { $0 == file } }
    }
}
