import Synchronization
import TripEvents

/// The places for those who follow links, of which each link has no more than a few: a link that
/// many pass on keeps no other one waiting.
final class LinkSeats: Sendable {
    /// How many may follow one link at a time.
    private static let mostOfLink = 8

    private let seats: StreamSeats
    private let taken = Mutex<[NameKey: Int]>([:])

    /// Creates free places.
    ///
    /// - Parameter count: How many may follow at a time, all links together.
    init(_ count: Int) {
        seats = StreamSeats(count)
    }

    /// A place, which is free again when nothing refers to it any more.
    final class Seat: Sendable {
        private let link: NameKey
        private let links: LinkSeats
        private let seat: StreamSeats.Seat

        fileprivate init(of link: NameKey, _ links: LinkSeats, _ seat: StreamSeats.Seat) {
            self.link = link
            self.links = links
            self.seat = seat
        }

        deinit {
            links.leave(link)
        }
    }

    /// Takes a place for who follows a link.
    ///
    /// - Parameter link: The name of the link.
    /// - Returns: The place; `nil` if there is none.
    func take(for link: String) -> Seat? {
        let link = NameKey(link)
        let hasRoom = taken.withLock { taken in
            guard taken[link, default: 0] < Self.mostOfLink else { return false }
            taken[link, default: 0] += 1
            return true
        }
        guard hasRoom else { return nil }
        guard let seat = seats.take() else {
            leave(link)
            return nil
        }
        return Seat(of: link, self, seat)
    }

    private func leave(_ link: NameKey) {
        taken.withLock { taken in
            let left = taken[link, default: 1] - 1
            taken[link] = left > 0 ? left : nil
        }
    }
}
