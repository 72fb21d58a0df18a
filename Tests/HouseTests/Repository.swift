import Foundation

/// The repository this test was built from.
enum Repository {
    /// Every Swift file in `Sources`.
    static let sources = swiftSources(in: "Sources/")

    /// Every Swift file in `Tests`.
    static let tests = swiftSources(in: "Tests/")

    /// The package's manifest.
    static let manifest = SwiftSource(
        path: "Package.swift",
        text: textFiles["Package.swift"] ?? ""
    )

    /// Every file of the repository that is text, by its path; what tools make is left out.
    static let textFiles: [String: String] = {
        var files: [String: String] = [:]
        let skipped: Set = [".git", ".build", ".swiftpm", "Package.resolved"]
        let enumerator = FileManager.default.enumerator(atPath: root.path)
        while let path = enumerator?.nextObject() as? String {
            if skipped.contains(path) {
                enumerator?.skipDescendants()
            } else if let data = try? Data(contentsOf: root.appendingPathComponent(path)),
                let text = String(data: data, encoding: .utf8)
            {
                files[path] = text
            }
        }
        return files
    }()

    /// The directories in the rooms of `Sources`, each with the room that it is in.
    static let modules: [String: String] = Dictionary(
        textFiles.keys.compactMap { path in
            let parts = path.split(separator: "/").map(String.init)
            return parts.count > 3 && parts[0] == "Sources" ? (parts[2], parts[1]) : nil
        },
        uniquingKeysWith: { one, other in one == other ? one : "\(one) and \(other)" }
    )

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()  // HouseTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    private static func swiftSources(in directory: String) -> [SwiftSource] {
        textFiles.filter { $0.key.hasPrefix(directory) && $0.key.hasSuffix(".swift") }
            .sorted { $0.key < $1.key }
            .map { SwiftSource(path: $0.key, text: $0.value) }
    }
}
