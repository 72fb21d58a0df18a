import Foundation
import LedgerTestSupport
import Testing

/// No file of the vectors, and no record in one, is overlooked.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct VectorGroupTests {
    @Test func `every file belongs to a group`() throws {
        let files = try FileManager.default
            .subpathsOfDirectory(
                atPath: SharedData.url("tlog").path
            )
            .filter { name in
                let url = SharedData.url("tlog/\(name)")
                let isText = name.contains("LICENSE") || name.hasSuffix("README.md")
                return try !isText
                    && url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
            }
        #expect(try Set(files) == Set(VectorGroup.allCases.flatMap { try $0.files() }))
    }

    @Test func `every record belongs to a group`() throws {
        let path = VectorGroup.golangRoots.path
        let lines = try SharedData.data("tlog/\(path)").split(separator: UInt8(ascii: "\n"))
        let counts = try VectorGroup.allCases.filter { $0.path == path }.map { try $0.count() }
        #expect(counts.reduce(0, +) == lines.count)
        #expect(try VectorGroup.allCases.allSatisfy { try $0.count() > 0 })
    }
}
