import Platform
import ServiceLifecycle
import TripLedger

/// The only part of the server that appends to the ledger: one thread, which stores all deliveries
/// that wait in one commit and answers them after it.
///
/// It does not wait for more to come: while one commit is under way, the next one collects.
final class EventWriter: Service {
    /// A delivery, and who waits for its answer.
    private struct Waiting: Sendable {
        let delivery: Delivery
        let condition: TripCondition?
        let answer: CheckedContinuation<Outcome?, Never>
    }

    /// What became of a delivery.
    private enum Outcome: Sendable {
        /// The answer of the ledger.
        case stored(Result<DeliveryAnswer, LedgerError>)

        /// Nothing was stored, as a trip was changed at a position.
        case changed(UInt64)
    }

    private let ledger: Ledger
    private let mailbox = Mailbox<Waiting>(mostWeight: Delivery.mostItems)

    /// Told after each commit, on the thread that appends.
    private let onCommit: @Sendable () -> Void

    private let metrics: Metrics

    init(
        to ledger: Ledger,
        _ metrics: Metrics,
        onCommit: @escaping @Sendable () -> Void
    ) {
        self.ledger = ledger
        self.metrics = metrics
        self.onCommit = onCommit
    }

    /// Stores deliveries until the server ends, and before that those that wait.
    ///
    /// The server ends first, so that no request waits for an answer that does not come.
    func run() async throws {
        var thread: WorkerThread<Void>?
        await withTaskCancellationOrGracefulShutdownHandler {
            await withCheckedContinuation { ended in
                thread = WorkerThread { [self] in
                    storeAll()
                    ended.resume()
                }
                if thread == nil { ended.resume() }
            }
        } onCancelOrGracefulShutdown: { [mailbox] in
            mailbox.close()
        }
        guard thread != nil else { throw NoThread() }
    }

    /// Stores events and says what became of them.
    ///
    /// A caller that goes away meanwhile changes nothing: they are stored.
    ///
    /// - Parameters:
    ///   - delivery: The events.
    ///   - condition: What must be so, or else nothing is stored.
    /// - Throws: `Problem` if it is not known that they are stored; they can be sent again then.
    func store(
        _ delivery: Delivery,
        if condition: TripCondition? = nil
    ) async throws(Problem) -> DeliveryAnswer {
        let answer = await withCheckedContinuation { answer in
            let waiting = Waiting(delivery: delivery, condition: condition, answer: answer)
            if !mailbox.post(waiting, weight: max(1, delivery.items.count)) {
                answer.resume(returning: nil)
            }
        }
        switch answer {
        case .stored(.success(let answer)): return answer
        case .stored(.failure(let error)): throw Problem(error)
        case .changed(let position): throw .tripChanged(at: position)
        case nil: throw .busy
        }
    }

    /// How many events wait to be stored.
    var waitingEventCount: Int { mailbox.waitingWeight }

    /// Runs on the thread.
    private func storeAll() {
        var lastFailure = ""
        while case let waiting = mailbox.take(upToWeight: Delivery.mostItems), !waiting.isEmpty {
            let start = ContinuousClock.now
            let answers = outcomes(of: waiting)
            note(answers, took: .now - start)
            onCommit()
            for (waiting, answer) in zip(waiting, answers) {
                if case .stored(.failure(let error)) = answer, error.code != .sizeMoved {
                    // A full disk is said once, and not for each of the requests that come again.
                    if "\(error)" != lastFailure { ServeProgram.complain("\(error)") }
                    lastFailure = "\(error)"
                } else {
                    lastFailure = ""
                }
                waiting.answer.resume(returning: answer)
            }
        }
    }

    /// Stores what waits: all that has no condition together, up to one that has.
    private func outcomes(of waiting: [Waiting]) -> [Outcome] {
        var outcomes: [Outcome] = []
        var together: [Delivery] = []
        func storeTogether() {
            guard !together.isEmpty else { return }
            outcomes += ledger.append(together, now: WallClock.now).map { .stored($0) }
            together = []
        }
        for waiting in waiting {
            guard let condition = waiting.condition else {
                together.append(waiting.delivery)
                continue
            }
            storeTogether()
            outcomes.append(outcome(of: waiting.delivery, if: condition))
        }
        storeTogether()
        return outcomes
    }

    /// Stores a delivery if its condition holds for the log that it is appended to.
    private func outcome(of delivery: Delivery, if condition: TripCondition) -> Outcome {
        do throws(LedgerError) {
            while true {
                var delivery = delivery
                let size = try ledger.head().size
                if let position = try condition.change(in: ledger) { return .changed(position) }
                // Another process may append meanwhile; then it is looked at again.
                delivery.expectedSize = delivery.expectedSize ?? size
                let isOwnSize = delivery.expectedSize == size
                let answer = ledger.append([delivery], now: WallClock.now)[0]
                if case .failure(let error) = answer, error.code == .sizeMoved, isOwnSize {
                    continue
                }
                return .stored(answer)
            }
        } catch {
            return .stored(.failure(error))
        }
    }

    /// Counts what was stored.
    private func note(
        _ answers: [Outcome],
        took duration: Duration
    ) {
        var (appended, isFailed) = (0, false)
        for answer in answers {
            switch answer {
            case .stored(.success(let answer)): appended += answer.summary.appended
            case .stored(.failure(let error)): isFailed = isFailed || error.code != .sizeMoved
            case .changed: break
            }
        }
        metrics.note(
            commitThatTook: duration,
            appending: UInt64(clamping: appended),
            isFailed: isFailed
        )
    }

    /// The system has no thread left for the writer.
    struct NoThread: Error {}
}
