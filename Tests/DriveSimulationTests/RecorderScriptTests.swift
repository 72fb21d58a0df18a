import DriveSimulation
import Testing
import TripEvents

@Suite struct RecorderScriptTests {
    @Test func `a script is reported in its order, at its times`() throws {
        var script = RecorderScript()
        script.pressGo()
        script.wait(seconds: 3)
        script.authorize(.whenInUse, isPrecise: false)
        script.wait(seconds: 2)
        script.fail(error: "denied")
        script.sense(.walking, confidence: .medium)
        script.wait(seconds: -4)
        let zero: ExactDecimal = 0
        script.locate(FixRecorded(latitude: zero, longitude: zero))
        script.pressStop()

        let start = Timestamp(milliseconds: 1_700_000_000_000)
        let events = DriveSimulator.events(of: script, source: "bench", startingAt: start)
        #expect(
            events.map(\.body) == [
                .goPressed(GoPressed()),
                .authorizationChanged(
                    AuthorizationChanged(status: .whenInUse, isPrecise: false)
                ),
                .locationFailed(LocationFailed(error: "denied")),
                .motionChanged(MotionChanged(state: .walking, confidence: .medium)),
                .fixRecorded(FixRecorded(latitude: zero, longitude: zero)),
                .stopPressed(StopPressed()),
            ]
        )
        let seconds = events.map { $0.occurredAt.milliseconds(since: start) / 1_000 }
        #expect(seconds == [0, 3, 5, 5, 1, 1])
        #expect(events.allSatisfy { $0.source == "bench" })
    }

    @Test func `what is held back arrives last`() {
        var script = RecorderScript()
        script.pressGo()
        script.fail(error: "first")
        script.fail(error: "second")
        script.pressStop()
        script.holdBack(1..<3)
        let kinds = DriveSimulator.events(of: script).map(\.body.kind)
        #expect(kinds == [.goPressed, .stopPressed, .locationFailed, .locationFailed])
    }
}
