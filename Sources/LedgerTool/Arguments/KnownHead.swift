import ArgumentParser
import Proofs
import TripLedger

/// A head as an argument: its size, a colon and its root as 64 hexadecimal digits.
struct KnownHead: ExpressibleByArgument {
    /// The head.
    let head: LedgerHead

    init(_ head: LedgerHead) {
        self.head = head
    }

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let size = UInt64(parts[0]),
            let root = Digest(hexadecimal: String(parts[1]))
        else { return nil }
        head = LedgerHead(size: size, root: root.description)
    }

    /// The head as an argument.
    var argument: String { "\(head.size):\(head.root)" }
}
