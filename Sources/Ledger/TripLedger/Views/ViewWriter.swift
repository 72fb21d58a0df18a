import LMDB

/// Changes views: what it writes is durable when a commit returns.
///
/// It remembers which sections of the rows were found to be complete, for as long as nothing else
/// changes them.
struct ViewWriter: Sendable {
    /// The rows as they are whenever they are asked for, its own changes among them.
    let views: ReadableViews

    private let environment: Environment

    init(_ views: ReadableViews, _ environment: Environment) {
        self.views = views
        self.environment = environment
    }

    /// Makes all changes of some tables durable in one transaction.
    ///
    /// - Throws: `StaleViews` if LMDB finds the file damaged, or `LMDBError`.
    func commit(_ tables: [TableChanges]) throws {
        let earlier = try sums(before: tables)
        var changes = earlier
        try views.takingDamage {
            try environment.write { transaction in
                changes = earlier
                for (table, rows) in tables {
                    try put(rows, table, &transaction, &changes)
                }
                try put(&changes, &transaction)
            }
        }
        views.sums.note(changes)
    }

    /// Returns the sums of the sections that some changes concern, as they are now.
    private func sums(before tables: [TableChanges]) throws -> SumChanges {
        var earlier: [ViewSection: RowSum] = [:]
        for (table, rows) in tables where table != .state {
            for key in rows.changes.keys {
                let section = ViewSection(of: key, in: table)
                guard earlier[section] == nil else { continue }
                earlier[section] = try views.sums.sum(of: section, or: views.loadedSums).sum
            }
        }
        return SumChanges(earlier, try views.tableSums())
    }

    /// Puts the changes of one table in order of key.
    private func put(
        _ rows: RowTable,
        _ table: ViewTable,
        _ transaction: inout WriteTransaction,
        _ changes: inout SumChanges
    ) throws {
        let handle = views.handle(table)
        for key in rows.keys.all {
            guard let change = rows.changes[key] else { continue }
            var old: UInt32?
            if let stored = try transaction.get(handle, key) { old = ViewSeal.checksum(in: stored) }
            var new: UInt32?
            if let value = change {
                let sealed = ViewSeal.sealed(value, key: key)
                new = ViewSeal.checksum(in: sealed.span)
                try transaction.put(handle, key, sealed, append: false)
            } else {
                _ = try transaction.delete(handle, key)
            }
            guard table != .state else { continue }
            changes.replace(old, by: new, in: ViewSection(of: key, in: table))
        }
    }

    /// Puts the sums of the sections that changed, and the sums of the sums.
    private func put(
        _ changes: inout SumChanges,
        _ transaction: inout WriteTransaction
    ) throws {
        let table = views.handle(.sums)
        for (section, sum) in changes.sums {
            let key = section.sumKey
            if let earlier = changes.earlier[section], earlier != RowSum() {
                let sealed = ViewSeal.sealed(earlier.encoded, key: key)
                changes.tables[section.table].remove(ViewSeal.checksum(in: sealed.span))
            }
            if sum == RowSum() {
                _ = try transaction.delete(table, key)
            } else {
                let sealed = ViewSeal.sealed(sum.encoded, key: key)
                changes.tables[section.table].add(ViewSeal.checksum(in: sealed.span))
                try transaction.put(table, key, sealed, append: false)
            }
        }
        let sealed = ViewSeal.sealed(changes.tables.encoded, key: TableSums.key)
        try transaction.put(views.handle(.state), TableSums.key, sealed, append: false)
    }
}
