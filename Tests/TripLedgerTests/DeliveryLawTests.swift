import DriveSimulation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// Deliveries that share transactions are stored and answered as if each came alone.
@Suite struct DeliveryLawTests {
    @Test(arguments: Seeds.fresh(16))
    func `grouping deliveries in any way gives the same log and the same answers`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let deliveries = try Self.deliveries(using: &random)
        let alone = try TemporaryLedger()
        let grouped = try TemporaryLedger()
        var expected: [Outcome] = []
        for delivery in deliveries {
            expected += alone.ledger.append([delivery], now: alone.now).map(Outcome.init)
        }
        var found: [Outcome] = []
        var rest = deliveries[...]
        while !rest.isEmpty {
            let group = Array(rest.prefix(Int.random(in: 1...12, using: &random)))
            rest = rest.dropFirst(group.count)
            found += grouped.ledger.append(group, now: grouped.now).map(Outcome.init)
        }
        #expect(found == expected, "seed \(seed)")
        #expect(try Self.events(of: grouped) == Self.events(of: alone), "seed \(seed)")
        #expect(expected.contains { $0.summary?.duplicate ?? 0 > 0 })
        #expect(expected.contains { $0.summary?.rejected ?? 0 > 0 })
        #expect(expected.contains { $0.summary?.conflict ?? 0 > 0 })
        try expectSound(grouped.ledger)
    }

    @Test(arguments: Seeds.fresh(8))
    func `lines that were read before give the same log and the same answers`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let lines = try TemporaryLedger()
        let read = try TemporaryLedger()
        var readCount = 0
        for var delivery in try Self.deliveries(using: &random) {
            delivery.group = UInt8.random(in: 0..<4, using: &random) == 0 ? "fleet" : nil
            let before = Self.readBefore(delivery, now: read.now)
            readCount += before.items.count { $0.readEvent != nil }
            let expected = lines.ledger.append([delivery], now: lines.now).map(Outcome.init)
            let found = read.ledger.append([before], now: read.now).map(Outcome.init)
            #expect(found == expected, "seed \(seed)")
        }
        #expect(readCount > 50, "seed \(seed)")
        #expect(try Self.events(of: read) == Self.events(of: lines), "seed \(seed)")
        try expectSound(read.ledger)
    }

    @Test func `a sender with too many names keeps no other sender's events out`() throws {
        let book = try TemporaryLedger()
        let junk = (0..<5).map { Self.press(of: "junk \($0)", second: $0) }.joined(separator: "\n")
        let answers = book.ledger.append(
            [
                try Self.delivery(Self.press(of: "phone", second: 1)),
                try Self.delivery(junk),
                try Self.delivery(Self.press(of: "phone", second: 2)),
            ],
            now: book.now,
            mostSources: 3
        )
        #expect(try answers[0].get().summary.appended == 1)
        #expect(throws: LedgerError.self) { try answers[1].get() }
        #expect(try answers[2].get().summary.appended == 1)
        try expectSound(book.ledger)
    }

    @Test func `what must hold for one delivery holds for that one alone`() throws {
        let book = try TemporaryLedger()
        let size = try book.ledger.head().size
        var stale = try Self.delivery(Self.press(of: "phone", second: 2))
        stale.expectedSize = size
        var strict = try Self.delivery("nonsense\n\n" + Self.press(of: "phone", second: 3))
        strict.isAllOrNothing = true
        let answers = book.ledger.append(
            [try Self.delivery(Self.press(of: "phone", second: 1)), stale, strict],
            now: book.now
        )
        // Two entries: the source, and what it sent.
        #expect(try answers[0].get().summary.head.size == size + 2)
        let error = #expect(throws: LedgerError.self) { try answers[1].get() }
        #expect(error?.code == .sizeMoved)
        let refused = try answers[2].get()
        #expect(refused.receipts.map(\.line) == [1, 3])
        #expect(refused.receipts.last?.receipt == .heldBack)
        #expect(refused.summary.blank == 1)
        #expect(try book.ledger.head().size == size + 2)
    }

    @Test func `what the sender left to others makes no other event`() throws {
        let book = try TemporaryLedger()
        var answers: [Receipt] = []
        for (second, filledIn) in [(1, []), (2, []), (3, ["occurred_at"]), (3, ["actor"])] {
            let line = Array(Self.press(of: "phone", second: second, id: "key:a").utf8)
            var item = Delivery.Item(.success(0..<line.count))
            item.filledIn = Set(filledIn)
            let answer = book.ledger.append([Delivery([item], in: line)], now: book.now)
            answers += try answer[0].get().receipts.map(\.receipt)
        }
        let conflict = Receipt.conflict(with: 2, fields: ["occurred_at"])
        #expect(answers == [.appended(position: 2), conflict, .duplicate(of: 2), conflict])
    }

    @Test func `a conflict names nothing that the sender left to others`() throws {
        let book = try TemporaryLedger()
        var receipts: [Receipt] = []
        for (second, latitude) in [(1, 51), (2, 52)] {
            let line =
                #"{"type":"fix_recorded","source":"phone","id":"key:a","lat":\#(latitude),"#
                + #""lon":4,"accuracy":5,"occurred_at":"2023-11-14T22:13:0\#(second)Z"}"#
            let bytes = Array(line.utf8)
            var item = Delivery.Item(.success(0..<bytes.count))
            item.filledIn = ["occurred_at"]
            let answer = book.ledger.append([Delivery([item], in: bytes)], now: book.now)
            receipts += try answer[0].get().receipts.map(\.receipt)
        }
        #expect(receipts == [.appended(position: 2), .conflict(with: 2, fields: ["lat"])])
    }

    /// The answer to a delivery without the head, which also counts the deliveries beside it.
    private struct Outcome: Equatable {
        var receipts: [LineReceipt]?
        var summary: IntakeSummary?
        var code: LedgerError.Code?

        init(_ answer: Result<DeliveryAnswer, LedgerError>) {
            switch answer {
            case .success(let answer):
                receipts = answer.receipts
                summary = answer.summary
                summary?.head = LedgerHead(size: 0, root: "")
            case .failure(let error): code = error.code
            }
        }
    }

    /// Deliveries of two phones that send things again, break lines and reuse names of events.
    private static func deliveries(using random: inout SplitMix64) throws -> [Delivery] {
        var lines: [String] = []
        for source in ["phone", "watch"] {
            let drives = DriveSimulator.drives(
                seed: random.next(),
                count: 3,
                fixesPerDrive: 10...60,
                source: source
            )
            lines += drives.map(\.json)
        }
        for second in 0..<40 {
            let id = "\(Int.random(in: 0..<20, using: &random))"
            lines.append(press(of: "watch", second: second, id: id))
            lines.append(["", "{", #"{"type":"go_pressed"}"#].randomElement(using: &random) ?? "")
        }
        lines += lines.shuffled(using: &random).prefix(60)
        lines.shuffle(using: &random)
        var deliveries: [Delivery] = []
        while !lines.isEmpty {
            let count = Int.random(in: 0...8, using: &random)
            var delivery = try delivery(lines.prefix(count).joined(separator: "\n"))
            lines = Array(lines.dropFirst(count))
            delivery.isAllOrNothing = UInt8.random(in: 0..<10, using: &random) == 0
            if UInt8.random(in: 0..<20, using: &random) == 0 {
                delivery.expectedSize = UInt64.random(in: 1...50, using: &random)
            }
            deliveries.append(delivery)
        }
        return deliveries
    }

    private static func delivery(_ text: String) throws -> Delivery {
        let bytes = Array(text.utf8)
        var items: [Delivery.Item] = []
        var start = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let isRefused = line.elementsEqual("{".utf8)
            let rejection = Rejection(.invalidJSON, sentence: "It is no object.")
            items.append(
                isRefused
                    ? Delivery.Item(.failure(rejection))
                    : Delivery.Item(.success(start..<(start + line.count)))
            )
            start += line.count + 1
        }
        return Delivery(items, in: bytes)
    }

    /// Reads the lines of a delivery as a server does before it hands them over.
    private static func readBefore(_ delivery: Delivery, now: Timestamp) -> Delivery {
        var reader = EventLineReader()
        var events = ReadEvents()
        var items = delivery.items
        for index in items.indices {
            guard case .success(let line) = items[index].line,
                (try? reader.read(delivery.bytes.span.extracting(line), recordedAt: now)) != nil
            else { continue }
            items[index].readEvent = events.add(reader.candidate)
        }
        var read = Delivery(items, in: delivery.bytes, events)
        read.group = delivery.group
        read.expectedSize = delivery.expectedSize
        read.isAllOrNothing = delivery.isAllOrNothing
        return read
    }

    private static func press(of source: String, second: Int, id: String? = nil) -> String {
        let time = RFC3339.text(Timestamp(milliseconds: 1_700_000_000_000 + Int64(second) * 1_000))
        let name = id.map { #","id":"\#($0)""# } ?? ""
        return #"{"type":"go_pressed","source":"\#(source)","occurred_at":"\#(time)"\#(name)}"#
    }

    private static func events(of book: TemporaryLedger) throws -> [TripEvent] {
        var events: [TripEvent] = []
        try book.ledger.scanLog(from: 1) { stored in
            events.append(stored.event)
            return true
        }
        return events
    }
}
