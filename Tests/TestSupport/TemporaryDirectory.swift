public import Foundation
import Synchronization

/// A directory of its own that is gone when the last reference to it is.
public final class TemporaryDirectory: Sendable {
    /// The place of the directory.
    public let url: URL

    /// Creates an empty directory below the system's temporary directory.
    public init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("ledger-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// The directory's path.
    public var path: String { url.path }

    /// Returns the path of a file or directory in it.
    public func path(_ name: String) -> String {
        url.appendingPathComponent(name).path
    }

    /// Removes the directory when the process exits, for one that a static property keeps.
    public func removeAtExit() {
        let isFirst = Self.remaining.withLock { remaining in
            remaining.append(url)
            return remaining.count == 1
        }
        guard isFirst else { return }
        atexit {
            for url in TemporaryDirectory.remaining.withLock({ $0 }) {
                try? FileManager.default.removeItem(at: url)
            }
        }
    }

    /// The directories that are removed at exit.
    private static let remaining = Mutex<[URL]>([])

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
