public import Geodesy
import RowCoding
public import TripEvents

/// The parameters of the tracking rules: what starts and ends a trip, what makes a fix count, and
/// when silence is a gap.
///
/// They are named and versioned, so that a newer program never changes an old figure by itself.
public struct TrackingRules: Hashable, Sendable {
    /// The name under which these parameters are published.
    public var version: RulesVersion

    /// The preset that they come from.
    public var preset: TrackingPreset

    /// The worst accuracy of a usable fix, in metres (rule 2: 50 m).
    public var maximumAccuracyMeters: Double

    /// The highest speed that two fixes may imply, in metres per second (rule 4: 60 m/s); also the
    /// highest reported speed that is used (rule 5).
    public var maximumSpeedMetersPerSecond: Double

    /// How far from the anchor a slow fix is still jitter (rule 5: 5 m).
    public var jitterRadius: Distance

    /// How slow a fix near the anchor must be to be jitter, in metres per second (rule 5: 1 m/s).
    public var jitterSpeedMetersPerSecond: Double

    /// The shortest silence that can be a gap, in milliseconds (`gapLimit`: 30 s).
    public var minimumGapMilliseconds: Int64

    /// The silence that is a gap in any case, in milliseconds (`gapLimit`: 15 min).
    public var maximumGapMilliseconds: Int64

    /// The silence that is a gap while a source's interval is unknown, in milliseconds (`gapLimit`:
    /// 120 s).
    public var unknownIntervalGapMilliseconds: Int64

    /// How many median intervals of silence are a gap (`gapLimit`: 4).
    public var medianIntervalsPerGap: Int64

    /// How many impossible fixes that agree with each other move the anchor (rule 4: 5).
    public var reanchorFixes: Int

    /// How long those fixes must span, in milliseconds (rule 4; 15 s).
    ///
    /// Receivers that hold a position for ten seconds and then jump would be taken for lost after
    /// 5 s: of 415.8 km on fifteen real drives, 24.6 km more would count as gaps. At 15 s none is.
    public var reanchorMilliseconds: Int64

    /// How long the first usable fix may take, counted from the first fix, before the start
    /// position is taken from a worse one, in milliseconds (*Arming*: 3 s).
    public var approximateStartMilliseconds: Int64

    /// Whether the motion sensor starts trips.
    public var startsByMotion: Bool

    /// Whether movement starts trips, without a press or a motion sensor.
    public var startsByMovement: Bool

    /// How far a movement that starts a trip gets (*movement*: 60 m).
    public var startDisplacement: Distance

    /// The time in which it gets that far, in milliseconds (*movement*: 60 s); one and a half
    /// median intervals of the source if that is longer.
    public var startWindowMilliseconds: Int64

    /// The slowest driving, in metres per second (*movement*, *silence*: 2.5 m/s).
    public var drivingSpeedMetersPerSecond: Double

    /// Within which radius a car is parked (*parked*: 75 m).
    public var parkedRadius: Distance

    /// How long a parked car keeps a trip open, in milliseconds (*parked*: 10 min).
    public var parkedMilliseconds: Int64

    /// The same once the motion sensor says that it is stationary (*parked*: 5 min).
    public var stationaryMilliseconds: Int64

    /// The silence that may mean a parked car, in milliseconds (*silence*: 10 min; preset `logger`
    /// 2 min).
    public var silenceMilliseconds: Int64

    /// How many median intervals such a silence lasts at least (*silence*: 8).
    public var medianIntervalsPerSilence: Int64

    /// Within which radius a silence ends a trip however short the way took (*silence*: 200 m).
    public var silenceRadius: Distance

    /// The silence that ends a trip in any case, in milliseconds (*silence*: 30 min).
    public var maximumSilenceMilliseconds: Int64

    /// How far is movement (*noMovement*: 50 m).
    public var movementRadius: Distance

    /// How long without movement the driver is asked "still recording?", in milliseconds
    /// (*noMovement*: 10 min).
    public var stillRecordingMilliseconds: Int64

    /// How long without movement a trip stays open, in milliseconds (*noMovement*: 45 min).
    public var noMovementMilliseconds: Int64

    /// How long a trip stays open without any report, in milliseconds (*deviceOff*: 2 h).
    public var deviceOffMilliseconds: Int64

    /// The shortest trip that counts without GO; a shorter one is a false start (60 m).
    public var shortestTrip: Distance
}

