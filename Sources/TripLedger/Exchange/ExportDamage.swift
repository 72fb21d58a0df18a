/// Why a file is no export, or not an undamaged one.
struct ExportDamage: Error, Hashable, CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    let description: String

    /// Creates a reason.
    init(_ description: String) {
        self.description = description
    }
}
