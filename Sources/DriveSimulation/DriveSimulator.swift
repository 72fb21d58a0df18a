public import TripEvents

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
    ///   - seed: What chance decides where the scenario leaves something to it.
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
    ///   - seed: What chance decides.
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
