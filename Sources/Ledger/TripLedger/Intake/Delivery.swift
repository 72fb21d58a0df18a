import EventStore
package import TripEvents

/// Events that a sender handed over together.
package struct Delivery: Sendable {
    /// The most items of a delivery, blank ones too: as many as fit into one transaction.
    package static let mostItems = Batch.maximumCount

    /// One event of it.
    package struct Item: Sendable {
        /// The range of its line of JSON, or the reason why there is none.
        package var line: Result<Range<Int>, Rejection>

        /// The members of the line that its sender has left to others, such as the time: an event
        /// that differs from a stored one in nothing else is a repeat.
        package var filledIn: Set<String> = []

        /// Its position in another ledger, if it comes from one.
        package var peerPosition: UInt64 = 0

        /// The number of its event among those that were read before; `nil` if its line is to be
        /// read.
        package var readEvent: Int?

        /// Creates an item.
        package init(_ line: Result<Range<Int>, Rejection>) {
            self.line = line
        }
    }

    /// The bytes that lines are in.
    package let bytes: [UInt8]

    /// The events, in their order; items of nothing but white space do not count.
    package let items: [Item]

    /// The events whose lines need no reading.
    let readEvents: ReadEvents

    /// The ledger that the events were received from, if they come from one.
    package var peer: PeerHead?

    /// The number of entries that the log must hold before; `nil` for any number.
    package var expectedSize: UInt64?

    /// The group of the sources of all events, which need not name it and MUST NOT name another;
    /// `nil` if each may name its own.
    package var group: String?

    /// Whether one event that cannot be stored keeps the others of the delivery out.
    package var isAllOrNothing = false

    /// Creates a delivery.
    ///
    /// - Parameters:
    ///   - items: At most ``mostItems``.
    ///   - bytes: The bytes that hold their lines.
    ///   - readEvents: The events that items name by their numbers.
    package init(
        _ items: [Item],
        in bytes: [UInt8],
        _ readEvents: ReadEvents = ReadEvents()
    ) {
        precondition(items.count <= Self.mostItems, "a delivery fits into one transaction")
        self.items = items
        self.bytes = bytes
        self.readEvents = readEvents
    }

    /// Whether its storing does not depend on other deliveries, so that it can share a transaction.
    private var standsForItself: Bool { expectedSize == nil && !isAllOrNothing }

    /// Returns the deliveries in runs, each of which can be one transaction.
    static func runs(of deliveries: [Delivery]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (index, delivery) in deliveries.enumerated() {
            if delivery.standsForItself, let last = runs.last,
                deliveries[last.lowerBound].standsForItself
            {
                runs[runs.count - 1] = last.lowerBound..<(index + 1)
            } else {
                runs.append(index..<(index + 1))
            }
        }
        return runs
    }
}

/// Events whose lines were read before they were handed over, so that no line is read twice.
package struct ReadEvents: Sendable {
    /// The events, with what their lines say of their sources.
    private(set) var batch = EntryBatch()

    /// Creates an empty collection.
    package init() {}

    /// Adds the event that a reader has just read, and returns its number.
    ///
    /// - Returns: `nil` if its line is to be read again: the group that it names, or members that
    ///   its type does not have, are looked at when it is stored, and so is a decision.
    package mutating func add(_ candidate: borrowing EventCandidate) -> Int? {
        guard candidate.group == nil, candidate.extraNames.isEmpty,
            !candidate.kind.mayHaveNoEffect
        else { return nil }
        batch.append(candidate, sourceIndex: batch.index(ofSource: candidate.source))
        return batch.count - 1
    }
}

/// The answer to a delivery; true on disk.
package struct DeliveryAnswer: Hashable, Sendable {
    /// The answers to its lines, in order, naming no file; a blank line has none.
    package var receipts: [LineReceipt] = []

    /// The sums over its events, with the log's head after the commit.
    package var summary: IntakeSummary
}

