import TripEvents

/// The opinions of motion sensors in phones about what their carriers do: late, and not always
/// right.
///
/// The shares are those of the 8,785 opinions in the labelled streams of MobilityNet, by platform
/// and by what the carrier did. Android's on-foot opinions are not in those streams; here they are
/// as frequent as those of iOS.
struct MotionSense {
    /// An opinion, and how many of a thousand it makes up.
    typealias Share = (permille: Int, state: MotionState, confidence: MotionConfidence)

    /// Milliseconds between opinions: 26 to 45 an hour in cars, buses and trains, half of them
    /// within 30 s of another.
    private static let ridePauses = [
        2_500, 5_000, 9_000, 15_000, 25_000, 31_000, 64_000, 140_000, 290_000, 500_000,
    ]

    /// The same by bicycle and on foot: 67 to 80 an hour.
    private static let pauses = [
        2_500, 5_000, 9_000, 12_000, 15_000, 26_000, 31_000, 64_000, 120_000, 190_000,
    ]

    /// Returns what the sensor says of a day, in order of time.
    static func reports(
        of legs: [DayLeg],
        isIOS: Bool,
        random: inout SplitMix64
    ) -> [DayReport] {
        var reports: [DayReport] = []
        var hasRidden = false
        for leg in legs {
            let start = Int64(leg.startSecond) * 1_000
            let end = Int64(leg.endSecond) * 1_000
            let isStale =
                hasRidden && leg.activity == .walking && random.happens(permille: stalePermille)
            hasRidden = rides(leg.activity) || hasRidden && leg.isStay
            let delay =
                isStale
                ? random.integer(in: 180...900)
                : delaySeconds(of: leg.activity, isIOS: isIOS, random: &random)
            let sure = delay.map { start + Int64($0) * 1_000 } ?? end
            let pauses = Self.pauses(during: leg.activity)
            var clock = start + Int64(random.element(of: pauses))
            while clock < end {
                let early = isStale ? ofRide : unsure(of: leg.activity)
                let shares =
                    clock < sure ? early : Self.shares(of: leg.activity, isIOS: isIOS)
                let opinion = choose(shares, random: &random)
                reports.append(
                    DayReport(
                        milliseconds: clock,
                        body: .motionChanged(
                            MotionChanged(state: opinion.state, confidence: opinion.confidence)
                        )
                    )
                )
                // The sensor rests with its carrier.
                let isAsleep = leg.isStay && clock - start > 300_000
                clock += Int64(random.element(of: pauses)) * (isAsleep ? 40 : 1)
                // The first right opinion comes as soon as the sensor is sure.
                if reports[reports.count - 1].milliseconds < sure, clock > sure { clock = sure }
            }
        }
        return reports
    }

    /// How many of a thousand walks after a ride are taken for the ride at first.
    private static let stalePermille = 120

    /// Its opinion as long as it takes a walk for the ride before.
    private static let ofRide: [Share] = [(600, .automotive, .high), (400, .unknown, .low)]

    private static func rides(_ activity: SimulatedActivity) -> Bool {
        switch activity {
        case .car, .bus, .train: true
        case .bicycle, .walking, .boat, .parked: false
        }
    }

    private static func pauses(during activity: SimulatedActivity) -> [Int] {
        switch activity {
        case .car, .bus, .train, .boat: ridePauses
        case .bicycle, .walking, .parked: pauses
        }
    }

    /// Seconds until the sensor is right; `nil` if it never is.
    private static func delaySeconds(
        of activity: SimulatedActivity,
        isIOS: Bool,
        random: inout SplitMix64
    ) -> Int? {
        let neverPermille: Int
        let delays: [Int]
        switch activity {
        case .car:
            neverPermille = 0
            delays =
                isIOS
                ? [84, 91, 96, 107, 234, 246, 280, 340, 385] : [20, 64, 120, 128, 142, 186]
        case .bus:
            neverPermille = 0
            delays = isIOS ? [16, 24, 28, 46, 73, 128, 202] : [10, 18, 41, 73, 113, 152, 231]
        case .train:
            neverPermille = 0
            delays = isIOS ? [25, 35, 43, 60, 84, 117, 239, 374] : [11, 27, 32, 36, 45, 77, 124]
        case .bicycle:
            neverPermille = isIOS ? 200 : 0
            delays = isIOS ? [33, 131, 174, 208, 243] : [24, 41, 63, 98, 249]
        case .walking:
            neverPermille = 300
            delays = [1, 3, 6, 10, 12, 16, 20, 29, 38, 67, 116]
        case .boat, .parked:
            neverPermille = 0
            delays = [10, 20, 40, 90]
        }
        return random.happens(permille: neverPermille) ? nil : random.element(of: delays)
    }

