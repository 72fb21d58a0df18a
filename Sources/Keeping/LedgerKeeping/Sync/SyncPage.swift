import EventStore
import Projections
package import Proofs
import TripEvents
package import TripLedger

/// A part of a log on its way to another ledger: events as lines of `ledger log`, and a last line
/// that says how far they reach.
///
/// Each position from the page's beginning to its end is either that of a line or in a range that
/// the last line says was left out. So a page moves the receiver's cursor only over positions that
/// it accounts for.
package struct SyncPage: Sendable {
    /// The lines with their ends, without the last.
    package var lines: [UInt8] = []

    /// How many events they are.
    package var count = 0

    /// The position before which everything was in this page or in one before.
    package var next: UInt64

    /// The ranges of positions that have no line, in order and with gaps between: entries that a
    /// ledger does not send to others, and entries that came from the page's receiver.
    package var skipped: [Range<UInt64>] = []

    /// The position behind the last line or skip.
    private var reached: UInt64

    /// The head that this is a part of.
    package var head: LedgerHead

    /// The proof that this head's log begins with the one that the receiver knows.
    package var consistency: [Digest] = []

    /// Whether there is more up to the head.
    package var hasMore: Bool { next < head.size }

    /// Creates a page without lines.
    package init(next: UInt64, of head: LedgerHead) {
        self.next = next
        self.head = head
        reached = next
    }

    /// Notes that the positions before one have no line, and whether that position has one.
    fileprivate mutating func skip(to position: UInt64, thenLine hasLine: Bool = false) {
        if reached < position { skipped.append(reached..<position) }
        reached = hasLine ? position + 1 : position
    }

    /// The page as bytes.
    package var bytes: [UInt8] {
        var json = RowJSON()
        json.add("next", integer: Int64(clamping: next))
        json.add("has_more", boolean: hasMore)
        json.add("size", integer: Int64(clamping: head.size))
        json.add("root", text: head.root)
        if !skipped.isEmpty { json.add("skipped", objects: skipped.map(Self.json)) }
        if !consistency.isEmpty { json.add("consistency", texts: consistency.map(\.description)) }
        return lines + json.object + [UInt8(ascii: "\n")]
    }

    /// Returns a range of positions that were left out as a JSON object.
    private static func json(_ range: Range<UInt64>) -> [UInt8] {
        var json = RowJSON()
        json.add("from", integer: Int64(clamping: range.lowerBound))
        json.add("next", integer: Int64(clamping: range.upperBound))
        return json.object
    }

    /// Reads a range of positions that were left out; `nil` if it is none.
    private static func range(_ json: JSONValue) -> Range<UInt64>? {
        guard let from = json["from"]?.number, let next = json["next"]?.number, from < next else {
            return nil
        }
        return from..<next
    }

    /// Reads the last line of a page.
    ///
    /// - Returns: The page without its lines, which are the bytes before `end`.
    /// - Throws: `SyncRefusal.malformed`.
    static func reading(_ bytes: [UInt8]) throws(SyncRefusal) -> (page: SyncPage, end: Int) {
        var last = bytes.count
        while last > 0, bytes[last - 1] == UInt8(ascii: "\n") { last -= 1 }
        let start = bytes[..<last].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        guard let json = try? JSONValue(bytes.span.extracting(start..<last)),
            let next = json["next"]?.number, let head = LedgerHead(syncing: json), next <= head.size
        else { throw .malformed("the last line does not say how far the events reach") }
        var page = SyncPage(next: next, of: head)
        page.consistency = (json["consistency"]?.texts ?? [])
            .compactMap { Digest(hexadecimal: $0) }
        for skip in json["skipped"]?.elements ?? [] {
            guard let range = range(skip) else {
                throw .malformed("the last line does not say what was left out")
            }
            page.skipped.append(range)
        }
        return (page, start)
    }
}