extension Ledger {
    /// Appends deliveries in their order, as many as possible in one transaction, and answers each.
    ///
    /// The log and the answers are the same as for one delivery after the other, except for the
    /// instants of recording.
    ///
    /// - Parameters:
    ///   - deliveries: Lines of events.
    ///   - now: When the ledger stores them.
    ///   - mostSources: How many sources the ledger may have afterwards.
    /// - Returns: The answer to each delivery; or an error if the outcome is unknown or nothing was
    ///   stored, and then it can be sent again.
    package func append(
        _ deliveries: [Delivery],
        now: Timestamp,
        mostSources: Int = Ledger.mostSourcesOfOthers
    ) -> [Result<DeliveryAnswer, LedgerError>] {
        var answers: [Result<DeliveryAnswer, LedgerError>] = []
        answers.reserveCapacity(deliveries.count)
        for run in Delivery.runs(of: deliveries) {
            let together = deliveries[run]
            do throws(LedgerError) {
                answers += try appendTogether(together, now, mostSources).map { .success($0) }
            } catch  where error.code == .tooManySources && together.count > 1 {
                // One sender's new names are no reason to refuse what others sent.
                for delivery in together {
                    answers += append([delivery], now: now, mostSources: mostSources)
                }
            } catch {
                answers += together.map { _ in .failure(error) }
            }
        }
        return answers
    }

    private func appendTogether(
        _ deliveries: ArraySlice<Delivery>,
        _ now: Timestamp,
        _ mostSources: Int
    ) throws(LedgerError) -> [DeliveryAnswer] {
        let replies = Replies(count: deliveries.count)
        var options = IntakeOptions()
        options.mostSources = mostSources
        options.expectedSize = deliveries.first?.expectedSize
        options.isAllOrNothing = deliveries.first?.isAllOrNothing == true
        let sums = try LedgerError.translating(at: path) {
            var intake = try Intake(
                into: self,
                options,
                now: { now },
                onAnswer: replies.add
            )
            for delivery in deliveries {
                intake.begin(
                    "",
                    from: delivery.peer.map { .peer($0) },
                    group: delivery.group
                )
                for (number, item) in delivery.items.enumerated() {
                    if let event = item.readEvent {
                        try intake.take(
                            event,
                            of: delivery.readEvents,
                            record: number + 1,
                            rememberedAs: item.peerPosition
                        )
                        continue
                    }
                    switch item.line {
                    case .success(let range):
                        let line = delivery.bytes.span.extracting(range)
                        try intake.take(
                            line,
                            of: number + 1,
                            rememberedAs: item.peerPosition,
                            recordedAt: now
                        )
                    case .failure(let rejection):
                        try intake.refuse(rejection, excerpt: "", of: number + 1)
                    }
                }
            }
            try intake.finish()
            return intake.summary
        }
        let decisions = Set(sums.decisions)
        return zip(deliveries, replies.byDelivery).map { $0.answer($1, sums.head, decisions) }
    }
}

extension Delivery {
    /// Returns what became of it.
    ///
    /// - Parameters:
    ///   - receipts: The answers to its lines.
    ///   - head: The log's head after the commit.
    ///   - decisions: The positions of decisions that may have no effect, its own and others'.
    /// - Returns: The answers, and their sums.
    fileprivate func answer(
        _ receipts: [LineReceipt],
        _ head: LedgerHead,
        _ decisions: Set<UInt64>
    ) -> DeliveryAnswer {
        var answer = DeliveryAnswer(summary: IntakeSummary(head: head))
        answer.receipts.reserveCapacity(receipts.count)
        for var line in receipts {
            line.receipt = line.receipt.disregarding(items[line.line - 1].filledIn)
            answer.summary.count(line.receipt, withExtra: line.extra.names)
            answer.summary.count(line.extra.misspellings)
            if !decisions.isEmpty, case .appended(let position) = line.receipt,
                decisions.contains(position)
            {
                answer.summary.noteDecision(at: position)
            }
            answer.receipts.append(line)
        }
        for _ in receipts.count..<items.count { answer.summary.countBlankLine() }
        return answer
    }
}

/// The answers to lines, as they come from an intake.
private final class Replies {
    private(set) var byDelivery: [[LineReceipt]]

    init(count: Int) {
        byDelivery = Array(repeating: [], count: count)
    }

    func add(_ delivery: Int, _ answer: LineReceipt) {
        byDelivery[delivery].append(answer)
    }
}
