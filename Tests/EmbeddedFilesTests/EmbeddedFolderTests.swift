import EmbeddedFiles
import Foundation
import Testing

/// The files in the program, compared with the directories from which they come.
@Suite struct EmbeddedFolderTests {
    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().appending(path: "../../Sources").standardizedFileURL

    @Test func `every file of the page is embedded, and no other one`() throws {
        // Leaflet too, if tools/leaflet could get it before the build.
        try expect(EmbeddedFolder.page, "Programs/LedgerServer/Page/web") { _ in true }
    }

    @Test func `every schema is embedded, and no other file`() throws {
        try expect(EmbeddedFolder.schemas, "../Schemas") { !$0.hasPrefix("examples/") }
    }

    @Test func `every table of rates is embedded, and no other file`() throws {
        try expect(EmbeddedFolder.rateTables, "Ledger/Rates/Tables") { _ in true }
    }

    @Test func `what programs are linked with is embedded as it is`() throws {
        let notice = Self.sources.appending(path: "../tools/package/NOTICE")
        #expect(EmbeddedFolder.notices.files.map(\.name) == ["NOTICE"])
        #expect(EmbeddedFolder.notices["NOTICE"] == Array(try Data(contentsOf: notice)))
    }

    @Test func `the SQL of the replica is embedded as it is`() throws {
        #expect(EmbeddedFolder.replica.files.map(\.name) == ["replica.sql", "rows.sql"])
        for file in EmbeddedFolder.replica.files {
            let path = Self.sources.appending(path: "Programs/LedgerReplicate/\(file.name)")
            #expect(file.bytes == Array(try Data(contentsOf: path)))
        }
    }

    @Test func `land and the script of maps are embedded as they are`() throws {
        let files = EmbeddedFolder.maps.files
        #expect(files.map(\.name) == ["land.bin", "map.js"])
        for (file, path) in zip(files, ["Background/land.bin", "map.js"]) {
            let source = Self.sources.appending(path: "Faces/Maps/\(path)")
            #expect(file.bytes == Array(try Data(contentsOf: source)))
        }
    }

    private func expect(
        _ folder: EmbeddedFolder,
        _ path: String,
        _ belongs: (String) -> Bool
    ) throws {
        let directory = Self.sources.appending(path: path).standardizedFileURL
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
            .filter { belongs($0) && !directory.appending(path: $0).isDirectory }
        let files = folder.files.filter { belongs($0.name) }
        #expect(!names.isEmpty)
        #expect(files.map(\.name).sorted() == names.sorted())
        for file in files {
            let bytes = Array(try Data(contentsOf: directory.appending(path: file.name)))
            #expect(file.bytes == bytes, "\(file.name)")
        }
    }
}

extension URL {
    fileprivate var isDirectory: Bool {
        (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
    }
}
