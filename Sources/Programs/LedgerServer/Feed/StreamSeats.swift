import ServerStore
import Synchronization

/// The places for those who follow something, of which no holder of a token takes all.
final class StreamSeats: Sendable {
    private let taken: Mutex<SharedAmount>
    private let onLastLeft: @Sendable () -> Void

    /// Creates free places.
    ///
    /// - Parameters:
    ///   - count: How many may follow at a time.
    ///   - countEach: How many of them with one token.
    ///   - onLastLeft: Told when the last follower has gone.
    init(
        _ count: Int = 512,
        each countEach: Int = 64,
        onLastLeft: @escaping @Sendable () -> Void = {}
    ) {
        taken = Mutex(SharedAmount(most: count, mostEach: countEach))
        self.onLastLeft = onLastLeft
    }

    /// A place, which is free again when nothing refers to it any more.
    final class Seat: Sendable {
        private let seats: StreamSeats
        private let holder: String

        fileprivate init(_ seats: StreamSeats, _ holder: String) {
            self.seats = seats
            self.holder = holder
        }

        deinit {
            let isLast = seats.taken.withLock { taken in
                taken.give(1, for: holder)
                return taken.isUntouched
            }
            if isLast { seats.onLastLeft() }
        }
    }

    /// Takes a place.
    ///
    /// - Parameter holder: Who follows: the name of the token, or `nil` for the owner, and if it
    ///   does not matter.
    /// - Returns: The place; `nil` if there is none.
    func take(for holder: String? = nil) -> Seat? {
        let holder = holder ?? ""
        return taken.withLock({ $0.take(1, for: holder) }) ? Seat(self, holder) : nil
    }
}
