import HTTPTypes
import LedgerHTTP
import TripLedger

/// A place in the feed of changes, as readers keep it.
struct FeedCursor: Sendable {
    /// The epoch of its feed.
    let epoch: UInt64

    /// The number of the last change that the reader knows.
    let number: UInt64

    /// Says up to where a feed was read.
    init(_ head: FeedHead, _ number: UInt64) {
        epoch = head.epoch
        self.number = number
    }

    /// Reads a cursor, or returns `nil` if a text is none.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = UInt64(parts[0], radix: Self.radix),
            let number = UInt64(parts[1])
        else { return nil }
        self.epoch = epoch
        self.number = number
    }

    /// The cursor as text.
    var text: String { "\(String(epoch, radix: Self.radix))-\(number)" }

    /// Whether it is of a feed that has come so far.
    func isOf(_ head: FeedHead) -> Bool { epoch == head.epoch && number <= head.last }

    private static let radix = 16
}

extension Problem {
    /// The feed that the cursor is of is not there any more.
    static let cursorGone = Problem(
        kind: "cursor-gone",
        status: .gone,
        title: "The changes since then are not known any more",
        detail: "Read them from the beginning, without cursor, and drop rows that do not come."
    )
}
