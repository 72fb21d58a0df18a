internal import LMDB
import Proofs

extension LogAudit {
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
        var expected = [
            ("tree", tables.tree, tally.position / MerkleFrontier.subtreeWidth),
            ("sources", tables.sources, sources), ("names", tables.names, sources),
            ("ids", tables.ids, tally.idRows),
        ]
        if tally.knowsAllSources {
            expected += [
                ("times", tables.times, tally.timeRows), ("late", tables.late, tally.lateRows),
            ]
        }
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

    private func auditErasures(_ transaction: borrowing ReadTransaction) throws {
        let tables = log.tables
        do {
            let erasures = tally.erasures
            let findings = try erasures.findings(size: tally.position, tables, transaction)
            for (position, what) in findings {
                report(.index, position, what)
            }
            let count = UInt64(try transaction.entryCount(tables.state))
            let expected = try erasures.stateRows(tables, transaction)
            if !expected.contains(count) {
                report(
                    .index,
                    tally.position,
                    "table state has \(count) rows, not \(expected.lowerBound)"
                )
            }
        } catch EventLogError.damaged(let position, let what) {
            report(.index, position, what)
        }
    }
}