extension SyncPage {
    private static let positionName = Array(#"{"position":"#.utf8)

    /// Reads a page as a delivery of events that were received from a ledger.
    ///
    /// - Parameters:
    ///   - bytes: The page.
    ///   - peer: The id of the ledger that sends it.
    ///   - from: The position that it begins at.
    /// - Returns: The page without its lines, and what is to be appended.
    /// - Throws: `SyncRefusal.malformed`, also if a position from there to the page's end is
    ///   neither that of a line nor said to be left out.
    package static func delivery(
        of bytes: [UInt8],
        from peer: String,
        at from: UInt64
    ) throws(SyncRefusal) -> (page: SyncPage, delivery: Delivery) {
        let (page, end) = try reading(bytes)
        var items: [Delivery.Item] = []
        var coverage = Coverage(from: from, skips: page.skipped)
        var start = 0
        while start < end {
            let stop = bytes[start..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
            guard let position = position(ofLine: bytes[start..<stop]), position < page.next,
                coverage.reaches(position), items.count < Delivery.mostItems
            else {
                throw .malformed("line \(items.count + 1) is not of an entry that is due")
            }
            var item = Delivery.Item(.success(start..<stop))
            item.peerPosition = position
            items.append(item)
            coverage.next = position + 1
            start = stop + 1
        }
        guard coverage.reaches(page.next), coverage.isUsedUp else {
            throw .malformed("the page does not say what became of position \(coverage.next)")
        }
        var delivery = Delivery(items, in: bytes)
        delivery.peer = PeerHead(peer, page.head)
        var counted = page
        counted.count = items.count
        return (counted, delivery)
    }

    /// How far the lines and the skips of a page reach without a gap.
    private struct Coverage {
        /// The position behind the last line or skip.
        var next: UInt64

        private var skips: ArraySlice<Range<UInt64>>

        init(from position: UInt64, skips: [Range<UInt64>]) {
            next = position
            self.skips = skips[...]
        }

        /// Whether no skip is left over.
        var isUsedUp: Bool { skips.isEmpty }

        /// Goes on to a position, over one skip if it is not the next one.
        ///
        /// - Returns: Whether nothing but a skip lies between.
        mutating func reaches(_ position: UInt64) -> Bool {
            guard next != position else { return true }
            guard next < position, let skip = skips.first, skip == next..<position else {
                return false
            }
            skips.removeFirst()
            next = position
            return true
        }
    }

    /// Returns the position that a line begins with, as `ledger log` writes it.
    private static func position(ofLine line: ArraySlice<UInt8>) -> UInt64? {
        guard line.starts(with: positionName) else { return nil }
        var position: UInt64 = 0
        for byte in line.dropFirst(positionName.count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
            guard position < 1 << 56 else { return nil }
            position = position * 10 + UInt64(byte - UInt8(ascii: "0"))
        }
        return position
    }
}

extension Ledger {
    /// How many pages are looked through for one that has an event.
    private static let mostWindows = 64

    /// Returns a part of the log for another ledger.
    ///
    /// It leaves out the ledger's entries about itself, entries that were erased or withheld, and
    /// reports, which name this log's head.
    ///
    /// - Parameters:
    ///   - from: The position to begin at.
    ///   - head: A head of this log, up to which it goes.
    ///   - peer: The ledger that it is for; what came from there is left out.
    ///   - isComplete: Whether entries that came from there are included, because that ledger has
    ///     lost them.
    /// - Returns: The page; it may hold nothing and yet say that more follows.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func syncPage(
        from: UInt64,
        upTo head: LedgerHead,
        for peer: String,
        isComplete: Bool
    ) throws(LedgerError) -> SyncPage {
        try LedgerError.translating(at: path) {
            var page = SyncPage(next: min(from, head.size), of: head)
            var windows = 0
            while page.hasMore, page.count == 0, windows < Self.mostWindows {
                let end = min(page.next + UInt64(Delivery.mostItems), head.size)
                let known =
                    isComplete ? RangeSet() : try log.received(from: peer, in: page.next..<end)
                try append(page.next..<end, but: known, to: &page)
                windows += 1
            }
            page.skip(to: page.next)
            return page
        }
    }

    private func append(
        _ range: Range<UInt64>,
        but known: RangeSet<UInt64>,
        to page: inout SyncPage
    ) throws {
        var names = SourceNames(log)
        var json = EntryJSON()
        page.next = range.upperBound
        try log.scan(from: range.lowerBound) { block in
            var entries = block.entries
            while entries.position < range.upperBound, let entry = try entries.next() {
                let position = entries.position - 1
                guard range.contains(position), entry.isExchanged, !known.contains(position)
                else { continue }
                guard page.lines.count < SyncGreeting.mostBytes else {
                    page.next = position
                    return false
                }
                let source = try names.source(of: entry.source, at: position)
                json.append(
                    try LoggedEntry(entry, at: position, source: source),
                    to: &page.lines
                )
                page.lines.append(UInt8(ascii: "\n"))
                page.skip(to: position, thenLine: true)
                page.count += 1
            }
            return block.endPosition < range.upperBound
        }
    }
}

extension EntryView {
    /// Whether it is an event that goes to other ledgers.
    fileprivate var isExchanged: Bool {
        guard source != 0, !isTombstone, let kind = EventKind(rawValue: kind) else { return false }
        return kind != .reportIssued
    }
}

extension ReadableLog {
    /// Returns which entries were received from a ledger.
    fileprivate func received(
        from peer: String,
        in range: Range<UInt64>
    ) throws -> RangeSet<UInt64> {
        var received = RangeSet<UInt64>()
        // The entries that record the receipt come after them.
        let end = min(try head().size, range.upperBound + RecordRuns.maximumEntries)
        try eachEntry(in: range.lowerBound..<end) { entry, position in
            guard entry.saysOrigins,
                case .eventsReceived(let note) =
                    try StoredEvent(entry, at: position, source: .ledger).event.body,
                note.ledger == peer, note.records.entryCount > 0
            else { return }
            for distance in 1...note.records.entryCount where distance <= position {
                guard note.records.record(ofEntryBefore: distance) != nil else { continue }
                let position = position - distance
                if range.contains(position) {
                    received.insert(contentsOf: position..<position + 1)
                }
            }
        }
        return received
    }
}
