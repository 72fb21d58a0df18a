import Geodesy
import Testing
import TripEvents
import TripTracking

/// An outlier takes nothing of what is said before the fix that shows it to be one.
@Suite struct OutlierLawTests {
    /// What a person or the motion sensor says between an outlier and the fix after it.
    enum Word: CaseIterable, Sendable {
        case go
        case split
        case exclusion
        case recovery
        case driving
        case standing
    }

    /// Whether the car stands or drives when the receiver errs.
    enum Scene: CaseIterable, Sendable {
        case standing
        case driving
    }

    private static let outlierAt = 365.0
    private static let returnAt = 370.0

    /// The trip that the first event of a drive opens, which is at position 0.
    private static let trip = TripID(openedBy: NumberedEvents().facts(at: 0).identity)
    private static let part = TripID(high: 1, low: 1)

    private static func instant(_ seconds: Double) -> Timestamp {
        Drive.start.advanced(byMilliseconds: Int64(seconds * 1_000))
    }

    /// Returns the place of a decision among all; `number` tells them apart.
    private static func order(_ kind: EventKind, number: UInt64) -> EventOrder {
        EventOrder(
            occurredAt: instant(10_000 + Double(number)),
            kind: kind,
            sequence: nil,
            identity: IdentityDigest(words: [1_000 + number, 0, 0, 0])
        )
    }

    private static func say(_ word: Word, at seconds: Double, in drive: inout Drive) {
        switch word {
        case .go: drive.press(.goPressed(GoPressed(vehicle: "van", driver: "Eva")), at: seconds)
        case .split:
            drive.take(
                StandingSplit(
                    trip: trip,
                    made: part,
                    at: instant(seconds),
                    order: order(.tripSplit, number: 2),
                    recordedAt: instant(10_002)
                )
            )
        case .exclusion:
            drive.tracker.take(
                StandingExclusion(
                    trip: trip,
                    from: instant(seconds),
                    to: instant(seconds + 100),
                    order: order(.stretchExcluded, number: 1)
                )
            )
        case .recovery:
            let decided = RecoveryDecided(trip: trip, decision: .resume)
            drive.press(.recoveryDecided(decided), at: seconds)
        case .driving: drive.sense(.automotive, at: seconds)
        case .standing: drive.sense(.stationary, at: seconds)
        }
    }

    /// Returns the trips of a drive to the north during which one fix lies far to the east.
    ///
    /// - Parameters:
    ///   - scene: What the car does then.
    ///   - words: What is said before the next fix.
    ///   - hasOutlier: Whether that fix is there.
    ///   - isKilled: Whether the tracker is stored and read back after it and after each word.
    /// - Returns: The trips, in order of their ends.
    /// - Throws: What reading a stored tracker throws.
    private static func trips(
        _ scene: Scene,
        _ words: [Word],
        hasOutlier: Bool = true,
        isKilled: Bool = false
    ) throws -> [Trip] {
        var drive = Drive()
        func resume() throws {
            if isKilled { drive.tracker = try Tracker(decoding: drive.tracker.encode()) }
        }
        drive.sense(.automotive, at: 0)
        var north = 0.0
        for second in stride(from: 5.0, to: outlierAt, by: 5) {
            if scene == .driving || second <= 300 { north += 60 }
            try drive.report(.fix(second, north: north, accuracy: 5, .accepted))
        }
        if hasOutlier {
            let place = Coordinate(
                latitude: 51.9 + north / FixRow.metersPerDegree,
                longitude: 4.4 + 250 / 68_800
            )
            try drive.report(
                FixRow(at: outlierAt, accuracy: 5, coordinate: place, verdict: .spike)
            )
        }
        try resume()
        for (index, word) in words.enumerated() {
            say(word, at: outlierAt + 1 + Double(index), in: &drive)
            try resume()
        }
        if scene == .driving { north += 120 }
        try drive.report(.fix(returnAt, north: north, accuracy: 5, .accepted))
        try resume()
        for second in stride(from: returnAt + 5, through: 700, by: 5) {
            north += 60
            try drive.report(.fix(second, north: north, accuracy: 5, .accepted))
        }
        drive.press(.stopPressed(StopPressed()), at: 701)
        return drive.ended
    }

    @Test(arguments: Scene.allCases, Word.allCases)
    func `what is said after an outlier means the same as without it`(
        scene: Scene,
        first: Word
    ) throws {
        for second in Word.allCases {
            let words = first == second ? [first] : [first, second]
            let comment: Comment = "\(scene): \(words)"
            let expected = try Self.trips(scene, words, hasOutlier: false)
            #expect(expected.count == (words.contains(.split) ? 2 : 1), comment)
            for isKilled in [false, true] {
                var trips = try Self.trips(scene, words, isKilled: isKilled)
                #expect(trips.map(\.fixes.spike).reduce(0, +) == 1, comment)
                for index in trips.indices { trips[index].fixes.spike = 0 }
                #expect(trips == expected, comment)
            }
        }
    }

    @Test(arguments: Scene.allCases)
    func `GO after an outlier says who drives what`(scene: Scene) throws {
        let trip = try #require(try Self.trips(scene, [.go]).first)
        #expect(trip.vehicle == "van" && trip.driver == "Eva" && trip.flags.contains(.pressed))
    }

    @Test(arguments: Scene.allCases)
    func `a split after an outlier divides the trip between that and the next fix`(
        scene: Scene
    ) throws {
        let trips = try Self.trips(scene, [.split, .go])
        #expect(trips.map(\.id) == [Self.trip, Self.part])
        #expect(trips.map(\.driver) == [nil, "Eva"])
        #expect(trips.map { $0.flags.contains(.pressed) } == [false, true])
        #expect(trips.allSatisfy { $0.distance.meters > 3_000 })
    }
}
