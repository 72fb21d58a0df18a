import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents
import TripTracking

/// A clock that goes back while its source goes on is told from fixes that are sent late.
@Suite struct ArrivalClockTests {
    /// A fix on a drive to the east at 15 m/s, each minute 900 m on, at a time by the clock.
    private static func fix(minute: Int64, at clock: Int64, sequence: UInt64? = nil) -> Sent {
        guard
            let coordinate = Coordinate(latitude: 51.92, longitude: 4 + 0.0131 * Double(minute))
        else { preconditionFailure("the place is on the globe") }
        return Sent(
            fix: RecordedFix(
                fix: Fix(
                    occurredAt: Timestamp(milliseconds: clock * 60_000),
                    coordinate: coordinate
                ),
                recordedAt: Timestamp(milliseconds: 1_000_000_000)
            ),
            sequence: sequence
        )
    }

    private struct Sent {
        var fix: RecordedFix
        var sequence: UInt64?
    }

    private static func step(after sent: [Sent]) -> ClockStep? {
        var clock = ArrivalClock()
        for sent in sent { clock.take(sent.fix, sequence: sent.sequence) }
        return clock.step
    }

    private static func drive(
        _ minutes: Range<Int64>,
        back: Int64 = 0,
        from sequence: UInt64? = nil
    ) -> [Sent] {
        minutes.map { minute in
            fix(
                minute: minute,
                at: 10_000 + minute - back,
                sequence: sequence.map { $0 + UInt64(minute) }
            )
        }
    }

    @Test func `an hour back on the way is seen, and said to the hour`() {
        let step = Self.step(after: Self.drive(0..<10) + Self.drive(10..<20, back: 60))
        #expect(step?.milliseconds == 3_600_000)
        #expect(step?.fixes == 10)
        #expect(step?.until == Timestamp(milliseconds: (10_000 + 19 - 60) * 60_000))
    }

    @Test func `it ends where the clock goes forward again`() {
        let step = Self.step(
            after: Self.drive(0..<10) + Self.drive(10..<20, back: 60) + Self.drive(20..<30)
        )
        #expect(step?.fixes == 10)
    }

    @Test func `the sender's counter tells, wherever the source is`() {
        let parked = (0..<6)
            .map { Self.fix(minute: 0, at: $0 < 3 ? $0 : $0 - 30, sequence: UInt64($0)) }
        #expect(Self.step(after: parked)?.fixes == 3)
        let late = Self.drive(10..<20, from: 0) + Self.drive(0..<10, from: 0)
        #expect(Self.step(after: late) == nil)
    }

    @Test func `what is sent late, twice or in another order is no clock that goes back`() {
        let drive = Self.drive(0..<30)
        #expect(Self.step(after: drive) == nil)
        #expect(Self.step(after: drive + drive) == nil)
        #expect(Self.step(after: drive.reversed()) == nil)
        #expect(Self.step(after: Self.drive(20..<30) + Self.drive(0..<20)) == nil)
        let parked = (0..<9).map { Self.fix(minute: 0, at: $0 < 5 ? $0 : $0 - 60) }
        #expect(Self.step(after: parked) == nil)
    }

    @Test func `a minute and less is the shake of a clock`() {
        #expect(Self.step(after: Self.drive(0..<10) + Self.drive(10..<20, back: 2)) == nil)
        #expect(Self.step(after: Self.drive(0..<10) + Self.drive(10..<20, back: 3)) != nil)
    }

    @Test(arguments: Seeds.fresh(8))
    func `runs of fixes say the same as the fixes one by one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var sent: [Sent] = []
        for part in 0..<4 {
            let back = [0, 60, 15, 0].randomElement(using: &random) ?? 0
            sent += Self.drive(Int64(part * 10)..<Int64(part * 10 + 10), back: Int64(back))
        }
        var single = ArrivalClock()
        for sent in sent { single.take(sent.fix, sequence: nil) }
        var inRuns = ArrivalClock()
        var rest = sent[...]
        while let first = rest.first {
            var latest = first.fix.fix.occurredAt.advanced(byMilliseconds: -1)
            let run = rest.prefix(Int.random(in: 1...12, using: &random))
                .prefix { next in
                    defer { latest = next.fix.fix.occurredAt }
                    return next.fix.fix.occurredAt > latest
                }
                .map(\.fix)
            inRuns.take(run.span, sequences: nil)
            rest = rest.dropFirst(run.count)
        }
        #expect(single == inRuns, "seed \(seed)")
    }
}
