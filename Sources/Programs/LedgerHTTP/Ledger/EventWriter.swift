import Platform
import ServerStore
import ServiceLifecycle
package import TripEvents
package import TripLedger

/// Decisions that are asked for together.
package struct AskedDecisions: Sendable {
    /// The decisions.
    package private(set) var requests: [DecisionRequest]

    /// Who decides, of those that do not say it.
    package private(set) var actor: String?

    /// The part of the ledger that the deciding client sees.
    package private(set) var sight: Sight

    /// Whether the one who decides may be told what trips and readings say.
    let mayRead: Bool

    /// The corrections of readings that others may have made.
    let corrections: ReadingCorrections

    /// The last position that the asker knows; `nil` if it does not matter what came after it.
    package var seen: UInt64?

    /// The number of entries that the log must hold; `nil` for any number.
    package var expectedSize: UInt64?

    /// Asks for some decisions.
    package init(
        requests: [DecisionRequest],
        by access: Access,
        seen: UInt64? = nil,
        expectedSize: UInt64? = nil
    ) {
        self.requests = requests
        actor = access.actor
        sight = access.sight
        mayRead = access.mayRead
        var corrections = access.noCorrections
        for request in requests { corrections.add(request) }
        self.corrections = corrections
        self.seen = seen
        self.expectedSize = expectedSize
    }

    /// Asks for the decisions in events of one person; other events are left out.
    ///
    /// They get the time of storing, with the intervals of the events: a repeat under the same id
    /// is recognised although the clock has moved, and another token may send it.
    ///
    /// - Throws: `Problem` if the person may not make one of them.
    package init(sayingAsNow events: [TripEvent], by access: Access) throws(Problem) {
        let first = events.first?.occurredAt
        self.init(
            requests: events.compactMap { event in
                guard let decision = LedgerDecision(event.body) else { return nil }
                var request = DecisionRequest(decision, id: event.id, for: event.group)
                request.source = access.source(toDecide: decision.kind)
                request.supplement = event.supplement
                request.delayMilliseconds =
                    first.map { event.occurredAt.milliseconds(since: $0) } ?? 0
                return request
            },
            by: access
        )
        for request in requests { try access.require(toDecide: request) }
    }
}

