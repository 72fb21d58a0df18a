public import Foundation
public import Testing

/// The real drives, reference geodesics and test vectors that stand beside the repository.
///
/// They are read where they are and never committed; without them a test says
/// "skipped: no shared data".
public enum SharedData {
    /// Whether the data is there.
    public static let isPresent = FileManager.default.fileExists(atPath: root.path)

    /// The comment of a test that needs the data and has none.
    public static let missing: Comment = "skipped: no shared data"

    /// Returns the location of one file, such as `"traces/nds_10.jsonl"`.
    public static func url(_ path: String) -> URL {
        root.appendingPathComponent(path)
    }

    /// Returns the content of one file.
    public static func data(_ path: String) throws -> Data {
        try Data(contentsOf: url(path))
    }

    private static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["LEDGER_SHARED_DATA"] {
            return URL(fileURLWithPath: path)
        }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent()  // TestSupport
            .deletingLastPathComponent()  // Tests
            .deletingLastPathComponent()  // the repository
            .deletingLastPathComponent()
            .appendingPathComponent("shared/data")
    }()
}
