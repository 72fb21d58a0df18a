import Foundation
import Geodesy
import TestSupport
import Testing
import TripEvents
import TripTracking

/// Kinds of days that labelled streams have shown, each with the words and fixes that mislead.
@Suite struct KindsOfDaysTests {
    private let history = TrackingRules(.v1, preset: .history)

    private static func counted(_ drive: Drive) -> [Trip] {
        drive.ended.filter { $0.status == .completed }
    }

    @Test(arguments: [115, 240])
    func `a short drive of which the sensor speaks is a car's`(seconds: Int) throws {
        var day = Day(rules: history)
        try day.rest(900)
        day.drive.sense(.automotive, at: day.second)
        try day.go(seconds, at: 7.5)
        try day.rest(900)
        let trips = Self.counted(day.ended())
        #expect(trips.map(\.mode) == [.car])
        #expect(abs((trips.first?.distance.meters ?? 0) - 7.5 * Double(seconds)) < 60)
    }

    @Test func `two halves of a drive around a tunnel are one car trip`() throws {
        var day = Day(rules: history)
        try day.rest(900)
        day.drive.sense(.automotive, at: day.second)
        try day.go(45, at: 7.5)
        day.pass(95, at: 9)
        try day.go(45, at: 7.5)
        try day.rest(900)
        let trips = Self.counted(day.ended())
        #expect(trips.map(\.mode) == [.car])
        #expect(trips.first?.gaps.count == 1)
    }

    @Test(arguments: [24.0, 33.0])
    func `a motorway without corners is a car's if the sensor says so`(speed: Double) throws {
        var day = Day(rules: history)
        try day.rest(300)
        day.drive.sense(.automotive, at: day.second)
        try day.go(120, at: 7)
        day.east = true
        try day.go(1_000, at: speed)
        day.east = false
        try day.go(120, at: 7)
        try day.rest(900)
        #expect(Self.counted(day.ended()).map(\.mode) == [.car])
    }

    @Test func `a blip of another mode decides nothing and ends nothing`() throws {
        for blip in [MotionState.cycling, .walking] {
            var day = Day(rules: history)
            try day.rest(300)
            day.drive.sense(.automotive, at: day.second)
            for _ in 0..<4 {
                day.east.toggle()
                try day.go(118, at: 12)
                day.drive.sense(blip, at: day.second)
                try day.go(2, at: 12)
                day.drive.sense(.automotive, at: day.second)
            }
            try day.rest(900)
            let trips = Self.counted(day.ended())
            #expect(trips.map(\.mode) == [.car], "\(blip)")
            #expect((trips.first?.evidence.cyclingMilliseconds ?? 0) <= 10_000, "\(blip)")
        }
    }

    @Test func `one word of walking at driving speed ends no trip`() throws {
        var day = Day(rules: history)
        try day.rest(300)
        day.drive.sense(.automotive, at: day.second)
        try day.go(300, at: 14)
        day.drive.sense(.walking, at: day.second)
        day.east = true
        try day.go(600, at: 14)
        try day.rest(900)
        let trips = Self.counted(day.ended())
        #expect(trips.map(\.mode) == [.car])
        #expect((trips.first?.distance.meters ?? 0) > 12_000)
    }

    @Test func `a word from the ride before makes no trip of a walk`() throws {
        var day = Day(rules: history)
        day.drive.sense(.automotive, at: 0)
        try day.go(720, at: 1)
        try day.rest(900)
        #expect(Self.counted(day.ended()).isEmpty)
    }

    @Test(arguments: [480, 1_200])
    func `an e-bike that goes downhill is no car`(seconds: Int) throws {
        var day = Day(rules: history)
        try day.rest(300)
        for part in 0..<4 {
            day.east = part.isMultiple(of: 2)
            try day.go(seconds / 4, at: 6)
        }
        try day.go(90, at: 33 / 3.6)
        day.east = true
        try day.go(60, at: 6)
        try day.rest(900)
        let ended = day.ended().ended
        #expect(!ended.isEmpty)
        #expect(ended.allSatisfy { $0.mode == .unsure || $0.mode == .bicycle })
    }

