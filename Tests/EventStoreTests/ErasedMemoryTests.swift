import EventStore
import Proofs
import Testing

/// The rows that recognise erased events are as well guarded as the entries: the event that records
/// the erasure commits to them.
@Suite struct ErasedMemoryTests {
    private static let key = Array("erasures".utf8)

    private let events = (0..<20)
        .map { EventSample(source: "phone", occurredAt: Int64($0), payload: [7, 7]) }

    private func erasedLog() throws -> TemporaryLog {
        let log = try TemporaryLog(seed: 4)
        _ = try log.append(events, recordedAt: 5_000)
        _ = try log.erase([RangeSet([2..<5]), RangeSet([7..<8])], recordedAt: 6_000)
        _ = try log.erase([RangeSet([9..<10])], recordedAt: 6_001)
        #expect(try log.findings() == [])
        return log
    }

    @Test(arguments: 0..<94)
    func `a flipped bit of the row with the erasure key is found`(offset: Int) throws {
        let log = try erasedLog()
        log.log.close()
        var value = try #require(log.rows("state")[Self.key])
        try #require(value.count == 94)
        value[offset] ^= 0x10
        try log.put("state", Self.key, value)
        // A newer version of the row is an error, all else a finding.
        #expect((try? log.findings().isEmpty) != true)
        #expect(throws: EventLogError.self) { try log.append(events, recordedAt: 7_000) }
    }

    @Test func `a key that was exchanged with its checksum is found`() throws {
        let log = try erasedLog()
        let other = try erasedLog()
        log.log.close()
        other.log.close()
        let value = try #require(other.rows("state")[Self.key])
        try other.reopen()
        try log.put("state", Self.key, value)
        let findings = try log.findings().map { "\($0)" }
        #expect(findings.contains { $0.contains("what recognises erased events") })
    }

    @Test func `a deleted row of an erased event is found, and nothing comes back`() throws {
        let log = try erasedLog()
        try log.deleteFirstRow("state")
        let findings = try log.findings().map { "\($0)" }
        #expect(findings.contains { $0.contains("what recognises erased events") })
        #expect(throws: EventLogError.self) { try log.append(events, recordedAt: 7_000) }
        // A new erasure would commit to what is left.
        #expect(throws: EventLogError.self) {
            try log.erase([RangeSet([12..<13])], recordedAt: 7_000)
        }
    }

    @Test func `a row that recognises another event is found`() throws {
        let log = try erasedLog()
        try log.alter("state") { $0[0] ^= 1 }
        let findings = try log.findings().map { "\($0)" }
        #expect(findings.contains { $0.contains("what recognises erased events") })
    }

    @Test func `a table that no log has is named`() throws {
        let log = try erasedLog()
        try log.addTable("notes")
        let findings = try log.log.snapshotFindings()
        #expect(findings.contains { $0.contains("\"notes\"") })
    }

    @Test func `what is committed to says nothing to those who have no key`() throws {
        // The same events under two keys: neither rows nor commitments have anything in common.
        let log = try erasedLog()
        let other = try erasedLog()
        func commitments(_ log: TemporaryLog) throws -> Set<[UInt8]> {
            var found: Set<[UInt8]> = []
            try log.newest.scan(from: 0) { block in
                var entries = block.entries
                while let entry = try entries.next() {
                    if let record = TemporaryLog.erasure(entry), entry.kind == 0x03 {
                        found.insert(record.commitment.memory.array)
                    }
                }
                return true
            }
            return found
        }
        let (first, second) = (try commitments(log), try commitments(other))
        #expect(first.count == 2 && second.count == 2 && first.isDisjoint(with: second))
    }
}
