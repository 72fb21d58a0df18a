extension Distance {
    /// Creates the length in whole millimetres that is nearest to `meters`, which is not negative.
    @inlinable
    init(roundingMeters meters: Double) {
        self.init(millimeters: Int64(meters * 1_000 + 0.5))
    }
}
