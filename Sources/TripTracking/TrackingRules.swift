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

    /// In which time it gets that far, in milliseconds (*movement*: 60 s); one and a half median
    /// intervals of the source if that is longer.
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

    /// The highest speed that receivers are believed that agree with their own positions, in metres
    /// per second.
    static let highestSpeedMetersPerSecond = 120.0

    /// How long a trip of which only GO and STOP tell stays open at least, in milliseconds.
    static let pressesMilliseconds: Int64 = 24 * 3_600_000

    /// How soon after STOP the way to the parking place begins, in milliseconds.
    static let afterStopMilliseconds: Int64 = 180_000

    /// How long that way is at most.
    static let afterStopDistance = Distance(millimeters: 500_000)

    /// No rest shorter than this ends a trip, whatever the rules; in milliseconds.
    static let shortestRestMilliseconds: Int64 = 60_000

    /// How long the motion sensor must see walking for the trip to be over, in milliseconds.
    static let walkingMilliseconds: Int64 = 60_000

    /// How long fixes must go steadily at walking pace for it, in milliseconds.
    static let steadyWalkMilliseconds: Int64 = 180_000

    /// How far they must have got by then.
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

    /// Reads a name, or returns `nil` if it is none.
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
public enum RulesVersion: String, CaseIterable, Sendable {
    case v1
}

extension RowDecoder {
    private static let versionNames = ChoiceNames(of: RulesVersion.self)

    /// Reads a version of the tracking rules.
    mutating func readRulesVersion() throws(RowCodingError) -> RulesVersion {
        RulesVersion.allCases[try readIndex(in: Self.versionNames)]
    }

    /// Reads the name of tracking rules.
    mutating func readRulesName() throws(RowCodingError) -> RulesName {
        let range = try readRange()
        // Nearly every trip goes by plain rules.
        if let version = index(of: range, in: Self.versionNames) {
            return RulesName(version: RulesVersion.allCases[version])
        }
        guard let name = RulesName(rawValue: try text(in: range)) else { throw .invalidValue }
        return name
    }
}
