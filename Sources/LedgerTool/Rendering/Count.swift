/// A number with its noun.
enum Count {
    /// Returns `1 entry` or `2 entries`.
    static func text(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
