import Foundation
import LedgerTestSupport
import Testing

/// README tells the truth: what it shows in its blocks marked `console` is what happens.
@Suite struct ReadmeTests {
    private static let root = JSONSchemaValidator.folder.deletingLastPathComponent()

    @Test func `every session in README goes as it says`() throws {
        let readme = try String(
            contentsOf: Self.root.appendingPathComponent("README.md"),
            encoding: .utf8
        )
        let sessions = Self.blocks(in: readme, language: "console")
        #expect(!sessions.isEmpty)
        let ledger = try LedgerProcess()
        // README calls the command as a reader does who has just built it.
        let place = ledger.directory.url.appendingPathComponent(".build")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: place.appendingPathComponent("ledger"),
            withDestinationURL: LedgerProcess.binary
        )
        for session in sessions {
            let transcript = Transcript(session)
            let replayed = try transcript.replayed(in: ledger)
            let normalizer = Normalizer(directory: ledger.directory.path)
            for (expected, actual) in zip(transcript.steps, replayed.steps) {
                let response = expected.response.map(normalizer.normalized)
                #expect(actual.response == response, "README: $ \(expected.command)")
            }
        }
    }

    @Test func `every script that README names is there`() throws {
        let readme = try String(
            contentsOf: Self.root.appendingPathComponent("README.md"),
            encoding: .utf8
        )
        let scripts = Set(readme.matches(of: /tools\/[a-z\/_-]*[a-z]/).map { String($0.output) })
        #expect(scripts.isSuperset(of: ["tools/quickstart", "tools/test", "tools/check"]))
        for script in scripts {
            let file = Self.root.appendingPathComponent(script).path
            #expect(FileManager.default.isExecutableFile(atPath: file), "\(script)")
        }
    }

    /// Returns the fenced blocks of a page that are marked with a language.
    private static func blocks(in page: String, language: String) -> [String] {
        let pieces = page.components(separatedBy: "```")
        return pieces.indices.filter { $0 % 2 == 1 }
            .compactMap { index in
                let lines = pieces[index].components(separatedBy: "\n")
                guard lines.first == language else { return nil }
                return lines.dropFirst().joined(separator: "\n")
            }
    }
}
