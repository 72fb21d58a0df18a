import Foundation

/// The schema of events and its examples, as they stand in the repository.
enum SchemaFiles {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()  // TripEventsTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // the repository

    static let schema = root.appendingPathComponent("Schemas/event.v1.schema.json")
    static let formats = root.appendingPathComponent(
        "Sources/TripLedger/TripLedger.docc/Formats.md"
    )

    /// Examples that a reader takes, in order of their names.
    static let accepted = examples("accepted")

    /// Examples that a reader refuses; their names start with the code, then two hyphens.
    static let refused = examples("refused")

    private static func examples(_ folder: String) -> [URL] {
        let folder = root.appendingPathComponent("Schemas/examples/event/\(folder)")
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        )
        return (files ?? []).sorted { $0.path < $1.path }
    }
}
