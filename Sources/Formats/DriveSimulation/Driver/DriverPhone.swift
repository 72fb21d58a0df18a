import TripEvents

/// Something that a driver's phone reported.
struct PhoneReport: Sendable {
    /// The number of the report on its day, from zero.
    let number: Int

    let report: DayReport
}

/// A driver's phone: GO and STOP, which are forgotten at times, a fix every 5 to 15 s between them,
/// and what the motion sensor says.
///
/// How often something goes wrong is made up, so that each happens some times a year.
struct DriverPhone {
    /// How many of a thousand drives begin without GO.
    private static let forgottenGoPermille = 45

    /// How many of a thousand drives without GO the motion sensor does not see either.
    private static let unseenPermille = 200

    /// The number of drives out of a thousand on which GO comes late.
    private static let lateGoPermille = 50

    /// The number of drives out of a thousand on which STOP is forgotten.
    private static let forgottenStopPermille = 40

    /// The number of drives out of a thousand on which the phone dies.
    private static let deathPermille = 6

    /// The number of drives out of a thousand on which a part of the fixes arrives last of all.
    private static let lateUploadPermille = 10

    /// How long before a drive the reports about the previous drive end, in milliseconds.
    private static let spareMilliseconds: Int64 = 60_000

    private let vehicle: String
    private var random: SplitMix64
    private var receiver: DayReceiver
    private var reports: [(report: DayReport, isLate: Bool)] = []

    /// Returns what the phone reports of a day, in order of arrival.
    static func reports(
        of legs: [DayLeg],
        vehicle: String,
        random: inout SplitMix64
    ) -> [PhoneReport] {
        var phone = DriverPhone(vehicle: vehicle, random: SplitMix64(seed: random.next()))
        for (index, leg) in legs.enumerated() where !leg.isStay {
            // After a drive the car stands until the next leg but one, or the end of the day.
            let next = Int64(legs[index + 1].endSecond) * 1_000
            phone.record(leg, until: next - spareMilliseconds)
        }
        let inOrder = phone.reports.enumerated()
            .sorted {
                ($0.element.report.milliseconds, $0.offset)
                    < ($1.element.report.milliseconds, $1.offset)
            }
            .map(\.element)
        let numbered = inOrder.enumerated()
            .map { number, entry in
                (report: PhoneReport(number: number, report: entry.report), isLate: entry.isLate)
            }
        return numbered.filter { !$0.isLate }.map(\.report)
            + numbered.filter(\.isLate).map(\.report)
    }

    private init(vehicle: String, random: SplitMix64) {
        var random = random
        self.vehicle = vehicle
        receiver = DayReceiver(habits: .driverPhone, isIOS: false, random: &random)
        self.random = random
    }

    /// Records a drive; reports after its arrival stop in time for the next drive.
    private mutating func record(_ leg: DayLeg, until end: Int64) {
        let recording = DriveRecording(of: leg, until: end, phone: &self)
        guard let recording else { return }
        if let goAt = recording.goAt { report(.goPressed(GoPressed(vehicle: vehicle)), at: goAt) }
        if let stopAt = recording.stopAt { report(.stopPressed(StopPressed()), at: stopAt) }
        if let death = recording.death, death.upperBound < end {
            let status = AuthorizationChanged(status: .always, isPrecise: true)
            report(.authorizationChanged(status), at: death.upperBound)
        }
        sense(recording)
        let first = reports.count
        takeFixes(recording)
        if random.happens(permille: Self.lateUploadPermille) {
            let count = reports.count - first
            let late = first + count / 3..<first + count / 3 * 2
            for index in late { reports[index].isLate = true }
        }
    }

    private mutating func report(_ body: EventBody, at milliseconds: Int64) {
        reports.append((DayReport(milliseconds: milliseconds, body: body), isLate: false))
    }

    /// Returns a time within some seconds of another.
    private mutating func later(
        _ milliseconds: Int64,
        plus seconds: ClosedRange<Int>
    ) -> Int64 {
        let range = seconds.lowerBound * 1_000...seconds.upperBound * 1_000
        return milliseconds + Int64(random.integer(in: range))
    }
}

