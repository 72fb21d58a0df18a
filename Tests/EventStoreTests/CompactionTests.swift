import DriveSimulation
import EventStore
import Proofs
import TestSupport
import Testing

/// A compacted log says what it said before, byte for byte.
@Suite struct CompactionTests {
    private func log(seed: UInt64, count: Int = 2_000) throws -> CompactedSample {
        try CompactedSample(seed: seed, count: count)
    }

    @Test(arguments: Seeds.fresh(2))
    func `entries, positions, roots and indexes stay`(seed: UInt64) throws {
        var sample = try log(seed: seed)
        let log = sample.log
        let head = try log.newest.head()
        let entries = try log.entries()
        let figures = try log.compact()
        #expect(figures.newBlocks > 0, "seed \(seed)")
        #expect(try log.newest.head() == head, "seed \(seed)")
        #expect(try log.entries() == entries, "seed \(seed)")
        #expect(try log.findings() == [], "seed \(seed)")
        #expect(try log.log.snapshotFindings() == [], "seed \(seed)")
        for _ in 0..<20 {
            let position = UInt64.random(in: 0..<head.size, using: &sample.random)
            let entry = try log.newest.withEntry(at: position) { Array(copying: $0.bytes) }
            #expect(entry == entries[Int(position)], "seed \(seed)")
        }
        let tree = try LogTree(log.newest)
        try tree.rehash(from: .random(in: 0...head.size, using: &sample.random))
    }

    @Test(arguments: Seeds.fresh(2))
    func `what was there is recognised, and what comes later is appended`(seed: UInt64) throws {
        var sample = try log(seed: seed)
        let log = sample.log
        _ = try log.compact()
        let head = try log.newest.head()
        let again = try log.append(sample.events, recordedAt: 7_000)
        #expect(again.head == head, "seed \(seed)")
        let more = sample.moreEvents(500)
        let result = try log.append(more, recordedAt: 8_000)
        #expect(result.head.size > head.size, "seed \(seed)")
        let entries = try log.entries()
        _ = try log.compact()
        #expect(try log.entries() == entries, "seed \(seed)")
        #expect(try log.append(more, recordedAt: 9_000).head == result.head, "seed \(seed)")
        #expect(try log.findings() == [], "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(2))
    func `entries are erased before and after`(seed: UInt64) throws {
        var sample = try log(seed: seed)
        let log = sample.log
        let leaves = try log.leaves()
        for round in 0..<4 {
            var part = RangeSet<UInt64>()
            for position in try log.erasablePositions()
            where Int.random(in: 0..<40, using: &sample.random) == 0 {
                part.insert(contentsOf: position..<position + 1)
            }
            let head = try log.erase([part], recordedAt: 6_000 + Int64(round))
            #expect(try log.findings() == [], "seed \(seed)")
            if round % 2 == 0 { _ = try log.compact() }
            #expect(try log.newest.head() == head, "seed \(seed)")
            #expect(try Array(log.leaves().prefix(leaves.count)) == leaves, "seed \(seed)")
            #expect(try log.findings() == [], "seed \(seed)")
            let again = try log.append(sample.events, recordedAt: 7_000)
            #expect(again.head == head, "what was erased came back, seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `compacting twice changes nothing`(seed: UInt64) throws {
        let log = try log(seed: seed).log
        _ = try log.compact()
        log.log.close()
        let blocks = try log.rows("blocks")
        try log.open()
        #expect(try log.compact().newBlocks == 0, "seed \(seed)")
        log.log.close()
        #expect(try log.rows("blocks") == blocks, "seed \(seed)")
    }

    @Test func `what would not become shorter stays as it is`() throws {
        var random = SplitMix64(seed: 5)
        let log = try TemporaryLog(seed: 5)
        // A large entry has a block of its own, and the small one between two of them, too.
        let events = (0..<100)
            .map { index in
                let byteCount = index % 2 == 0 ? 5_000 : 20
                return EventSample(
                    source: "phone",
                    occurredAt: Int64(index),
                    payload: (0..<byteCount).map { _ in .random(in: 0...255, using: &random) }
                )
            }
        _ = try log.append(events, recordedAt: 5_000)
        log.log.close()
        let blocks = try log.rows("blocks")
        try log.open()
        #expect(blocks.count > 100)
        #expect(try log.compact().newBlocks == 0)
        #expect(try log.findings() == [])
        log.log.close()
        #expect(try log.rows("blocks") == blocks)
    }

    @Test(arguments: Seeds.fresh(2))
    func `no bytes in a compact block end the program`(seed: UInt64) throws {
        var sample = try log(seed: seed, count: 1_500)
        _ = try sample.log.compact()
        sample.log.log.close()
        let compact = try #require(try sample.log.rows("blocks").values.first { $0[6] == 2 })
        let position = (24..<32).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(compact[$1]) }
        var buffer = BlockBuffer()
        for _ in 0..<300 {
            var block = compact
            switch Int.random(in: 0..<4, using: &sample.random) {
            case 0:
                block.removeLast(.random(in: 1..<block.count - 40, using: &sample.random))
            case 1:
                // The headers of the frame and of its first block, where a bit matters most.
                let place = Int.random(in: 32..<48, using: &sample.random)
                block[place] = .random(in: 0...255, using: &sample.random)
            default:
                for _ in 0..<Int.random(in: 1...8, using: &sample.random) {
                    let place = Int.random(in: 32..<block.count, using: &sample.random)
                    block[place] ^= 1 << UInt8.random(in: 0..<8, using: &sample.random)
                }
            }
            block.setNumber(UInt64(block.count), at: 8, width: 4)
            block.seal()
            do throws(EventLogError) {
                let view = try BlockView(block.span, at: position, decodedInto: &buffer)
                var entries = view.entries
                while try entries.next() != nil {}
            } catch {
                guard case .damaged = error else {
                    Issue.record("seed \(seed): \(error)")
                    continue
                }
            }
        }
    }

    @Test func `a compact block of a version with flags, or no entries, is refused`() throws {
        let log = try log(seed: 7).log
        _ = try log.compact()
        log.log.close()
        for (place, value) in [(6, 3), (7, 1)] as [(Int, UInt8)] {
            var buffer = BlockBuffer()
            var block = try #require(try log.rows("blocks")[Array(repeating: 0, count: 8)])
            #expect(block[6] == 2)
            block[place] = value
            block.seal()
            let isNewer: Bool
            do throws(EventLogError) {
                _ = try BlockView(block.span, at: 0, decodedInto: &buffer).count
                isNewer = false
            } catch {
                if case .newerFormat = error { isNewer = true } else { isNewer = false }
            }
            #expect(isNewer)
        }
        for count in [0, 2_521, 65_535] as [UInt64] {
            try log.alter("blocks") { block in
                block.setNumber(count, at: 4, width: 2)
                block.seal()
            }
            #expect(try !log.findings().isEmpty)
        }
    }
}

/// A log whose entries are of many shapes, some of which compress well.
struct CompactedSample {
    let log: TemporaryLog
    var random: SplitMix64
    private(set) var events: [EventSample]
    private var clock: Int64 = 1_000_000
    private var numbers = [UInt64](repeating: 1 << 20, count: 3)

