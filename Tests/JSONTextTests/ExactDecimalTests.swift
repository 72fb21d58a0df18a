import DriveSimulation
import TestSupport
import Testing

@testable import JSONText

@Suite struct ExactDecimalTests {
    /// Returns a JSON number literal, long or short, with or without an exponent.
    private func literal(using generator: inout SplitMix64) -> String {
        func digits(_ range: ClosedRange<Int>) -> String {
            let count = Int.random(in: range, using: &generator)
            return String(
                (0..<count)
                    .map { _ in Array("0123456789")[Int.random(in: 0...9, using: &generator)] }
            )
        }
        var text = Bool.random(using: &generator) ? "-" : ""
        text +=
            Bool.random(using: &generator)
            ? "0" : "\(Int.random(in: 1...9, using: &generator))" + digits(0...24)
        if Bool.random(using: &generator) {
            text += "." + digits(1...24)
        }
        if Int.random(in: 0...3, using: &generator) == 0 {
            text +=
                ["e", "E", "e+", "e-"][Int.random(in: 0...3, using: &generator)] + digits(1...2)
        }
        return text
    }

    @Test func `the nearest double is that of the standard library`() throws {
        for seed in Seeds.fresh(20) {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<500 {
                let literal = literal(using: &generator)
                let expected = try #require(Double(literal))
                guard let number = ExactDecimal(literal: literal) else {
                    #expect(expected == 0 && literal.hasPrefix("-"), "seed \(seed): \(literal)")
                    continue
                }
                #expect(number.doubleValue == expected, "seed \(seed): \(literal)")
            }
        }
    }

    @Test func `a number's text is the same number`() throws {
        for seed in Seeds.fresh(20) {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<500 {
                let literal = literal(using: &generator)
                guard let number = ExactDecimal(literal: literal) else { continue }
                let text = number.description
                #expect(ExactDecimal(literal: text) == number, "seed \(seed): \(literal)")
                #expect(text.utf8.count <= ExactDecimal.maximumTextLength)
                #expect(!text.contains(where: { "eE+".contains($0) }), "seed \(seed): \(literal)")
                #expect(!text.contains(".") || text.last != "0", "seed \(seed): \(literal)")
            }
        }
    }

    @Test(arguments: [
        ("12.50", "12.5"), ("125e-1", "12.5"), ("1.25E+1", "12.5"), ("0", "0"), ("0.000", "0"),
        ("0e99999999999999999999", "0"), ("-0", "0"), ("-0.00", "0"), ("-0e7", "0"),
        ("-0.10", "-0.1"), ("100", "100"), ("1e3", "1000"),
        ("1e17", "100000000000000000"), ("1e18", "1000000000000000000"),
        ("123456789012345678", "123456789012345678"),
        ("1234567890123456789.50", "1234567890123456789.5"),
        ("0.000000000000000001", "0.000000000000000001"), ("1e-19", "0.0000000000000000001"),
    ])
    func `a number is kept without the zeros that change nothing`(literal: String, text: String) {
        #expect(ExactDecimal(literal: literal)?.description == text)
    }

    @Test(arguments: [
        "", "-", "+1", ".5", "5.", "01", "1e", "1e+", "0x10", "1_000", " 1", "1 ", "NaN",
        "Infinity", "1e309", "-1e309", "1e99999999999999999999", "1e-399",
    ])
    func `what is no number is refused`(literal: String) {
        #expect(ExactDecimal(literal: literal) == nil)
    }

    @Test func `an exponent of more than four digits is refused, whatever it makes up for`() {
        let tenth = "0." + String(repeating: "0", count: 100_000) + "1e100000"
        #expect(ExactDecimal(literal: tenth) == nil)
        #expect(ExactDecimal(literal: "1e0000000002")?.description == "100")
    }

    @Test func `every double survives`() {
        for seed in Seeds.fresh(20) {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<200 {
                let double = Double(bitPattern: generator.next())
                guard double.isFinite, double != 0 else { continue }
                #expect(
                    ExactDecimal(literal: "\(double)")?.doubleValue == double,
                    "seed \(seed): \(double)"
                )
            }
        }
    }

    @Test func `a double gives the shortest decimal that is it`() {
        for seed in Seeds.fresh(20) {
            var generator = SplitMix64(seed: seed)
            for _ in 0..<200 {
                let double = Double(bitPattern: generator.next())
                let number = ExactDecimal(double)
                #expect((number != nil) == double.isFinite, "seed \(seed): \(double)")
                #expect(number.map { $0.doubleValue == double } ?? true, "seed \(seed): \(double)")
            }
        }
    }

    @Test(
        arguments: [
            (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"), (-12.50, "-12.5"), (0, "0"),
            (-0.0, "0"), (1e21, "1000000000000000000000"), (1e-7, "0.0000001"),
            (.infinity, nil), (-.infinity, nil), (.nan, nil),
        ] as [(Double, String?)]
    )
    func `a double is written as Swift prints it, in plain digits`(double: Double, text: String?) {
        #expect(ExactDecimal(double)?.description == text)
    }

    @Test func `the largest and the smallest doubles are numbers`() {
        for double in [
            Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude,
        ] {
            #expect(ExactDecimal(double)?.doubleValue == double)
            #expect(ExactDecimal(-double)?.doubleValue == -double)
        }
    }

    @Test func `a literal is the number that it writes`() {
        let written: [(ExactDecimal, String)] = [
            (0, "0"), (-5, "-5"), (12_300, "12300"), (12.50, "12.5"), (-0.1, "-0.1"),
            (1e-3, "0.001"), (123_456_789.012_345, "123456789.012345"),
            (9_223_372_036_854_775_807, "9223372036854775807"),
            (-9_223_372_036_854_775_808, "-9223372036854775808"),
        ]
        for (number, text) in written {
            #expect(number.description == text)
            #expect(number == ExactDecimal(literal: text))
        }
    }

    @Test func `only whole numbers of a unit fit it`() throws {
        let number = try #require(ExactDecimal(literal: "12.34"))
        #expect(number.units(places: 2) == 1_234)
        #expect(number.units(places: 3) == 12_340)
        #expect(number.units(places: 1) == nil)
        #expect(ExactDecimal(literal: "999999999999999999")?.units(places: 2) == nil)
    }

    /// The products are those of Python's `decimal`.
    @Test(
        arguments: [
            ("13.3", 1_609_344, "21404.2752"), ("1", 1_609_344, "1609.344"),
            ("0.000125", 1_609_344, "0.201168"), ("12.5", 1_000_000, "12500"),
            ("0", 1_609_344, "0"), ("-2.5", 1_609_344, "-4023.36"),
            ("5000000000000", 1_609_344, "8046720000000000"),
            ("9999999999999", 1_609_344, nil), ("0.0000000000000001", 1_609_344, nil),
            ("1234567890123456789012", 1_000, nil),
        ] as [(String, Int64, String?)]
    )
    func `a product is exact or there is none`(
        number: String,
        thousandths: Int64,
        product: String?
    ) {
        let found = ExactDecimal(literal: number)?.multiplied(byThousandths: thousandths)
        #expect(found?.description == product)
    }
}
