/// How a recorder samples: when it wakes, how often it reports, and what it knows.
///
/// Measured on the labelled streams; accuracies are ten equally likely ones in decimetres.
struct RecorderHabits: Sendable {
    /// Milliseconds between readings while its carrier moves, equally likely.
    var movingMilliseconds: [Int]

    /// Milliseconds between readings while its carrier stays.
    var restMilliseconds: [Int]

    /// Seconds after its carrier has gone 100 m until it reports, equally likely; empty if it is
    /// always on.
    var wakeSeconds: [Int]

    /// Seconds of rest until it sleeps.
    var sleepSeconds = 300

    /// Seconds between its reports while it sleeps: silences had a median of 4 min, and lasted up
    /// to 6 h.
    var pingSeconds = [90, 250, 260, 600, 1_450, 3_000, 9_000]

    /// How far it must have moved to report again, in metres.
    var filterMeters = 0.0

    /// The accuracies that it reports while its carrier moves.
    var movingAccuracies: [Int]

    /// The accuracies that it reports while its carrier stays.
    var restAccuracies: [Int]

    /// How many of a thousand readings come from networks, with `networkAccuracies`.
    var networkPermille = 0

    /// How many of a thousand readings are far off without saying so: 1 on Android, 3 in the
    /// tracking app, none of 32,000 on iOS.
    var outlierPermille = 0

    /// Whether it reports each of these numbers.
    var hasAccuracy = true
    var hasSpeed = true

    /// The error each way as a share of the accuracy.
    var errorShare = 0.45

    /// Fixes by cells and wireless networks: half said more than 100 to 1,200 m.
    static let networkAccuracies = [
        220, 280, 430, 780, 1_220, 2_500, 5_200, 8_300, 14_700, 28_900,
    ]
}

extension RecorderHabits {
    /// Chooses the habits of one recorder of a kind.
    init(_ recorder: DayRecorder, random: inout SplitMix64) {
        switch recorder {
        case .androidPrecise: self = .android(isAlwaysOn: random.happens(permille: 150))
        case .androidBalanced: self = .balancedAndroid
        case .iosPrecise: self = .ios(isAlwaysOn: random.happens(permille: 150))
        case .iosMedium: self = .mediumIOS
        case .iosCoarse: self = .coarseIOS
        case .history:
            let pauses = [5_000, 10_000, 10_000, 30_000, 60_000]
            self = .history(milliseconds: random.element(of: pauses))
            if random.happens(permille: 300) { beatAtRest(random: &random) }
        case .trackingApp: self = .trackingApp
        case .carBox: self = .box(milliseconds: random.element(of: [1_000, 5_000, 10_000, 30_000]))
        case .pressedPhone:
            self =
                random.happens(permille: 500)
                ? .android(isAlwaysOn: false) : .ios(isAlwaysOn: false)
        }
        // Some receivers leave the road now and then; that of a box is on the roof.
        if recorder != .carBox, random.happens(permille: 200) { outlierPermille += 3 }
    }

    /// Reports at rest at regular times alone, as some apps do to show that they live.
    private mutating func beatAtRest(random: inout SplitMix64) {
        wakeSeconds = [5, 15, 30]
        pingSeconds = [random.element(of: [600, 900, 1_800, 2_400])]
    }

    /// A fix a second while moving, 5 s while still; 3 to 10 m, 43 m in the worst of a hundred.
    ///
    /// The first fix of a car trip came after 70 to 128 s.
    private static func android(isAlwaysOn: Bool) -> RecorderHabits {
        RecorderHabits(
            movingMilliseconds: [1_000],
            restMilliseconds: [4_950, 5_050, 5_120, 10_000],
            wakeSeconds: isAlwaysOn ? [] : [1, 5, 20, 45, 70, 95],
            movingAccuracies: [30, 30, 36, 40, 45, 70, 90, 100, 120, 190],
            restAccuracies: [55, 66, 80, 102, 115, 160, 180, 270, 480, 900],
            outlierPermille: 1
        )
    }

    /// A fix each half minute, most from networks.
    private static let balancedAndroid = RecorderHabits(
        movingMilliseconds: [5_060, 5_090, 23_000, 30_000, 31_880, 32_000, 33_000],
        restMilliseconds: [30_080, 32_000, 64_000, 240_000],
        wakeSeconds: [5, 20, 50, 80, 100, 126],
        movingAccuracies: [50, 120, 150, 180, 220, 260, 290, 430, 450, 640],
        restAccuracies: [103, 151, 155, 160, 200, 270, 300, 380, 530, 590],
        networkPermille: 400,
        outlierPermille: 2
    )

