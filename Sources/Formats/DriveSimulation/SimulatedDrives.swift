public import TripEvents

/// Any number of drives in bulk, made one event at a time: GO, a fix every second, STOP.
///
/// Times increase strictly, numbers have the resolution of a narrow fix, and memory does not grow
/// with the number of drives.
public struct SimulatedDrives: Sequence, Sendable {
    let seed: UInt64
    let count: Int
    let fixesPerDrive: ClosedRange<Int>
    let source: String
    let start: Timestamp

    /// Returns an iterator that starts with the first drive's GO.
    public func makeIterator() -> Iterator {
        Iterator(self)
    }
}

extension SimulatedDrives {
    /// Drives, and reports one event after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        private enum Phase {
            case parked
            case driving(fixesLeft: Int)
        }

        private let drives: SimulatedDrives
        private var random: SplitMix64
        private var car: SimulatedCar
        private var receiver = SimulatedReceiver()
        private var drivesLeft: Int
        private var now: Timestamp
        private var phase = Phase.parked

        init(_ drives: SimulatedDrives) {
            self.drives = drives
            random = SplitMix64(seed: drives.seed)
            car = SimulatedCar(random: &random)
            drivesLeft = drives.count
            now = drives.start
        }

        /// Returns the next event, or `nil` after the last drive's STOP.
        public mutating func next() -> TripEvent? {
            switch phase {
            case .parked:
                guard drivesLeft > 0 else { return nil }
                drivesLeft -= 1
                phase = .driving(fixesLeft: random.integer(in: drives.fixesPerDrive))
                return report(.goPressed(GoPressed()), secondsLater: 1)
            case .driving(0):
                phase = .parked
                let parkedSeconds = random.integer(in: 300...3_600)
                return report(.stopPressed(StopPressed()), secondsLater: parkedSeconds)
            case .driving(let fixesLeft):
                car.drive(secondsToArrival: fixesLeft, random: &random)
                phase = .driving(fixesLeft: fixesLeft - 1)
                return report(receiver.read(car, random: &random).body, secondsLater: 1)
            }
        }

        private mutating func report(_ body: EventBody, secondsLater seconds: Int) -> TripEvent {
            let event = TripEvent(source: drives.source, occurredAt: now, body: body)
            now = now.advanced(byMilliseconds: Int64(seconds) * 1_000)
            return event
        }
    }
}

/// Drives recorders without hardware: the same seed gives the same events on every machine.
public enum DriveSimulator {
    /// The source of simulated events unless another is named.
    public static let defaultSource = "simulated-phone"

    /// When a scenario starts: Monday 2025-03-03, 08:30 in Rotterdam.
    public static let scenarioStart = Timestamp(milliseconds: 1_740_987_000_000)

    /// When drives in bulk start: Monday 2015-01-05, 07:00 in Rotterdam.
    public static let drivesStart = Timestamp(milliseconds: 1_420_437_600_000)

    /// Returns the events of a named scenario in order of arrival.
    ///
    /// - Parameters:
    ///   - scenario: What happens.
    ///   - seed: The seed of all that the scenario leaves to chance.
    ///   - source: The name of the recorder.
    ///   - start: When the recorder starts.
    /// - Returns: What the recorder reports.
    public static func events(
        of scenario: Scenario,
        seed: UInt64 = 1,
        source: String = defaultSource,
        startingAt start: Timestamp = scenarioStart
    ) -> [TripEvent] {
        var random = SplitMix64(seed: seed)
        return events(of: scenario.script(random: &random), source: source, startingAt: start)
    }

    /// Returns the events of a script in order of arrival.
    public static func events(
        of script: RecorderScript,
        source: String = defaultSource,
        startingAt start: Timestamp = scenarioStart
    ) -> [TripEvent] {
        script.entries.map { entry in
            TripEvent(
                source: source,
                occurredAt: start.advanced(byMilliseconds: entry.milliseconds),
                utcOffset: UTCOffset(minutes: 60),
                body: entry.body
            )
        }
    }

    /// Returns `count` drives with a fix every second, to be made as they are read.
    ///
    /// - Parameters:
    ///   - seed: The seed of all that is left to chance.
    ///   - count: How many drives; each has a GO and a STOP.
    ///   - fixesPerDrive: The range of the number of fixes in a drive.
    ///   - source: The name of the recorder.
    ///   - start: When the first GO is pressed.
    /// - Returns: A sequence that gives the same drives whenever it is read.
    public static func drives(
        seed: UInt64,
        count: Int,
        fixesPerDrive: ClosedRange<Int> = 600...1_800,
        source: String = defaultSource,
        startingAt start: Timestamp = drivesStart
    ) -> SimulatedDrives {
        precondition(fixesPerDrive.lowerBound >= 0, "a drive cannot have fewer than no fixes")
        return SimulatedDrives(
            seed: seed,
            count: count,
            fixesPerDrive: fixesPerDrive,
            source: source,
            start: start
        )
    }
}
