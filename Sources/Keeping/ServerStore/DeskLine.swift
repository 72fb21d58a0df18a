import TripEvents

/// The turns at a desk that serves one at a time.
///
/// One that is refused waits in line, in the order of coming, as long as it asks again at times.
/// One who is served keeps the others out while the desk works for it, and then for a time that
/// begins once and that nothing renews. After that the first in line takes the place, and until
/// then nothing else is begun there.
package struct DeskLine: Sendable {
    /// How long one that was served keeps the others out after that.
    private static let turn = Duration.seconds(300)

    /// The time after which one that was refused is to ask again.
    package static let pause = Duration.seconds(30)

    /// How long the place of one in line is kept that does not ask again.
    private static let patience = Duration.seconds(120)

    /// The most that wait.
    private static let most = 64

    /// What happens at the desk.
    package enum Desk: Sendable {
        /// Nothing.
        case free

        /// It works for one.
        case busy(for: String)

        /// It has worked for one, first until then.
        case served(String, at: ContinuousClock.Instant)
    }

    private var waiting: [(name: NameKey, until: ContinuousClock.Instant)] = []

    /// Creates a line in which nothing waits.
    package init() {}

    /// Lets one in, or takes note that it waits.
    ///
    /// - Parameters:
    ///   - name: The name of the one that asks.
    ///   - desk: What happens at the desk.
    ///   - now: The present.
    /// - Returns: Whether it has the desk from now on; its turn begins when it has been served.
    package mutating func admits(
        _ name: String,
        to desk: Desk,
        at now: ContinuousClock.Instant
    ) -> Bool {
        waiting.removeAll { $0.until <= now }
        let key = NameKey(name)
        let (isFree, isOwn) =
            switch desk {
            case .free: (true, false)
            case .busy(let holder): (false, NameKey(holder) == key)
            case .served(let holder, let since):
                (NameKey(holder) == key || now >= since + Self.turn, NameKey(holder) == key)
            }
        if isFree, waiting.first.map({ $0.name == key }) ?? true {
            waiting.removeAll { $0.name == key }
            return true
        }
        // One that is served does not wait for itself.
        if !isOwn { wait(key, until: now + Self.patience) }
        return false
    }

    /// Lets one go that waits no more.
    package mutating func leave(_ name: String) {
        let key = NameKey(name)
        waiting.removeAll { $0.name == key }
    }

    private mutating func wait(_ name: NameKey, until end: ContinuousClock.Instant) {
        if let index = waiting.firstIndex(where: { $0.name == name }) {
            waiting[index].until = end
        } else if waiting.count < Self.most {
            waiting.append((name, end))
        }
    }

    /// Returns whether the one that was served may have more done.
    ///
    /// - Parameters:
    ///   - since: When it was served first.
    ///   - now: The present.
    /// - Returns: Whether it is in its turn, or nothing waits.
    package func goesOn(
        servedAt since: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> Bool {
        now < since + Self.turn || !waiting.contains { $0.until > now }
    }
}
