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
        let answer: CheckedContinuation<Result<DeliveryAnswer, LedgerError>?, Never>
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
    /// - Throws: `Problem` if it is not known that they are stored; they can be sent again then.
    func store(_ delivery: Delivery) async throws(Problem) -> DeliveryAnswer {
        let answer = await withCheckedContinuation { answer in
            let waiting = Waiting(delivery: delivery, answer: answer)
            if !mailbox.post(waiting, weight: max(1, delivery.items.count)) {
                answer.resume(returning: nil)
            }
        }
        switch answer {
        case .success(let answer): return answer
        case .failure(let error): throw Problem(error)
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
            let answers = ledger.append(waiting.map(\.delivery), now: WallClock.now)
            note(answers, took: .now - start)
            onCommit()
            for (waiting, answer) in zip(waiting, answers) {
                if case .failure(let error) = answer, error.code != .sizeMoved {
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

    /// Counts what was stored.
    private func note(
        _ answers: [Result<DeliveryAnswer, LedgerError>],
        took duration: Duration
    ) {
        var (appended, isFailed) = (0, false)
        for answer in answers {
            switch answer {
            case .success(let answer): appended += answer.summary.appended
            case .failure(let error): isFailed = isFailed || error.code != .sizeMoved
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
