/// Why a file is no export, or not an undamaged one.
struct ExportDamage: Error, Hashable, CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    let description: String

    /// Whether it is something else than an export that this program reads: that says nothing about
    /// whether anybody has changed it.
    let isForeign: Bool

    /// What is said of an export that is not made to be read again.
    static let cloudEvents =
        "it holds CloudEvents, not the bytes that are hashed: export it as jsonl or as tiles"

    /// Creates a reason.
    init(_ description: String, isForeign: Bool = false) {
        self.description = description
        self.isForeign = isForeign
    }
}
