/// One group of sources, or the ledger's owner, whose sources are of no group: what is listed or
/// added up of it alone.
public struct GroupSelection: Hashable, Sendable {
    /// The group; `nil` for the owner.
    public let group: String?

    /// Selects a group, or the owner.
    public init(_ group: String?) {
        self.group = group
    }

    /// Returns whether something belongs to the group that was selected, byte by byte.
    public func includes(_ other: String?) -> Bool { group.hasSameBytes(as: other) }
}
