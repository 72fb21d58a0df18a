import DriveSimulation
import TestSupport
import Testing

@testable import LedgerKeeping

/// The excerpt of a changed figure differs from the excerpt of the right one.
@Suite struct FirstDifferenceTests {
    private static func difference(_ found: String, _ expected: String) -> FirstDifference? {
        FirstDifference(of: Array(found.utf8), from: Array(expected.utf8))
    }

    @Test func `the figure or word is shown, with its line`() throws {
        let cases: [(found: String, expected: String, line: Int, shown: (String, String))] = [
            ("a\nb 9.54 km\n", "a\nb 6.54 km\n", 2, ("\"9.54\"", "\"6.54\"")),
            (#"{"a":1725,"b":2}"#, #"{"a":725,"b":2}"#, 1, ("\"1725\"", "\"725\"")),
            ("a", "a b", 1, ("\"a\"", "\"a \"")),
            ("a ", "a  b", 1, ("nothing", "\" \"")),
            ("", "Mileage log", 1, ("nothing", "\"Mileage\"")),
            ("<td>9,69</td>", "<td>6,99</td>", 1, ("\"9,69\"", "\"6,99\"")),
            ("<td>6</td>", "<td>6,99</td>", 1, ("\"6\"", "\"6,99\"")),
            ("2025,6.99,x", "2025,9.69,x", 1, ("\"2025,6.99\"", "\"2025,9.69\"")),
            // The mark before a value is no part of it, unless it is what differs.
            ("x:1", "x[1", 1, ("\"x:1\"", "\"x[1\"")),
            (":1", "[1", 1, ("\":1\"", "\"[1\"")),
        ]
        for (found, expected, line, shown) in cases {
            let difference = try #require(Self.difference(found, expected))
            #expect(difference.line == line, "\(found)")
            #expect(difference.found == shown.0, "\(found)")
            #expect(difference.expected == shown.1, "\(found)")
        }
        #expect(Self.difference("same\n", "same\n") == nil)
    }

    @Test func `of a long word that part is shown that differs`() throws {
        let word = String(repeating: "<td>12.5</td>", count: 40)
        let changed = word.dropLast(9) + "3</td>" + word.suffix(3)
        let difference = try #require(Self.difference(String(changed), word))
        #expect(difference.found != difference.expected)
        #expect(difference.found.utf8.count < 50 && difference.expected.utf8.count < 50)
    }

    @Test func `bytes that look the same are shown as bytes`() throws {
        let difference = try #require(FirstDifference(of: [0x61, 0xFE], from: [0x61, 0xFF]))
        #expect(difference.found == "the byte 0xFE" && difference.expected == "the byte 0xFF")
    }

    @Test(arguments: Seeds.fresh(2))
    func `both excerpts differ, whatever was changed`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alphabet: [UInt8] = Array("ab019.,:[{\" \n<>".utf8) + [0xC2, 0xA0, 0xFF, 0xE2]
        for _ in 0..<2_000 {
            let expected = (0..<Int.random(in: 0..<120, using: &random))
                .compactMap { _ in
                    alphabet.randomElement(using: &random)
                }
            var found = expected
            let place = Int.random(in: 0...expected.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where place < found.count: found.remove(at: place)
            case 1 where place < found.count:
                found[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: found.insert(UInt8.random(in: 0...255, using: &random), at: place)
            }
            guard found != expected else { continue }
            let difference = try #require(FirstDifference(of: found, from: expected))
            #expect(difference.found != difference.expected, "seed \(seed): \(found), \(expected)")
        }
    }
}
