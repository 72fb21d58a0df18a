import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents

@Suite struct VisitFinderTests {
    /// The way in metres from the middle to the north of a place at 52° N; a degree has 111,267 m
    /// there.
    private static func fix(_ meters: Double, at minute: Int64) throws -> Fix {
        let north = try #require(Coordinate(latitude: 52 + meters / 111_267, longitude: 4))
        return Fix(occurredAt: Book.at(minute), coordinate: north)
    }

    private static func saving(
        _ name: String,
        metersNorth: Double = 0,
        radius: Int64 = 100
    ) throws -> EventBody {
        let degrees = Int64(((52 + metersNorth / 111_267) * 1e7).rounded())
        return .placeSaved(
            PlaceSaved(
                place: name,
                latitude: try #require(ExactDecimal(significand: degrees, decimals: 7)),
                longitude: 4,
                radiusMeters: try #require(ExactDecimal(radius))
            )
        )
    }

    /// Returns what a finder says of fixes, as `minute: +Home` and `minute: -Home`.
    private func changes(
        _ places: PlaceBook,
        _ fixes: [(minute: Int64, meters: Double)]
    ) throws -> [String] {
        var finder = VisitFinder(places)
        return try fixes.flatMap { minute, meters in
            finder.take(try Self.fix(meters, at: minute))
                .map { change in
                    switch change {
                    case .entered(let visit): "\(minute): +\(visit.place.name)"
                    case .left(let visit): "\(minute): -\(visit.place.name)"
                    }
                }
        }
    }

    @Test func `a visit begins within the radius and ends beyond the hysteresis`() throws {
        var book = Book()
        try book.decide(try Self.saving("Home"), at: 0)
        let way: [(minute: Int64, meters: Double)] = [
            (1, 500), (2, 120), (3, 99), (4, 20), (5, 110), (6, 149), (7, 90), (8, 149), (9, 151),
            (10, 120), (11, 101), (12, 99),
        ]
        #expect(try changes(try book.places, way) == ["3: +Home", "9: -Home", "12: +Home"])
        var finder = VisitFinder(try book.places)
        var visits: [Visit] = []
        for (minute, meters) in way {
            for case .left(let visit) in finder.take(try Self.fix(meters, at: minute)) {
                visits.append(visit)
            }
        }
        #expect(visits.map(\.enteredAt.timestamp) == [Book.at(3)])
        #expect(visits.map(\.lastInsideAt.timestamp) == [Book.at(7)])
        #expect(visits.map { $0.leftAt?.timestamp } == [Book.at(9)])
        #expect(finder.openVisits.map(\.enteredAt.timestamp) == [Book.at(12)])
        #expect(finder.openVisits.map(\.leftAt) == [nil])
    }