    private static func choose(_ shares: [Share], random: inout SplitMix64) -> Share {
        var rest = random.integer(in: 0...shares.reduce(0) { $0 + $1.permille } - 1)
        for share in shares {
            rest -= share.permille
            if rest < 0 { return share }
        }
        return shares[0]
    }

    /// Its opinion before it is right: the activity before, or that it does not know.
    private static func unsure(of activity: SimulatedActivity) -> [Share] {
        switch activity {
        case .car, .bus, .train, .boat:
            [(600, .unknown, .low), (250, .stationary, .high), (60, .walking, .medium)]
        case .bicycle, .walking: [(600, .unknown, .low), (400, .stationary, .high)]
        case .parked:
            [(600, .unknown, .low), (250, .stationary, .low), (40, .automotive, .high)]
        }
    }

    private static func shares(of activity: SimulatedActivity, isIOS: Bool) -> [Share] {
        isIOS ? iosShares(of: activity) : androidShares(of: activity)
    }

    private static func iosShares(of activity: SimulatedActivity) -> [Share] {
        switch activity {
        case .car:
            [
                (442, .unknown, .high), (239, .stationary, .high), (270, .automotive, .high),
                (10, .walking, .high), (10, .walking, .medium), (12, .cycling, .high),
                (4, .running, .high),
            ]
        case .bus:
            [
                (419, .unknown, .high), (229, .automotive, .high), (229, .stationary, .high),
                (38, .walking, .medium), (38, .automotive, .medium), (29, .walking, .high),
                (19, .cycling, .high),
            ]
        case .train:
            [
                (454, .unknown, .high), (368, .stationary, .high), (117, .automotive, .high),
                (31, .walking, .high), (19, .automotive, .medium), (11, .walking, .medium),
            ]
        case .bicycle:
            [
                (430, .unknown, .high), (179, .cycling, .high), (173, .walking, .medium),
                (152, .walking, .high), (63, .stationary, .high), (2, .automotive, .high),
            ]
        case .walking:
            [
                (427, .unknown, .high), (200, .stationary, .high), (300, .walking, .high),
                (60, .walking, .medium), (6, .running, .high), (3, .automotive, .medium),
            ]
        case .boat, .parked:
            [
                (484, .unknown, .high), (472, .stationary, .high), (31, .walking, .high),
                (13, .walking, .medium),
            ]
        }
    }

    private static func androidShares(of activity: SimulatedActivity) -> [Share] {
        switch activity {
        case .car:
            [
                (462, .unknown, .low), (450, .automotive, .high), (55, .stationary, .high),
                (33, .stationary, .low), (3, .walking, .medium), (3, .cycling, .medium),
            ]
        case .bus:
            [
                (421, .unknown, .low), (462, .automotive, .high), (72, .stationary, .high),
                (20, .automotive, .medium), (15, .stationary, .medium), (5, .cycling, .high),
            ]
        case .train:
            [
                (329, .unknown, .low), (381, .automotive, .high), (158, .stationary, .high),
                (44, .stationary, .low), (41, .automotive, .medium), (37, .stationary, .medium),
                (9, .cycling, .high),
            ]
        case .bicycle:
            [
                (356, .unknown, .low), (400, .cycling, .high), (106, .cycling, .medium),
                (51, .stationary, .low), (42, .stationary, .high), (21, .automotive, .high),
                (15, .stationary, .medium), (9, .automotive, .medium),
            ]
        case .walking:
            [
                (400, .unknown, .low), (300, .walking, .high), (60, .walking, .medium),
                (120, .stationary, .high), (10, .automotive, .medium), (5, .cycling, .medium),
            ]
        case .boat, .parked:
            [
                (375, .stationary, .high), (288, .unknown, .low), (156, .stationary, .low),
                (107, .stationary, .medium), (3, .automotive, .medium), (5, .cycling, .medium),
            ]
        }
    }
}