extension TrackingRules {
    /// The first published rules, for a phone.
    public static let v1 = TrackingRules(
        version: .v1,
        preset: .phone,
        maximumAccuracyMeters: 50,
        maximumSpeedMetersPerSecond: 60,
        jitterRadius: Distance(millimeters: 5_000),
        jitterSpeedMetersPerSecond: 1,
        minimumGapMilliseconds: 30_000,
        maximumGapMilliseconds: 900_000,
        unknownIntervalGapMilliseconds: 120_000,
        medianIntervalsPerGap: 4,
        reanchorFixes: 5,
        reanchorMilliseconds: 15_000,
        approximateStartMilliseconds: 3_000,
        startsByMotion: true,
        startsByMovement: false,
        startDisplacement: Distance(millimeters: 60_000),
        startWindowMilliseconds: 60_000,
        drivingSpeedMetersPerSecond: 2.5,
        parkedRadius: Distance(millimeters: 75_000),
        parkedMilliseconds: 600_000,
        stationaryMilliseconds: 300_000,
        silenceMilliseconds: 600_000,
        medianIntervalsPerSilence: 8,
        silenceRadius: Distance(millimeters: 200_000),
        maximumSilenceMilliseconds: 1_800_000,
        movementRadius: Distance(millimeters: 50_000),
        stillRecordingMilliseconds: 600_000,
        noMovementMilliseconds: 2_700_000,
        deviceOffMilliseconds: 7_200_000,
        shortestTrip: Distance(millimeters: 60_000)
    )

    /// Returns the rules of a published version for one kind of source.
    public init(_ version: RulesVersion, preset: TrackingPreset = .phone) {
        switch version {
        case .v1: self = .v1
        }
        self.preset = preset
        switch preset {
        case .phone: break
        case .history: startsByMovement = true
        case .logger:
            startsByMovement = true
            silenceMilliseconds = 120_000
        }
    }

    /// The name under which a trip shows them.
    public var name: RulesName {
        RulesName(
            version: version,
            preset: preset,
            isCustom: self != TrackingRules(version, preset: preset)
        )
    }

    /// No silence shorter than this ends a trip, whatever the rules; in milliseconds.
    static let shortestWaitMilliseconds: Int64 = 60_000

    /// The highest speed at which a receiver whose speeds agree with its positions is believed, in
    /// metres per second.
    static let highestSpeedMetersPerSecond = 120.0

    /// How long a trip that is known by GO and STOP alone stays open at least, in milliseconds.
    static let pressesMilliseconds: Int64 = 24 * 3_600_000

    /// How long before the second fix of a drive its first one, at which it still stood, may be, in
    /// milliseconds: a phone that reports every ten minutes at rest did not leave at its last
    /// report.
    static let longestDepartureMilliseconds: Int64 = 90_000

    /// The rules by which movement continues after GO: a displacement within five minutes, however
    /// slow.
    var goingOn: TrackingRules {
        var rules = self
        rules.startWindowMilliseconds = max(startWindowMilliseconds, 300_000)
        rules.drivingSpeedMetersPerSecond = min(drivingSpeedMetersPerSecond, 0.2)
        return rules
    }

    /// How soon after STOP the way to the parking place begins, in milliseconds.
    static let afterStopMilliseconds: Int64 = 180_000

    /// How long that way is at most.
    static let afterStopDistance = Distance(millimeters: 500_000)

    /// No rest shorter than this ends a trip, whatever the rules; in milliseconds.
    static let shortestRestMilliseconds: Int64 = 60_000

    /// How long the motion sensor must see walking for the trip to be over, in milliseconds.
    static let walkingMilliseconds: Int64 = 60_000

    /// How long fixes must go steadily at walking pace for the trip to be over, in milliseconds.
    static let steadyWalkMilliseconds: Int64 = 180_000

    /// How far the fixes must have got by then.
    static let steadyWalk = Distance(millimeters: 150_000)

    /// Returns whether something can get `distance` far in `milliseconds` (rule 4).
    ///
    /// Millimetres per millisecond are metres per second.
    @inline(__always)
    func allows(_ distance: Distance, inMilliseconds milliseconds: Int64) -> Bool {
        Double(distance.millimeters) <= maximumSpeedMetersPerSecond * Double(milliseconds)
    }

    /// Returns whether getting `distance` far in `milliseconds` takes a car.
    func isDriving(_ distance: Distance, inMilliseconds milliseconds: Int64) -> Bool {
        Double(distance.millimeters) >= drivingSpeedMetersPerSecond * Double(milliseconds)
    }

