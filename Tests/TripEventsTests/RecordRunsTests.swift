import DriveSimulation
import TestSupport
import Testing
import TripEvents

/// Runs of entries and the records from which they came.
@Suite struct RecordRunsTests {
    @Test(arguments: Seeds.fresh(200))
    func `each entry gives the record it was made of`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var next = UInt64.random(in: 0...1 << 40, using: &random)
        // Runs of no entries are never written, and have no text.
        var records: [UInt64?] = [next]
        var runs = RecordRuns()
        runs.add(next)
        for _ in 0..<Int.random(in: 1...400, using: &random) where !runs.isFull {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let count = UInt64.random(in: 1...3, using: &random)
                runs.addOthers(count)
                records += Array(repeating: nil, count: Int(count))
            case 1: next = UInt64.random(in: 0...1 << 40, using: &random)
            case 2: next += UInt64.random(in: 0...9, using: &random)
            default:
                let step = UInt64.random(in: 0...3, using: &random)
                for _ in 0..<Int.random(in: 1...9, using: &random) {
                    runs.add(next)
                    records.append(next)
                    next += step
                }
            }
        }
        #expect(runs.entryCount == UInt64(records.count), "seed \(seed)")
        for runs in [runs, try #require(RecordRuns(runs.description), "seed \(seed)")] {
            for (index, record) in records.enumerated() {
                let distance = UInt64(records.count - index)
                #expect(runs.record(ofEntryBefore: distance) == record, "seed \(seed)")
            }
            #expect(runs.record(ofEntryBefore: 0) == nil)
            #expect(runs.record(ofEntryBefore: UInt64(records.count) + 1) == nil)
        }
    }

    @Test(arguments: Seeds.fresh(20))
    func `what is not full has room for one more entry, whatever it is`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let least: UInt64 = [0, 1 << 62].randomElement(using: &random) ?? 0
        var runs = RecordRuns()
        while !runs.isFull {
            runs.add(UInt64.random(in: least...UInt64.max >> 1, using: &random))
        }
        runs.addOthers(2)
        #expect(runs.description.utf8.count <= RecordRuns.maximumTextBytes, "seed \(seed)")
        #expect(RecordRuns(runs.description)?.entryCount == runs.entryCount, "seed \(seed)")
    }

    @Test func `records of even steps are one run`() {
        func text(_ records: [UInt64]) -> String {
            var runs = RecordRuns()
            for record in records { runs.add(record) }
            return runs.description
        }
        #expect(text(Array(1...4_000)) == "1-4000")
        #expect(text([7]) == "7")
        #expect(text([7, 8]) == "7-8")
        #expect(text([7, 10, 13]) == "7-13/3")
        #expect(text([7, 7]) == "7*2")
        #expect(text([1, 4, 5, 6, 7]) == "1,4-7")
        #expect(text([9, 8, 7]) == "9,8,7")
    }

    @Test(
        arguments: [
            "", ",", "7,", "~", "~0", "07", "7-7", "9-7", "7-8/1", "7-12/3", "7-10/0", "7*1", "7*0",
            "7*2*2", "1-2-3", "-1", "+1", "7/2", "1 ,2", "1-4097", "~4096,1",
            "0-18446744073709551615", "18446744073709551616", "5*18446744073709551615",
        ]
    )
    func `a text that the ledger does not write is refused`(text: String) {
        #expect(RecordRuns(text) == nil)
    }
}