    @Test(arguments: [5, 8, 10])
    func `an outlier beside the road adds nothing`(interval: Int) throws {
        var day = Day(rules: history, interval: interval)
        try day.rest(300)
        try day.go(300, at: 12)
        day.outlierMeters = 250
        try day.go(interval, at: 12)
        day.outlierMeters = 0
        try day.go(300, at: 12)
        try day.rest(900)
        let trip = try #require(Self.counted(day.ended()).first)
        #expect(trip.fixes.spike == 1)
        #expect(abs(trip.distance.meters - 12 * Double(600 + interval)) < 40)
        #expect(trip.maximumSpeedMetersPerSecond < 15)
    }

    @Test func `a way into a side street and back is driven`() throws {
        var day = Day(rules: history, interval: 10)
        try day.rest(300)
        try day.go(300, at: 12)
        day.east = true
        try day.go(20, at: 12)
        try day.go(20, at: -12)
        day.east = false
        try day.go(300, at: 12)
        try day.rest(900)
        let trip = try #require(Self.counted(day.ended()).first)
        #expect(trip.fixes.spike == 0)
        #expect(trip.distance.meters > 12 * 600 + 400)
    }

    @Test(arguments: [600, 2_400])
    func `a trip starts where it moved and not at the last ping`(ping: Int) throws {
        var day = Day(rules: history, interval: ping)
        try day.rest(10 * ping)
        day.interval = 30
        let left = day.second + Double(ping)
        day.pass(ping, at: 0)
        try day.go(900, at: 12)
        try day.rest(900)
        let trip = try #require(Self.counted(day.ended()).first)
        let start = Double(trip.startedAt.timestamp.milliseconds(since: Drive.start)) / 1_000
        #expect(abs(start - left) <= 60)
    }

    @Test func `slow movement between GO and STOP is in some trip`() throws {
        var day = Day(rules: .v1)
        day.drive.press(.goPressed(GoPressed()), at: 0)
        try day.go(300, at: 10)
        try day.rest(2_800)
        try day.go(900, at: 0.8)
        day.drive.press(.stopPressed(StopPressed()), at: day.second + 1)
        let meters = Self.counted(day.ended()).reduce(0) { $0 + $1.distance.meters }
        #expect(abs(meters - 300 * 10 - 900 * 0.8) < 60)
    }

    @Test func `a recording that begins elsewhere starts when the car leaves`() throws {
        var day = Day(rules: TrackingRules(.v1, preset: .logger))
        try day.go(600, at: 14)
        day.pass(7_200, at: 2)
        let standing = day.second
        try day.rest(180)
        try day.go(600, at: 14)
        let trips = Self.counted(day.ended())
        #expect(trips.count == 2)
        let start = try #require(trips.last).startedAt.timestamp
        let seconds = Double(start.milliseconds(since: Drive.start)) / 1_000
        #expect(abs(seconds - standing - 180) <= 30)
    }
}

/// What real reports showed, as far as the shared data is there.
@Suite(.enabled(if: SharedData.isPresent, SharedData.missing))
struct ReportedKindsTests {
    @Test(
        arguments: [
            ("t1_short_drive_said_driving_is_foot", 1, TravelMode.car, 862),
            ("t2_drive_with_a_gap_is_foot", 1, .car, 652),
            ("t5_motorway_said_driving_is_unsure", 1, .car, 23_516),
            ("t7_one_outlier_of_250_m_while_driving_adds_450_m", 1, .unsure, 7_260),
            ("t9_bus_with_30_stops_and_15_corners_is_a_car", 1, .unsure, 12_803),
            ("52c_phone_week_ping600", 15, .unsure, 13_456),
            ("76_heartbeat_only", 0, .unsure, 0),
        ] as [(String, Int, TravelMode, Double)]
    )
    func `a report is told as its driver would`(
        name: String,
        count: Int,
        mode: TravelMode,
        meters: Double
    ) throws {
        let drive = try ReportedStream(name).drive()
        let trips = drive.ended.filter { $0.status == .completed }
        #expect(trips.count == count)
        #expect(trips.allSatisfy { $0.mode == mode })
        if let first = trips.first {
            #expect(abs(first.distance.meters - meters) < 5)
        }
        if name.hasPrefix("t7") {
            #expect(trips.allSatisfy { $0.maximumSpeedMetersPerSecond <= 12.5 })
        }
    }

