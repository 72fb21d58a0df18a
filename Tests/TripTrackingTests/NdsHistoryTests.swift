import Foundation
import Geodesy
import TestSupport
import Testing
import TripEvents
import TripTracking

/// A car's record of 23 drives in one stream, without presses, against the drives themselves.
@Suite struct NdsHistoryTests {
    /// A drive from key on to key off.
    private struct TrueDrive {
        var id: String
        var during: ClosedRange<Timestamp>
        var meters: Double
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `a logger's drives are found one to one`() throws {
        let drives = try trueDrives()
        #expect(drives.count == 23)
        let trips = try foundTrips()
        print(table(drives, trips))
        let overlaps = drives.map { drive in trips.filter { overlap($0, drive) } }
        let oneToOne = overlaps.count { matches in
            matches.count == 1 && drives.count { overlap(matches[0], $0) } == 1
        }
        let merged = trips.count { trip in drives.count { overlap(trip, $0) } > 1 }
        let extra = trips.count { trip in !drives.contains { overlap(trip, $0) } }
        #expect(oneToOne >= 22)
        #expect(merged == 0)
        #expect(extra == 0)
        // The reference counts gaps as distance, and moving off before the first halt.
        for (drive, matches) in zip(drives, overlaps) where matches.count == 1 {
            let meters = (matches[0].distance + matches[0].gaps.distance).meters
            #expect(abs(meters - drive.meters) <= max(10, 0.01 * drive.meters), "\(drive.id)")
        }
    }

    private func overlap(_ trip: Trip, _ drive: TrueDrive) -> Bool {
        guard let end = trip.endedAt?.timestamp else { return false }
        return trip.startedAt.timestamp <= drive.during.upperBound
            && end >= drive.during.lowerBound
    }

    private func table(_ drives: [TrueDrive], _ trips: [Trip]) -> String {
        drives
            .map { drive in
                let found = trips.filter { overlap($0, drive) }
                    .map { "\($0.distance.meters) m and \($0.gaps.distance.meters) m of gaps" }
                return "\(drive.id)\t\(drive.meters) m\t\(found.joined(separator: " + "))"
            }
            .joined(separator: "\n")
    }

    /// Returns the trips that the tracker makes of the history, abandoned ones left out.
    private func foundTrips() throws -> [Trip] {
        let trace = try Trace("nds_history")
        var tracker = Tracker(source: "nds", rules: TrackingRules(.v1, preset: .logger))
        var context = TrackingContext(events: NumberedEvents())
        for (fix, stamp) in trace.fixes {
            tracker.evolve(fix: fix, stamp: stamp, in: &context)
        }
        let last = try #require(trace.fixes.last).fix.occurredAt
        tracker.advance(to: last.advanced(byMilliseconds: 86_400_000), in: &context)
        return context.steps.compactMap {
            if case .ended(let trip) = $0, trip.status == .completed { trip } else { nil }
        }
    }

    private func trueDrives() throws -> [TrueDrive] {
        let references = try JSONDecoder()
            .decode(
                [TraceTests.Reference].self,
                from: SharedData.data("traces/index.json")
            )
        return try references.filter { $0.id.hasPrefix("nds_") && $0.id != "nds_history" }
            .map { reference in
                let fixes = try Trace(reference.id).fixes
                let first = try #require(fixes.first).fix.occurredAt
                let last = try #require(fixes.last).fix.occurredAt
                let meters = try #require(reference.oracle["seed_rules_anchor_holds"] ?? nil)
                return TrueDrive(id: reference.id, during: first...last, meters: meters)
            }
    }
}
