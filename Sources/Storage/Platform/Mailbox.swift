/// A queue in which many threads leave messages for one thread, which takes all that wait.
///
/// The one that takes them waits on its thread; those that leave them never wait.
// @unchecked because the lock guards every variable.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
    private let lock = ConditionLock()
    private let mostWeight: Int

    // Guarded by `lock`.
    private var waiting: [(message: Message, weight: Int)] = []
    private var weight = 0
    private var isClosed = false

    /// Creates an empty mailbox.
    ///
    /// - Parameter mostWeight: It takes no more messages when those in it weigh that much.
    package init(mostWeight: Int) {
        self.mostWeight = mostWeight
    }

    /// Leaves a message, or returns `false` if the mailbox is full or closed.
    ///
    /// A heavy message needs no more room than a light one, or it would always find too little.
    package func post(_ message: Message, weight: Int) -> Bool {
        lock.withLock {
            guard !isClosed, self.weight < mostWeight else { return false }
            waiting.append((message, weight))
            self.weight += weight
            lock.broadcast()
            return true
        }
    }

    /// How much the waiting messages weigh together.
    package var waitingWeight: Int { lock.withLock { weight } }

    /// Waits until there is a message, and takes those that came first; none after the last.
    ///
    /// - Parameter limit: The most that they may weigh together; one of them is taken in any case.
    /// - Returns: The messages in the order in which they came; empty once it is closed and read.
    package func take(upToWeight limit: Int) -> [Message] {
        lock.withLock {
            while waiting.isEmpty, !isClosed { lock.wait() }
            var count = 0
            var taken = 0
            while count < waiting.count, count == 0 || taken + waiting[count].weight <= limit {
                taken += waiting[count].weight
                count += 1
            }
            let messages = waiting[..<count].map(\.message)
            waiting.removeFirst(count)
            weight -= taken
            return messages
        }
    }

    /// Lets no more messages in; those that wait are still taken.
    package func close() {
        lock.withLock {
            isClosed = true
            lock.broadcast()
        }
    }
}
