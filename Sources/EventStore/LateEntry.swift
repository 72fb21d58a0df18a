/// The position of a late entry: one that is not later than all before it from its source.
package struct LateEntry: Hashable, Sendable {
    /// When it happened: milliseconds since 1970.
    package let occurredAt: Int64

    /// The last part of the key, which differs among late entries of one time.
    let digest: UInt64

    /// Its position.
    package let position: UInt64
}