    /// Returns whether one thing can have been at both fixes, `earlier` first.
    func agree(_ earlier: Fix, _ later: Fix) -> Bool {
        allows(
            earlier.coordinate.distance(to: later.coordinate),
            inMilliseconds: later.occurredAt.milliseconds(since: earlier.occurredAt)
        )
    }

    /// Returns whether `fix`, which came `step` in `milliseconds`, is slow enough to be jitter
    /// (rule 5): by its reported speed if that is known and plausible, else by the implied one.
    @inline(__always)
    func isSlow(_ fix: Fix, after step: Distance, inMilliseconds milliseconds: Int64) -> Bool {
        if let reported = plausibleSpeed(of: fix) {
            return reported < jitterSpeedMetersPerSecond
        }
        return Double(step.millimeters) < jitterSpeedMetersPerSecond * Double(milliseconds)
    }

    /// Returns the speed in metres per second at `fix`, which came `step` in `milliseconds`: the
    /// reported one if that is known and plausible, else the implied one.
    @inline(__always)
    func speed(at fix: Fix, after step: Distance, inMilliseconds milliseconds: Int64) -> Double {
        plausibleSpeed(of: fix) ?? Double(step.millimeters) / Double(milliseconds)
    }

    @inline(__always)
    private func plausibleSpeed(of fix: Fix) -> Double? {
        guard let reported = fix.speedMetersPerSecond, reported <= maximumSpeedMetersPerSecond
        else { return nil }
        return reported
    }

    /// Returns whether a fix is usable by itself: it is not made up, has a position, and is as
    /// accurate as the rules demand (rules 1 and 2).
    @inline(__always)
    public func canUse(_ fix: Fix) -> Bool {
        FixFilter.flaw(of: fix, rules: self) == nil
    }
}

/// What a trip says about the rules that it was derived with: `v1`, `v1/logger`, and with rules
/// that were changed one by one `v1+custom`, `v1/logger+custom`.
public struct RulesName: Hashable, Sendable, RawRepresentable {
    /// The published version.
    public var version: RulesVersion

    /// The preset; `phone`, the default, is not written.
    public var preset: TrackingPreset

    /// Whether single rules were changed.
    public var isCustom: Bool

    private static let customMark = "+custom"

    /// Creates a name.
    public init(version: RulesVersion, preset: TrackingPreset = .phone, isCustom: Bool = false) {
        self.version = version
        self.preset = preset
        self.isCustom = isCustom
    }

    /// Reads a name, or returns `nil` if the text is not one.
    public init?(rawValue: String) {
        isCustom = rawValue.hasSuffix(Self.customMark)
        let parts = rawValue.dropLast(isCustom ? Self.customMark.count : 0)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first,
            let version = RulesVersion(rawValue: String(first)),
            let preset = parts.count == 1 ? .phone : TrackingPreset(rawValue: String(parts[1]))
        else { return nil }
        self.version = version
        self.preset = preset
        guard self.rawValue == rawValue else { return nil }
    }

    /// The name as it is shown and stored.
    public var rawValue: String {
        version.rawValue + (preset == .phone ? "" : "/" + preset.rawValue)
            + (isCustom ? Self.customMark : "")
    }
}

/// The published versions of the tracking rules; the raw value is the name shown with a trip.
///
/// A further one is also a name that `RulesAdopted` takes.
public enum RulesVersion: String, CaseIterable, Sendable {
    case v1
}

extension RowDecoder {
    private static let versionNames = ChoiceNames(of: RulesVersion.self)

    /// Reads a version of the tracking rules.
    fileprivate mutating func readRulesVersion() throws(RowCodingError) -> RulesVersion {
        RulesVersion.allCases[try readIndex(in: Self.versionNames)]
    }

    /// Reads the name of tracking rules.
    mutating func readRulesName() throws(RowCodingError) -> RulesName {
        let range = try readRange()
        // Nearly every trip has plain rules.
        if let version = index(of: range, in: Self.versionNames) {
            return RulesName(version: RulesVersion.allCases[version])
        }
        guard let name = RulesName(rawValue: try text(in: range)) else { throw .invalidValue }
        return name
    }
}

