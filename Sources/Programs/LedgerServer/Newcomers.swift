import NIOCore
import Synchronization

/// The connections on which no token has been shown yet: there are fewer of them than connections,
/// so that those who only connect leave places for those who deliver.
///
/// If there are too many, the one ends that is the oldest: a client that has a token shows it at
/// once.
final class Newcomers: Sendable {
    private struct Newcomer: Sendable {
        let number: UInt64
        let channel: any Channel
    }

    private struct State: Sendable {
        var lastNumber: UInt64 = 0
        var all: [ObjectIdentifier: Newcomer] = [:]
    }

    private let most: Int
    private let state = Mutex(State())

    /// Prepares for connections.
    ///
    /// - Parameter most: How many there may be at a time.
    init(most: Int) {
        self.most = most
    }

    /// Adds a connection that has just begun, until it has shown a token or is over.
    func add(_ channel: any Channel) {
        let identity = ObjectIdentifier(channel)
        let oldest = state.withLock { state -> (any Channel)? in
            var oldest: Newcomer?
            if state.all.count >= most {
                oldest = state.all.values.min { $0.number < $1.number }
                if let oldest { state.all[ObjectIdentifier(oldest.channel)] = nil }
            }
            state.lastNumber += 1
            state.all[identity] = Newcomer(number: state.lastNumber, channel: channel)
            return oldest?.channel
        }
        oldest?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in self.remove(identity) }
    }

    /// Forgets a connection on which a token was shown that is of use, or the owner asks.
    func remove(_ channel: any Channel) {
        remove(ObjectIdentifier(channel))
    }

    private func remove(_ identity: ObjectIdentifier) {
        state.withLock { _ = $0.all.removeValue(forKey: identity) }
    }
}
