import DriveSimulation
import Geodesy
import Projections
import TestSupport
import Testing
import TripEvents
import TripTracking

/// A merge that comes from elsewhere moves no distance from one vehicle to another, whenever it is
/// said to have been decided.
@Suite struct MergeStandingLawTests {
    /// A decision, with the minute of the day at which it is made.
    private struct Said {
        var minute: Int64
        var body: EventBody
    }

    /// When a merge is decided.
    private enum Place: Int64, CaseIterable {
        case first = 80
        case between = 95
        case last = 200
    }

    /// A merge, and what was decided of each of the trips by those who did not know it.
    private struct Script {
        let merged: [UInt64]
        let merge: Said
        let others: [Said]

        init(_ place: Place, using random: inout SplitMix64) {
            let count = Int.random(in: 2...3, using: &random)
            merged = Array(([1, 2, 3] as [UInt64]).shuffled(using: &random).prefix(count))
            merge = Said(
                minute: place.rawValue,
                body: .tripsMerged(TripsMerged(trips: merged.map(Book.id)))
            )
            let lead = merged.min() ?? 1
            others = (0..<Int.random(in: 1...7, using: &random))
                .compactMap { index in
                    let minute = 90 + 2 * Int64(index)
                    let trip = UInt64.random(in: 1...3, using: &random)
                    let isVoid = Int.random(in: 0..<5, using: &random) == 0
                    let vehicle = Bool.random(using: &random) ? "golf" : "van"
                    // Decisions that name the first trip may be about the whole.
                    let mayBeOfWhole = trip == lead && minute > place.rawValue
                    guard !mayBeOfWhole || place == .first && !isVoid else { return nil }
                    let id = Book.id(trip)
                    return Said(
                        minute: minute,
                        body: isVoid
                            ? .tripVoided(TripVoided(trip: id, why: "no trip"))
                            : .detailsEdited(DetailsEdited(trip: id, vehicle: .set(vehicle)))
                    )
                }
        }

        /// Returns the book, with everything in an order of arrival.
        func book(merging: Bool, using random: inout SplitMix64) throws -> Book {
            let minutes: [ClosedRange<Int64>] = [0...10, 20...50, 60...70]
            var steps: [(inout Book) throws -> Void] = []
            for (index, minutes) in minutes.enumerated() {
                steps.append { book in
                    var trip = Book.trip(UInt64(index + 1), minutes)
                    trip.vehicle = nil
                    try book.measure(trip)
                }
            }
            for said in others + (merging ? [merge] : []) {
                steps.append { book in try book.decide(said.body, at: said.minute) }
            }
            var book = Book()
            for step in steps.shuffled(using: &random) { try step(&book) }
            return book
        }
    }

    /// Returns the millimetres that count for each vehicle; those of none under no name.
    private static func totals(_ book: Book) -> [String: Int64] {
        var totals: [String: Int64] = [:]
        for trip in book.trips.values where trip.counts {
            totals[trip.details.vehicle ?? "", default: 0] += trip.claimedDistance.millimeters
        }
        return totals
    }

    /// Returns what a history says last of a field.
    private static func last(_ field: String, in history: [String]) -> String? {
        history.last { $0.hasPrefix(field + ": ") }?
            .split(separator: " ").last.map(String.init)
    }

    @Test(arguments: Seeds.fresh(60))
    func `totals by vehicle are those without it, or those of a whole of one vehicle`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for place in Place.allCases {
            let script = Script(place, using: &random)
            let without = try script.book(merging: false, using: &random)
            let book = try script.book(merging: true, using: &random)
            let comment: Comment = "seed \(seed), \(place), \(script)"
            let parts = script.merged.compactMap { without.trip($0) }
            let vehicles = Set(parts.compactMap(\.details.vehicle))
            if try book.withoutEffect.isEmpty {
                let whole = book.trip(script.merged.min() ?? 1)
                #expect(whole?.parts.count == parts.count, comment)
                #expect(vehicles.count <= 1, comment)
                #expect(whole?.details.vehicle == vehicles.first, comment)
                #expect(!parts.contains { $0.status == .voided }, comment)
                let sums = (Self.totals(book), Self.totals(without))
                #expect(sums.0.values.reduce(0, +) == sums.1.values.reduce(0, +), comment)
            } else {
                #expect(book.trips == without.trips, comment)
                #expect(Self.totals(book) == Self.totals(without), comment)
                let isVoided = parts.contains { $0.status == .voided }
                #expect(vehicles.count > 1 || isVoided, comment)
            }
        }
    }

    @Test(arguments: Seeds.fresh(30))
    func `the book, the list and every history are the same in any order of arrival`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for place in Place.allCases {
            let script = Script(place, using: &random)
            let books = try (0..<2).map { _ in try script.book(merging: true, using: &random) }
            let comment: Comment = "seed \(seed), \(place), \(script)"
            #expect(books[0].trips == books[1].trips, comment)
            let lists = try books.map { book in
                try book.withoutEffect.map { "\($0.sentence(by: nil)) \($0.trip?.low ?? 0)" }
            }
            #expect(lists[0] == lists[1], comment)
            for trip in [1, 2, 3] as [UInt64] {
                let histories = try books.map { try $0.history(Book.id(trip)) }
                #expect(histories[0] == histories[1], comment)
                // The last that a history tells of a trip is how it is booked.
                let booked = try #require(books[0].trip(trip))
                let status = Self.last("status", in: histories[0]) ?? "completed"
                #expect(status == booked.status.rawValue, comment)
                let vehicle = Self.last("vehicle", in: histories[0]) ?? "–"
                #expect(vehicle == booked.details.vehicle ?? "–", comment)
            }
        }
    }
}
