import EventStore
import LMDB
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
        #expect(try log.log.findings() == [])
        return log
    }

    @Test(arguments: ["blocks", "tree", "state", "sources", "names", "ids", "late"])
    func `a flipped bit in any table is found`(table: String) throws {
        let log = try soundLog()
        try log.alter(table) { value in value[value.count / 2] ^= 0x10 }
        #expect(try !log.log.findings().isEmpty)
    }

    @Test(arguments: ["blocks", "tree", "sources", "names", "times", "ids", "late"])
    func `a deleted row of any table is found`(table: String) throws {
        let log = try soundLog()
        try log.deleteFirstRow(table)
        #expect(try !log.log.findings().isEmpty)
    }

    @Test func `a changed entry with a corrected checksum is found by the tree`() throws {
        let log = try soundLog()
        try log.alter("blocks") { block in
            // The nonce of the first entry: nothing but the hash depends on it.
            block[32 + 18] ^= 1
            let checksum = Self.crc32c(block[4...])
            for index in 0..<4 {
                block[index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index))
            }
        }
        let findings = try log.log.findings()
        #expect(findings.contains { "\($0)".contains("subtree 0") })
        #expect(findings.contains { "\($0)".contains("root") })
    }

    @Test func `the log's state cannot be opened when it is cut short`() throws {
        let log = try soundLog()
        #expect(throws: EventLogError.self) {
            try log.alter("state") { value in value.removeLast() }
        }
    }

    /// CRC32C, bit by bit.
    private static func crc32c(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~UInt32(0)) { crc, byte in
            (0..<8)
                .reduce(crc ^ UInt32(byte)) { crc, _ in
                    crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0)
                }
        }
    }
}
