import TripEvents

/// The turns at a desk that serves one at a time.
///
/// A client that is refused waits in line, in the order of arrival, as long as it keeps asking. A
/// client that is served keeps the others out while the desk works for it, and then for a time that
/// begins once and that nothing renews. After that, the desk serves the first in line, and begins
/// nothing else until then.
package struct DeskLine: Sendable {
    /// How long a client that was served keeps the others out after that.
    private static let turn = Duration.seconds(300)

    /// The time after which a client that was refused is to ask again.
    package static let pause = Duration.seconds(30)

    /// How long a client that does not ask again keeps its place in line.
    private static let patience = Duration.seconds(120)

    /// The most that wait.
    private static let most = 64

    /// What happens at the desk.
    package enum Desk: Sendable {
        /// Nothing.
        case free

        /// It works for a client.
        case busy(for: String)

        /// It has worked for a client, and had first finished at that instant.
        case served(String, at: ContinuousClock.Instant)
    }

    private var waiting: [(name: NameKey, until: ContinuousClock.Instant)] = []

    /// Creates a line in which nothing waits.
    package init() {}

    /// Admits a client, or notes that it waits.
    ///
    /// - Parameters:
    ///   - name: The name of the client that asks.
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

    /// Removes a client that no longer waits.
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

    /// Returns whether the client that was served may request more work.
    ///
    /// - Parameters:
    ///   - since: When it was served first.
    ///   - now: The present.
    /// - Returns: Whether its turn has not ended, or no other client waits.
    package func goesOn(
        servedAt since: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> Bool {
        now < since + Self.turn || !waiting.contains { $0.until > now }
    }
}
