import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

@Suite struct TripReaderTests {
    private struct Damage: Error {}

    private static func row(_ number: Int) -> TripRow {
        let start = Timestamp(milliseconds: Int64(number))
        return TripRow(
            Trip(
                id: TripID(high: UInt64(number), low: 0),
                source: "car",
                rules: RulesName(version: .v1),
                startedBy: .press,
                startedAt: EventTime(start),
                recorded: Trip.Recorded(firstAt: start, lastAt: start)
            )
        )
    }

    /// Returns the numbers of the trips that a reader hands over, of so many that there are.
    private func numbers(
        of count: Int,
        until limit: Int = .max,
        thenFails: Bool = false
    )
        -> (numbers: [UInt64], hasFailed: Bool)
    {
        let reader = TripReader<[UInt64]>([]) { take in
            for number in 0..<count {
                guard try take(Self.row(number)) else { return }
            }
            if thenFails { throw Damage() }
        }
        var numbers: [UInt64] = []
        do {
            try reader.read { row, batch in
                batch.append(row.trip.id.high)
            } _: { batch in
                numbers += batch
                batch.removeAll(keepingCapacity: true)
                return numbers.count < limit
            }
            return (numbers, false)
        } catch {
            return (numbers, true)
        }
    }

    @Test(arguments: [0, 1, 511, 512, 513, 1_024, 5_000])
    func `every trip is handed over once and in order`(count: Int) {
        let read = numbers(of: count)
        #expect(read.numbers == (0..<UInt64(count)).map(\.self))
        #expect(!read.hasFailed)
    }

    @Test func `who wants no more gets no more`() {
        let read = numbers(of: 100_000, until: 1)
        #expect(!read.numbers.isEmpty)
        #expect(read.numbers.count < 5_000)
        #expect(!read.hasFailed)
    }

    @Test func `what goes wrong while trips are read is thrown to the one that asked`() {
        let read = numbers(of: 3_000, thenFails: true)
        #expect(read.hasFailed)
        #expect(read.numbers == (0..<UInt64(read.numbers.count)).map(\.self))
    }
}
