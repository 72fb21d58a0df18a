import Synchronization
import TripEvents

/// Lets each holder of a token do one thing at a time, in the order in which it was asked for;
/// other holders are not delayed.
package final class HolderTurns: Sendable {
    /// Those who wait, for each holder who has a turn.
    private let waiting = Mutex<[NameKey: [CheckedContinuation<Void, Never>]]>([:])

    /// Begins with no one waiting.
    package init() {}

    /// Does something when it is its holder's turn.
    ///
    /// - Parameters:
    ///   - holder: The holder.
    ///   - body: What is done.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    package func take<Result>(
        _ holder: String,
        _ body: () async throws(Problem) -> Result
    ) async throws(Problem) -> Result {
        let holder = NameKey(holder)
        await withCheckedContinuation { turn in
            let isFree = waiting.withLock { waiting in
                guard waiting[holder] != nil else {
                    waiting[holder] = []
                    return true
                }
                waiting[holder]?.append(turn)
                return false
            }
            if isFree { turn.resume() }
        }
        defer { pass(holder) }
        return try await body()
    }

    /// Hands the turn on to the next one that waits.
    private func pass(_ holder: NameKey) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard let first = waiting[holder]?.first else {
                waiting[holder] = nil
                return nil
            }
            waiting[holder]?.removeFirst()
            return first
        }
        next?.resume()
    }
}
