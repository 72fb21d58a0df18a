import DriveSimulation
import Proofs
import SystemPackage
import TestSupport
import Testing

@testable import EventStore

@Suite struct EventLogTests {
    @Test func `a new log holds its founding entry and nothing else`() throws {
        let log = try TemporaryLog(seed: 1)
        #expect(try log.newest.head().size == 1)
        #expect(try log.findings() == [])
        let kind = try log.newest.withEntry(at: 0) { entry in
            (entry.kind, entry.source, entry.occurredAt, entry.recordedAt)
        }
        #expect(kind ?? (0, 9, 0, 0) == (0x01, 0, 1_000, 1_000))
        #expect(try log.newest.withEntry(at: 1) { _ in true } == nil)
    }

    @Test(arguments: Seeds.fresh(24))
    func `outcomes are those of a simple model, whatever arrives`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let log = try TemporaryLog(seed: seed)
        var model = LogModel(size: 1)
        var recordedAt: Int64 = 2_000
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let events = EventSample.events(
                count: .random(in: 0...300, using: &random),
                random: &random
            )
            recordedAt += .random(in: -500...2_000, using: &random)
            let result = try log.append(events, recordedAt: recordedAt)
            #expect(result.outcomes == events.map { model.append($0) }, "seed \(seed)")
            #expect(result.head == (try log.newest.head()))
            #expect(result.head.size == model.size, "seed \(seed)")
        }
        #expect(try log.findings() == [], "seed \(seed)")
        try log.reopen()
        #expect(try log.findings() == [], "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(8))
    func `splitting the input anywhere stores the same events`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let events = EventSample.events(count: 400, random: &random)
        let whole = try TemporaryLog(seed: seed)
        _ = try whole.append(events, recordedAt: 5_000)
        let split = try TemporaryLog(seed: seed &+ 1)
        var rest = events[...]
        while !rest.isEmpty {
            let count = Int.random(in: 1...60, using: &random)
            _ = try split.append(Array(rest.prefix(count)), recordedAt: 5_000)
            rest = rest.dropFirst(count)
        }
        #expect(try split.contents() == (try whole.contents()), "seed \(seed)")
        #expect(try split.newest.head() != (try whole.newest.head()), "nonces differ")
    }

    @Test func `an event without an id is recognised at its source's latest moment`() throws {
        let log = try TemporaryLog(seed: 3)
        let go = EventSample(source: "phone", occurredAt: 9_000, payload: [1])
        let fix = EventSample(source: "phone", occurredAt: 9_000, payload: [2])
        let result = try log.append([go, fix, go, fix], recordedAt: 9_500)
        #expect(
            result.outcomes == [
                .appended(position: 2), .appended(position: 3), .duplicate(of: 2),
                .duplicate(of: 3),
            ]
        )
    }

    @Test func `another content under a known id is a conflict`() throws {
        let log = try TemporaryLog(seed: 4)
        let first = EventSample(source: "phone", occurredAt: 9_000, id: "a", payload: [1])
        let other = EventSample(source: "phone", occurredAt: 9_000, id: "a", payload: [2])
        let elsewhere = EventSample(source: "watch", occurredAt: 9_000, id: "a", payload: [2])
        let result = try log.append([first, other, first, elsewhere], recordedAt: 9_500)
        #expect(
            result.outcomes == [
                .appended(position: 2), .conflict(with: 2), .duplicate(of: 2),
                .appended(position: 4),
            ]
        )
    }

    @Test func `two spellings of an accented name are two sources`() throws {
        let log = try TemporaryLog(seed: 9)
        let composed = EventSample(source: "t\u{E9}l", occurredAt: 1, payload: [1])
        let decomposed = EventSample(source: "te\u{301}l", occurredAt: 1, payload: [1])
        let result = try log.append([composed, decomposed], recordedAt: 9_500)
        #expect(result.outcomes == [.appended(position: 2), .appended(position: 4)])
        #expect(try log.findings() == [])
    }

    @Test func `all or nothing leaves the log as it was`() throws {
        let log = try TemporaryLog(seed: 5)
        let first = EventSample(source: "phone", occurredAt: 9_000, id: "a", payload: [1])
        let before = try log.append([first], recordedAt: 9_500).head
        let other = EventSample(source: "phone", occurredAt: 9_001, id: "a", payload: [2])
        let fine = EventSample(source: "phone", occurredAt: 9_002, payload: [3])
        let result = try log.append(
            [fine, other],
            recordedAt: 9_500,
            conditions: AppendConditions(isAllOrNothing: true)
        )
        #expect(result.outcomes == [.appended(position: 3), .conflict(with: 2)])
        #expect(!result.isStored(at: 3))
        #expect(result.isStored(at: 2))
        #expect(try log.newest.head() == before)
        #expect(try log.findings() == [])
    }

    @Test func `a log that has moved on refuses the expected size`() throws {
        let log = try TemporaryLog(seed: 6)
        let event = EventSample(source: "phone", occurredAt: 9_000, payload: [1])
        #expect(throws: EventLogError.sizeMoved(expected: 7, actual: 1)) {
            try log.append(
                [event],
                recordedAt: 9_500,
                conditions: AppendConditions(expectedSize: 7)
            )
        }
        let conditions = AppendConditions(expectedSize: 1)
        #expect(try log.append([event], recordedAt: 9_500, conditions: conditions).head.size == 3)
    }

    @Test func `an append that leaves room for other sources takes no new one in it`() throws {
        let log = try TemporaryLog(seed: 8)
        func append(_ source: String, mostSources: Int) throws -> AppendResult {
            try log.append(
                [EventSample(source: source, occurredAt: 9_000, payload: [1])],
                recordedAt: 9_500,
                conditions: AppendConditions(mostSources: mostSources)
            )
        }
        _ = try append("a", mostSources: 2)
        let head = try append("b", mostSources: 2).head
        #expect(throws: EventLogError.tooManySources(most: 2)) {
            try append("c", mostSources: 2)
        }
        #expect(try log.newest.head() == head)
        // Sources that are there already send what they want.
        #expect(try append("a", mostSources: 2).outcomes == [.duplicate(of: 2)])
        #expect(try append("c", mostSources: 3).outcomes == [.appended(position: 6)])
        #expect(try log.findings() == [])
    }

    @Test func `an entry may have 65,535 bytes and no more`() throws {
        let log = try TemporaryLog(seed: 7)
        let most = EventSample(
            source: "phone",
            occurredAt: 1,
            payload: .init(repeating: 7, count: 65_535 - 28)
        )
        let more = EventSample(
            source: "phone",
            occurredAt: 2,
            payload: .init(repeating: 7, count: 65_535 - 27)
        )
        let small = EventSample(source: "phone", occurredAt: 3, payload: [1])
        let result = try log.append([most, more, small, most], recordedAt: 9_500)
        #expect(
            result.outcomes == [
                .appended(position: 2), .tooLarge, .appended(position: 3), .duplicate(of: 2),
            ]
        )
        #expect(try log.findings() == [])
    }

    @Test func `a walk that outlasts a snapshot meets every entry once`() throws {
        let log = try TemporaryLog(seed: 10)
        // More than the 16 MiB after which a snapshot is given back.
        let events = (0..<700)
            .map { index in
                EventSample(
                    source: "phone",
                    occurredAt: Int64(index % 2 == 0 ? index : -index),
                    payload: Array(repeating: 7, count: 60_000)
                )
            }
        _ = try log.append(events, recordedAt: 9_500)
        let all = Array(UInt64(0)..<702)
        var walked: [UInt64] = []
        try log.newest.scan(from: 0) { block in
            walked.append(contentsOf: block.firstPosition..<block.endPosition)
            return true
        }
        #expect(walked == all)
        var read: [UInt64] = []
        try log.newest.read(all.reversed()) { _, position in
            read.append(position)
            return position > 100
        }
        #expect(read == all[100...].reversed())
        var found: [UInt64] = []
        try log.newest.scan(source: 1, from: .min, upTo: 600) { found.append($1) }
        #expect(found.sorted() == Array(2..<600))
    }

    @Test func `recorded_at never decreases, whatever the clock says`() throws {
        let log = try TemporaryLog(seed: 8)
        for (offset, now) in [5_000, 4_000, 4_500, 6_000].enumerated() {
            let event = EventSample(
                source: "phone",
                occurredAt: Int64(offset),
                payload: [UInt8(offset)]
            )
            _ = try log.append([event], recordedAt: Int64(now))
        }
        let recorded = try (2..<6)
            .map { position in
                try log.newest.withEntry(at: position) { $0.recordedAt }
            }
        #expect(recorded == [5_000, 5_000, 5_000, 6_000])
    }
}