    /// A fix a second and 1 m; it says 5, 10 or 30 m, and wanders on while it lies still.
    private static func ios(isAlwaysOn: Bool) -> RecorderHabits {
        RecorderHabits(
            movingMilliseconds: [1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 2_000, 4_000],
            restMilliseconds: [1_000, 2_000, 2_000, 6_220, 18_850],
            wakeSeconds: isAlwaysOn ? [] : [2, 20, 60, 100, 130, 250],
            filterMeters: 1,
            movingAccuracies: [50, 50, 100, 100, 100, 100, 100, 100, 300, 300],
            restAccuracies: [100, 100, 100, 300, 300, 300, 650, 650, 650, 2_000],
            errorShare: 0.25
        )
    }

    /// A fix in 6.4 s and 10 m that says 65 m and is far better than that, mostly.
    private static let mediumIOS = RecorderHabits(
        movingMilliseconds: [1_000, 2_000, 3_000, 6_400, 6_430, 6_460, 7_000, 11_000, 15_000],
        restMilliseconds: [6_410, 6_460, 15_000, 32_000, 132_000],
        wakeSeconds: [30, 60, 80, 120, 190, 300],
        filterMeters: 10,
        movingAccuracies: [100, 100, 100, 100, 100, 650, 650, 650, 650, 650],
        restAccuracies: [100, 500, 650, 650, 650, 650, 650, 650, 770, 1_650],
        networkPermille: 25,
        errorShare: 0.2
    )

    /// Cells only: kilometres.
    private static let coarseIOS = RecorderHabits(
        movingMilliseconds: [5_080, 6_400, 14_100, 53_000, 115_000],
        restMilliseconds: [157_000, 655_000],
        wakeSeconds: [30, 100, 300],
        movingAccuracies: [650, 1_650, 20_000, 40_180, 60_270, 60_270, 80_000, 110_400],
        restAccuracies: [20_000, 20_630, 60_050, 80_000, 200_000],
        hasSpeed: false
    )

    /// A continuous record of time and place alone; 3 to 10 m off, 24 in the worst tenth.
    private static func history(milliseconds: Int) -> RecorderHabits {
        RecorderHabits(
            movingMilliseconds: [milliseconds],
            restMilliseconds: [milliseconds, milliseconds, 2 * milliseconds],
            wakeSeconds: [],
            movingAccuracies: [40, 60, 80, 100, 120, 150, 200, 250, 300, 400],
            restAccuracies: [60, 80, 100, 120, 150, 180, 220, 300, 450, 700],
            outlierPermille: milliseconds < 30_000 ? 0 : 2,
            hasAccuracy: false,
            hasSpeed: false
        )
    }

    /// An app that its user starts and stops: a fix each 5 or 6 s, time and place alone.
    private static let trackingApp = RecorderHabits(
        movingMilliseconds: [5_000, 5_000, 5_000, 6_000, 6_000, 6_000, 9_000],
        restMilliseconds: [5_000, 6_000],
        wakeSeconds: [],
        movingAccuracies: [30, 40, 50, 60, 80, 100, 120, 150, 200, 300],
        restAccuracies: [30, 40, 50, 60, 80, 100, 120, 150, 200, 300],
        outlierPermille: 3,
        hasAccuracy: false,
        hasSpeed: false
    )

    /// A box on the car's power: it reports while the engine runs.
    private static func box(milliseconds: Int) -> RecorderHabits {
        RecorderHabits(
            movingMilliseconds: [milliseconds],
            restMilliseconds: [milliseconds],
            wakeSeconds: [],
            movingAccuracies: [20, 25, 25, 30, 30, 35, 40, 50, 60, 100],
            restAccuracies: [20, 25, 25, 30, 30, 35, 40, 50, 60, 100]
        )
    }

    /// An app that its driver starts and stops: a fix each 5 to 15 s, 3 to 14 m off, mostly.
    static let driverPhone = RecorderHabits(
        movingMilliseconds: [5_000, 5_000, 5_000, 5_000, 6_000, 7_000, 8_000, 10_000, 15_000],
        restMilliseconds: [20_000, 30_000, 45_000, 60_000],
        wakeSeconds: [],
        movingAccuracies: [35, 40, 45, 50, 60, 70, 80, 100, 140, 240],
        restAccuracies: [50, 60, 70, 80, 100, 120, 150, 200, 300, 650],
        networkPermille: 3,
        outlierPermille: 1,
        errorShare: 0.35
    )
}
