import DriveSimulation
import LedgerRows
import Tables
import TestSupport
import Testing

/// The lines that differ between a report as it was and as it is.
@Suite struct LineDifferenceTests {
    private static func bytes(_ lines: [String]) -> [UInt8] {
        Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    @Test(arguments: Seeds.fresh(40))
    func `the old lines with their differences are the new lines`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func lines() -> [String] {
            (0..<Int.random(in: 0...12, using: &random))
                .map { _ in "line \(Int.random(in: 0...4, using: &random))" }
        }
        let (old, new) = (lines(), lines())
        let differences = LineDifference.all(from: Self.bytes(old), to: Self.bytes(new), as: .csv)
        var rest = old[...]
        var rebuilt: [String] = []
        for difference in differences {
            while old.count - rest.count + 1 < difference.line, let same = rest.popFirst() {
                rebuilt.append(same)
            }
            if let gone = difference.old { #expect(rest.popFirst() == gone, "seed \(seed)") }
            if let came = difference.new { rebuilt.append(came) }
        }
        #expect(rebuilt + rest == new, "seed \(seed): \(old), \(differences)")
    }

    @Test func `a line in the place of another one stands beside it`() {
        let old = Self.bytes(["a", "b", "c"])
        let found = LineDifference.all(
            from: old,
            to: Self.bytes(["a", "x", "c", "d"]),
            as: .csv
        )
        #expect(found.map(\.line) == [2, 4])
        #expect(found.map(\.old) == ["b", nil])
        #expect(found.map(\.new) == ["x", "d"])
        #expect(LineDifference.all(from: old, to: old, as: .json) == [])
    }

    @Test func `a line of text says the same however wide its columns are`() {
        let old = Self.bytes(["DATE  TRIP", "1     a", "2     b"])
        let new = Self.bytes(["DATE  FLAGS   TRIP", "1     -       a", "2     edited  b"])
        #expect(LineDifference.all(from: old, to: new, as: .text).map(\.line) == [1, 3])
        #expect(LineDifference.all(from: old, to: new, as: .csv).map(\.line) == [1, 2, 3])
    }
}
