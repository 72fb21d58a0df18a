import TripEvents

/// Something that a recorder reported, and when.
struct DayReport: Sendable {
    /// Milliseconds from the start of the day.
    let milliseconds: Int64

    let body: EventBody
}

/// A recorder that is with a person, or in a car, for a day.
struct DayTape {
    private static let wakeMeters = 100.0

    private let recorder: DayRecorder
    private let legs: [DayLeg]
    private var random: SplitMix64
    private var receiver: DayReceiver
    private var reports: [DayReport] = []

    /// Returns what a recorder reports of a day, in order of time.
    static func reports(
        of legs: [DayLeg],
        by recorder: DayRecorder,
        random: inout SplitMix64
    ) -> [DayReport] {
        let seed = random.next()
        var tape = DayTape(legs: legs, recorder: recorder, random: SplitMix64(seed: seed))
        tape.record()
        if recorder.hasMotionSensor {
            tape.reports += MotionSense.reports(
                of: legs,
                isIOS: recorder.isIOS,
                random: &tape.random
            )
        }
        if recorder == .pressedPhone { tape.press() }
        // Equal times keep their order: fixes, then what the sensor says, then presses.
        return tape.reports.enumerated()
            .sorted { ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset) }
            .map(\.element)
    }

    private init(legs: [DayLeg], recorder: DayRecorder, random: SplitMix64) {
        var random = random
        self.legs = legs
        self.recorder = recorder
        receiver = DayReceiver(
            habits: RecorderHabits(recorder, random: &random),
            isIOS: recorder.isIOS,
            random: &random
        )
        self.random = random
    }

    private var habits: RecorderHabits { receiver.habits }

    private mutating func record() {
        var cursor = DayCursor(legs)
        let end = Int64(legs[legs.count - 1].endSecond) * 1_000
        var clock = Int64(legs[0].startSecond) * 1_000 + Int64(random.integer(in: 0...60_000))
        // At the start of its day a recorder has been still for long.
        var restSince = clock - Int64(habits.sleepSeconds) * 1_000
        while clock < end {
            cursor.move(to: clock)
            let leg = cursor.leg
            guard isOn(during: leg) else {
                clock = Int64(leg.endSecond) * 1_000 + Int64(random.integer(in: 0...2_000))
                restSince = clock
                continue
            }
            let point = leg.point(at: clock)
            if point.speed > 0.3 || !leg.isStay { restSince = clock }
            let hasRested = clock - restSince >= Int64(habits.sleepSeconds) * 1_000
            if hasRested, !habits.wakeSeconds.isEmpty {
                let wake = wakeTime(after: clock, cursor: cursor)
                reportNow(and: clock, until: wake, at: point)
                clock = wake
                restSince = clock
                continue
            }
            take(point, isStill: leg.isStay, at: clock)
            let table = leg.isStay ? habits.restMilliseconds : habits.movingMilliseconds
            clock += Int64(random.element(of: table) + random.integer(in: -9...9))
        }
    }

    /// Whether the recorder is switched on and has power.
    private func isOn(during leg: DayLeg) -> Bool {
        switch recorder {
        case .carBox: leg.activity == .car
        case .trackingApp: leg.activity == .car || leg.activity == .bus
        default: true
        }
    }

    private mutating func take(_ point: TrackPoint, isStill: Bool, at clock: Int64) {
        let reading = receiver.read(point, isStill: isStill, at: clock, random: &random)
        guard let reading else { return }
        let body = reading.body(at: reading.place.point)
        reports.append(DayReport(milliseconds: clock, body: body))
    }

    /// Returns when a sleeping recorder reports again: after its carrier has gone some way.
    private mutating func wakeTime(after clock: Int64, cursor: DayCursor) -> Int64 {
        let bed = cursor.leg.point(at: clock).place
        for leg in cursor.legs[cursor.index...] where !leg.isStay {
            for (index, point) in leg.points.enumerated()
            where point.place.distance(to: bed) > Self.wakeMeters {
                let seconds = leg.startSecond + index + random.element(of: habits.wakeSeconds)
                return max(clock + 1_000, Int64(seconds) * 1_000)
            }
        }
        return .max
    }

    /// Reports now and then while asleep.
    private mutating func reportNow(and clock: Int64, until wake: Int64, at point: TrackPoint) {
        let end = min(wake, Int64(legs[legs.count - 1].endSecond) * 1_000)
        var clock = clock
        while true {
            clock += Int64(random.element(of: habits.pingSeconds)) * 1_000
            guard clock < end - 30_000 else { return }
            take(point, isStill: true, at: clock)
        }
    }
}

/// Presses.
extension DayTape {
    /// Presses GO about when the car leaves and STOP about when it stands; forgets either at times.
    private mutating func press() {
        let end = Int64(legs[legs.count - 1].endSecond) * 1_000
        for leg in legs where leg.activity == .car {
            if random.happens(permille: 950) {
                let go = Int64(leg.startSecond + random.integer(in: -40...30)) * 1_000
                let vehicle = "car"
                reports.append(
                    DayReport(
                        milliseconds: max(0, go),
                        body: .goPressed(GoPressed(vehicle: vehicle))
                    )
                )
            }
            if random.happens(permille: 930) {
                let stop = Int64(leg.endSecond + random.integer(in: -10...90)) * 1_000
                reports.append(
                    DayReport(milliseconds: min(end, stop), body: .stopPressed(StopPressed()))
                )
            }
        }
    }
}

extension DayRecorder {
    /// Whether it is an iPhone, whose sensor and receiver say other things than Android's.
    var isIOS: Bool {
        switch self {
        case .iosPrecise, .iosMedium, .iosCoarse, .pressedPhone: true
        case .androidPrecise, .androidBalanced, .history, .trackingApp, .carBox: false
        }
    }
}

extension Place {
    /// The position in degrees.
    var point: GridPoint {
        GridPoint.home.moved(
            northMillimeters: Int(north * 1_000),
            eastMillimeters: Int(east * 1_000)
        )
    }
}
