import DriveSimulation
import TestSupport
import Testing

@testable import TripEvents

@Suite struct NearestNamesTests {
    // MARK: Laws

    @Test(arguments: Seeds.fresh(200))
    func `a word is as far from another one as that is from it, and no word is nearer than itself`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let (first, second) = (Self.word(&random), Self.word(&random))
        let distance = NearestNames.editDistance(first, second)
        #expect(distance == NearestNames.editDistance(second, first))
        #expect((distance == 0) == (first == second))
        #expect(distance <= max(first.count, second.count))
        #expect(distance >= abs(first.count - second.count))
    }

    @Test(arguments: Seeds.fresh(200))
    func `one letter more, less, other or exchanged with the next is one change`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let word = Self.word(&random) + "ab"
        let index = Int(random.next() % UInt64(word.count - 1))
        var changed = word
        switch random.next() % 4 {
        case 0: changed.insert("z", at: index)
        case 1: changed.remove(at: index)
        case 2: changed[index] = "z"
        default: changed.swapAt(index, index + 1)
        }
        #expect(NearestNames.editDistance(word, changed) == (word == changed ? 0 : 1))
    }

    @Test(arguments: Seeds.fresh(100))
    func `one or two known names are meant, and a known one means itself`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let known = (0...20).map { _ in String(Self.word(&random)) }.filter { !$0.isEmpty }
        for name in known { #expect(NearestNames(to: name, among: known).names == [name]) }
        let meant = NearestNames(to: String(Self.word(&random)), among: known).names
        #expect(meant.count <= 2)
        #expect(Set(meant).isSubset(of: known))
    }

    // MARK: Examples

    @Test(
        arguments: [
            ("buisness", ["business"]),
            ("trps", ["trips"]),
            ("TRIPS", ["trips"]),
            ("trp", ["trip"]),
            ("tr", ["trip"]),
            ("busin", ["business"]),
            ("tripx", ["trips", "trip"]),
            ("x", []),
            ("", []),
            ("nonsense", []),
        ]
    )
    func `a name that was mistyped or begun means the nearest ones`(
        written: String,
        meant: [String]
    ) {
        let known = ["trips", "trip", "business", "go"]
        #expect(NearestNames(to: written, among: known).names == meant)
    }

    @Test func `people are asked for one or two names`() {
        #expect(
            NearestNames(to: "tripx", among: ["trips", "trip"]).question
                == "Did you mean 'trips' or 'trip'?"
        )
        #expect(
            NearestNames(to: "tirps", among: ["trips", "go"]).question
                == "Did you mean 'trips'?"
        )
        #expect(NearestNames(to: "nonsense", among: ["trips", "go"]).question == nil)
    }

    /// Few letters, so that words are often near one another.
    private static func word(_ random: inout SplitMix64) -> [Character] {
        (0..<random.next() % 9).map { _ in "abc"[Int(random.next() % 3)] }
    }
}

extension String {
    fileprivate subscript(index: Int) -> Character { self[self.index(startIndex, offsetBy: index)] }
}
