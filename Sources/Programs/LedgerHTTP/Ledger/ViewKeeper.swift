import Platform
import ServiceLifecycle
import Synchronization
import TripEvents
package import TripLedger

/// Brings the views up to date once the log has grown or time has ended a trip, and tells those who
/// wait for changes.
///
/// Each reader brings the views up to date for itself, so this serves those who wait: while there
/// are any, it looks right after each commit of this process, and once a second for entries of
/// other processes. Otherwise it looks once a second, so that readers find little to do.
package final class ViewKeeper: Service {
    /// The current positions of devices that have not delivered everything yet.
    package let present = PresentPositions()

    private let reader: LedgerReader
    private let nudges: AsyncStream<Void>
    private let nudger: AsyncStream<Void>.Continuation

    /// A follower who waits, and until when.
    private struct Waiting: Sendable {
        let looks: AsyncStream<Void>.Continuation
        let standing: StandingAccess
    }

    private struct State: Sendable {
        var subscribers: [Int: Waiting] = [:]
        var lastSubscriber = 0
        var knownSize: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Keeps the views of the ledger that is read.
    package init(reader: LedgerReader) {
        self.reader = reader
        (nudges, nudger) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Notes that this process has appended something, or knows where a device is.
    package func nudge() {
        guard state.withLock({ !$0.subscribers.isEmpty }) else { return }
        nudger.yield()
    }

    /// Keeps the views until the server is to end.
    package func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [nudger] in
                while (try? await Task.sleep(for: .seconds(1))) != nil { nudger.yield() }
            }
            group.addTask { [self] in
                while (try? await Task.sleep(for: StandingAccess.pause)) != nil { letGo() }
            }
            group.addTask { [self] in
                for await _ in nudges.cancelOnGracefulShutdown() { await look() }
            }
            await group.next()
            group.cancelAll()
        }
        state.withLock { state in
            for subscriber in state.subscribers.values { subscriber.looks.finish() }
        }
    }

    /// Releases those whose tokens have changed since they began to wait.
    private func letGo() {
        let waiting = state.withLock { $0.subscribers.values.map(\.self) }
        for waiting in waiting where !waiting.standing.holds { waiting.looks.finish() }
    }

    private func look() async {
        let (isAwaited, knownSize) = state.withLock { (!$0.subscribers.isEmpty, $0.knownSize) }
        // Errors are reported to those who ask.
        guard let size = await reader.look({ try $0.head().size }),
            isAwaited || size != knownSize,
            let seen = await reader.look({ try $0.read(asOf: WallClock.now) { $0.head.size } })
        else { return }
        state.withLock { state in
            state.knownSize = seen
            for subscriber in state.subscribers.values { subscriber.looks.yield() }
        }
    }

    /// Reads from a snapshot whose feed has begun.
    ///
    /// - Parameters:
    ///   - sight: The part that the asker sees; the rest is not there.
    ///   - body: Reads.
    /// - Returns: What `body` returned.
    /// - Throws: `Problem`.
    package func readFeed<Result: Sendable>(
        seenBy sight: Sight,
        _ body: @escaping @Sendable (borrowing Snapshot, FeedHead) throws -> Result
    ) async throws(Problem) -> Result {
        func read() async throws(Problem) -> Result? {
            try await reader.read(seenBy: sight) { snapshot in
                guard let head = try snapshot.feedHead() else { return nil }
                return try body(snapshot, head)
            }
        }
        if let result = try await read() { return result }
        let ledger = reader.ledger
        try await reader.run { try ledger.beginFeed() }
        // The feed is missing again only if the views were deleted in between.
        guard let result = try await read() else { throw .busy }
        return result
    }
}

// MARK: - Waiting

extension ViewKeeper {
    /// A follower who waits for changes.
    package struct Subscriber: Sendable {
        fileprivate let number: Int

        /// Yields whenever something may have changed, at least once a second, until the server is
        /// to end or the follower's token is no longer valid for it.
        ///
        /// It MUST be iterated over once.
        package let looks: AsyncStream<Void>
    }

    /// How many wait.
    package var subscriberCount: Int { state.withLock { $0.subscribers.count } }

    /// Begins to wait for changes.
    ///
    /// - Parameter standing: The access of the one who waits, which is checked again at least once
    ///   a second.
    /// - Returns: The follower.
    package func subscribe(while standing: StandingAccess) -> Subscriber {
        let (looks, continuation) = AsyncStream<Void>
            .makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastSubscriber += 1
            state.subscribers[state.lastSubscriber] = Waiting(
                looks: continuation,
                standing: standing
            )
            return state.lastSubscriber
        }
        return Subscriber(number: number, looks: looks)
    }

    /// Stops waiting for changes.
    package func unsubscribe(_ subscriber: Subscriber) {
        let waiting = state.withLock { $0.subscribers.removeValue(forKey: subscriber.number) }
        waiting?.looks.finish()
    }
}
