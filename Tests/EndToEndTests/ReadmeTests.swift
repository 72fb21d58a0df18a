import Foundation
import TestSupport
import Testing

/// README and the pages tell the truth: what they show in blocks marked `console` is what happens.
@Suite struct ReadmeTests {
    /// README begins the book that the pages after it go on with.
    @Test func `every session goes as README and the pages say, one after the other`() throws {
        let ledger = try LedgerProcess()
        // A reader calls the command as one does who has just built it.
        let place = ledger.directory.url.appendingPathComponent(".build")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: place.appendingPathComponent("ledger"),
            withDestinationURL: LedgerProcess.binary
        )
        for page in ManualPage.allCases {
            let sessions = try page.sessions()
            #expect(page != .readMe && page != .auditing || !sessions.isEmpty)
            for session in sessions {
                let replayed = try session.replayed(in: ledger)
                let normalizer = Normalizer(directory: ledger.directory.path)
                for (expected, actual) in zip(session.steps, replayed.steps) {
                    let response = expected.response.map(normalizer.normalized)
                    #expect(actual.response == response, "\(page.rawValue): $ \(expected.command)")
                }
            }
        }
    }

    @Test(arguments: ManualPage.allCases)
    func `every script that a page names is there`(page: ManualPage) throws {
        let names = try page.text().matches(of: /\btools\/[a-z\/_-]*[a-z](?:\.py)?\b/)
        let scripts = Set(names.map { String($0.output) })
        for script in scripts where script != "tools/service" {
            let file = ManualPage.root.appendingPathComponent(script).path
            #expect(FileManager.default.isExecutableFile(atPath: file), "\(script)")
        }
        guard page == .readMe else { return }
        #expect(scripts.isSuperset(of: ["tools/quickstart", "tools/test"]))
    }

    @Test(arguments: ManualPage.allCases)
    func `every file that a page links to is there`(page: ManualPage) throws {
        let folder = page.file.deletingLastPathComponent()
        for link in try page.text().matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
            let target = folder.appendingPathComponent(String(link.output.1)).path
            #expect(FileManager.default.fileExists(atPath: target), "\(link.output.1)")
        }
    }

    @Test func `README can be read in one go`() throws {
        #expect(try ManualPage.readMe.text().utf8.count <= 10_000)
    }

    /// README's lines of events are what `append` takes, as they stand.
    @Test func `the events that README shows are appended`() throws {
        let lines = try ManualPage.readMe.text().split(separator: "\n")
            .filter { $0.hasPrefix("{\"type\"") }
        try #require(lines.count == 4)
        let ledger = try LedgerProcess()
        let file = ledger.directory.url.appendingPathComponent("events.jsonl")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        let outcome = try ledger.shell(
            "ledger init > /dev/null; ledger append events.jsonl; ledger trips"
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text.contains(#""appended":4,"duplicate":0,"conflict":0,"rejected":0"#))
        #expect(outcome.text.contains("1.95"), "a trip with a distance: \(outcome.text)")
    }
}
