import DriveSimulation
import TestSupport
import Testing

@testable import JSONText

@Suite struct FixedPointTests {
    @Test(arguments: [
        (0, 0, "0"), (0, 3, "0.000"), (7, 0, "7"), (7, 2, "0.07"), (-7, 2, "-0.07"),
        (1_234, 3, "1.234"), (-120_000, 4, "-12.0000"), (10, 1, "1.0"), (99, 2, "0.99"),
        (.max, 0, "9223372036854775807"), (.min, 0, "-9223372036854775808"),
        (.min, 7, "-922337203685.4775808"), (.max, 19, "0.9223372036854775807"),
    ])
    func `a number has all its decimals`(number: Int64, decimals: Int, text: String) {
        #expect(FixedPoint.text(number, decimals: decimals) == text)
    }

    @Test func `without its point and leading zeros, a text is the number`() {
        for seed in Seeds.fresh(300) {
            var random = SplitMix64(seed: seed)
            let number = Int64(bitPattern: random.next()) >> Int64(random.next() % 64)
            let decimals = Int(random.next() % 8)
            let text = FixedPoint.text(number, decimals: decimals)
            #expect(Int64(text.filter { $0 != "." }) == number, "seed \(seed)")
            let parts = text.split(separator: ".")
            #expect(parts.count == (decimals == 0 ? 1 : 2), "seed \(seed)")
            #expect(decimals == 0 || parts[1].count == decimals, "seed \(seed)")
        }
    }

    @Test func `what is there already stays`() {
        var bytes = Array("a".utf8)
        FixedPoint.append(-5, decimals: 1, to: &bytes)
        #expect(bytes == Array("a-0.5".utf8))
    }
}
