import Foundation
import Geodesy
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Real drives against the lengths that an independent program found for them.
@Suite struct TraceTests {
    /// The figures of the shared data for a drive; the oracle counts gaps as distance.
    struct Reference: Decodable {
        var id: String
        var oracle: [String: Double?]

        enum CodingKeys: String, CodingKey {
            case id
            case oracle = "oracle_m"
        }
    }

    /// A line of a drive, as far as tracking is concerned.
    private struct Line: Decodable {
        var type: String
        var occurredAt: String?
        var lat: Double?
        var lon: Double?
        var accuracy: Double?
        var speed: Double?

        enum CodingKeys: String, CodingKey {
            case type, lat, lon, accuracy, speed
            case occurredAt = "occurred_at"
        }
    }

    /// A drive's length as measured, without gaps, and as the oracle's less the measured gaps.
    private struct Comparison {
        var id: String
        var trip: Trip
        var expectedMeters: Double

        var excessMeters: Double {
            trip.distance.meters - expectedMeters
        }
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `without re-anchoring, every press-started drive is as long as the oracle says`() throws {
        // The oracle has no re-anchoring either, and measures gaps from the anchor instead of the
        // last kept fix, which makes up to 5 m a gap.
        var rules = TrackingRules.v1
        rules.reanchorFixes = .max
        for comparison in try comparisons(rules: rules) {
            let bound = 0.1 + 5 * Double(comparison.trip.gaps.count)
            #expect(abs(comparison.excessMeters) <= bound, "\(comparison)")
            #expect(comparison.trip.status == .completed, "\(comparison)")
        }
    }

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing))
    func `re-anchoring moves metres into gaps and invents none`() throws {
        // If the fixes that the oracle refuses were a detour, re-anchoring drives along it.
        let detours = ["rsk_T1_06_30_2021_1": 0.004, "barefoot_x0001_001": 0.003]
        for comparison in try comparisons(rules: .v1) {
            let bound = (detours[comparison.id] ?? 0.002) * comparison.expectedMeters
            #expect(abs(comparison.excessMeters) <= bound, "\(comparison)")
        }
    }

    private func comparisons(rules: TrackingRules) throws -> [Comparison] {
        let drives = try JSONDecoder()
            .decode(
                [Reference].self,
                from: SharedData.data("traces/index.json")
            )
            .filter { $0.id != "nds_history" }
        #expect(drives.count == 46)
        return try drives.map { reference in
            let trip = try drive(reference.id, rules: rules)
            let length = try #require(reference.oracle["seed_rules_anchor_holds"] ?? nil)
            return Comparison(
                id: reference.id,
                trip: trip,
                expectedMeters: length - trip.gaps.distance.meters
            )
        }
    }

    /// Drives along a trace, from its GO to its STOP.
    private func drive(_ id: String, rules: TrackingRules) throws -> Trip {
        var tracker = Tracker(source: id, rules: rules)
        var context = TrackingContext(events: NumberedEvents())
        let lines = try SharedData.data("traces/\(id).jsonl").split(separator: UInt8(ascii: "\n"))
        // Stable by time is event order here: GO is the first line and STOP the last.
        let events = try lines.map { try JSONDecoder().decode(Line.self, from: $0) }
            .compactMap { line in try line.occurredAt.map { (try milliseconds($0), line) } }
            .enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        for (index, (milliseconds, line)) in events {
            let occurredAt = Timestamp(milliseconds: milliseconds)
            let stamp = EventStamp(
                occurredAt: occurredAt,
                recordedAt: occurredAt,
                position: UInt64(index)
            )
            switch line.type {
            case "go_pressed":
                tracker.evolve(
                    .goPressed(GoPressed()),
                    stamp: stamp,
                    in: &context
                )
            case "stop_pressed":
                tracker.evolve(
                    .stopPressed(StopPressed()),
                    stamp: stamp,
                    in: &context
                )
            default:
                let latitude = try #require(line.lat)
                let longitude = try #require(line.lon)
                // The ledger refuses a position that is out of range (one drive has one).
                guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
                    continue
                }
                let fix = Fix(
                    occurredAt: occurredAt,
                    coordinate: coordinate,
                    accuracyMeters: line.accuracy,
                    speedMetersPerSecond: line.speed
                )
                tracker.evolve(
                    fix: fix,
                    stamp: stamp,
                    in: &context
                )
            }
        }
        guard case .ended(let trip) = try #require(context.steps.last) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return trip
    }

    private func milliseconds(_ text: String) throws -> Int64 {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return Int64((try style.parse(text).timeIntervalSince1970 * 1_000).rounded())
    }
}
