import ArgumentParser
import Proofs
import TripLedger

/// A head that a person kept, as an argument: the file of a signed one, or size and root as a
/// report prints them.
enum NamedHead: ExpressibleByArgument {
    /// Size and root, without a signature.
    case written(LedgerHead)

    /// The name of a file with a signed head; `-` is standard input.
    case file(String)

    /// Reads `SIZE:ROOT`, and everything else as the name of a file.
    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        if let known = KnownHead(argument: argument) {
            self = .written(known.head)
        } else {
            self = .file(argument)
        }
    }

    /// Returns the head, with its signatures if it has any.
    ///
    /// - Throws: `LedgerError.unreadableInput`.
    func read() throws(LedgerError) -> (head: LedgerHead, signed: SignedHead?) {
        switch self {
        case .written(let head): return (head, nil)
        case .file(let name):
            let signed = try HandedOverFile.head(name)
            let root = signed.head.root.description
            return (LedgerHead(size: signed.head.size, root: root), signed)
        }
    }
}