extension TrackingRules {
    /// Returns the rules that are in force for a source after `adopted`.
    ///
    /// A preset replaces all rules; single rules change those that are in force, or the preset's.
    /// The last adoption wins, whether it is for one source or for all. Rules that this version
    /// does not know, or that validation would have refused, change nothing.
    public func adopting(_ adopted: RulesAdopted, for source: String) -> TrackingRules {
        guard adopted.appliesTo == nil || adopted.appliesTo.hasSameBytes(as: source)
        else { return self }
        let preset = adopted.preset.flatMap(TrackingPreset.init(rawValue:))
        let version = adopted.rulesVersion.flatMap(RulesVersion.init(rawValue:))
        var rules = self
        if preset != nil || version != nil {
            rules = TrackingRules(version ?? self.version, preset: preset ?? self.preset)
        }
        for field in adopted.parameters?.all ?? [] {
            if let parameter = TrackingParameter(rawValue: field.key) {
                rules.set(parameter, to: field.value)
            }
        }
        return rules
    }

    private mutating func set(_ parameter: TrackingParameter, to value: CustomValue) {
        switch value {
        case .boolean(let choice) where parameter.range == nil:
            set(parameter, to: choice)
        case .number(let number):
            let double = number.doubleValue
            if let range = parameter.range, range.contains(double) {
                set(parameter, to: double)
            }
        case .text, .boolean, .null: break
        }
    }

    private mutating func set(_ parameter: TrackingParameter, to choice: Bool) {
        if parameter == .startsByMotion {
            startsByMotion = choice
        } else {
            startsByMovement = choice
        }
    }

    /// Sets a rule to a number in the unit that its name says.
    private mutating func set(_ parameter: TrackingParameter, to number: Double) {
        let distance = Distance(millimeters: Int64((number * 1_000).rounded()))
        let milliseconds = Int64((number * 1_000).rounded())
        switch parameter {
        case .maximumAccuracy: maximumAccuracyMeters = number
        case .maximumSpeed: maximumSpeedMetersPerSecond = number
        case .jitterRadius: jitterRadius = distance
        case .jitterSpeed: jitterSpeedMetersPerSecond = number
        case .minimumGap: minimumGapMilliseconds = milliseconds
        case .maximumGap: maximumGapMilliseconds = milliseconds
        case .unknownIntervalGap: unknownIntervalGapMilliseconds = milliseconds
        case .medianIntervalsPerGap: medianIntervalsPerGap = Int64(number)
        case .reanchorFixes: reanchorFixes = Int(number)
        case .reanchor: reanchorMilliseconds = milliseconds
        case .approximateStart: approximateStartMilliseconds = milliseconds
        case .startsByMotion, .startsByMovement: break
        case .startDisplacement: startDisplacement = distance
        case .startWindow: startWindowMilliseconds = milliseconds
        case .drivingSpeed: drivingSpeedMetersPerSecond = number
        case .parkedRadius: parkedRadius = distance
        case .parked: parkedMilliseconds = milliseconds
        case .stationary: stationaryMilliseconds = milliseconds
        case .silence: silenceMilliseconds = milliseconds
        case .medianIntervalsPerSilence: medianIntervalsPerSilence = Int64(number)
        case .silenceRadius: silenceRadius = distance
        case .maximumSilence: maximumSilenceMilliseconds = milliseconds
        case .movementRadius: movementRadius = distance
        case .stillRecording: stillRecordingMilliseconds = milliseconds
        case .noMovement: noMovementMilliseconds = milliseconds
        case .deviceOff: deviceOffMilliseconds = milliseconds
        case .shortestTrip: shortestTrip = distance
        }
    }
}

extension TrackingRules {
    /// Returns what a rule says, in the unit that its name says.
    public func value(of parameter: TrackingParameter) -> TrackingRuleValue {
        func seconds(_ milliseconds: Int64) -> TrackingRuleValue {
            .number(Double(milliseconds) / 1_000)
        }
        return switch parameter {
        case .maximumAccuracy: .number(maximumAccuracyMeters)
        case .maximumSpeed: .number(maximumSpeedMetersPerSecond)
        case .jitterRadius: .number(jitterRadius.meters)
        case .jitterSpeed: .number(jitterSpeedMetersPerSecond)
        case .minimumGap: seconds(minimumGapMilliseconds)
        case .maximumGap: seconds(maximumGapMilliseconds)
        case .unknownIntervalGap: seconds(unknownIntervalGapMilliseconds)
        case .medianIntervalsPerGap: .number(Double(medianIntervalsPerGap))
        case .reanchorFixes: .number(Double(reanchorFixes))
        case .reanchor: seconds(reanchorMilliseconds)
        case .approximateStart: seconds(approximateStartMilliseconds)
        case .startsByMotion: .choice(startsByMotion)
        case .startsByMovement: .choice(startsByMovement)
        case .startDisplacement: .number(startDisplacement.meters)
        case .startWindow: seconds(startWindowMilliseconds)
        case .drivingSpeed: .number(drivingSpeedMetersPerSecond)
        case .parkedRadius: .number(parkedRadius.meters)
        case .parked: seconds(parkedMilliseconds)
        case .stationary: seconds(stationaryMilliseconds)
        case .silence: seconds(silenceMilliseconds)
        case .medianIntervalsPerSilence: .number(Double(medianIntervalsPerSilence))
        case .silenceRadius: .number(silenceRadius.meters)
        case .maximumSilence: seconds(maximumSilenceMilliseconds)
        case .movementRadius: .number(movementRadius.meters)
        case .stillRecording: seconds(stillRecordingMilliseconds)
        case .noMovement: seconds(noMovementMilliseconds)
        case .deviceOff: seconds(deviceOffMilliseconds)
        case .shortestTrip: .number(shortestTrip.meters)
        }
    }
}

