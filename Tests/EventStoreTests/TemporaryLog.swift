import DriveSimulation
import EventStore
import LMDB
import Platform
import Proofs
import SystemPackage
import TestSupport
import Testing

/// A real log in a directory of its own.
final class TemporaryLog {
    private let directory: TemporaryDirectory
    private var random: SplitMix64
    private(set) var log: EventLog

    /// The log as it is whenever it is asked.
    var newest: ReadableLog { log.newest }

    var path: FilePath { FilePath(directory.path("log")) }

    init(seed: UInt64) throws {
        directory = try TemporaryDirectory()
        random = SplitMix64(seed: seed)
        log = try EventLog.create(
            at: FilePath(directory.path("log")),
            founding: EntryContent(kind: 0x01, form: 0, payload: [1, 2, 3]),
            recordedAt: 1_000,
            randomness: random
        )
    }

    func reopen() throws {
        log.close()
        log = try EventLog(at: path)
    }

    func open() throws {
        log = try EventLog(at: path)
    }

    func append(
        _ events: [EventSample],
        recordedAt: Int64,
        conditions: AppendConditions = AppendConditions()
    ) throws -> AppendResult {
        try log.append(
            batch(of: events),
            recordedAt: recordedAt,
            conditions: conditions,
            registration: Self.registration,
            randomness: &random
        )
    }

    /// Appends events, given the group of each one's source.
    func append(
        _ events: [(event: EventSample, group: String?)],
        recordedAt: Int64,
        conditions: AppendConditions = AppendConditions()
    ) throws -> AppendResult {
        var batch = EntryBatch()
        for (event, group) in events {
            batch.append(
                sourceIndex: batch.index(ofSource: event.source, group: group),
                kind: event.kind,
                form: 0,
                occurredAt: event.occurredAt,
                id: Array((event.id ?? "").utf8).span,
                payload: event.payload.span
            )
        }
        return try log.append(
            batch,
            recordedAt: recordedAt,
            conditions: conditions,
            registration: Self.registration,
            randomness: &random
        )
    }

    /// Appends events that come part by part, and does something before the transaction ends.
    func append(
        parts: [[EventSample]],
        recordedAt: Int64,
        _ afterwards: () throws -> Void = {}
    ) throws -> AppendResult {
        // Each part has the sources of the one before it.
        var batch = EntryBatch()
        let batches = parts.map { events in
            batch.removeAll()
            add(events, to: &batch)
            return batch
        }
        return try log.append(
            recordedAt: recordedAt,
            eventCount: parts.reduce(0) { $0 + $1.count },
            mayUseThread: true,
            registration: Self.registration,
            randomness: &random
        ) { append in
            for batch in batches { try append(batch) }
            try afterwards()
        }
    }

    private func batch(of events: [EventSample]) -> EntryBatch {
        var batch = EntryBatch()
        add(events, to: &batch)
        return batch
    }

    private func add(_ events: [EventSample], to batch: inout EntryBatch) {
        for event in events {
            let id = Array((event.id ?? "").utf8)
            batch.append(
                sourceIndex: batch.index(ofSource: event.source),
                kind: event.kind,
                form: 0,
                occurredAt: event.occurredAt,
                id: id.span,
                payload: event.payload.span
            )
        }
    }

    /// Returns what the audit finds.
    func findings() throws -> [EventLogError] {
        try newest.findings(registration: Self.registration, erasure: Self.erasure)
    }

    static let registration: EventLog.SourceRegistration = { number, source in
        EntryContent(
            kind: 0x02,
            form: 0,
            payload: [UInt8(truncatingIfNeeded: number)] + Array(source.name.utf8)
                + (source.group.map { [0] + Array($0.utf8) } ?? [])
        )
    }

    /// Returns every entry after the first without its nonce.
    func contents() throws -> [[UInt8]] {
        var contents: [[UInt8]] = []
        try newest.scan(from: 1) { block in
            var entries = block.entries
            while let entry = try entries.next() {
                guard entries.position > 1 else { continue }
                contents.append((0..<entry.bytes.count).map { entry.bytes[$0] })
                contents[contents.count - 1]
                    .replaceSubrange(
                        18..<26,
                        with: repeatElement(0, count: 8)
                    )
            }
            return true
        }
        return contents
    }
}

