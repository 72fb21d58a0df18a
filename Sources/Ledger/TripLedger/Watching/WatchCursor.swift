/// The place of a notification among all that a watch tells: another watch goes on after it.
///
/// Notifications follow from what some entries change together, so it names these entries and how
/// many of their notifications were told: read together again, they give the same ones.
public struct WatchCursor: Hashable, Sendable, LosslessStringConvertible {
    /// The size of the log before the entries.
    public let from: UInt64

    /// The size of the log after them.
    public let upTo: UInt64

    /// How many of the notifications that follow from them were told.
    public let told: UInt64

    init(from: UInt64, upTo: UInt64, told: Int) {
        (self.from, self.upTo, self.told) = (from, upTo, UInt64(told))
    }

    /// Reads a cursor as it is written; `nil` for other texts.
    public init?(_ text: String) {
        let numbers = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "." }
            .compactMap { UInt64($0) }
        // Written in another way, it would be another text for the same place.
        guard numbers.count == 3, numbers[0] <= numbers[1],
            "\(numbers[0])-\(numbers[1]).\(numbers[2])" == text
        else { return nil }
        let (from, upTo, told) = (numbers[0], numbers[1], numbers[2])
        (self.from, self.upTo, self.told) = (from, upTo, told)
    }

    /// The sizes of the log and the number: `1041-1297.3`.
    public var description: String { "\(from)-\(upTo).\(told)" }
}
