import TripEvents

/// An amount that all holders of tokens share, and of which no holder can take so much that none is
/// left for the others.
package struct SharedAmount: Sendable {
    /// How much there is for all together.
    private let most: Int

    /// The most that one holder has.
    private let mostEach: Int

    /// How much is kept for those who have little.
    private let kept: Int

    /// The most that a holder has who has little.
    private let little: Int

    private var taken = 0
    private var each: [NameKey: Int] = [:]

    /// Creates an amount of which nothing is taken.
    ///
    /// - Parameters:
    ///   - most: How much there is for all together.
    ///   - mostEach: The most that one holder has.
    ///   - kept: How much of it is kept for those who have little.
    ///   - little: The most that a holder has who has little.
    package init(most: Int, mostEach: Int, kept: Int = 0, forThoseWithUpTo little: Int = 0) {
        self.most = most
        self.mostEach = mostEach
        self.kept = kept
        self.little = little
    }

    /// Whether nothing is taken.
    package var isUntouched: Bool { taken == 0 }

    /// Takes some of it.
    ///
    /// - Parameters:
    ///   - amount: How much.
    ///   - holder: Who takes it.
    /// - Returns: Whether it was there; if not, nothing was taken.
    package mutating func take(_ amount: Int, for holder: String) -> Bool {
        let key = NameKey(holder)
        let own = each[key, default: 0] + amount
        guard own <= mostEach, taken + amount <= (own <= little ? most : most - kept) else {
            return false
        }
        each[key] = own
        taken += amount
        return true
    }

    /// Gives some of it back, which MUST have been taken.
    package mutating func give(_ amount: Int, for holder: String) {
        let key = NameKey(holder)
        let own = each[key, default: 0] - amount
        precondition(own >= 0, "more is given back than was taken")
        // Those who have nothing are forgotten, so that the memory does not fill with them.
        each[key] = own > 0 ? own : nil
        taken -= amount
    }
}