extension TemporaryLog {
    /// Erases entries, one event for each part.
    func erase(_ parts: [RangeSet<UInt64>], recordedAt: Int64) throws -> TreeHead {
        try log.erase(parts, recordedAt: recordedAt, randomness: BufferedRandom()) { index, made in
            var payload = made.tombstoneRoot.array + made.memory.array
            let previous = made.previous ?? 0
            payload += (0..<8).map { UInt8(truncatingIfNeeded: previous >> UInt64(8 * $0)) }
            for range in parts[index].ranges {
                for number in [range.lowerBound, range.upperBound] {
                    payload += (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
                }
            }
            return EntryContent(kind: 0x03, form: 0, payload: payload)
        }
    }

    /// Reads the events that `erase(_:recordedAt:)` appends.
    static let erasure: EventLog.ErasureReading = { entry in
        let payload = (0..<entry.payload.count).map { entry.payload[$0] }
        guard let root = Digest(Array(payload.prefix(32))),
            let memory = Digest(Array(payload.dropFirst(32).prefix(32)))
        else { return nil }
        let numbers = stride(from: 64, to: payload.count, by: 8)
            .map { start in
                payload[start..<start + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            }
        var positions = RangeSet<UInt64>()
        for index in stride(from: 1, to: numbers.count, by: 2) {
            positions.insert(contentsOf: numbers[index]..<numbers[index + 1])
        }
        return ErasureRecord(
            positions: positions,
            commitment: ErasureCommitment(
                tombstoneRoot: root,
                memory: memory,
                previous: numbers[0] == 0 ? nil : numbers[0]
            )
        )
    }

    /// The leaf hashes of all entries.
    func leaves() throws -> [Digest] {
        var leaves: [Digest] = []
        try newest.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() { leaves.append(entry.leafHash) }
            return true
        }
        return leaves
    }

    /// The positions of the entries that can be erased.
    func erasablePositions() throws -> [UInt64] {
        var positions: [UInt64] = []
        try newest.scan(from: 0) { block in
            var entries = block.entries
            while let entry = try entries.next() {
                if entry.source != 0, !entry.isTombstone { positions.append(entries.position - 1) }
            }
            return true
        }
        return positions
    }
}

extension TemporaryLog {
    /// Returns the rows of a table of the closed log.
    func rows(_ table: String) throws -> [[UInt8]: [UInt8]] {
        let environment = try openEnvironment()
        defer { environment.close() }
        let handle = try #require(environment.openTables([table]).first)
        var rows: [[UInt8]: [UInt8]] = [:]
        try environment.scan(handle, from: []) { key, value in
            rows[key.indices.map { key[$0] }] = value.indices.map { value[$0] }
            return true
        }
        return rows
    }

    /// Changes the value of a table's first row behind the log's back.
    func alter(_ table: String, _ change: (inout [UInt8]) -> Void) throws {
        log.close()
        guard var row = try rows(table).min(by: { $0.key.lexicographicallyPrecedes($1.key) })
        else { throw MissingRow() }
        change(&row.value)
        try put(table, row.key, row.value)
    }

    /// Changes the value of a table's last row behind the log's back.
    func alterLast(_ table: String, _ change: (inout [UInt8]) -> Void) throws {
        log.close()
        guard var row = try rows(table).max(by: { $0.key.lexicographicallyPrecedes($1.key) })
        else { throw MissingRow() }
        change(&row.value)
        try put(table, row.key, row.value)
    }

    /// Stores a row behind the log's back.
    func put(_ table: String, _ key: [UInt8], _ value: [UInt8]) throws {
        log.close()
        try write(table) { transaction, handle in
            try transaction.put(handle, key, value, append: false)
        }
    }

    /// Deletes a table's first row behind the log's back.
    func deleteFirstRow(_ table: String) throws {
        log.close()
        guard let row = try rows(table).min(by: { $0.key.lexicographicallyPrecedes($1.key) })
        else { throw MissingRow() }
        try write(table) { transaction, handle in
            _ = try transaction.delete(handle, row.key)
        }
    }

    /// Changes a block behind the log's back; returns its first position.
    func alterBlock(_ index: Int, _ change: (inout [UInt8]) -> Void) throws -> UInt64 {
        var row = try block(index)
        change(&row.value)
        try put("blocks", row.key, row.value)
        return row.position
    }

    /// Deletes a block behind the log's back; returns its first position.
    func removeBlock(_ index: Int) throws -> UInt64 {
        let row = try block(index)
        try write("blocks") { transaction, handle in
            _ = try transaction.delete(handle, row.key)
        }
        return row.position
    }

    private func block(
        _ index: Int
    ) throws -> (key: [UInt8], value: [UInt8], position: UInt64) {
        log.close()
        let rows = try rows("blocks").sorted { $0.key.lexicographicallyPrecedes($1.key) }
        guard rows.indices.contains(index) else { throw MissingRow() }
        let row = rows[index]
        return (row.key, row.value, row.key.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private struct MissingRow: Error {}

    private func write(
        _ table: String,
        _ change: (inout WriteTransaction, Table) throws -> Void
    ) throws {
        do {
            let environment = try openEnvironment()
            defer { environment.close() }
            let handle = try #require(environment.openTables([table]).first)
            try environment.write { try change(&$0, handle) }
        }
        try reopen()
    }

    /// Makes a table behind the log's back.
    func addTable(_ name: String) throws {
        log.close()
        do {
            let environment = try openEnvironment()
            defer { environment.close() }
            _ = try environment.write { try $0.createTable(name) }
        }
        try reopen()
    }

    private func openEnvironment() throws -> Environment {
        try Environment(
            at: path,
            options: Environment.Options(
                maximumTables: 16,
                initialMapBytes: 1 << 20,
                isReadOnly: false,
                maximumReaders: 16
            )
        )
    }
}
