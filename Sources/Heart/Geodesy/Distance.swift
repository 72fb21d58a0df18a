/// A length on the ground in whole millimetres, so that sums are exact, whatever their order.
public struct Distance: Hashable, Comparable, AdditiveArithmetic, Sendable {
    /// The length in millimetres.
    public let millimeters: Int64

    /// No distance at all.
    public static let zero = Distance(millimeters: 0)

    /// Creates a length of `millimeters`.
    @inlinable
    public init(millimeters: Int64) {
        self.millimeters = millimeters
    }

    /// The length in metres, for showing; sums are made in millimetres.
    @inlinable
    public var meters: Double {
        Double(millimeters) / 1_000
    }

    /// Returns the sum of two lengths.
    @inlinable
    public static func + (left: Distance, right: Distance) -> Distance {
        Distance(millimeters: left.millimeters + right.millimeters)
    }

    /// Returns the difference of two lengths.
    @inlinable
    public static func - (left: Distance, right: Distance) -> Distance {
        Distance(millimeters: left.millimeters - right.millimeters)
    }

    /// Returns whether one length is shorter than another.
    @inlinable
    public static func < (left: Distance, right: Distance) -> Bool {
        left.millimeters < right.millimeters
    }
}

extension Distance {
    /// Creates the length in whole millimetres that is nearest to `meters`, which is not negative.
    @inlinable
    init(roundingMeters meters: Double) {
        self.init(millimeters: Int64(meters * 1_000 + 0.5))
    }
}
