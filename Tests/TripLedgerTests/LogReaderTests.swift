import DriveSimulation
import EventStore
import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

@testable import TripLedger

/// A reader hands over in batches exactly the entries of the log, on whichever thread they were
/// decoded.
@Suite struct LogReaderTests {
    /// An entry, from a batch or from the log.
    private enum Decoded: Hashable {
        case fix(RecordedFix, EventMark, source: UInt32)
        case other([UInt8], at: UInt64)
    }

    /// A ledger of several sources whose events arrive in any order, some of them twice.
    private func book(seed: UInt64) throws -> TemporaryLedger {
        var random = SplitMix64(seed: seed)
        let events = try Arrival.events(seed: seed)
        let book = try TemporaryLedger()
        for arrival in [Arrival.inOrder, .heldBack, .doubled] {
            var part = arrival.order(events, using: &random)
            for index in part.indices {
                // The same again would be a duplicate.
                part[index].source += "\(arrival)"
                if index % 7 == 0 { part[index].sequence = UInt64(index) }
            }
            try book.append(part)
        }
        return book
    }

    /// Returns what the log holds from a position on, read entry by entry.
    private func entries(
        of log: ReadableLog,
        from start: UInt64,
        upTo end: UInt64
    ) throws -> [Decoded] {
        var decoded: [Decoded] = []
        try log.scan(from: start) { block in
            var entries = block.entries
            while let entry = try entries.next() {
                let position = entries.position - 1
                guard start..<end ~= position else { continue }
                let form = PayloadForm(rawValue: entry.form)
                let at = Timestamp(milliseconds: entry.occurredAt)
                if entry.kind == EventKind.fixRecorded.rawValue,
                    let fix = Fix(payload: entry.payload, form: form, occurredAt: at)
                {
                    let recordedAt = Timestamp(milliseconds: entry.recordedAt)
                    decoded.append(
                        .fix(
                            RecordedFix(fix: fix, recordedAt: recordedAt),
                            EventMark(entry, at: position),
                            source: entry.source
                        )
                    )
                } else {
                    decoded.append(.other([UInt8](copying: entry.bytes), at: position))
                }
            }
            return true
        }
        return decoded
    }

    /// Takes a batch apart, and expects each run of fixes to be in order of time.
    private func entries(of batch: DecodedEntries, _ comment: Comment) -> [Decoded] {
        var decoded: [Decoded] = []
        var position = batch.firstPosition
        for run in batch.runs {
            switch run {
            case .fixes(let run):
                #expect(run.start < run.end, comment)
                for index in run.start..<run.end {
                    let fix = batch.fixes[index]
                    let mark = batch.mark(of: index, in: run, at: position)
                    if index > run.start {
                        let previous = batch.fixes[index - 1].fix
                        #expect(previous.occurredAt < fix.fix.occurredAt, comment)
                    }
                    decoded.append(.fix(fix, mark, source: run.source))
                    position += 1
                }
            case .entry(let range):
                decoded.append(.other(Array(batch.bytes[range]), at: position))
                position += 1
            }
        }
        #expect(position == batch.endPosition, comment)
        return decoded
    }

    @Test(arguments: Seeds.fresh(3), [0, .max] as [UInt64])
    func `batches hold what the log holds, with and without a thread`(
        seed: UInt64,
        fewestForThread: UInt64
    ) throws {
        let book = try book(seed: seed)
        let size = try book.ledger.head().size
        var random = SplitMix64(seed: seed)
        let start = UInt64.random(in: 0..<size, using: &random)
        for (start, end) in [(0, size), (start, size), (start, start + (size - start) / 2)] {
            let comment: Comment = "seed \(seed), \(start) ..< \(end)"
            var reader = LogReader(book.ledger.log, from: start, upTo: end)
            reader.fewestForThread = fewestForThread
            var decoded: [Decoded] = []
            try reader.forEachBatch { batch in
                decoded += entries(of: batch, comment)
                return true
            }
            let expected = try entries(of: book.ledger.log, from: start, upTo: end)
            #expect(decoded == expected, comment)
        }
    }

    @Test func `a reader can be stopped after any batch`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 30)))
        let size = try book.ledger.head().size
        for limit in 1...4 {
            // Each turn would hang if the last one's thread held on to the log.
            var position: UInt64 = 0
            while position < size {
                var reader = LogReader(book.ledger.log, from: position, upTo: size)
                reader.fewestForThread = 0
                var count = 0
                try reader.forEachBatch { batch in
                    #expect(batch.firstPosition == position)
                    position = batch.endPosition
                    count += 1
                    return count < limit
                }
                #expect(count <= limit)
            }
        }
    }

    @Test func `what a body throws ends the reading`() throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 3, count: 30)))
        var reader = LogReader(book.ledger.log, from: 0, upTo: try book.ledger.head().size)
        reader.fewestForThread = 0
        #expect(throws: CocoaError.self) {
            try reader.forEachBatch { _ in throw CocoaError(.featureUnsupported) }
        }
    }

    @Test(arguments: [0, .max] as [UInt64])
    func `damage is told of after all entries before it`(fewestForThread: UInt64) throws {
        let book = try TemporaryLedger()
        try book.append(Array(DriveSimulator.drives(seed: 5, count: 40)))
        let size = try book.ledger.head().size
        let end = try damageBlock(of: book, holding: size / 2)
        var reader = LogReader(book.ledger.log, from: 0, upTo: size)
        reader.fewestForThread = fewestForThread
        var position: UInt64 = 0
        do {
            try reader.forEachBatch { batch in
                position = batch.endPosition
                return true
            }
            Issue.record("damage was not found")
        } catch EventLogError.damaged(let damaged, _) {
            #expect(damaged == end)
        }
        #expect(position == end)
        #expect(throws: LedgerError.self) { try book.ledger.project() }
    }

    /// Changes a byte of the block that holds a position, and returns the block's first position.
    private func damageBlock(of book: TemporaryLedger, holding position: UInt64) throws -> UInt64 {
        var first: UInt64 = 0
        var content = Data()
        try book.ledger.log.scan(from: position) { block in
            first = block.firstPosition
            var entries = block.entries
            while let entry = try entries.next() { content += [UInt8](copying: entry.bytes) }
            return false
        }
        try book.whileClosed {
            let url = URL(fileURLWithPath: book.logPath + "/data.mdb")
            var data = try Data(contentsOf: url)
            let place = try #require(data.range(of: content))
            data[place.lowerBound + 40] ^= 1
            try data.write(to: url)
        }
        return first
    }
}
