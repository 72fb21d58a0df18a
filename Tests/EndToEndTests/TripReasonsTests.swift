import Foundation
import TestSupport
import Testing
import TripEvents

/// `ledger explain` says why a trip began and ended where it did.
@Suite struct TripReasonsTests {
    private static let start: Int64 = 1_750_000_000_000

    /// Fixes to the north at a speed, one each ten seconds.
    private static func fixes(
        from first: Int,
        count: Int,
        metersPerStep: Double,
        after meters: Double = 0
    ) -> [String] {
        (0..<count)
            .map { step in
                let latitude = 52 + (meters + Double(step) * metersPerStep) / 111_276
                return """
                    {"type":"fix_recorded","source":"phone","occurred_at":\
                    \(start + Int64(first + step) * 10_000),"lat":\(latitude),"lon":4.5,\
                    "accuracy":5}
                    """
            }
    }

    private func explanation(_ lines: [String]) throws -> String {
        let book = try LedgerProcess()
        try book.begin()
        _ = try book.run("rules", "preset", "history")
        _ = try book.run("rules", "set", "parked_radius_m=60")
        try book.append(Data(lines.joined(separator: "\n").utf8))
        return try book.run("explain", "last").text
    }

    @Test func `movement began it, and it ended where it stood`() throws {
        let stay = Self.fixes(from: 0, count: 6, metersPerStep: 0)
        let drive = Self.fixes(from: 6, count: 60, metersPerStep: 150)
        let parked = Self.fixes(from: 66, count: 80, metersPerStep: 0, after: 59 * 150)
        let text = try explanation(stay + drive + parked)
        #expect(text.contains("it went away from 52.0, 4.5 by "))
        #expect(text.contains("or more, and another fix agreed\n"))
        #expect(text.contains("from then on it stood within 60 m of 52.07"))
        #expect(text.contains("at driving pace"))
    }

    @Test func `silence ended it`() throws {
        let text = try explanation(Self.fixes(from: 0, count: 60, metersPerStep: 150))
        #expect(text.contains("no fix came from 52.07"))
        #expect(text.contains("for 10 min or more\n"))
    }

    @Test func `a person pressed`() throws {
        let presses = ["go", "stop"].enumerated()
            .map { index, name in
                """
                {"type":"\(name)_pressed","source":"phone","occurred_at":\
                \(Self.start + Int64(index) * 600_000)}
                """
            }
        let text = try explanation(
            [presses[0]] + Self.fixes(from: 1, count: 50, metersPerStep: 150) + [presses[1]]
        )
        #expect(text.contains(": the driver pressed GO\n"))
        #expect(text.contains(": the driver pressed STOP\n"))
        #expect(text.contains("Mode      car, because the driver pressed GO\n"))
    }
}
