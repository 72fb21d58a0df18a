import DriveSimulation
import Geodesy
import TestSupport
import Testing
import TripEvents

@Suite struct SimulatedDaysTests {
    @Test(arguments: Seeds.fresh(2))
    func `the same seed gives the same bytes and another seed others`(seed: UInt64) {
        let lines = Self.lines(DriveSimulator.days(seed: seed, numbers: 0..<3))
        #expect(lines == Self.lines(DriveSimulator.days(seed: seed, numbers: 0..<3)))
        #expect(lines != Self.lines(DriveSimulator.days(seed: seed &+ 1, numbers: 0..<3)))
    }

    @Test(arguments: Seeds.fresh(2))
    func `a day follows from the seed and its number alone`(seed: UInt64) throws {
        let days = Array(DriveSimulator.days(seed: seed, numbers: 4..<8))
        let day = try #require(Array(DriveSimulator.days(seed: seed, numbers: 6..<7)).first)
        #expect(days.map(\.number) == [4, 5, 6, 7])
        #expect(days[2].events == day.events)
        #expect(days[2].streams == day.streams)
    }

    @Test(arguments: Seeds.fresh(2))
    func `truth covers the day without a gap or an overlap`(seed: UInt64) throws {
        for day in DriveSimulator.days(seed: seed, numbers: 0..<20) {
            #expect((1...2).contains(day.streams.count))
            for stream in day.streams {
                let first = try #require(stream.parts.first)
                let last = try #require(stream.parts.last)
                #expect(first.activity == .parked && last.activity == .parked)
                #expect(stream.parts.allSatisfy { $0.start < $0.end })
                for (part, next) in zip(stream.parts, stream.parts.dropFirst()) {
                    #expect(part.end == next.start)
                }
                for event in day.events where event.source == stream.source {
                    #expect(event.occurredAt >= first.start && event.occurredAt <= last.end)
                }
            }
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `every event of a day is accepted as it was meant, in order of time`(
        seed: UInt64
    ) throws {
        var reader = EventLineReader()
        for day in DriveSimulator.days(seed: seed, numbers: 0..<8) {
            let times = day.events.map(\.occurredAt)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
            #expect(Set(day.events.map(\.json)).count == day.events.count)
            for event in day.events {
                let line = Array(event.json.utf8)
                try reader.read(
                    line.span,
                    defaultSource: nil,
                    recordedAt: event.occurredAt.advanced(byMilliseconds: 1_000)
                )
                #expect(try reader.candidate.event() == event)
            }
        }
    }

    @Test func `the rules of each recorder come first`() {
        for day in DriveSimulator.days(seed: 1, numbers: 0..<20) {
            let rules = day.events.prefix(day.streams.count).map(\.body)
            let expected = day.streams.map { stream in
                EventBody.rulesAdopted(
                    RulesAdopted(preset: stream.recorder.preset, appliesTo: stream.source)
                )
            }
            #expect(rules == expected)
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `people go as fast as people do`(seed: UInt64) {
        for day in DriveSimulator.days(seed: seed, numbers: 0..<60) {
            for part in day.streams[0].parts {
                let seconds = Double(part.end.milliseconds(since: part.start)) / 1_000
                let speed = Double(part.lengthMeters) / seconds
                let fastest: Double =
                    switch part.activity {
                    case .parked: 0.0
                    case .walking: 2.2
                    case .bicycle: 8
                    case .boat: 7
                    case .bus: 26
                    case .car: 40
                    case .train: 45
                    }
                #expect(speed <= fastest, "\(part.activity) at \(speed) m/s")
            }
        }
    }

    @Test func `people do everything, and every recorder is met`() {
        let streams = DriveSimulator.days(seed: 1, numbers: 0..<300).flatMap(\.streams)
        let activities = Set(streams.flatMap { $0.parts.map(\.activity) })
        #expect(activities == Set(SimulatedActivity.allCases))
        #expect(Set(streams.map(\.recorder)) == Set(DayRecorder.allCases))
        #expect(streams.contains { $0.parts.contains { $0.looseness != nil } })
    }

    @Test func `only recorders with a motion sensor say what it says`() {
        for day in DriveSimulator.days(seed: 2, numbers: 0..<60) {
            for stream in day.streams {
                let hasSensed = day.events.contains {
                    $0.source == stream.source && $0.body.kind == .motionChanged
                }
                #expect(hasSensed == stream.recorder.hasMotionSensor)
            }
        }
    }

    @Test(arguments: Seeds.fresh(2))
    func `a box in the car reports where a car can be`(seed: UInt64) throws {
        var metric = LocalMetric()
        for day in DriveSimulator.days(seed: seed, numbers: 0..<60) {
            for stream in day.streams where stream.recorder == .carBox {
                var previous: Fix?
                for event in day.events where event.source == stream.source {
                    let recorded = try #require(event.fixRecorded)
                    let fix = try #require(recorded.fix(occurredAt: event.occurredAt))
                    if let previous {
                        let meters = metric.geodesicMeters(
                            from: previous.coordinate,
                            to: fix.coordinate
                        )
                        let milliseconds = event.occurredAt.milliseconds(
                            since: previous.occurredAt
                        )
                        #expect(meters < 20 + 45 * Double(milliseconds) / 1_000)
                    }
                    previous = fix
                }
            }
        }
    }

    private static func lines(_ days: SimulatedDays) -> [String] {
        days.flatMap { $0.events.map(\.json) + ["\($0.streams)"] }
    }
}
