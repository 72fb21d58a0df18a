import EventStore
import TestSupport
import Testing

/// Bytes in a log's tables never end the program, even if an attacker wrote them: they are an
/// error.
@Suite struct HostileLogTests {
    private let latest = EventSample(source: "phone", occurredAt: 399_000, payload: [7])
    private let inOrder = EventSample(source: "phone", occurredAt: 5_000, payload: [7])
    private let late = EventSample(source: "phone", occurredAt: 500, payload: [8])
    private let named = EventSample(source: "phone", occurredAt: 600, id: "a", payload: [9])

    /// A log whose every table has rows.
    private func soundLog() throws -> TemporaryLog {
        let log = try TemporaryLog(seed: 21)
        let events = (0..<400)
            .map { index in
                EventSample(source: "phone", occurredAt: Int64(1_000 * index), payload: [7])
            }
        _ = try log.append(events + [late, named], recordedAt: 9_000)
        return log
    }

    /// Expects that the audit finds what is wrong, and that appending says so.
    private func expectRefusal(
        _ log: TemporaryLog,
        of event: EventSample,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try !log.findings().isEmpty, sourceLocation: sourceLocation)
        #expect(throws: EventLogError.self, sourceLocation: sourceLocation) {
            try log.append([event], recordedAt: 9_000)
        }
    }

    @Test(arguments: ["names", "ids", "late"], [0, 7, 9])
    func `a number that has not eight bytes is damage`(table: String, count: Int) throws {
        let log = try soundLog()
        try log.alter(table) { $0 = Array(repeating: 1, count: count) }
        try expectRefusal(log, of: table == "ids" ? named : late)
        guard table != "ids" else { return }
        #expect(throws: EventLogError.self) {
            _ = try log.newest.number(ofSource: "phone")
            _ = try log.newest.lateEntries(of: 1, after: nil, limit: 9)
        }
    }

    @Test(arguments: ["ids", "late"], [3, 404, 1 << 56, .max] as [UInt64])
    func `an index that leads to another event is damage`(table: String, to: UInt64) throws {
        let log = try soundLog()
        try log.alter(table) { $0.setNumber(to, at: 0) }
        try expectRefusal(log, of: table == "ids" ? named : late)
    }

    @Test(arguments: [0, 1 << 24, 1 << 32 + 1, .max] as [UInt64])
    func `a number that no source can have is not cut to fit`(number: UInt64) throws {
        let log = try soundLog()
        try log.alter("names") { $0.setNumber(number, at: 0) }
        try expectRefusal(log, of: latest)
        #expect(throws: EventLogError.self) { try log.newest.number(ofSource: "phone") }
    }

    @Test(
        arguments: [0, 8, 16, 24],
        [1 << 56 + 1, 1 << 63, .max] as [UInt64]
    )
    func `a source's state out of range is damage`(offset: Int, number: UInt64) throws {
        let log = try soundLog()
        // Any time is possible but for those that 48 bits cannot say.
        try log.alter("sources") { $0.setNumber(number == .max ? 1 << 47 : number, at: offset) }
        if offset > 0, number == .max {
            try log.alter("sources") { $0.setNumber(.max, at: offset) }
        }
        try expectRefusal(log, of: latest)
        #expect(throws: EventLogError.self) { try log.newest.source(numbered: 1) }
    }

    @Test(arguments: [400, 403, 404, 1 << 56] as [UInt64])
    func `a high-water position that leads to another event is damage`(position: UInt64) throws {
        let log = try soundLog()
        try log.alter("sources") { $0.setNumber(position, at: 8) }
        try expectRefusal(log, of: latest)
        // Duplicates before the damage are still found: there is no reason to look at the end.
        let outcomes = try log.append([inOrder], recordedAt: 9_000).outcomes
        #expect(outcomes == [.duplicate(of: 7)])
    }

    @Test(arguments: [403, .max] as [UInt64])
    func `a row of times that leads past the log's end is damage`(position: UInt64) throws {
        let log = try soundLog()
        var key: [UInt8] = [0, 0, 0, 1, 0x80, 0, 0, 0, 0, 0, 0x13, 0x88]
        key += (0..<8).map { UInt8(truncatingIfNeeded: position >> UInt64(56 - 8 * $0)) }
        try log.put("times", key, [])
        try expectRefusal(log, of: inOrder)
    }

    @Test(arguments: [1 << 47, 1 << 62, 1 << 63] as [UInt64])
    func `a recorded_at that 48 bits cannot say is not cut to fit`(time: UInt64) throws {
        let log = try soundLog()
        #expect(throws: EventLogError.self) {
            try log.alter("state") { $0.setNumber(time, at: 12) }
        }
    }

    @Test func `a last block of several entries that is too long is damage`() throws {
        let log = try soundLog()
        try log.alterLast("blocks") { block in
            let entry = Array(block[32..<32 + Int(block[32])])
            var count = UInt64(block[4])
            while block.count <= 4_080 {
                block += entry
                count += 1
            }
            block.setNumber(count, at: 4, width: 2)
            block.setNumber(UInt64(block.count), at: 8, width: 4)
            block.seal()
        }
        try expectRefusal(log, of: latest)
    }

    @Test(arguments: [0, 156, 65_535] as [UInt64])
    func `a block with an impossible count is damage`(count: UInt64) throws {
        let log = try soundLog()
        try log.alterLast("blocks") { block in
            block.setNumber(count, at: 4, width: 2)
            block.seal()
        }
        try expectRefusal(log, of: latest)
    }

    @Test(arguments: [1 << 56 + 1, .max] as [UInt64])
    func `a block that starts where no position can be is damage`(position: UInt64) throws {
        let log = try soundLog()
        log.log.close()
        var block = try #require(try log.rows("blocks")[Array(repeating: 0, count: 8)])
        block.setNumber(position, at: 24)
        block.seal()
        let key = (0..<8).map { UInt8(truncatingIfNeeded: position >> UInt64(56 - 8 * $0)) }
        try log.put("blocks", key, block)
        try expectRefusal(log, of: latest)
        #expect(throws: EventLogError.self) { try log.newest.scan(from: 0) { _ in true } }
        #expect(throws: EventLogError.self) { try log.newest.withEntry(at: .max) { _ in } }
    }

    @Test(arguments: [1, 7, 9])
    func `a block whose key is no position is damage`(count: Int) throws {
        let log = try soundLog()
        try log.put("blocks", Array(repeating: 0xFF, count: count), [1, 2, 3])
        try expectRefusal(log, of: latest)
        #expect(throws: EventLogError.self) { try log.newest.withEntry(at: .max) { _ in } }
        #expect(throws: EventLogError.self) { try log.newest.scan(from: 0) { _ in true } }
    }

    @Test func `a block that overlaps the one before it is damage`() throws {
        let log = try soundLog()
        log.log.close()
        var block = try #require(try log.rows("blocks")[Array(repeating: 0, count: 8)])
        block.setNumber(1, at: 24)
        block.seal()
        try log.put("blocks", [0, 0, 0, 0, 0, 0, 0, 1], block)
        #expect(throws: EventLogError.self) { try log.newest.scan(from: 0) { _ in true } }
        #expect(try !log.findings().isEmpty)
    }

    @Test func `a number is never given twice`() throws {
        let log = try soundLog()
        try log.deleteFirstRow("names")
        try expectRefusal(log, of: EventSample(source: "watch", occurredAt: 1, payload: []))
    }
}
