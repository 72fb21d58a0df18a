/// Where an entry stands that was not later than all before it from its source.
package struct LateEntry: Hashable, Sendable {
    /// When it happened: milliseconds since 1970.
    package let occurredAt: Int64

    /// What tells late entries of one instant apart.
    let digest: UInt64

    /// Its position.
    package let position: UInt64
}
