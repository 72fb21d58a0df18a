import DriveSimulation
import ProjectorTestSupport
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Fixes that are taken many at a time on the fast path mean what they mean one by one.
@Suite struct FastPathTests {
    // 468941547 has a spike in a trip that ends by itself with what came before it.
    @Test(arguments: Seeds.fresh(8) + [468_941_547], TrackingPreset.allCases)
    func `a run of fixes means the same as its fixes one by one`(
        seed: UInt64,
        preset: TrackingPreset
    ) throws {
        let rules = TrackingRules(.v1, preset: preset)
        let events = try ProjectorLaws.randomDrives(seed: seed).filter { $0.source == "phone" }
        let drives = Array(DriveSimulator.drives(seed: seed, count: 2, fixesPerDrive: 60...200))
        var random = SplitMix64(seed: seed)
        for events in [events.sorted { $0.occurredAt < $1.occurredAt }, drives] {
            var single = Tracker(source: "phone", rules: rules)
            var bundled = single
            var singleContext = TrackingContext(events: NumberedEvents())
            var bundledContext = singleContext
            var fixes: [RecordedFix] = []
            for (position, event) in events.enumerated() {
                let stamp = EventStamp(
                    occurredAt: event.occurredAt,
                    recordedAt: event.occurredAt,
                    position: UInt64(position)
                )
                single.evolve(event.body, stamp: stamp, in: &singleContext)
                if case .fixRecorded(let reading) = event.body,
                    let fix = reading.fix(occurredAt: event.occurredAt)
                {
                    fixes.append(RecordedFix(fix: fix, recordedAt: event.occurredAt))
                    if Int.random(in: 0..<40, using: &random) > 0 { continue }
                    take(&fixes, upTo: position + 1, &bundled, &bundledContext)
                } else {
                    take(&fixes, upTo: position, &bundled, &bundledContext)
                    bundled.evolve(event.body, stamp: stamp, in: &bundledContext)
                }
                #expect(bundled == single, "seed \(seed), \(preset), event \(position)")
            }
            take(&fixes, upTo: events.count, &bundled, &bundledContext)
            #expect(bundled == single, "seed \(seed), \(preset)")
            #expect(bundledContext.steps == singleContext.steps, "seed \(seed), \(preset)")
        }
    }

    /// Gives a tracker the fixes before a position, and forgets them.
    private func take(
        _ fixes: inout [RecordedFix],
        upTo end: Int,
        _ tracker: inout Tracker,
        _ context: inout TrackingContext<NumberedEvents>
    ) {
        let start = UInt64(end - fixes.count)
        var index = 0
        while index < fixes.count {
            index += tracker.evolveOnFastPath(
                fixes.span.extracting(droppingFirst: index),
                firstPosition: start + UInt64(index)
            )
            guard index < fixes.count else { break }
            let stamp = EventStamp(
                occurredAt: fixes[index].fix.occurredAt,
                recordedAt: fixes[index].recordedAt,
                position: start + UInt64(index)
            )
            tracker.evolve(fix: fixes[index].fix, stamp: stamp, in: &context)
            index += 1
        }
        fixes = []
    }
}