/// Fixes and motion.
extension DriverPhone {
    private mutating func takeFixes(_ recording: DriveRecording) {
        let leg = recording.leg
        var clock = later(recording.opensAt, plus: 1...4)
        var isCovered = false
        while clock < recording.closesAt {
            let isStill = clock >= recording.driving.upperBound
            let point = leg.point(at: clock)
            if recording.death?.contains(clock) != true {
                if let reading = receiver.read(point, isStill: isStill, at: clock, random: &random)
                {
                    report(reading.body(at: Country.point(of: reading.place)), at: clock)
                } else if !isCovered, random.happens(permille: 500) {
                    report(
                        .locationFailed(LocationFailed(error: "No satellites in view")),
                        at: clock
                    )
                }
                isCovered = point.isCovered
            }
            let habits = receiver.habits
            let pauses = isStill ? habits.restMilliseconds : habits.movingMilliseconds
            clock += Int64(random.element(of: pauses) + random.integer(in: -9...9))
        }
    }

    private mutating func sense(_ recording: DriveRecording) {
        let end = recording.driving.upperBound
        var opinions: [(at: Int64, state: MotionState, confidence: MotionConfidence)] = [
            (recording.sensedAt, .automotive, .high)
        ]
        if recording.sensedAt < end - 600_000, random.happens(permille: 400) {
            let middle = recording.sensedAt + (end - recording.sensedAt) / 2
            opinions.append((later(middle, plus: 0...60), .unknown, .low))
        }
        let stood = later(end, plus: 8...40)
        let walked = later(stood, plus: 15...60)
        opinions += [
            (stood, .stationary, .high), (walked, .walking, .high),
            (later(walked, plus: 65...100), .walking, .high),
        ]
        for opinion in opinions
        where opinion.at < recording.limit && recording.death?.contains(opinion.at) != true {
            let change = MotionChanged(state: opinion.state, confidence: opinion.confidence)
            report(.motionChanged(change), at: opinion.at)
        }
    }
}

extension DriverPhone {
    /// When a phone records a drive; times are milliseconds from the start of the day.
    private struct DriveRecording {
        let leg: DayLeg

        /// When the car drives.
        let driving: Range<Int64>

        /// The time after which nothing is reported.
        let limit: Int64

        let goAt: Int64?
        let stopAt: Int64?

        /// When the motion sensor sees that this is a drive.
        let sensedAt: Int64

        /// The span in which the phone is dead.
        let death: Range<Int64>?

        /// The span in which there are fixes.
        let opensAt: Int64
        let closesAt: Int64

        /// Decides what the driver forgets, and returns `nil` if nothing is recorded at all.
        init?(of leg: DayLeg, until limit: Int64, phone: inout DriverPhone) {
            self.leg = leg
            self.limit = limit
            let start = Int64(leg.startSecond) * 1_000
            let end = Int64(leg.endSecond) * 1_000
            driving = start..<end
            sensedAt = min(phone.later(start, plus: 20...140), end - 1_000)
            let forgetsGo = phone.random.happens(permille: forgottenGoPermille)
            let isUnseen = phone.random.happens(permille: unseenPermille)
            if forgetsGo, isUnseen { return nil }
            let isLate = phone.random.happens(permille: lateGoPermille)
            let go = phone.later(start, plus: isLate ? 20...150 : -45 ... -4)
            goAt = forgetsGo ? nil : min(go, end - 30_000)
            let dies = phone.random.happens(permille: deathPermille)
            let deadAt = start + (end - start) * Int64(phone.random.integer(in: 20...70)) / 100
            let dead = deadAt..<phone.later(deadAt, plus: 240...1_500)
            death = dies ? dead : nil
            var stop = phone.later(end, plus: 5...60)
            // STOP waits until the phone lives again.
            if let death, death.contains(stop) {
                stop = phone.later(death.upperBound, plus: 10...60)
            }
            let forgetsStop = phone.random.happens(permille: forgottenStopPermille)
            stopAt = forgetsGo || forgetsStop || stop >= limit ? nil : stop
            opensAt = goAt ?? sensedAt
            // Without GO the app records until its driver has walked off; else for an hour at most.
            let last = phone.later(end, plus: forgetsGo ? 120...200 : 3_000...3_600)
            closesAt = min(limit, stopAt ?? last)
        }
    }
}
