public import TripEvents

extension Trip {
    /// When the ledger stored the events of a trip.
    public struct Recorded: Hashable, Sendable {
        /// When it stored the first of them.
        public var firstAt: Timestamp

        /// When it stored the last of them.
        public var lastAt: Timestamp

        /// Creates the span from `firstAt` to `lastAt`.
        public init(firstAt: Timestamp, lastAt: Timestamp) {
            self.firstAt = firstAt
            self.lastAt = lastAt
        }

        /// Widens the span to include `instant`.
        @inline(__always)
        mutating func include(_ instant: Timestamp) {
            if instant > lastAt {
                lastAt = instant
            } else if instant < firstAt {
                firstAt = instant
            }
        }
    }
}
