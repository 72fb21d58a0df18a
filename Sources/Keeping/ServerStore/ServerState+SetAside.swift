import LMDB
import RowCoding
import SystemPackage
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
    ///   - limits: How much is kept of what each token delivers. Unreadable items make room for
    ///     later ones; waiting items stay, and at the limit no more are accepted.
    /// - Returns: How many were not there yet.
    /// - Throws: `.tooManySetAside` if there is no room for what waits; `.damaged`, `.newer`,
    ///   `.inputOutput`. Then none was stored.
    @discardableResult
    package func setAside(
        _ items: [SetAsideItem],
        limits: SetAsideLimits = SetAsideLimits()
    ) throws(LedgerError) -> Int {
        try translating {
            try environment.write { try add(items, limits, &$0) }
        }
    }

    /// Puts items in the place of others, all in one transaction.
    ///
    /// Items that wait are taken in any case: they come from items that had waited.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the items that go.
    ///   - items: The items that come.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`; then nothing was changed.
    func replaceSetAside(
        _ numbers: Set<UInt64>,
        with items: [SetAsideItem]
    ) throws(LedgerError) {
        var limits = SetAsideLimits()
        limits.waiting = SetAsideLimits.Most(itemCount: .max, byteCount: .max)
        try translating {
            try environment.write { transaction in
                var unwanted: [NumberedItem] = []
                for number in numbers.sorted() {
                    let key = Self.key(number)
                    // Another process may have removed it meanwhile.
                    guard let stored = try transaction.get(handle(.setAside), key) else { continue }
                    unwanted.append(try numbered(key, stored))
                }
                try remove(unwanted, &transaction)
                _ = try add(items, limits, &transaction)
            }
        }
    }

    /// Returns the totals of all items that were set aside.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func setAsideTotals() throws(LedgerError) -> SetAsideTotals {
        try translating {
            try environment.read { try totals($0.get(handle(.state), Self.totalsKey)) }
        }
    }

    /// Returns what is set aside with each token, of each kind.
    ///
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`.
    package func setAsideShares() throws(LedgerError) -> [SetAsideShare] {
        try translating {
            try environment.read { transaction in
                var shares: [SetAsideShare] = []
                var cursor = try transaction.cursor(handle(.setAsideShares))
                while try cursor.next() {
                    let key = Self.copy(of: cursor.key)
                    shares.append(try SetAsideShare(decoding: opened(cursor.value, key: key)))
                }
                return shares.sorted {
                    ($0.token, $0.kind.rawValue) < ($1.token, $1.kind.rawValue)
                }
            }
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
                let unwanted = try found(where: isUnwanted, transaction)
                try remove(unwanted, &transaction)
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

    /// Returns the key of an item; items are in the order of their keys.
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

    /// Removes items, and notes that their bytes may still stand somewhere.
    private func remove(
        _ items: [NumberedItem],
        _ transaction: inout WriteTransaction
    ) throws {
        guard !items.isEmpty else { return }
        var totals = try totals(transaction.get(handle(.state), Self.totalsKey))
        let shares = Dictionary(grouping: items) { SetAsideShare.key(of: $0.item) }
        for (key, items) in shares {
            guard var share = try share(key, transaction.get(handle(.setAsideShares), key)) else {
                throw Self.damage(at: path, "more was set aside than is known of")
            }
            for item in items { try remove(item, from: key, &share, &totals, &transaction) }
            try put(share, key, &transaction)
        }
        totals.needsSweep = true
        try put(totals.encoded, key: Self.totalsKey, in: .state, &transaction)
    }
}

// MARK: - Shares

extension ServerState {
    private func share(_ key: [UInt8], _ stored: Span<UInt8>?) throws -> SetAsideShare? {
        guard let stored else { return nil }
        return try SetAsideShare(decoding: opened(stored, key: key))
    }

    /// Stores the totals of a share; deletes its row if it holds no items and has dropped none.
    private func put(
        _ share: SetAsideShare,
        _ key: [UInt8],
        _ transaction: inout WriteTransaction
    ) throws {
        if share.itemCount == 0, share.droppedCount == 0 {
            _ = try transaction.delete(handle(.setAsideShares), key)
        } else {
            try put(share.encoded, key: key, in: .setAsideShares, &transaction)
        }
    }

    /// Stores the items that are not there yet, and returns how many these are.
    private func add(
        _ items: [SetAsideItem],
        _ limits: SetAsideLimits,
        _ transaction: inout WriteTransaction
    ) throws -> Int {
        var totals = try totals(transaction.get(handle(.state), Self.totalsKey))
        var new: [NumberedItem] = []
        var seen: Set<[UInt8]> = []
        for item in items {
            guard try transaction.get(handle(.setAsideNumbers), item.identity) == nil,
                seen.insert(item.identity).inserted
            else { continue }
            new.append(NumberedItem(number: totals.nextNumber + UInt64(new.count), item: item))
        }
        guard !new.isEmpty else { return 0 }
        totals.nextNumber += UInt64(new.count)
        let shares = Dictionary(grouping: new) { SetAsideShare.key(of: $0.item) }
        for (key, items) in shares { try add(items, to: key, limits, &totals, &transaction) }
        try put(totals.encoded, key: Self.totalsKey, in: .state, &transaction)
        return new.count
    }

    /// Stores new items of one share, for which the oldest make room if they cannot be read.
    private func add(
        _ new: [NumberedItem],
        to key: [UInt8],
        _ limits: SetAsideLimits,
        _ totals: inout SetAsideTotals,
        _ transaction: inout WriteTransaction
    ) throws {
        let newest = new[new.count - 1].item
        var share =
            try share(key, transaction.get(handle(.setAsideShares), key))
            ?? SetAsideShare(token: newest.token, kind: newest.kind)
        let most = limits[newest.kind]
        var values = new.map(\.item.encoded)[...]
        var byteCount = values.reduce(0) { $0 + UInt64($1.count) }
        var isTooMuch: Bool {
            share.itemCount + UInt64(values.count) > most.itemCount
                || share.byteCount + byteCount > most.byteCount
        }
        if newest.kind == .waiting, isTooMuch { throw Self.full(share, newest, at: path) }
        // The newest stays, however large it is.
        while isTooMuch, share.itemCount + UInt64(values.count) > 1 {
            if share.itemCount > 0 {
                let oldest = try oldest(of: key, transaction)
                try remove(oldest, from: key, &share, &totals, &transaction)
            } else {
                byteCount -= UInt64(values.removeFirst().count)
            }
            share.droppedCount += 1
            totals.droppedCount += 1
        }
        for index in values.indices {
            let number = Self.key(new[index].number)
            try put(values[index], key: number, in: .setAside, &transaction)
            try put(number, key: new[index].item.identity, in: .setAsideNumbers, &transaction)
            try put([], key: key + number, in: .setAsideOrder, &transaction)
        }
        share.code = newest.code
        share.itemCount += UInt64(values.count)
        share.byteCount += byteCount
        totals.itemCount += UInt64(values.count)
        totals.byteCount += byteCount
        try put(share, key, &transaction)
    }

    private func remove(
        _ numbered: NumberedItem,
        from key: [UInt8],
        _ share: inout SetAsideShare,
        _ totals: inout SetAsideTotals,
        _ transaction: inout WriteTransaction
    ) throws {
        let number = Self.key(numbered.number)
        _ = try transaction.delete(handle(.setAside), number)
        _ = try transaction.delete(handle(.setAsideNumbers), numbered.item.identity)
        _ = try transaction.delete(handle(.setAsideOrder), key + number)
        let byteCount = UInt64(numbered.item.encoded.count)
        guard share.itemCount > 0, share.byteCount >= byteCount,
            totals.itemCount > 0, totals.byteCount >= byteCount
        else { throw Self.damage(at: path, "more was set aside than is known of") }
        share.itemCount -= 1
        share.byteCount -= byteCount
        totals.itemCount -= 1
        totals.byteCount -= byteCount
    }

    /// Returns the oldest item of a share that has some.
    private func oldest(
        of key: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws -> NumberedItem {
        var number: [UInt8] = []
        do {
            var cursor = try transaction.cursor(handle(.setAsideOrder))
            if try cursor.seek(toKeyAtOrAfter: key) {
                let found = Self.copy(of: cursor.key)
                if found.starts(with: key) { number = Array(found.dropFirst(key.count)) }
            }
        }
        guard !number.isEmpty, let stored = try transaction.get(handle(.setAside), number) else {
            throw Self.damage(at: path, "fewer items were set aside than are known of")
        }
        return try numbered(number, stored)
    }

    private static func full(
        _ share: SetAsideShare,
        _ newest: SetAsideItem,
        at path: FilePath
    ) -> LedgerError {
        var share = share
        share.code = newest.code
        return LedgerError(
            .tooManySetAside,
            at: path.string,
            cause: "there is no more room for what waits of \(share.token), which is "
                + "\(share.itemCount) items",
            hint: "Make room with `\(share.command)`"
        )
    }
}
