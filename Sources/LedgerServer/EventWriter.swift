import Platform
import ServiceLifecycle
import TripEvents
import TripLedger

/// Decisions that are asked for together.
struct AskedDecisions: Sendable {
    /// The decisions.
    var requests: [DecisionRequest]

    /// Who decides, of those that do not say it.
    var actor: String?

    /// The last position that the asker knows; `nil` if it does not matter what came after it.
    var seen: UInt64?

    /// The number of entries that the log must hold; `nil` for any number.
    var expectedSize: UInt64?
}

/// The only part of the server that appends to the ledger: one thread, which stores all deliveries
/// that wait in one commit and answers them after it.
///
/// It does not wait for more to come: while one commit is under way, the next one collects.
final class EventWriter: Service {
    /// What is to be stored, and who waits for the answer.
    private struct Waiting: Sendable {
        let work: Work
        let answer: CheckedContinuation<Outcome?, Never>
    }

    /// What is to be stored.
    private enum Work: Sendable {
        /// Facts, and decisions that were made elsewhere.
        case delivery(Delivery, if: TripCondition?)

        /// What is decided now.
        case decisions(AskedDecisions)
    }

    /// What became of it.
    private enum Outcome: Sendable {
        /// The answer of the ledger.
        case stored(Result<DeliveryAnswer, LedgerError>)

        /// Nothing was stored, as a trip was changed at a position.
        case changed(UInt64)

        /// What became of decisions, with the log's head after the commit.
        case decided(Result<(DecisionEnding, LedgerHead), LedgerError>)

        /// Why it failed, if it did for another reason than that the log had moved on.
        var failure: LedgerError? {
            let failure: LedgerError? =
                switch self {
                case .stored(.failure(let error)), .decided(.failure(let error)): error
                case .stored(.success), .decided(.success), .changed: nil
                }
            return failure?.code == .sizeMoved ? nil : failure
        }
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
        switch await outcome(of: .delivery(delivery, if: condition), delivery.items.count) {
        case .stored(.success(let answer)): return answer
        case .stored(.failure(let error)), .decided(.failure(let error)): throw Problem(error)
        case .changed(let position): throw .tripChanged(at: position)
        case .decided(.success), nil: throw .busy
        }
    }

    /// Checks decisions against the ledger as it then is, stores them, and says what became of
    /// them.
    ///
    /// - Throws: `Problem` if one is refused, or it is not known that they are stored; they can be
    ///   sent again then.
    func decide(
        _ asked: AskedDecisions
    ) async throws(Problem) -> (outcomes: [DecisionOutcome], head: LedgerHead) {
        switch await outcome(of: .decisions(asked), asked.requests.count) {
        case .decided(.success((let ending, let head))):
            switch ending {
            case .decided(let outcomes): return (outcomes, head)
            case .refused(let index, let refusal): throw .refused(refusal, index)
            case .changed(let position): throw .tripChanged(at: position)
            }
        case .stored(.failure(let error)), .decided(.failure(let error)): throw Problem(error)
        case .changed(let position): throw .tripChanged(at: position)
        case .stored(.success), nil: throw .busy
        }
    }

    private func outcome(of work: Work, _ count: Int) async -> Outcome? {
        await withCheckedContinuation { answer in
            if !mailbox.post(Waiting(work: work, answer: answer), weight: max(1, count)) {
                answer.resume(returning: nil)
            }
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
                if let error = answer.failure {
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

    /// Stores what waits: all that has no condition together, up to what has one or is a decision.
    private func outcomes(of waiting: [Waiting]) -> [Outcome] {
        var outcomes: [Outcome] = []
        var together: [Delivery] = []
        func storeTogether() {
            guard !together.isEmpty else { return }
            outcomes += ledger.append(together, now: WallClock.now).map { .stored($0) }
            together = []
        }
        for waiting in waiting {
            switch waiting.work {
            case .delivery(let delivery, if: nil): together.append(delivery)
            case .delivery(let delivery, if: let condition?):
                storeTogether()
                outcomes.append(outcome(of: delivery, if: condition))
            case .decisions(let asked):
                storeTogether()
                outcomes.append(.decided(Result { () throws(LedgerError) in try decide(asked) }))
            }
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

    /// Decides, on the thread that appends.
    private func decide(
        _ asked: AskedDecisions
    ) throws(LedgerError) -> (DecisionEnding, LedgerHead) {
        let zone = try? TimeZoneRules.ofMachine(named: ledger.founding.timeZone)
        let ending = try ledger.decide(
            asked.requests,
            by: asked.actor,
            unlessAfter: asked.seen,
            expectedSize: asked.expectedSize,
            now: EventTime(WallClock.now, utcOffset: zone?.utcOffset(at: WallClock.now))
        )
        return (ending, try ledger.head())
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
            case .decided(.success((.decided(let outcomes), _))):
                appended += outcomes.count {
                    if case .appended = $0.receipt { true } else { false }
                }
            case .stored(.failure), .decided, .changed: break
            }
            isFailed = isFailed || answer.failure != nil
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
