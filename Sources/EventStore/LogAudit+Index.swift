import LMDB
import Proofs

extension LogAudit {
    /// Compares what is stored about an entry beside it.
    mutating func auditIndexes(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        if entry.isTombstone { tally.erasures.note(entry, at: position) }
        if entry.source == 0 {
            auditOwn(entry, at: position, transaction)
            return
        }
        if entry.hasID {
            tally.idRows += 1
            let key = LogKey.id(entry.source, entry.id)
            if number(in: log.tables.ids, key, transaction) != position {
                report(.index, position, "its id is not in the index, or at another position")
            }
        }
        // What follows depends on every earlier event of the source.
        guard tally.isWhole else { return }
        guard entry.source <= tally.registeredSources else {
            report(.index, position, "source \(entry.source) is unknown")
            tally.isWhole = false
            return
        }
        let slot = Int(entry.source) - 1
        guard slot < tally.sources.count, !entry.isTombstone else { return }
        let occurredAt = entry.occurredAt
        guard tally.sources[slot].isInOrder(occurredAt) else {
            tally.sources[slot].noteLate()
            tally.lateRows += 1
            if !isIndexedAsLate(entry, at: position, transaction) {
                report(.index, position, "it is late and not in the index of late events")
            }
            return
        }
        guard tally.sources[slot].noteInOrder(occurredAt, position: position) else { return }
        tally.timeRows += 1
        let key = LogKey.moment(entry.source, occurredAt, position)
        if row(log.tables.times, key, transaction, { $0.isEmpty }) != true {
            report(.index, position, "its time is not in the index")
        }
    }

    /// Compares what the ledger itself said with what it concerns.
    private mutating func auditOwn(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        guard tally.isWhole else { return }
        switch entry.kind {
        case Self.registrationKind: auditRegistration(entry, at: position, transaction)
        case ErasureAudit.kind: auditErasure(entry, at: position, transaction)
        default: return
        }
    }

    private mutating func auditErasure(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        do {
            let fault = try tally.erasures.explain(
                entry,
                at: position,
                record: erasure,
                log.tables,
                transaction
            )
            if let fault { report(.entries, position, fault) }
        } catch {
            report(.entries, position, "the entries that it says were erased cannot be read")
        }
    }

    /// Compares what the log hashed about a source with what the tables say: a swapped name would
    /// change the identity of every event.
    private mutating func auditRegistration(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) {
        let number = tally.registeredSources + 1
        guard LogLimits.sourceNumbers.contains(number) else {
            report(.index, position, "it registers more sources than there can be")
            tally.isWhole = false
            return
        }
        tally.registeredSources = number
        guard let source = storedState(of: number, transaction)?.registered else {
            report(
                .index,
                position,
                "it registers source \(number), of which there is no sound state"
            )
            tally.isWhole = false
            return
        }
        tally.sources.append(SourceState(source))
        let expected = registration(number, source)
        guard entry.kind == expected.kind, entry.form == expected.form,
            entry.payload.hasSameBytes(as: expected.payload.span)
        else {
            report(
                .index,
                position,
                "it does not register source \(number) under its stored name"
            )
            return
        }
    }

    mutating func storedState(
        of source: UInt32,
        _ transaction: borrowing ReadTransaction
    ) -> SourceState? {
        row(log.tables.sources, LogKey.source(source), transaction) { SourceState($0) } ?? nil
    }

    private mutating func isIndexedAsLate(
        _ entry: EntryView,
        at position: UInt64,
        _ transaction: borrowing ReadTransaction
    ) -> Bool {
        var digest = entry.contentDigest
        while true {
            let key = LogKey.moment(entry.source, entry.occurredAt, digest)
            let found = row(log.tables.late, key, transaction) { LogValue.number($0) }
            guard let found else { return false }
            if found == position { return true }
            digest &+= 1
        }
    }

    mutating func number(
        in table: Table,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) -> UInt64? {
        row(table, key, transaction) { LogValue.number($0) } ?? nil
    }

