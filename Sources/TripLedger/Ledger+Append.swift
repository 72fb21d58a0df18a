import EventStore
public import TripEvents

extension Ledger {
    /// Appends events in one transaction and answers each.
    ///
    /// - Parameters:
    ///   - events: Valid events, in order of arrival.
    ///   - now: When the ledger stores them.
    /// - Throws: `.damaged` or `.inputOutput`; then nothing was appended, unless the hint says that
    ///   the outcome is unknown.
    public func append(
        _ events: [TripEvent],
        now: Timestamp
    ) throws(LedgerError) -> [Receipt] {
        var batch = EntryBatch()
        for event in events {
            let encoded = event.encoded
            let id = Array((event.id ?? "").utf8)
            batch.append(
                sourceIndex: batch.index(ofSource: event.source),
                kind: encoded.kind,
                form: encoded.form.rawValue,
                occurredAt: event.occurredAt.milliseconds,
                id: id.span,
                payload: encoded.payload.span
            )
        }
        var random = BufferedRandom()
        let result = try append(batch, recordedAt: now, randomness: &random)
        var receipts: [Receipt] = []
        for (index, outcome) in result.outcomes.enumerated() {
            switch outcome {
            case .appended(let position):
                receipts.append(.appended(position: position))
            case .duplicate(let position):
                receipts.append(.duplicate(of: position))
            case .conflict(let position):
                let fields = try difference(batch, index, position)
                receipts.append(.conflict(with: position, fields: fields))
            case .tooLarge:
                receipts.append(
                    .rejected(
                        Rejection(.entryTooLong, sentence: "The event needs too many bytes.")
                    )
                )
            }
        }
        return receipts
    }

    /// Appends a batch and names new sources after the catalogue.
    func append(
        _ batch: borrowing EntryBatch,
        recordedAt: Timestamp,
        conditions: AppendConditions = AppendConditions(),
        randomness: inout BufferedRandom
    ) throws(LedgerError) -> AppendResult {
        try LedgerError.translating(at: path) {
            try log.append(
                batch,
                recordedAt: recordedAt.milliseconds,
                conditions: conditions,
                registration: EntryContent.registration,
                randomness: &randomness
            )
        }
    }

    /// Returns the names of the fields in which an event of a batch differs from a stored one.
    func difference(
        _ batch: borrowing EntryBatch,
        _ index: Int,
        _ position: UInt64
    ) throws(LedgerError) -> [String] {
        let candidate = batch[index]
        let name = batch.sources[candidate.sourceIndex]
        let offered = try? TripEvent(
            decoding: candidate.payload,
            kind: candidate.kind,
            form: PayloadForm(rawValue: candidate.form),
            source: name,
            occurredAt: Timestamp(milliseconds: candidate.occurredAt),
            id: String(validating: candidate.id)
        )
        let stored = try LedgerError.translating(at: path) {
            try log.withEntry(at: position) { try StoredEvent($0, at: position, sourceName: name) }
        }
        guard let offered, let stored else { return [] }
        return EventDifference(stored.event, offered).names
    }
}
