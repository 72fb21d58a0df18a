/// What must hold for a batch to be appended.
package struct AppendConditions: Hashable, Sendable {
    /// The number of entries the log must hold before, if the caller cares (optimistic
    /// concurrency).
    package var expectedSize: UInt64?

    /// Whether one event that cannot be stored keeps all others out.
    package var isAllOrNothing: Bool

    /// Creates conditions; without arguments there are none.
    package init(expectedSize: UInt64? = nil, isAllOrNothing: Bool = false) {
        self.expectedSize = expectedSize
        self.isAllOrNothing = isAllOrNothing
    }
}