    /// Returns what `read` makes of a row, or `nil` if there is none; a table that LMDB cannot read
    /// is reported once.
    mutating func row<Result>(
        _ table: Table,
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction,
        _ read: (Span<UInt8>) -> Result
    ) -> Result? {
        do throws(LMDBError) {
            guard let value = try transaction.get(table, key) else { return nil }
            return read(value)
        } catch {
            if unreadableTables.insert(table).inserted {
                report(.index, tally.position, "an index cannot be read: \(error.description)")
            }
            return nil
        }
    }

    /// Compares what is stored about the log as a whole; the last block has been read.
    mutating func auditEnd(_ transaction: borrowing ReadTransaction) throws {
        try auditState(transaction)
        if tally.isWhole {
            auditSources(transaction)
            try auditRowCounts(transaction)
            try auditErasures(transaction)
        }
        reportHeadsBeyondEnd()
    }

    private mutating func auditState(_ transaction: borrowing ReadTransaction) throws {
        let state = row(log.tables.state, LogState.key, transaction) { value in
            Result { () throws(EventLogError) in try LogState(value) }
        }
        let stored: LogState
        switch state {
        case nil: return report(.index, tally.position, "the log has no state")
        case .success(let state): stored = state
        case .failure(.notALog(let what)): return report(.index, tally.position, what)
        case .failure(let error): throw error
        }
        guard let frontier = tally.tree.frontier else {
            if stored.frontier.size != tally.position, !tally.isAfterDamage {
                report(
                    .entries,
                    min(stored.frontier.size, tally.position),
                    "the log says \(stored.frontier.size) entries, its blocks end at "
                        + "\(tally.position)"
                )
            }
            return
        }
        if stored.frontier != frontier {
            report(
                tally.isWhole ? .index : .entries,
                min(stored.frontier.size, frontier.size),
                "the log says \(stored.frontier.size) entries with root \(stored.frontier.root), "
                    + "its blocks give \(frontier.size) with \(frontier.root)"
            )
        } else if stored.lastRecordedAt != tally.lastRecordedAt {
            report(.index, frontier.size, "the log's last recorded_at is not its last entry's")
        }
    }

    private mutating func auditSources(_ transaction: borrowing ReadTransaction) {
        let end = tally.position
        for (index, expected) in tally.sources.enumerated() {
            guard let number = UInt32(exactly: index + 1) else { return }
            if storedState(of: number, transaction) != expected {
                report(.index, end, "the state of source \(number) is wrong")
            }
            let name = Array(expected.name.utf8)
            if self.number(in: log.tables.names, name, transaction) != UInt64(number) {
                report(.index, end, "the name of source \(number) leads elsewhere")
            }
        }
    }

    private mutating func auditRowCounts(_ transaction: borrowing ReadTransaction) throws {
        let tables = log.tables
        let sources = UInt64(tally.registeredSources)
        let expected = [
            ("tree", tables.tree, tally.position / MerkleFrontier.subtreeWidth),
            ("sources", tables.sources, sources), ("names", tables.names, sources),
            ("ids", tables.ids, tally.idRows), ("times", tables.times, tally.timeRows),
            ("late", tables.late, tally.lateRows),
        ]
        for (name, table, expected) in expected {
            let count = try transaction.entryCount(table)
            if UInt64(count) != expected {
                report(
                    .index,
                    tally.position,
                    "table \(name) has \(count) rows, not \(expected)"
                )
            }
        }
    }

    private mutating func auditErasures(_ transaction: borrowing ReadTransaction) throws {
        let tables = log.tables
        do {
            let erasures = tally.erasures
            let findings = try erasures.findings(
                size: tally.position,
                record: erasure,
                tables,
                transaction
            )
            for (position, what) in findings {
                report(.index, position, what)
            }
            let count = UInt64(try transaction.entryCount(tables.state))
            let expected = try erasures.stateRows(tables, transaction)
            if count != expected {
                report(
                    .index,
                    tally.position,
                    "table state has \(count) rows, not \(expected)"
                )
            }
            unrecognisedCount = try erasures.unrecognisedCount(tables, transaction)
        } catch EventLogError.damaged(let position, let what) {
            report(.index, position, what)
        }
    }
}
