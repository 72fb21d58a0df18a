import Geodesy
import LedgerRows
import Projections
import ProjectorTestSupport
import Tables
import Testing
import TripEvents
import TripTracking

/// What a merge changes about class and purpose.
@Suite struct MergedDetailsTests {
    @Test func `a merge says which distance has another class or purpose, and only then`() {
        func trip(_ number: UInt64, _ tripClass: TripClass, _ purpose: String?) -> BookedTrip {
            var trip = SampleTrip.active(high: number, startedAt: Int64(number) * 3_600_000)
            trip.status = .completed
            trip.distance = Distance(millimeters: Int64(number) * 1_000_000)
            var booked = BookedTrip(trip)
            booked.details.tripClass = tripClass
            booked.details.purpose = purpose
            return booked
        }
        let parts = [trip(1, .commute, nil), trip(2, .business, "Visit")]
        var whole = parts[1]
        whole.trip.distance = Distance(millimeters: 3_000_000)
        let said = MergedDetails(parts, into: whole, .kilometers).text.split(separator: "\n")
        #expect(said.count == 2)
        #expect(
            said.first?.hasPrefix("1.00 km of \(parts[0].id.short) had the class commute") ?? false
        )
        #expect(said.first?.contains("now all 3.00 km have the class business") ?? false)
        #expect(
            said.last?.contains("had no purpose; now all 3.00 km have the purpose Visit") ?? false
        )
        let same = [trip(1, .business, "Visit"), trip(2, .business, "Visit")]
        #expect(MergedDetails(same, into: same[0], .kilometers).text.isEmpty)
    }
}