/// What a single tracking rule says.
public enum TrackingRuleValue: Hashable, Sendable {
    /// A number, in the unit that the rule's name says.
    case number(Double)

    /// Whether the rule holds.
    case choice(Bool)
}

extension TrackingRules {
    /// Writes the rules, one by one in order of declaration.
    func write(to writer: inout RowEncoder) {
        writer.write(version)
        writer.write(preset)
        writer.write(maximumAccuracyMeters)
        writer.write(maximumSpeedMetersPerSecond)
        writer.write(jitterRadius)
        writer.write(jitterSpeedMetersPerSecond)
        writer.write(minimumGapMilliseconds)
        writer.write(maximumGapMilliseconds)
        writer.write(unknownIntervalGapMilliseconds)
        writer.write(medianIntervalsPerGap)
        writer.write(Int64(reanchorFixes))
        writer.write(reanchorMilliseconds)
        writer.write(approximateStartMilliseconds)
        writer.write(startsByMotion)
        writer.write(startsByMovement)
        writer.write(startDisplacement)
        writer.write(startWindowMilliseconds)
        writer.write(drivingSpeedMetersPerSecond)
        writer.write(parkedRadius)
        writer.write(parkedMilliseconds)
        writer.write(stationaryMilliseconds)
        writer.write(silenceMilliseconds)
        writer.write(medianIntervalsPerSilence)
        writer.write(silenceRadius)
        writer.write(maximumSilenceMilliseconds)
        writer.write(movementRadius)
        writer.write(stillRecordingMilliseconds)
        writer.write(noMovementMilliseconds)
        writer.write(deviceOffMilliseconds)
        writer.write(shortestTrip)
    }

    /// Reads rules.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        version = try reader.readRulesVersion()
        preset = try reader.readTrackingPreset()
        maximumAccuracyMeters = try reader.readDouble()
        maximumSpeedMetersPerSecond = try reader.readDouble()
        jitterRadius = try reader.readDistance()
        jitterSpeedMetersPerSecond = try reader.readDouble()
        minimumGapMilliseconds = try reader.readAmount()
        maximumGapMilliseconds = try reader.readAmount()
        unknownIntervalGapMilliseconds = try reader.readAmount()
        medianIntervalsPerGap = try reader.readAmount()
        reanchorFixes = Int(try reader.readAmount())
        reanchorMilliseconds = try reader.readAmount()
        approximateStartMilliseconds = try reader.readAmount()
        startsByMotion = try reader.readBool()
        startsByMovement = try reader.readBool()
        startDisplacement = try reader.readDistance()
        startWindowMilliseconds = try reader.readAmount()
        drivingSpeedMetersPerSecond = try reader.readDouble()
        parkedRadius = try reader.readDistance()
        parkedMilliseconds = try reader.readAmount()
        stationaryMilliseconds = try reader.readAmount()
        silenceMilliseconds = try reader.readAmount()
        medianIntervalsPerSilence = try reader.readAmount()
        silenceRadius = try reader.readDistance()
        maximumSilenceMilliseconds = try reader.readAmount()
        movementRadius = try reader.readDistance()
        stillRecordingMilliseconds = try reader.readAmount()
        noMovementMilliseconds = try reader.readAmount()
        deviceOffMilliseconds = try reader.readAmount()
        shortestTrip = try reader.readDistance()
        // No rules that make sense have more.
        guard medianIntervalsPerGap <= 1_000, medianIntervalsPerSilence <= 1_000 else {
            throw .invalidValue
        }
    }
}
