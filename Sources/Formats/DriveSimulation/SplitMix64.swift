/// A small seeded generator: the same seed gives the same numbers on every machine.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator whose whole sequence follows from `seed`.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    /// Returns a number in `range`, the same in every version of the standard library.
    ///
    /// Source: Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019),
    /// without its last step: the ranges here are so small that the bias cannot be seen.
    mutating func integer(in range: ClosedRange<Int>) -> Int {
        let count = UInt64(range.upperBound - range.lowerBound + 1)
        return range.lowerBound + Int(next().multipliedFullWidth(by: count).high)
    }
}

extension SplitMix64 {
    /// Returns whether something happens that does so `permille` times of a thousand.
    mutating func happens(permille: Int) -> Bool {
        integer(in: 0...999) < permille
    }

    /// Returns a number in `range`, in steps of a 2^53rd of its width.
    mutating func number(in range: ClosedRange<Double>) -> Double {
        let share = Double(next() >> 11) / 9_007_199_254_740_992
        return range.lowerBound + share * (range.upperBound - range.lowerBound)
    }

    /// Returns one of some equally likely elements.
    mutating func element<Element>(of elements: [Element]) -> Element {
        elements[integer(in: 0...elements.count - 1)]
    }

    /// Returns a number with mean 0 and deviation 1, nearly normal, at most 3.5 either side.
    ///
    /// It is the sum of four uniform ones, which needs no function that machines round differently.
    mutating func deviation() -> Double {
        let bits = next()
        let sum =
            (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        return (Double(sum) - 131_070) / 37_837.2
    }
}
