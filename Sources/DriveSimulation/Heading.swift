/// A direction of travel in hundredths of a degree from true north, 0 … 35,999.
struct Heading: Hashable, Sendable {
    static let fullTurn = 36_000
    static let halfTurn = 18_000

    static let north = Heading(hundredths: 0)
    static let east = Heading(hundredths: 9_000)
    static let south = Heading(hundredths: 18_000)
    static let west = Heading(hundredths: 27_000)

    let hundredths: Int

    /// Creates a heading from any number of hundredths of a degree.
    init(hundredths: Int) {
        let rest = hundredths % Self.fullTurn
        self.hundredths = rest < 0 ? rest + Self.fullTurn : rest
    }

    /// Returns the hundredths of a degree to turn right to reach `other`, −18,000 … 17,999.
    func turn(to other: Heading) -> Int {
        Heading(hundredths: other.hundredths - hundredths + Self.halfTurn).hundredths
            - Self.halfTurn
    }

    /// Returns the part of `length` that leads north.
    func north(of length: Int) -> Int {
        Heading(hundredths: hundredths + Self.halfTurn / 2).east(of: length)
    }

    /// Returns the part of `length` that leads east.
    ///
    /// The sine is Bhaskara I's, 4x(180 − x) ÷ (40,500 − x(180 − x)) for x degrees, at most 0.0017
    /// off: whole numbers give the same road on every machine.
    /// Source: Bhaskara I, "Mahabhaskariya", about 629, chapter 7.
    func east(of length: Int) -> Int {
        let isWest = hundredths > Self.halfTurn
        let angle = isWest ? hundredths - Self.halfTurn : hundredths
        let product = angle * (Self.halfTurn - angle)
        let part = length * 4 * product / (405_000_000 - product)
        return isWest ? -part : part
    }
}
