import Proofs

/// A root as a person gave it, perhaps typed from paper.
///
/// A hash has no check digits of its own. But no log can be made whose root is nearly the one of
/// another log, so a root that has nearly all digits of the log's was mistyped.
struct TypedRoot {
    /// The fewest equal digits, of 64, that cannot be chance.
    private static let fewestSame = 48

    private let digits: [UInt8]

    /// Takes over 64 hexadecimal digits.
    init(_ root: String) {
        digits = Array(root.utf8)
    }

    /// Returns that the count beside the root was mistyped, as a sentence without a full stop;
    /// `nil` if the root is not that of the log, or the count is its own.
    ///
    /// No log has the root of a longer or a shorter one.
    func mistake(inCount count: UInt64, for head: TreeHead) -> String? {
        guard count != head.size, digits == Array(head.root.description.utf8) else { return nil }
        return "the root that was given is that of \(head.size) entries, so that the count "
            + "\(count) was mistyped. Compare it with the paper"
    }

    /// Returns what was mistyped, as a sentence without a full stop; `nil` if it is the root of the
    /// log or quite another one.
    func mistake(for root: Digest) -> String? {
        let own = Array(root.description.utf8)
        let same = zip(digits, own).count { $0 == $1 }
        guard digits.count == own.count, same < own.count, same >= Self.fewestSame else {
            return nil
        }
        return "the root that was given has \(same) of the \(own.count) digits of the log's, as no "
            + "other log's root has, so that it was mistyped. Compare it with the paper"
    }
}
