import DriveSimulation
import EventStore
import Testing

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
        try log.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() { found.append(Array(copying: entry.bytes)) }
            return true
        }
        return found
    }
}
