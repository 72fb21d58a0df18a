import DriveSimulation
import EventStore
import LedgerTestSupport
import SystemPackage

/// A real log in a directory of its own.
final class TemporaryLog {
    private let directory: TemporaryDirectory
    private var random: SplitMix64
    private(set) var log: EventLog

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
        try log.findings(registration: Self.registration, erasure: Self.erasure)
    }

    static let registration: EventLog.SourceRegistration = { number, name in
        EntryContent(
            kind: 0x02,
            form: 0,
            payload: [UInt8(truncatingIfNeeded: number)] + Array(name.utf8)
        )
    }

    /// Returns every entry after the first without its nonce.
    func contents() throws -> [[UInt8]] {
        var contents: [[UInt8]] = []
        try log.scan(from: 1) { block in
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
