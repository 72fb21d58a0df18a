import Foundation
import Proofs
import SystemPackage
import TestSupport
import Testing

@testable import LedgerKeeping
@testable import TripLedger

/// Keys are made once, and making one destroys nothing.
@Suite struct SigningKeyFileTests {
    private let directory: TemporaryDirectory
    private let file: SigningKeyFile
    private let name: KeyName

    init() throws {
        directory = try TemporaryDirectory()
        file = SigningKeyFile(at: FilePath(directory.path("anna")))
        name = try #require(KeyName("example.com/anna"))
    }

    @Test(arguments: [false, true])
    func `what stands beside a new key stays`(isThere: Bool) throws {
        if isThere { _ = try file.create(name: name) }
        let other = SigningKeyFile(at: FilePath(directory.path("anna.new")))
        let key = try other.create(name: name)
        _ = try? file.create(name: name)
        #expect(try other.key().secretText == key.secretText)
        try FileManager.default.removeItem(atPath: other.path.string)
        let folder = directory.path("anna.new/sub")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try? file.create(name: name)
        #expect(FileManager.default.fileExists(atPath: folder))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
                == ["anna", "anna.new"]
        )
    }

    @Test func `of many who make a key at once, one does, and that key is there`() async throws {
        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<24 {
                group.addTask { try? file.create(name: name).secretText }
            }
            return await group.reduce(into: [String]()) { if let text = $1 { $0.append(text) } }
        }
        #expect(try texts == [file.key().secretText])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["anna"])
    }

    @Test func `a pipe is no key, and nobody waits for it`() throws {
        try #require(mkfifo(file.path.string, 0o600) == 0)
        #expect(throws: LedgerError.self) { try file.key() }
    }
}