    @Test func `each place is visited by itself`() throws {
        var book = Book()
        try book.decide(try Self.saving("Site", radius: 1_000), at: 0)
        try book.decide(try Self.saving("Office", radius: 50), at: 0)
        let way: [(minute: Int64, meters: Double)] = [
            (1, 5_000), (2, 900), (3, 10), (4, 500), (5, 2_000),
        ]
        #expect(
            try changes(try book.places, way)
                == ["2: +Site", "3: +Office", "4: -Office", "5: -Site"]
        )
    }

    @Test func `a place holds for all time before it was saved, and not after it was removed`()
        throws
    {
        var book = Book()
        try book.decide(try Self.saving("Home"), at: 100)
        try book.decide(.placeRemoved(PlaceRemoved(place: "Home")), at: 200)
        let places = try book.places
        #expect(
            try changes(places, [(1, 0), (199, 0), (230, 0), (240, 0)]) == [
                "1: +Home", "230: -Home",
            ]
        )
        var finder = VisitFinder(places)
        _ = finder.take(try Self.fix(0, at: 1))
        _ = finder.take(try Self.fix(0, at: 150))
        guard case .left(let visit)? = finder.take(try Self.fix(0, at: 230)).first else {
            Issue.record("the visit goes on")
            return
        }
        #expect(visit.lastInsideAt.timestamp == Book.at(150))
        #expect(visit.leftAt?.timestamp == Book.at(200))
    }

    @Test func `a place that was changed meanwhile is where it is now`() throws {
        var book = Book()
        try book.decide(try Self.saving("Home"), at: 0)
        try book.decide(try Self.saving("Home", radius: 400), at: 10)
        try book.decide(try Self.saving("Home", metersNorth: 2_000), at: 20)
        #expect(
            try changes(try book.places, [(1, 0), (11, 390), (21, 390), (22, 2_000)])
                == ["1: +Home", "21: -Home", "22: +Home"]
        )
    }

    @Test(arguments: Seeds.fresh(30))
    func `a finder that remembers where it is calm finds what one without memory finds`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var book = Book()
        try Self.decideAtRandom(&book, &random)
        // The place at the start of the way, so that there is a visit.
        try book.decide(try Self.saving("d"), at: 0)
        let places = try book.places
        var finder = VisitFinder(places)
        var model = VisitModel(places)
        var found = 0
        var position = 0.0
        for minute in 0..<Int64(700) {
            let fix = try Self.fix(position, at: minute)
            let changes = finder.take(fix).map(VisitModel.text).sorted()
            found += changes.count
            #expect(changes == model.take(fix).sorted(), "seed \(seed), minute \(minute)")
            if Int.random(in: 0..<20, using: &random) == 0 {
                finder = VisitFinder(places, goingOnWith: finder.openStays)
            }
            #expect(
                finder.openVisits.map(VisitModel.text) == model.openVisits,
                "seed \(seed), minute \(minute)"
            )
            Self.move(&position, &random)
        }
        #expect(found > 0, "seed \(seed)")
    }

    @Test(arguments: Seeds.fresh(30))
    func `two books mean the same visits before the earliest instant at which they differ`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var book = Book()
        try Self.decideAtRandom(&book, &random)
        let earlier = try book.places
        #expect(earlier.earliestDifference(from: earlier, for: nil) == nil)
        try Self.decideAtRandom(&book, &random)
        let later = try book.places
        let difference = later.earliestDifference(from: earlier, for: nil)
        #expect(difference == earlier.earliestDifference(from: later, for: nil), "seed \(seed)")
        var (left, right) = (VisitFinder(earlier), VisitFinder(later))
        var position = 0.0
        for minute in 0..<Int64(700) {
            let fix = try Self.fix(position, at: minute)
            if let difference, difference <= fix.occurredAt { break }
            let (changes, others) = (left.take(fix), right.take(fix))
            #expect(changes.map(VisitModel.text) == others.map(VisitModel.text), "seed \(seed)")
            Self.move(&position, &random)
        }
    }

    /// Saves and removes places.
    private static func decideAtRandom(_ book: inout Book, _ random: inout SplitMix64) throws {
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let name = try #require(["a", "b", "c"].randomElement(using: &random))
            let minute = Int64.random(in: 0...600, using: &random)
            guard Int.random(in: 0..<4, using: &random) > 0 else {
                try book.decide(.placeRemoved(PlaceRemoved(place: name)), at: minute)
                continue
            }
            let body = try saving(
                name,
                metersNorth: Double(Int.random(in: -900...900, using: &random)),
                radius: Int64.random(in: 0...500, using: &random)
            )
            try book.decide(body, at: minute)
        }
    }

    /// Stands, creeps, drives or jumps.
    private static func move(_ position: inout Double, _ random: inout SplitMix64) {
        let steps: [Double] = [0, 1, 30, 400]
        let step = steps.randomElement(using: &random) ?? 0
        position += Double.random(in: -step...step, using: &random)
        if position.magnitude > 2_500 { position /= 2 }
    }
}

/// The rules of visits word for word: every place is compared with every fix, and nothing is
/// remembered but the visits.
struct VisitModel {
    private struct Stay {
        var enteredAt: Int64
        var lastInsideAt: Int64
    }

    private let places: PlaceBook
    private var stays: [String: Stay] = [:]

    init(_ places: PlaceBook) {
        self.places = places
    }

    /// The visits that go on, in order of names.
    var openVisits: [String] {
        stays.sorted { $0.key < $1.key }
            .map { Self.text($0.key, $0.value.enteredAt, $0.value.lastInsideAt, nil) }
    }

    /// Returns a change in words.
    static func text(_ change: VisitChange) -> String {
        switch change {
        case .entered(let visit): "+ " + text(visit)
        case .left(let visit): "- " + text(visit)
        }
    }

    /// Returns a visit in words.
    static func text(_ visit: Visit) -> String {
        text(
            visit.place.name,
            visit.enteredAt.timestamp.milliseconds,
            visit.lastInsideAt.timestamp.milliseconds,
            visit.leftAt?.timestamp.milliseconds
        )
    }

    /// Takes the next fix and returns what it means, in any order.
    mutating func take(_ fix: Fix) -> [String] {
        var changes: [String] = []
        let now = fix.occurredAt.milliseconds
        for name in Set(places.versions.map(\.name)) {
            let versions = places.versions.filter { $0.name == name }
            let version = versions.last { version in
                version.holdsFrom <= fix.occurredAt
                    && version.holdsUntil.map { fix.occurredAt < $0 } ?? true
            }
            let beyond = version.map { version in
                version.center.distance(to: fix.coordinate).millimeters
                    - version.radius.millimeters
            }
            if let beyond, beyond <= 0 {
                if stays[name] == nil {
                    changes.append("+ " + Self.text(name, now, now, nil))
                }
                let enteredAt = stays[name]?.enteredAt ?? now
                stays[name] = Stay(enteredAt: enteredAt, lastInsideAt: now)
            } else if beyond ?? .max > 50_000, let stay = stays.removeValue(forKey: name) {
                let removedAt = versions.compactMap(\.holdsUntil).last { $0 <= fix.occurredAt }
                let leftAt = version == nil ? removedAt?.milliseconds : now
                changes.append("- " + Self.text(name, stay.enteredAt, stay.lastInsideAt, leftAt))
            }
        }
        return changes
    }

    private static func text(
        _ name: String,
        _ enteredAt: Int64,
        _ lastInsideAt: Int64,
        _ leftAt: Int64?
    ) -> String {
        "\(name) \(enteredAt) \(lastInsideAt) \(leftAt.map(String.init) ?? "…")"
    }
}
