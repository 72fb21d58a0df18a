/// A source as it is named by a token of a group, or by one of no group.
///
/// In the log a source has one group. But a delivery that is not an event yet may use any name: two
/// groups that use the same name mean two sources, so what is remembered of one says nothing about
/// the other.
package struct SourceKey: Hashable, Sendable {
    /// The name of the source.
    package let source: NameKey

    private let group: NameKey?

    /// Makes a key of the name of a source and a group; `nil` for the ledger's owner.
    package init(_ source: String, of group: String?) {
        self.source = NameKey(source)
        self.group = group.map { NameKey($0) }
    }
}
