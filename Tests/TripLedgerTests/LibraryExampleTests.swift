import DriveSimulation
import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripLedger

/// The program of the page *Use the library* is the one beside this test, and does what it says; so
/// are the examples of documentation comments.
@Suite struct LibraryExampleTests {
    @Test func `the example appends and reads`() throws {
        let directory = try TemporaryDirectory()
        let lines = try bookTrip(
            of: 12_300,
            at: Timestamp(milliseconds: 1_800_000_000_000),
            in: FilePath(directory.path("book"))
        )
        #expect(lines == ["appended(position: 2)", "12300000 mm"])
    }

    @Test func `the examples of documentation comments append, decide and read`() throws {
        let book = try TemporaryLedger()
        try book.append(DriveSimulator.events(of: .tunnel, seed: 1, source: "phone"))
        let now = book.now.advanced(byMilliseconds: 1_000)
        #expect(try editLastTrip(in: book.ledger, now: EventTime(now)).changes.count == 1)
        #expect(try appendFix(to: book.ledger, now: now).allSatisfy(\.isStored))
        #expect(try readTogether(from: book.ledger).trips.count == 1)
        let voided = try voidLastTrip(in: book.ledger, now: EventTime(now))
        #expect(voided.trips.map(\.booked.status) == [.voided])
        try printStatus(of: book.ledger, now: now)
        try book.ledger.read { try printTrips(of: $0) }
    }

    /// Lines are compared without their indentation.
    @Test func `every example of the library is compiled as it stands`() throws {
        let compiled = try ["LibraryExample.swift", "DocumentationExamples.swift"]
            .map { try Self.text(of: Self.folder.appendingPathComponent($0)) }
            .map { Self.lines(of: $0[...]) + "\n" }
        let examples = try Self.examples()
        #expect(examples.count >= 7)
        for (file, example) in examples {
            #expect(compiled.contains { $0.contains(example + "\n") }, "\(file): \(example)")
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Returns every Swift example of the page and of the documentation comments, with its file.
    private static func examples() throws -> [(file: String, text: String)] {
        let sources = folder.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources")
        var examples: [(file: String, text: String)] = []
        for module in ["Ledger/TripLedger", "Keeping/LedgerKeeping"] {
            let root = sources.appendingPathComponent(module)
            let names = FileManager.default.enumerator(atPath: root.path)?.allObjects ?? []
            for case let name as String in names
            where name.hasSuffix(".swift") || name.hasSuffix("UseTheLibrary.md") {
                let text = try text(of: root.appendingPathComponent(name))
                for part in text.components(separatedBy: "```swift\n").dropFirst() {
                    let example = part.components(separatedBy: "```")[0]
                    examples.append((name, lines(of: example[...])))
                }
            }
        }
        return examples
    }

    private static func text(of file: URL) throws -> String {
        try String(contentsOf: file, encoding: .utf8)
    }

    /// Returns the lines of a text without indentation and marks of comments; none that are empty.
    private static func lines(of text: Substring) -> String {
        text.split(separator: "\n")
            .map { line in
                var line = line.drop { $0 == " " }
                if line.hasPrefix("///") { line = line.dropFirst(3).drop { $0 == " " } }
                return line
            }
            .filter { !$0.isEmpty }
            .joined(separator: "\n")
    }

    @Test func `the page shows the example as it is`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(
            contentsOf: tests.appendingPathComponent("LibraryExample.swift"),
            encoding: .utf8
        )
        let page = tests.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/Ledger/TripLedger/TripLedger.docc/UseTheLibrary.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("```swift\n\(example)```\n"))
    }
}