@Suite struct EntryViewTests {
    /// Returns an entry's bytes: the length as given, then zeros but for the kind.
    private func entry(length: [UInt8], count: Int) -> [UInt8] {
        length + [0x10] + [UInt8](repeating: 0, count: count - length.count - 1)
    }

    @Test(arguments: [26, 44, 254, 255])
    func `a length of one byte is read`(count: Int) {
        let bytes = entry(length: [UInt8(count)], count: count)
        #expect(EntryView(startOf: bytes.span)?.bytes.count == count)
    }

    @Test(arguments: [258, 259, 65_535])
    func `a length of three bytes is read where one byte cannot say it`(count: Int) {
        let length = [0, UInt8(count & 255), UInt8(count >> 8)]
        let bytes = entry(length: length, count: count)
        #expect(EntryView(startOf: bytes.span)?.bytes.count == count)
    }

    // Found by fuzzing: 256 and 257 bytes would be 254 and 255 with a length of one byte.
    @Test(arguments: [26, 255, 256, 257])
    func `a length of three bytes where one byte would do is refused`(count: Int) {
        let length = [0, UInt8(count & 255), UInt8(count >> 8)]
        let bytes = entry(length: length, count: count)
        #expect(EntryView(startOf: bytes.span)?.bytes.count == nil)
    }
}
