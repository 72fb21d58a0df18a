import EventStore
import Foundation
import LMDB
import Platform
import SystemPackage
import TestSupport
import Testing

/// The audit finds what was changed behind the log's back, table by table.
@Suite struct AuditTests {
    /// A log whose every table has rows.
    private func soundLog() throws -> TemporaryLog {
        let log = try TemporaryLog(seed: 11)
        var events = (0..<400)
            .map { index in
                EventSample(source: "phone", occurredAt: Int64(1_000 * index), payload: [7])
            }
        events.append(EventSample(source: "phone", occurredAt: 500, payload: [8]))
        events.append(EventSample(source: "watch", occurredAt: 1, id: "a", payload: [9]))
        _ = try log.append(events, recordedAt: 9_000)
        #expect(try log.findings() == [])
        return log
    }

    @Test(arguments: ["blocks", "tree", "state", "sources", "names", "ids", "late"])
    func `a flipped bit in any table is found`(table: String) throws {
        let log = try soundLog()
        try log.alter(table) { value in value[value.count / 2] ^= 0x10 }
        #expect(try !log.findings().isEmpty)
    }

    @Test(arguments: ["blocks", "tree", "sources", "names", "times", "ids", "late"])
    func `a deleted row of any table is found`(table: String) throws {
        let log = try soundLog()
        try log.deleteFirstRow(table)
        #expect(try !log.findings().isEmpty)
    }

    @Test func `a changed entry with a corrected checksum is found by the tree`() throws {
        let log = try soundLog()
        try log.alter("blocks") { block in
            // The nonce of the first entry: nothing but the hash depends on it.
            block[32 + 18] ^= 1
            block.seal()
        }
        let findings = try log.findings()
        #expect(findings.contains { "\($0)".contains("subtree 0") })
        #expect(findings.contains { "\($0)".contains("root") })
    }

    @Test func `keys beyond every position are damage, and do not stop the audit`() throws {
        let log = try soundLog()
        log.log.close()
        let block = try #require(try log.rows("blocks").values.first)
        for last: UInt8 in [0, 0xFF] {
            try log.put("blocks", Array(repeating: 0xFF, count: 7) + [last], block)
        }
        let findings = try log.findings()
        #expect(findings.count { "\($0)".contains("a block's key is not a position") } == 2)
    }

    @Test(arguments: [0, 7, 10, 14])
    func `a bit of the header of a block's page is found, which reading does without`(
        offset: Int
    ) throws {
        let log = try soundLog()
        log.log.close()
        let file = URL(fileURLWithPath: log.path.appending("data.mdb").string)
        var data = try Data(contentsOf: file)
        // Overflow pages begin with their number, two unused bytes and the flag 4.
        let starts = stride(from: 0, to: data.count, by: 4_096)
            .filter { data[$0 + 10] == 4 && data[$0 + 11] == 0 }
        for start in starts { data[start + offset] ^= 0x10 }
        try data.write(to: file)
        try log.open()
        let findings = try log.findings()
        #expect(findings.contains { "\($0)".contains("header of the page") })
    }

    @Test(arguments: [0, 7, 10, 13, 15])
    func `a bit of the header of a table's page is found`(offset: Int) throws {
        let log = try soundLog()
        log.log.close()
        let file = URL(fileURLWithPath: log.path.appending("data.mdb").string)
        let sound = try Data(contentsOf: file)
        try log.open()
        #expect(try log.log.snapshotFindings() == [])
        var found = 0
        for start in stride(from: 8_192, to: sound.count, by: 4_096)
        where sound[start + 10] == 2 && sound[start + 11] == 0 {
            var data = sound
            data[start + offset] ^= 0x40
            try data.write(to: file)
            if try !log.log.snapshotFindings().isEmpty { found += 1 }
        }
        // Each of the eight tables has a page, and so have all of them together; others are free.
        #expect(found >= 9)
    }

    @Test func `the log's state cannot be opened when it is cut short`() throws {
        let log = try soundLog()
        #expect(throws: EventLogError.self) {
            try log.alter("state") { value in value.removeLast() }
        }
    }

    @Test(arguments: [12, 16])
    func `a header that hides when its block's entries happened is found`(offset: Int) throws {
        let log = try soundLog()
        try log.alter("blocks") { block in
            block[offset] ^= 1
            block.seal()
        }
        #expect(try log.findings().map { "\($0)".contains("base time and span") } == [true])
    }

    @Test func `names that were swapped in all tables are found by what was hashed`() throws {
        let log = try TemporaryLog(seed: 12)
        let events = ["phone", "watch"].map { EventSample(source: $0, occurredAt: 1, payload: [1]) }
        _ = try log.append(events, recordedAt: 9_000)
        log.log.close()
        let numbers = try log.rows("names")
        let states = try log.rows("sources")
        let phone = Array("phone".utf8)
        let watch = Array("watch".utf8)
        try log.put("names", phone, #require(numbers[watch]))
        try log.put("names", watch, #require(numbers[phone]))
        for (key, value) in states {
            let name = Array(value[32...]) == phone ? watch : phone
            try log.put("sources", key, value[..<32] + name)
        }
        let findings = try log.findings()
        #expect(findings.count == 2)
        #expect(findings.allSatisfy { "\($0)".contains("under its stored name") })
    }

    @Test(arguments: [1, 99] as [UInt8])
    func `a log that needs a newer version names it, whatever its own format is`(
        version: UInt8
    ) throws {
        let log = try soundLog()
        let needed = "it needs ledger 200.3.1 or newer; this is \(ProgramVersion.current)"
        #expect(throws: EventLogError.newerFormat(needed)) {
            try log.alter("state") { $0.replaceSubrange(0..<4, with: [version, 200, 3, 1]) }
        }
    }

    @Test(arguments: [[0, 1, 0], [0, 0, 1]] as [[UInt8]])
    func `a log names the first version in no way but by zeros, and none before it`(
        bytes: [UInt8]
    ) throws {
        let log = try soundLog()
        #expect(throws: EventLogError.notALog("its state names no version of ledger")) {
            try log.alter("state") { $0.replaceSubrange(1..<4, with: bytes) }
        }
    }
}
