import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripTracking
import TripsProjection

@testable import TripLedger

/// The trips of a simulated driver in a ledger, compared with the true drives.
@Suite struct SimulatedDriverTripsTests {
    @Test(arguments: Seeds.fresh(4))
    func `trips are what was driven, and each event is taken`(seed: UInt64) throws {
        let start = try #require(CivilDate(year: 2025, month: 2 + Int(seed % 8), day: 28))
        let driver = DriveSimulator.driver(
            named: "driver \(seed)",
            seed: seed,
            startingOn: start,
            count: 40
        )
        let book = try TemporaryLedger()
        var receipts = try book.append([driver.registration] + driver.places)
        var drives: [DayPart] = []
        for day in driver {
            receipts += try book.append(day.events)
            drives += day.streams[0].parts.filter { $0.activity == .car }
        }
        let isAppended = receipts.allSatisfy { receipt in
            if case .appended = receipt { return true }
            return false
        }
        #expect(isAppended, "seed \(seed)")

        let trips = try book.ledger.trips().map(\.trip)
        let recorded = drives.filter { drive in trips.contains { Self.isMade(of: drive, $0) } }
        let meters = recorded.reduce(0.0) { $0 + Double($1.lengthMeters) }
        let known = trips.reduce(0.0) { $0 + ($1.distance + $1.gaps.distance).meters }
        // Fixes some seconds apart cut corners, and GO comes late at times.
        #expect((0.96...1.01).contains(known / meters), "seed \(seed): \(known / meters)")
        #expect(recorded.count * 100 >= drives.count * 94, "seed \(seed)")
        #expect(trips.count * 100 >= recorded.count * 92, "seed \(seed)")
        #expect(trips.count * 100 <= recorded.count * 108, "seed \(seed)")
        let invented = trips.filter { trip in !drives.contains { Self.isMade(of: $0, trip) } }
        #expect(invented.count <= 2, "seed \(seed)")

        let compared = try book.ledger.reading { snapshot in
            OdometerComparison.list(
                try snapshot.vehicles().readings(of: driver.vehicle),
                of: driver.vehicle,
                with: try snapshot.trips().map(\.booked)
            )
        }
        #expect(compared.count == 2, "seed \(seed)")
        #expect(compared.allSatisfy { !$0.isBackwards }, "seed \(seed)")
        let share = try #require(compared.last?.explainedThousandths)
        #expect((600...1_010).contains(share), "seed \(seed): \(share)")
    }

    /// Whether a trip has half a minute or more of a drive.
    private static func isMade(of drive: DayPart, _ trip: Trip) -> Bool {
        guard let end = trip.endedAt?.timestamp else { return false }
        let common = min(drive.end, end)
            .milliseconds(since: max(drive.start, trip.startedAt.timestamp))
        return common > 30_000
    }
}