    init(seed: UInt64, count: Int) throws {
        random = SplitMix64(seed: seed)
        log = try TemporaryLog(seed: seed)
        events = EventSample.events(count: count / 3, random: &random)
        events += moreEvents(count - count / 3)
        for start in stride(from: 0, to: events.count, by: 700) {
            let batch = Array(events[start..<min(start + 700, events.count)])
            _ = try log.append(batch, recordedAt: 5_000 + Int64(start))
        }
    }

    /// Returns events that follow: mostly numbers near those before, now and then a text, a jump,
    /// another source, a decimal with other decimals.
    mutating func moreEvents(_ count: Int) -> [EventSample] {
        var more: [EventSample] = []
        for _ in 0..<count {
            clock += .random(in: 1...3, using: &random)
            for index in numbers.indices {
                let isJump = Int.random(in: 0..<50, using: &random) == 0
                let step = isJump ? UInt64.random(in: 0...(1 << 50), using: &random) : 40
                numbers[index] &+= .random(in: 0...step, using: &random)
                numbers[index] &-= .random(in: 0...step, using: &random)
            }
            let source = Int.random(in: 0..<9, using: &random) == 0 ? "watch" : "phone"
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                let text = Int.random(in: 0...300, using: &random)
                let payload = [UInt8](repeating: 0x41, count: text)
                more.append(EventSample(source: source, occurredAt: clock, payload: payload))
            case 1:
                let id = "id\(random.next())"
                more.append(EventSample(source: source, occurredAt: clock, id: id, payload: [1]))
            default: more.append(fix(from: source))
            }
        }
        return more
    }

    /// An event of kind 0x20: a number of four bytes and two decimals.
    private mutating func fix(from source: String) -> EventSample {
        var payload = (0..<4).map { UInt8(truncatingIfNeeded: numbers[0] >> UInt64(8 * $0)) }
        for number in numbers[1...] {
            let sign: Int64 = Int.random(in: 0..<9, using: &random) == 0 ? -1 : 1
            payload += Self.decimal(sign * Int64(number >> 8 & (1 << 53 - 1)), decimals: 7)
        }
        return EventSample(source: source, occurredAt: clock, kind: 0x20, payload: payload)
    }

    /// Returns a number ÷ 10^decimals in lowest terms, as Formats writes decimals.
    private static func decimal(_ number: Int64, decimals: UInt8) -> [UInt8] {
        var (number, decimals) = (number, decimals)
        while decimals > 0, number % 10 == 0 { (number, decimals) = (number / 10, decimals - 1) }
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        var bytes = [decimals]
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}

extension TemporaryLog {
    /// Compacts the log and opens it again.
    func compact() throws -> CompactionFigures {
        let figures = try #require(
            try log.compact(
                onProgress: { _ in }
            )
        )
        try open()
        return figures
    }

    /// The bytes of all entries.
    func entries() throws -> [[UInt8]] {
        var found: [[UInt8]] = []
        try newest.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() { found.append(Array(copying: entry.bytes)) }
            return true
        }
        return found
    }
}
