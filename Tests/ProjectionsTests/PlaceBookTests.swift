import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents

@Suite struct PlaceBookTests {
    private static func number(_ value: Double, decimals: Int = 5) throws -> ExactDecimal {
        let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
        return try #require(
            ExactDecimal(significand: Int64((value * scale).rounded()), decimals: decimals)
        )
    }

    private static func saving(
        _ name: String,
        _ latitude: Double,
        _ longitude: Double,
        radius: Double = 100,
        label: String? = nil,
        importedFrom: String? = nil
    ) throws -> EventBody {
        .placeSaved(
            PlaceSaved(
                place: name,
                latitude: try number(latitude),
                longitude: try number(longitude),
                radiusMeters: try number(radius),
                label: label,
                importedFrom: importedFrom
            )
        )
    }

    private static func position(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    /// Returns what a position was called at a minute, by the rules word for word: without boxes
    /// and without any order of the places.
    private static func name(
        of position: Coordinate,
        at minute: Int64,
        by said: [(minute: Int64, body: EventBody)]
    ) -> String? {
        let own = Set(
            said.compactMap { saying -> String? in
                guard case .placeSaved(let saving) = saying.body, saving.importedFrom == nil else {
                    return nil
                }
                return saving.place
            }
        )
        var found: [(isImported: Bool, distance: Distance, name: [UInt8])] = []
        let names = Set(
            said.compactMap { saying -> String? in
                guard case .placeSaved(let saving) = saying.body else { return nil }
                return saving.place
            }
        )
        for name in names {
            let sayings = said.sorted { $0.minute < $1.minute }
                .filter { saying in
                    switch saying.body {
                    case .placeSaved(let saving):
                        saving.place == name
                            && (saving.importedFrom == nil || !own.contains(name))
                    case .placeRemoved(let removal): removal.place == name
                    default: false
                    }
                }
            let first = sayings.first { $0.body.kind == .placeSaved }
            let then = sayings.last { $0.minute <= minute && $0.minute >= first?.minute ?? 0 }
            guard case .placeSaved(let saving) = (then ?? first)?.body,
                let center = Coordinate(
                    latitude: saving.latitude.doubleValue,
                    longitude: saving.longitude.doubleValue
                )
            else { continue }
            let distance = center.distance(to: position)
            if Double(distance.millimeters) <= saving.radiusMeters.doubleValue * 1_000 {
                found.append((saving.importedFrom != nil, distance, Array(name.utf8)))
            }
        }
        let best = found.min { left, right in
            if left.isImported != right.isImported { return right.isImported }
            return left.distance == right.distance
                ? left.name.lexicographicallyPrecedes(right.name) : left.distance < right.distance
        }
        return best.map { String(decoding: $0.name, as: UTF8.self) }
    }

    @Test(arguments: Seeds.fresh(40))
    func `a position is called what the rules say, in whatever order people are heard`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var said: [(minute: Int64, body: EventBody)] = []
        for minute in (0..<20).map({ Int64($0 * 10) }).shuffled(using: &random) {
            let name = try #require(["Home", "home", "Work", "Zoë"].randomElement(using: &random))
            guard Int.random(in: 0..<3, using: &random) > 0 else {
                said.append((minute, .placeRemoved(PlaceRemoved(place: name))))
                continue
            }
            let body = try Self.saving(
                name,
                51.9 + Double(Int.random(in: -2...2, using: &random)) / 1_000,
                4.4 + Double(Int.random(in: -2...2, using: &random)) / 1_000,
                radius: Double(Int.random(in: 0...400, using: &random)),
                importedFrom: Int.random(in: 0..<3, using: &random) == 0 ? "OwnTracks" : nil
            )
            said.append((minute, body))
        }
        var book = Book()
        for saying in said { try book.decide(saying.body, at: saying.minute) }
        let places = try book.places
        var isFound = Set<Bool>()
        for _ in 0..<500 {
            let position = try Self.position(
                51.9 + Double.random(in: -0.004...0.004, using: &random),
                4.4 + Double.random(in: -0.004...0.004, using: &random)
            )
            let minute = Int64.random(in: -5...205, using: &random)
            let found = places.place(at: position, on: Book.at(minute))?.name
            let expected = Self.name(of: position, at: minute, by: said)
            #expect(found == expected, "seed \(seed) at \(minute)")
            isFound.insert(expected != nil)
        }
        #expect(isFound == [true, false], "seed \(seed)")
    }

    @Test func `a name given today holds for earlier trips, and a removed one for no later ones`()
        throws
    {
        var book = Book()
        try book.decide(try Self.saving("Home", 52, 4, label: "At home"), at: 100)
        try book.decide(.placeRemoved(PlaceRemoved(place: "Home")), at: 200)
        let places = try book.places
        let position = try Self.position(52, 4)
        #expect(places.place(at: position, on: Book.at(0))?.title == "At home")
        #expect(places.place(at: position, on: Book.at(199))?.name == "Home")
        #expect(places.place(at: position, on: Book.at(200)) == nil)
        #expect(places.places.isEmpty)
        #expect(places.place(named: "Home") == nil)
    }

    @Test func `an imported place takes neither a name nor a position from a person's`() throws {
        var book = Book()
        try book.decide(try Self.saving("Home", 52, 4, radius: 300), at: 100)
        try book.decide(try Self.saving("Home", 53, 5, importedFrom: "OwnTracks"), at: 50)
        try book.decide(try Self.saving("Shed", 52.00276, 4, importedFrom: "OwnTracks"), at: 150)
        let places = try book.places
        let middle = try Self.position(52.0026, 4)
        for minute: Int64 in [0, 75, 120, 200] {
            #expect(places.place(at: middle, on: Book.at(minute))?.name == "Home")
            #expect(places.place(at: try Self.position(53, 5), on: Book.at(minute)) == nil)
        }
        // 340 m from Home and 33 m from the shed.
        let behind = try Self.position(52.00306, 4)
        #expect(places.place(at: behind, on: Book.at(0))?.name == "Shed")
        #expect(places.places.map(\.name) == ["Home", "Shed"])
    }

    @Test func `a place reaches at most half way round the earth`() throws {
        var place = PlaceSaved(place: "Home", latitude: 52, longitude: 4, radiusMeters: 50_000_000)
        #expect(place.radius.millimeters == 20_100_000_000)
        place.radiusMeters = try Self.number(100.0006)
        #expect(place.radius.millimeters == 100_001)
    }

    @Test func `a place that moves is called so where it was then`() throws {
        var book = Book()
        try book.decide(try Self.saving("Office", 52, 4), at: 100)
        try book.decide(try Self.saving("Office", 53, 5), at: 200)
        let places = try book.places
        let old = try Self.position(52, 4)
        let new = try Self.position(53, 5)
        #expect(places.place(at: old, on: Book.at(150))?.name == "Office")
        #expect(places.place(at: old, on: Book.at(200)) == nil)
        #expect(places.place(at: new, on: Book.at(150)) == nil)
        #expect(places.place(at: new, on: Book.at(200))?.name == "Office")
        #expect(places.place(named: "Office")?.center == new)
    }

    @Test func `trips are at a place at both ends`() throws {
        var book = Book()
        try book.decide(try Self.saving("Home", 52, 4), at: 500)
        try book.measure(Book.trip(1, 0...10))
        let trip = try #require(book.trip(1))
        #expect(try book.places.start(of: trip)?.name == "Home")
        #expect(try book.places.end(of: trip)?.name == "Home")
    }
}
