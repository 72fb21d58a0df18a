import DriveSimulation
import TestSupport
import Testing
import TripEvents

/// Simulated events are as good as reported ones: they pass the same validation.
@Suite struct SimulatedEventValidityTests {
    @Test(arguments: Scenario.allCases)
    func `every event of a scenario is accepted as it was meant`(scenario: Scenario) throws {
        var reader = EventLineReader()
        for seed in Seeds.fresh(4) {
            for event in DriveSimulator.events(of: scenario, seed: seed) {
                #expect(try Self.readBack(event, with: &reader) == event)
            }
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `every event of a drive is accepted, and its fixes are narrow`(seed: UInt64) throws {
        var reader = EventLineReader()
        for event in DriveSimulator.drives(seed: seed, count: 2) {
            #expect(try Self.readBack(event, with: &reader) == event)
            if event.body.kind == .fixRecorded {
                #expect(reader.candidate.form.frame == .narrowFix)
                #expect(reader.candidate.payload.count == 18)
            }
        }
    }

    private static func readBack(
        _ event: TripEvent,
        with reader: inout EventLineReader
    ) throws -> TripEvent {
        let line = Array(event.json.utf8)
        try reader.read(
            line.span,
            defaultSource: nil,
            recordedAt: event.occurredAt.advanced(byMilliseconds: 1_000)
        )
        return try reader.candidate.event()
    }
}
