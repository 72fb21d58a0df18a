import Foundation
import LedgerTestSupport
import Testing
import TripLedger

/// The program of the page *Use the library* is the one beside this test, and does what it says.
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

    @Test func `the page shows the example as it is`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(
            contentsOf: tests.appendingPathComponent("LibraryExample.swift"),
            encoding: .utf8
        )
        let page = tests.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/TripLedger/TripLedger.docc/UseTheLibrary.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("```swift\n\(example)```\n"))
    }
}