    @Test(arguments: ["52c_phone_week_ping600", "76_heartbeat_only"])
    func `a phone that pings at rest is no logger`(name: String) throws {
        let fixes = try ReportedStream(name).rows.map { try $0.fix(after: Drive.start) }
        let habit = RecordingHabit(fixes, hasMotion: false)
        #expect(habit.preset == .history)
    }
}

/// A stream among the reports, of our lines or of an app's.
private struct ReportedStream {
    private struct Line: Decodable {
        var type: String?
        var occurredAt: String?
        var tst: Double?
        var lat: Double?
        var lon: Double?
        var accuracy: Double?
        var state: String?
        var confidence: String?
        var vel: Double?

        enum CodingKeys: String, CodingKey {
            case type, tst, lat, lon, accuracy, state, confidence, vel
            case occurredAt = "occurred_at"
        }
    }

    private(set) var rows: [FixRow] = []
    private var words: [(at: Double, state: MotionState, confidence: MotionConfidence)] = []

    init(_ name: String) throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let start = Double(Drive.start.milliseconds) / 1_000
        let data = try SharedData.data("reports/\(name).jsonl")
        for text in data.split(separator: UInt8(ascii: "\n")) {
            let line = try JSONDecoder().decode(Line.self, from: text)
            guard line.type != "rules_adopted" else { continue }
            let time =
                try line.occurredAt.map { try style.parse($0).timeIntervalSince1970 }
                ?? line.tst ?? 0
            if let latitude = line.lat, let longitude = line.lon {
                rows.append(
                    FixRow(
                        at: time - start,
                        accuracy: line.accuracy,
                        speed: line.vel.map { $0 / 3.6 },
                        coordinate: Coordinate(latitude: latitude, longitude: longitude),
                        verdict: .accepted
                    )
                )
            } else if let state = line.state.flatMap(MotionState.init(rawValue:)),
                let confidence = line.confidence.flatMap(MotionConfidence.init(rawValue:))
            {
                words.append((time - start, state, confidence))
            }
        }
    }

    /// Replays it, and lets two days pass.
    func drive() throws -> Drive {
        var drive = Drive(rules: TrackingRules(.v1, preset: .history))
        var words = words[...]
        for row in rows {
            while let word = words.first, word.at <= row.at {
                drive.sense(word.state, word.confidence, at: word.at)
                words.removeFirst()
            }
            try drive.report(row)
        }
        _ = drive.advance(to: (rows.last?.at ?? 0) + 172_800)
        return drive
    }
}

/// A day that is driven piece by piece, to the north or to the east.
private struct Day {
    private static let metersPerDegreeEast = 68_800.0

    var drive: Drive
    var interval: Int
    var east = false
    var outlierMeters = 0.0
    private(set) var second = 0.0
    private var metersNorth = 0.0
    private var metersEast = 0.0

    init(rules: TrackingRules, interval: Int = 5) {
        drive = Drive(rules: rules)
        self.interval = interval
    }

    /// Goes on at a speed, with a fix at each interval.
    mutating func go(_ seconds: Int, at speed: Double) throws {
        for elapsed in 1...seconds {
            move(1, at: speed)
            guard elapsed.isMultiple(of: interval) || elapsed == seconds else { continue }
            let asideNorth = east ? outlierMeters : 0
            let asideEast = east ? 0 : outlierMeters
            let place = Coordinate(
                latitude: 51.9 + (metersNorth + asideNorth) / FixRow.metersPerDegree,
                longitude: 4.4 + (metersEast + asideEast) / Self.metersPerDegreeEast
            )
            try drive.report(
                FixRow(at: second, accuracy: 8, coordinate: place, verdict: .accepted)
            )
        }
    }

    mutating func rest(_ seconds: Int) throws { try go(seconds, at: 0) }

    /// Goes on without a fix.
    mutating func pass(_ seconds: Int, at speed: Double) { move(Double(seconds), at: speed) }

    private mutating func move(_ seconds: Double, at speed: Double) {
        second += seconds
        if east { metersEast += speed * seconds } else { metersNorth += speed * seconds }
    }

    /// Lets a day pass, and returns what there was.
    mutating func ended() -> Drive {
        _ = drive.advance(to: second + 86_400)
        return drive
    }
}
