import Importers
package import TripEvents
package import TripLedger

/// The outcome of an item that was set aside and is tried again.
package struct RetriedItem: Hashable, Sendable {
    /// The item.
    package let item: NumberedItem

    /// How many events of it were appended now.
    package fileprivate(set) var appended = 0

    /// How many events of it were there already.
    package fileprivate(set) var duplicates = 0

    /// Why it, or a part of it, is still not an event; `nil` if it is no longer set aside.
    package fileprivate(set) var reason: String?
}

extension ServerState {
    /// The most items that are stored together, and about how many bytes they have.
    private static let (retriedTogether, bytesTogether) = (500, 16 << 20)

    /// Tries the items again that may be accepted later, with the keys and time zones that tokens
    /// have now.
    ///
    /// Each is read with a token of its source and group that can read it: first with the one of
    /// its delivery, if that is not revoked. An item that lacks nothing any more and still is not
    /// an event is kept as unreadable. Items that became events are removed after these are
    /// durable: if the program ends in between, the events are recognised the next time.
    ///
    /// - Parameters:
    ///   - source: Only items of this source; `nil` for all.
    ///   - ledger: The ledger that this stands beside.
    ///   - now: The present.
    /// - Returns: The outcome of each, oldest first.
    /// - Throws: `.damaged`, `.newer`, `.inputOutput`; what was stored before stays.
    package func retrySetAside(
        of source: String?,
        into ledger: Ledger,
        now: Timestamp
    ) throws(LedgerError) -> [RetriedItem] {
        let tokens = try tokens().filter { $0.revokedAt == nil }
        let end = try setAsideTotals().nextNumber
        var retried: [RetriedItem] = []
        var next: UInt64 = 0
        while true {
            // Items that are set aside once more meanwhile are not met again.
            let items = try waitingItems(of: source, from: next, before: end)
            guard let last = items.last else { return retried }
            next = last.number + 1
            retried += try retry(items, tokens, into: ledger, now)
        }
    }

    /// Returns the next items that may pass later, as many as are tried together.
    private func waitingItems(
        of source: String?,
        from start: UInt64,
        before end: UInt64
    ) throws(LedgerError) -> [NumberedItem] {
        var items: [NumberedItem] = []
        var byteCount = 0
        try forEachSetAside(from: start) { numbered in
            guard numbered.number < end else { return false }
            let isOfSource = source?.hasSameBytes(as: numbered.item.source) ?? true
            guard numbered.item.mayPassLater, isOfSource else { return true }
            items.append(numbered)
            byteCount += numbered.item.byteCount
            return items.count < Self.retriedTogether && byteCount < Self.bytesTogether
        }
        return items
    }

    private func retry(
        _ items: [NumberedItem],
        _ tokens: [Token],
        into ledger: Ledger,
        _ now: Timestamp
    ) throws(LedgerError) -> [RetriedItem] {
        var retried: [RetriedItem] = []
        var read: [(index: Int, item: ReadItem)] = []
        for item in items {
            var outcome = RetriedItem(item: item)
            if let again = Self.read(item.item, with: tokens, now) {
                read.append((retried.count, again))
            } else {
                outcome.reason = item.item.reason
            }
            retried.append(outcome)
        }
        let deliveries = read.map { $0.item.delivery }
        var done = Set<UInt64>()
        var aside: [SetAsideItem] = []
        for ((index, item), answer) in zip(read, ledger.append(deliveries, now: now)) {
            let answer = try answer.get()
            retried[index].appended = answer.summary.appended
            retried[index].duplicates = answer.summary.duplicate
            let refused = item.refused(answer)
            retried[index].reason = refused.first?.reason
            aside += refused
            done.insert(retried[index].item.number)
        }
        // Items that became no event for another reason are kept for that reason.
        try replaceSetAside(done, with: aside)
        return retried
    }

    /// Returns an item as read with the first token that can read it, else with the first token
    /// that has what it waits for, or as another ledger wrote it; `nil` if there is no such token.
    ///
    /// While the token of its delivery may still bring what it waits for, no other token may decide
    /// that it can never be read: a local time may not exist in another time zone.
    private static func read(
        _ item: SetAsideItem,
        with tokens: [Token],
        _ now: Timestamp
    ) -> ReadItem? {
        if item.isOfLedger { return ReadItem(ofLedger: item, now) }
        guard let door = DeliveryDoor(rawValue: item.door) else { return nil }
        let ofSource = tokens.filter {
            $0.sources.containsName(item.source) && $0.group.hasSameBytes(as: item.group)
        }
        let own = ofSource.filter { $0.name.hasSameBytes(as: item.token) }
        var unreadable: ReadItem?
        var isAwaited = false
        for (number, token) in (own + ofSource).enumerated() {
            var token = token
            token.sources = [item.source]
            let request = DeliveredRequest(body: item.content)
            let delivery = ReadDelivery(request, at: door, with: token, at: now)
            let again = ReadItem(delivery, group: token.group)
            if delivery.aside.isEmpty { return again }
            if !delivery.aside.contains(where: \.mayPassLater) {
                unreadable = unreadable ?? again
            } else if number < own.count {
                isAwaited = true
            }
        }
        return isAwaited ? nil : unreadable
    }
}

/// An item that was set aside, as it is read again.
private struct ReadItem {
    /// The events to append.
    let delivery: Delivery

    /// Returns what is still no event after an answer.
    let refused: (DeliveryAnswer) -> [SetAsideItem]

    /// Takes over what an app delivered.
    init(_ read: ReadDelivery, group: String?) {
        var delivery = Delivery(read.items, in: read.bytes)
        delivery.group = group
        self.delivery = delivery
        refused = { read.aside + read.setAside(of: read.items, after: $0) }
    }

    /// Takes over an event of another ledger.
    init(ofLedger item: SetAsideItem, _ now: Timestamp) {
        let delivery = Delivery(
            [Delivery.Item(.success(0..<item.content.count))],
            in: item.content
        )
        self.delivery = delivery
        refused = { SetAsideItem.refused($0, of: delivery, from: item.token, at: now) }
    }
}
