import Testing
import TripEvents
import TripLedger
import TripTracking

@testable import LedgerKeeping

/// Which news an erasure strikes: what may tell what was erased, and nothing else.
@Suite struct ErasedTripsTests {
    private let there = TripID(openedBy: "there", from: "phone")
    private let shortened = TripID(openedBy: "shortened", from: "phone")
    private let erased = TripID(openedBy: "erased", from: "phone")
    private let replaced = TripID(openedBy: "replaced", from: "phone")

    private var trips: ErasedTrips {
        ErasedTrips(there: [there, shortened], reached: [shortened, erased])
    }

    private func notice(_ kind: LedgerNotification.Kind, of trip: TripID) -> [UInt8] {
        Array(#"{"notification":"\#(kind.rawValue)","trip":"\#(trip)"}"#.utf8)
    }

    @Test func `that a trip was withdrawn is still told, unless it was erased`() {
        for trip in [there, shortened, erased, replaced] {
            let isReached = trip == shortened || trip == erased
            #expect(trips.mayConcern(.tripWithdrawn, of: trip) == isReached)
            #expect(trips.mayConcern(notice: notice(.tripWithdrawn, of: trip)) == isReached)
        }
    }

    @Test func `what a trip was is told of trips that are there and have lost nothing`() {
        for kind in [LedgerNotification.Kind.tripStarted, .tripEnded, .purposeWaiting] {
            for trip in [there, shortened, erased, replaced] {
                #expect(trips.mayConcern(notice: notice(kind, of: trip)) == (trip != there))
            }
        }
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
