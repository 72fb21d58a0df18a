import Synchronization

/// The places for those who follow the stream.
final class StreamSeats: Sendable {
    /// How many may follow at a time.
    private let count: Int

    private let taken = Atomic(0)
    private let onLastLeft: @Sendable () -> Void

    /// Creates free places.
    ///
    /// - Parameters:
    ///   - count: How many may follow at a time.
    ///   - onLastLeft: Told when the last follower has gone.
    init(_ count: Int = 512, onLastLeft: @escaping @Sendable () -> Void = {}) {
        self.count = count
        self.onLastLeft = onLastLeft
    }

    /// A place, which is free again when nothing refers to it any more.
    final class Seat: Sendable {
        private let seats: StreamSeats

        fileprivate init(_ seats: StreamSeats) {
            self.seats = seats
        }

        deinit {
            if seats.taken.subtract(1, ordering: .relaxed).newValue == 0 { seats.onLastLeft() }
        }
    }

    /// Takes a place; `nil` if there is none.
    func take() -> Seat? {
        guard taken.add(1, ordering: .relaxed).newValue <= count else {
            taken.subtract(1, ordering: .relaxed)
            return nil
        }
        return Seat(self)
    }
}
