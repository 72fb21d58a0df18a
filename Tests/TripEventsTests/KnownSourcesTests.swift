import DriveSimulation
import LedgerTestSupport
import Testing

@testable import TripEvents

@Suite struct KnownSourcesTests {
    /// Looks a name up as it stands in a line, between quotes.
    private func number(of name: String, in sources: KnownSources) -> Int? {
        let line = Array("\"\(name)\"".utf8)
        return sources.number(of: line.span, 1..<line.count - 1)
    }

    private func isName(_ number: Int, _ name: String, in sources: KnownSources) -> Bool {
        let line = Array("\"\(name)\"".utf8)
        return sources.isName(number, line.span, 1..<line.count - 1)
    }

    @Test func `each name keeps its number, whatever stands around it in a line`() {
        var sources = KnownSources()
        let names = (0..<2_000)
            .map { "source \($0 * 7_919 % 2_000)" + String(repeating: "é", count: $0 % 9) }
        for (expected, name) in names.enumerated() {
            #expect(number(of: name, in: sources) == nil)
            let given = sources.number(of: Array(name.utf8))
            #expect(given == expected)
        }
        for (expected, name) in names.enumerated() {
            #expect(number(of: name, in: sources) == expected)
            #expect(isName(expected, name, in: sources))
            #expect(!isName((expected + 1) % 2_000, name, in: sources))
        }
        #expect(sources.names == names)
    }

    @Test func `spellings of one accented letter are two sources`() throws {
        var reader = EventLineReader()
        let spellings = ["caf\u{E9}", "cafe\u{301}", "caf\u{E9}"]
        var found: [Int] = []
        for name in spellings {
            let line = Array(
                #"{"type":"go_pressed","source":"\#(name)","occurred_at":1773489600000}"#.utf8
            )
            try reader.read(line.span, recordedAt: Timestamp(milliseconds: 1_773_489_600_000))
            #expect(Array(reader.candidate.source.utf8) == Array(name.utf8))
            found.append(reader.candidate.sourceNumber)
        }
        #expect(found == [0, 1, 0])
    }
}
