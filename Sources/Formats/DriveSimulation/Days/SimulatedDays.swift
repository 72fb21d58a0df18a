import TripEvents

/// Any number of days with known truth, made one after the other.
///
/// A day follows from the seed and its number alone.
public struct SimulatedDays: Sequence, Sendable {
    let seed: UInt64
    let numbers: Range<Int>
    let source: String

    /// The largest number of a day, and of days, that may be asked for.
    public static let mostNumber = 1_000_000_000

    /// Returns an iterator that starts with the first day.
    public func makeIterator() -> Iterator {
        Iterator(days: self, number: numbers.lowerBound)
    }

    /// Makes one day after the other.
    public struct Iterator: IteratorProtocol, Sendable {
        let days: SimulatedDays
        var number: Int

        /// Returns the next day, or `nil` after the last.
        public mutating func next() -> SimulatedDay? {
            guard number < days.numbers.upperBound else { return nil }
            defer { number += 1 }
            return days.day(number)
        }
    }
}

extension SimulatedDays {
    /// Days lie within ten years, so that no event is of the future.
    private static let calendarDays = 3_650

    /// How many of a thousand days have each kind of recorder.
    private static let recorders: [(permille: Int, recorder: DayRecorder)] = [
        (180, .androidPrecise), (140, .androidBalanced), (180, .iosPrecise), (160, .iosMedium),
        (20, .iosCoarse), (130, .history), (50, .trackingApp), (50, .carBox), (90, .pressedPhone),
    ]

    fileprivate func day(_ number: Int) -> SimulatedDay {
        // The seeds of neighbouring days must not be neighbours: their sequences would overlap.
        var mixer = SplitMix64(seed: seed ^ (UInt64(number) &* 0xD1B5_4A32_D192_ED03))
        var random = SplitMix64(seed: mixer.next())
        let legs = DayLife.legs(random: &random)
        let midnight = DriveSimulator.drivesStart
            .advanced(
                byMilliseconds: Int64(number % Self.calendarDays) * 86_400_000 - 7 * 3_600_000
            )
        var streams: [DayStream] = []
        var rules: [TripEvent] = []
        var reports: [(source: Int, report: DayReport)] = []
        for recorder in recorders(random: &random) {
            let stream = DayStream(
                source: "\(source)-\(number)-\(recorder.rawValue)",
                recorder: recorder,
                parts: legs.map { $0.part(since: midnight) }
            )
            rules.append(
                TripEvent(
                    source: "manual",
                    occurredAt: midnight,
                    body: .rulesAdopted(
                        RulesAdopted(preset: recorder.preset, appliesTo: stream.source)
                    )
                )
            )
            reports += DayTape.reports(of: legs, by: recorder, random: &random)
                .map { (streams.count, $0) }
            streams.append(stream)
        }
        if streams.count > 1 {
            reports = reports.enumerated()
                .sorted {
                    ($0.element.report.milliseconds, $0.offset)
                        < ($1.element.report.milliseconds, $1.offset)
                }
                .map(\.element)
        }
        let events = reports.map { source, report in
            TripEvent(
                source: streams[source].source,
                occurredAt: midnight.advanced(byMilliseconds: report.milliseconds),
                utcOffset: UTCOffset(minutes: 60),
                body: report.body
            )
        }
        return SimulatedDay(number: number, events: rules + events, streams: streams)
    }

    /// Chooses one recorder, and on one day in eight another beside it.
    private func recorders(random: inout SplitMix64) -> [DayRecorder] {
        var chosen: [DayRecorder] = []
        for _ in 0..<(random.happens(permille: 125) ? 2 : 1) {
            var rest = random.integer(in: 0...999)
            for (permille, recorder) in Self.recorders {
                rest -= permille
                guard rest < 0 else { continue }
                if !chosen.contains(recorder) { chosen.append(recorder) }
                break
            }
        }
        return chosen
    }
}

extension DriveSimulator {
    /// The beginning of the names of the sources of simulated days, unless another is given.
    public static let defaultDaySource = "day"

    /// Returns days of people with known truth, to be made as they are read.
    ///
    /// - Parameters:
    ///   - seed: The seed of all that is left to chance.
    ///   - numbers: The numbers of the days; the same number is the same day.
    ///   - source: The beginning of the names of the recorders; the number of the day and the
    ///     kind of the recorder follow.
    /// - Returns: A sequence that gives the same days whenever it is read.
    public static func days(
        seed: UInt64,
        numbers: Range<Int>,
        source: String = defaultDaySource
    ) -> SimulatedDays {
        precondition(numbers.lowerBound >= 0, "days are counted from zero")
        return SimulatedDays(seed: seed, numbers: numbers, source: source)
    }
}
