/// What became of everything that was read.
public struct IntakeSummary: Hashable, Sendable {
    /// Lines read.
    public var read = 0

    /// Events stored.
    public var appended = 0

    /// Events that were there already.
    public var duplicate = 0

    /// Events whose id another event has.
    public var conflict = 0

    /// Lines that are no acceptable event.
    public var rejected = 0

    /// Events held back because all-or-nothing was asked for.
    public var heldBack = 0

    /// The log's head after the last commit.
    public var head: LedgerHead

    /// Creates a summary of nothing read.
    public init(head: LedgerHead) {
        self.head = head
    }

    /// Whether every line is in the log now.
    public var isComplete: Bool {
        conflict == 0 && rejected == 0 && heldBack == 0
    }

    /// Counts an answer.
    mutating func count(_ receipt: Receipt) {
        read += 1
        switch receipt {
        case .appended: appended += 1
        case .duplicate: duplicate += 1
        case .conflict: conflict += 1
        case .rejected: rejected += 1
        case .heldBack: heldBack += 1
        }
    }
}
