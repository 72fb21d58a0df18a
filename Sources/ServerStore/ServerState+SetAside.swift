import LMDB
import RowCoding
package import TripLedger

/// An item that was set aside, with the number by which it is named.
package struct NumberedItem: Hashable, Sendable {
    /// Its number: later ones are higher, and none is given twice.
    package let number: UInt64

    /// The item.
    package let item: SetAsideItem
}

extension ServerState {
    private static let totalsKey = Array("set_aside".utf8)

    /// Sets items aside, all in one transaction: they are durable when it returns.
    ///
    /// An item that is there already, with the same bytes through the same door from the same
    /// source, is not stored again: some senders send whole files again.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - limits: How much is kept; the oldest makes room.
    /// - Returns: How many were not there yet.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`; then none was stored.
    @discardableResult
    package func setAside(
        _ items: [SetAsideItem],
        limits: SetAsideLimits = SetAsideLimits()
    ) throws(LedgerError) -> Int {
        try translating {
            try environment.write { transaction in
                var totals = try totals(transaction.get(handle(.state), Self.totalsKey))
                var newCount = 0
                for item in items {
                    let numbers = handle(.setAsideNumbers)
                    guard try transaction.get(numbers, item.identity) == nil else { continue }
                    let key = Self.key(totals.nextNumber)
                    let value = item.encoded
                    try put(value, key: key, in: .setAside, &transaction)
                    try put(key, key: item.identity, in: .setAsideNumbers, &transaction)
                    totals.nextNumber += 1
                    totals.itemCount += 1
                    totals.byteCount += UInt64(value.count)
                    newCount += 1
                }
                guard newCount > 0 else { return 0 }
                try makeRoom(limits, &totals, &transaction)
                try put(totals.encoded, key: Self.totalsKey, in: .state, &transaction)
                return newCount
            }
        }
    }

    /// Returns what all items that were set aside come to.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func setAsideTotals() throws(LedgerError) -> SetAsideTotals {
        try translating {
            try environment.read { try totals($0.get(handle(.state), Self.totalsKey)) }
        }
    }

    /// Walks over the items that were set aside, oldest first, until `body` returns `false`.
    ///
    /// - Parameters:
    ///   - start: The number to begin with.
    ///   - body: Gets each item, and returns whether to go on.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`, and what `body` throws.
    package func forEachSetAside(
        from start: UInt64 = 0,
        _ body: (NumberedItem) throws -> Bool
    ) throws(LedgerError) {
        try translating {
            try environment.scan(handle(.setAside), from: Self.key(start)) { key, stored in
                try body(numbered(Self.copy(of: key), stored))
            }
        }
    }

    /// Removes items that were set aside, in one transaction.
    ///
    /// Their bytes may still stand in unused places of the file until ``sweep()``.
    ///
    /// - Parameter isUnwanted: Whether an item goes.
    /// - Returns: How many went.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`; then none was removed.
    package func removeSetAside(
        where isUnwanted: (NumberedItem) throws -> Bool
    ) throws(LedgerError) -> Int {
        try translating {
            try environment.write { transaction in
                var totals = try totals(transaction.get(handle(.state), Self.totalsKey))
                let unwanted = try found(where: isUnwanted, transaction)
                for item in unwanted { try remove(item, &totals, &transaction) }
                guard !unwanted.isEmpty else { return 0 }
                totals.needsSweep = true
                try put(totals.encoded, key: Self.totalsKey, in: .state, &transaction)
                return unwanted.count
            }
        }
    }

    /// Writes the file anew, so that nothing in it holds what was removed, and closes it.
    ///
    /// - Returns: `false` if another process has it open, and nothing was done.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func sweep() throws(LedgerError) -> Bool {
        defer { close() }
        return try translating {
            try environment.rewrite(
                Self.options,
                tables: ServerTable.allCases.map(\.rawValue)
            ) { copy, tables in
                let state = tables[0]
                let key = Self.totalsKey
                var totals = try totals(copy.get(state, key))
                totals.needsSweep = false
                let stored = Self.sealed(totals.encoded, key: key)
                try copy.put(state, key, stored, append: false)
            }
        }
    }

    /// Returns the key of an item, in whose order they are.
    private static func key(_ number: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        key.append(bigEndian: number)
        return key
    }

    private func totals(_ stored: Span<UInt8>?) throws -> SetAsideTotals {
        guard let stored else { return SetAsideTotals() }
        return try SetAsideTotals(decoding: opened(stored, key: Self.totalsKey))
    }

    private func numbered(_ key: [UInt8], _ stored: Span<UInt8>) throws -> NumberedItem {
        let item = try SetAsideItem(decoding: opened(stored, key: key))
        guard key.count == 8 else { throw RowCodingError.invalidValue }
        return NumberedItem(number: key.reduce(0) { $0 << 8 | UInt64($1) }, item: item)
    }

    private func found(
        where isWanted: (NumberedItem) throws -> Bool,
        _ transaction: borrowing WriteTransaction
    ) throws -> [NumberedItem] {
        var found: [NumberedItem] = []
        var cursor = try transaction.cursor(handle(.setAside))
        while try cursor.next() {
            let item = try numbered(Self.copy(of: cursor.key), cursor.value)
            if try isWanted(item) { found.append(item) }
        }
        return found
    }

    private func remove(
        _ numbered: NumberedItem,
        _ totals: inout SetAsideTotals,
        _ transaction: inout WriteTransaction
    ) throws {
        _ = try transaction.delete(handle(.setAside), Self.key(numbered.number))
        _ = try transaction.delete(handle(.setAsideNumbers), numbered.item.identity)
        let byteCount = UInt64(numbered.item.encoded.count)
        guard totals.itemCount > 0, totals.byteCount >= byteCount else {
            throw Self.damage(at: path, "more was set aside than is known of")
        }
        totals.itemCount -= 1
        totals.byteCount -= byteCount
    }

    private func makeRoom(
        _ limits: SetAsideLimits,
        _ totals: inout SetAsideTotals,
        _ transaction: inout WriteTransaction
    ) throws {
        while totals.itemCount > limits.itemCount || totals.byteCount > limits.byteCount {
            // The newest stays, however large it is.
            guard totals.itemCount > 1, let oldest = try oldest(transaction) else { return }
            try remove(oldest, &totals, &transaction)
            totals.droppedCount += 1
        }
    }

    private func oldest(_ transaction: borrowing WriteTransaction) throws -> NumberedItem? {
        var cursor = try transaction.cursor(handle(.setAside))
        guard try cursor.next() else { return nil }
        return try numbered(Self.copy(of: cursor.key), cursor.value)
    }
}
