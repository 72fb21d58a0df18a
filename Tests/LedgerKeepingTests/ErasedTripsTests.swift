import Testing
import TripEvents
import TripLedger
import TripTracking

@testable import LedgerKeeping

/// Which news an erasure strikes: what may tell what was erased, and nothing else.
@Suite struct ErasedTripsTests {
    private let there = TripID(openedBy: "there", from: "phone")
    private let shortened = TripID(openedBy: "shortened", from: "phone")
    private let gone = TripID(openedBy: "gone", from: "phone")

    private var trips: ErasedTrips {
        ErasedTrips(there: [there, shortened], shortened: [shortened])
    }

    private func notice(_ kind: LedgerNotification.Kind, of trip: TripID) -> [UInt8] {
        Array(#"{"notification":"\#(kind.rawValue)","trip":"\#(trip)"}"#.utf8)
    }

    @Test func `what a trip was is told of trips that are there and have lost nothing`() {
        // Late data have replaced a trip that was withdrawn, and the news has all that it was.
        let kinds: [LedgerNotification.Kind] = [
            .tripStarted, .tripEnded, .purposeWaiting, .tripWithdrawn,
        ]
        for kind in kinds {
            for trip in [there, shortened, gone] {
                #expect(trips.mayConcern(notice: notice(kind, of: trip)) == (trip != there))
            }
        }
        #expect(trips.mayConcern(gone) && !trips.mayConcern(there) && !trips.mayConcern(shortened))
    }

    @Test func `reminders to care for the ledger stay, and what tells of no trip goes`() {
        let care = #"{"notification":"backup_due","command":"ledger backup"}"#
        let visit = #"{"notification":"place_entered","place":"Home"}"#
        let reading = #"{"notification":"odometer_only","command":"ledger report-trip"}"#
        #expect(!trips.mayConcern(notice: Array(care.utf8)))
        #expect(trips.mayConcern(notice: Array(visit.utf8)))
        #expect(trips.mayConcern(notice: Array(reading.utf8)))
    }
}