/// The only part of the server that appends to the ledger: one thread, which stores all deliveries
/// that wait in one commit and answers them after it.
///
/// It does not wait for more to come: while one commit is under way, the next one collects.
package final class EventWriter: Service {
    /// Work to store, and the caller that waits for the answer.
    private struct Waiting: Sendable {
        let work: Work
        let weight: Int
        let answer: CheckedContinuation<Outcome?, Never>
    }

    /// The result of one commit: work with its outcomes, which are sent once the replica has the
    /// entries, too.
    private struct Stored: Sendable {
        let answers: [(waiting: Waiting, outcome: Outcome)]

        /// When it was stored: the wait for the replica begins then.
        let time: ContinuousClock.Instant
    }

    /// The work to store.
    private enum Work: Sendable {
        /// Facts, and decisions that were made elsewhere.
        case delivery(Delivery, if: TripCondition?, correcting: ReadingCorrections?)

        /// Decisions that are made now.
        case decisions(AskedDecisions)
    }

    /// The outcome of the work.
    private enum Outcome: Sendable {
        /// The answer of the ledger.
        case stored(Result<DeliveryAnswer, LedgerError>)

        /// Nothing was stored, because a trip was changed at a position.
        case changed(UInt64)

        /// Nothing was stored, because the asker may not make one of the corrections.
        case refused(ReadingCorrections.Correction)

        /// The outcome of decisions, with the log's head after the commit.
        case decided(Result<(DecisionEnding, LedgerHead), LedgerError>)

        /// Why it failed; `nil` if it did not, or only because the log had grown.
        var failure: LedgerError? {
            let failure: LedgerError? =
                switch self {
                case .stored(.failure(let error)), .decided(.failure(let error)): error
                case .stored(.success), .decided(.success), .changed, .refused: nil
                }
            return failure?.code == .sizeMoved ? nil : failure
        }

        /// The size of the log up to which everything lies that the answer reports as stored; 0 if
        /// it reports nothing.
        var neededSize: UInt64 {
            let positions: [UInt64?] =
                switch self {
                case .stored(.success(let answer)): answer.receipts.map(\.receipt.storedPosition)
                case .decided(.success((.decided(let outcomes), _))):
                    outcomes.map(\.receipt.storedPosition)
                case .stored(.failure), .decided, .changed, .refused: []
                }
            return positions.compactMap(\.self).max().map { $0 + 1 } ?? 0
        }
    }

    private let ledger: Ledger

    /// One large delivery of each token waits at a time; there is room for those of a few tokens.
    private let mailbox = Mailbox<Waiting>(mostWeight: 4 * Delivery.mostItems)

    /// Stored work that waits for the replica, while the next commits go on.
    private let unconfirmed = Mailbox<Stored>(mostWeight: Delivery.mostItems)

    /// Asks the replica; `nil` if answers do not wait for it.
    private let confirmation: ReplicaConfirmation?

    /// Told after each commit, on the thread that appends.
    private let onCommit: @Sendable () -> Void

    private let metrics: Metrics

    /// Prepares to append to a ledger.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - metrics: Counts what is stored.
    ///   - timeout: How long an answer waits for the replica to have its entries; `nil` if the disk
    ///     is enough.
    ///   - onCommit: Called after each commit, on the thread that appends.
    package init(
        to ledger: Ledger,
        _ metrics: Metrics,
        confirmedWithin timeout: Duration? = nil,
        onCommit: @escaping @Sendable () -> Void
    ) {
        confirmation = timeout.map { ReplicaConfirmation(of: ledger, timeout: $0) }
        self.ledger = ledger
        self.metrics = metrics
        self.onCommit = onCommit
    }

    /// Stores deliveries until the server ends, and before that those that wait.
    ///
    /// The server ends first, so that no request waits for an answer that does not come.
    package func run() async throws {
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

    /// Stores events and returns the answers to them.
    ///
    /// A caller that goes away meanwhile changes nothing: they are stored.
    ///
    /// - Parameters:
    ///   - delivery: The events.
    ///   - condition: The condition under which they are stored.
    ///   - corrections: The corrections in them of readings that others may have made.
    /// - Returns: The answers, once what was stored is durable.
    /// - Throws: `Problem` if it is not known that they are stored; they can be sent again then.
    package func store(
        _ delivery: Delivery,
        if condition: TripCondition? = nil,
        correcting corrections: ReadingCorrections? = nil
    ) async throws(Problem) -> DeliveryAnswer {
        let work = Work.delivery(
            delivery,
            if: condition,
            correcting: corrections.flatMap { $0.isEmpty ? nil : $0 }
        )
        switch await outcome(of: work, delivery.items.count) {
        case .stored(.success(let answer)): return answer
        case .stored(.failure(let error)), .decided(.failure(let error)): throw Problem(error)
        case .changed(let position): throw .tripChanged(at: position)
        case .refused(let correction): throw .otherReading(correction)
        case .decided(.success), nil: throw .busy
        }
    }

    /// Checks decisions against the ledger as it then is, stores them, and returns their outcomes.
    ///
    /// - Throws: `Problem` if one is refused, or it is not known that they are stored; they can be
    ///   sent again then.
    package func decide(
        _ asked: AskedDecisions
    ) async throws(Problem) -> (outcomes: [DecisionOutcome], head: LedgerHead) {
        let (ending, head) = try await ask(asked)
        switch ending {
        case .decided(let outcomes): return (outcomes, head)
        case .refused(let index, let refusal): throw .refused(refusal, index)
        case .changed(let position): throw .tripChanged(at: position)
        }
    }

    /// Does the same, and returns which one is refused.
    ///
    /// One who may not read is told the code of a refusal, and nothing of the trips or readings
    /// that are its reason.
    ///
    /// - Throws: `Problem` if it is not known that they are stored; they can be sent again then.
    package func ask(
        _ asked: AskedDecisions
    ) async throws(Problem) -> (ending: DecisionEnding, head: LedgerHead) {
        switch await outcome(of: .decisions(asked), asked.requests.count) {
        case .decided(.success((.refused(let index, let refusal), let head)))
        where !asked.mayRead:
            return (.refused(index, refusal.withoutReason), head)
        case .decided(.success((let ending, let head))): return (ending, head)
        case .stored(.failure(let error)), .decided(.failure(let error)): throw Problem(error)
        case .changed(let position): throw .tripChanged(at: position)
        case .refused(let correction): throw .otherReading(correction)
        case .stored(.success), nil: throw .busy
        }
    }

    private func outcome(of work: Work, _ count: Int) async -> Outcome? {
        await withCheckedContinuation { answer in
            let weight = max(1, count)
            let waiting = Waiting(work: work, weight: weight, answer: answer)
            if !mailbox.post(waiting, weight: weight) {
                answer.resume(returning: nil)
            }
        }
    }

    /// How many events wait to be stored.
    package var waitingEventCount: Int { mailbox.waitingWeight }

    /// Runs on the thread.
    private func storeAll() {
        var lastFailure = ""
        let confirmer = confirmation.flatMap { confirmation in
            WorkerThread { [self] in
                var lastFailure = ""
                while case let waiting = unconfirmed.take(upToWeight: .max), !waiting.isEmpty {
                    var held: UInt64 = 0
                    for stored in waiting {
                        answer(stored, confirmedBy: confirmation, &held, &lastFailure)
                    }
                }
            }
        }
        defer {
            unconfirmed.close()
            confirmer?.join()
        }
        while case let waiting = mailbox.take(upToWeight: Delivery.mostItems), !waiting.isEmpty {
            let start = ContinuousClock.now
            let answers = outcomes(of: waiting)
            note(answers, took: .now - start)
            onCommit()
            let stored = Stored(
                answers: zip(waiting, answers).map { (waiting: $0, outcome: $1) },
                time: .now
            )
            let count = waiting.reduce(0) { $0 + $1.weight }
            if confirmer != nil, unconfirmed.post(stored, weight: count) { continue }
            // If too much waits, no more is stored until some of it is confirmed.
            var held: UInt64 = 0
            answer(stored, confirmedBy: confirmation, &held, &lastFailure)
        }
    }

    /// Answers what is stored, once the replica has it if that is asked for.
    ///
    /// - Parameters:
    ///   - stored: What one commit stored.
    ///   - confirmation: Asks the replica; `nil` if the disk is enough.
    ///   - held: How many entries the replica has, as far as that is known.
    ///   - lastFailure: The last complaint.
    private func answer(
        _ stored: Stored,
        confirmedBy confirmation: ReplicaConfirmation?,
        _ held: inout UInt64,
        _ lastFailure: inout String
    ) {
        var missing: LedgerError?
        let size = stored.answers.map { $0.outcome.neededSize }.max() ?? 0
        if let confirmation, size > held {
            do throws(LedgerError) {
                held = try confirmation.wait(upTo: size, since: stored.time)
            } catch {
                missing = error
            }
        }
        for (waiting, stored) in stored.answers {
            var outcome = stored
            if let missing, outcome.neededSize > 0 { outcome = .stored(.failure(missing)) }
            if let error = outcome.failure {
                // A full disk is reported once, not for each repeated request.
                if "\(error)" != lastFailure { ServerLog.complain("\(error)") }
                lastFailure = "\(error)"
            } else {
                lastFailure = ""
            }
            waiting.answer.resume(returning: outcome)
        }
    }

    /// Stores the waiting work: all deliveries without a condition together, up to one with a
    /// condition or a decision.
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
            case .delivery(let delivery, if: nil, correcting: nil): together.append(delivery)
            case .delivery(let delivery, if: let condition, correcting: let corrections):
                storeTogether()
                outcomes.append(outcome(of: delivery, if: condition, correcting: corrections))
            case .decisions(let asked):
                storeTogether()
                outcomes.append(outcome(of: asked))
            }
        }
        storeTogether()
        return outcomes
    }

    /// Stores a delivery if its conditions hold for the log that it is appended to.
    private func outcome(
        of delivery: Delivery,
        if condition: TripCondition?,
        correcting corrections: ReadingCorrections?
    ) -> Outcome {
        do throws(LedgerError) {
            while true {
                var delivery = delivery
                let size = try ledger.head().size
                if let position = try condition?.change(in: ledger) { return .changed(position) }
                if let refused = try corrections?.refused(in: ledger, asOf: WallClock.now) {
                    return .refused(refused)
                }
                // If another process appends meanwhile, the conditions are checked again.
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

    /// Makes decisions if their corrections are allowed in the present state of the log.
    private func outcome(of asked: AskedDecisions) -> Outcome {
        guard !asked.corrections.isEmpty else {
            return .decided(Result { () throws(LedgerError) in try decide(asked) })
        }
        do throws(LedgerError) {
            while true {
                var bound = asked
                let size = try ledger.head().size
                if let refused = try asked.corrections.refused(in: ledger, asOf: WallClock.now) {
                    return .refused(refused)
                }
                // If another process appends meanwhile, the conditions are checked again.
                bound.expectedSize = asked.expectedSize ?? size
                do throws(LedgerError) {
                    return .decided(.success(try decide(bound)))
                } catch  where error.code == .sizeMoved && asked.expectedSize == nil {}
            }
        } catch {
            return .decided(.failure(error))
        }
    }

    /// Decides, on the thread that appends.
    private func decide(
        _ asked: AskedDecisions
    ) throws(LedgerError) -> (DecisionEnding, LedgerHead) {
        let zone = ledger.clock?.zone
        let ending = try ledger.decide(
            asked.requests,
            by: asked.actor,
            unlessAfter: asked.seen,
            expectedSize: asked.expectedSize,
            seenBy: asked.sight,
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
            case .stored(.failure), .decided, .changed, .refused: break
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
    package struct NoThread: Error {}
}

extension LedgerError {
    /// The same refusal without its reason, which may tell of trips and readings.
    fileprivate var withoutReason: LedgerError {
        LedgerError(
            code,
            at: "",
            cause: "the ledger, as it is now, does not take this decision",
            hint: "Send it with a token that has the scope read too, which is told the reason"
        )
    }
}
