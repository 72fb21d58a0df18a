import DriveSimulation
import LedgerTestSupport
import Projections
import TestSupport
import Testing
import TripEvents
import TripLedger

/// Late, repeated, shuffled and divided delivery gives the same visits.
@Suite struct VisitLawTests {
    @Test(arguments: Seeds.fresh(12))
    func `any order of arrival gives the same visits, places and vehicles`(seed: UInt64) throws {
        var events = try Arrival.events(seed: seed)
        var random = SplitMix64(seed: seed)
        // Places that drives come through, and instants with several fixes.
        let fixes = events.filter { $0.body.kind == .fixRecorded }
        for name in ["a", "b", "c", "d"] {
            events.append(try place(name, at: fixes.randomElement(using: &random)))
        }
        for fix in fixes.shuffled(using: &random).prefix(20) {
            guard case .fixRecorded(var reading) = fix.body else { continue }
            var twin = fix
            reading.latitude = try #require(ExactDecimal(significand: 519, decimals: 1))
            twin.body = .fixRecorded(reading)
            twin.sequence = Bool.random(using: &random) ? 7 : nil
            events.append(twin)
        }
        events.sort { $0.occurredAt < $1.occurredAt }

        let inOrder = try TemporaryLedger()
        try inOrder.append(events)
        let expected = try inOrder.ledger.visits()
        #expect(!expected.isEmpty, "seed \(seed)")
        for arrival in Arrival.allCases {
            let book = try TemporaryLedger()
            let arriving = arrival.order(events, using: &random)
            let cut = Int.random(in: 0...arriving.count, using: &random)
            try book.append(Array(arriving[..<cut]))
            try book.append(Array(arriving[cut...]))
            #expect(try book.ledger.visits() == expected, "seed \(seed), \(arrival)")
            #expect(try book.ledger.places() == inOrder.ledger.places(), "seed \(seed)")
            #expect(try book.ledger.vehicles() == inOrder.ledger.vehicles(), "seed \(seed)")
        }
    }

    @Test func `visits are found by place, source and time, newest first`() throws {
        let book = try TemporaryLedger()
        for source in ["one", "two"] {
            try book.append(
                DriveSimulator.events(of: .homeToOffice, seed: 1, source: source)
            )
        }
        let drive = DriveSimulator.events(of: .homeToOffice, seed: 1, source: "one")
        let fixes = drive.filter { $0.body.kind == .fixRecorded }
        try book.append([
            try place("Home", at: fixes.first), try place("Office", at: fixes.last),
        ])
        let all = try book.ledger.visits()
        #expect(
            all.map { "\($0.visit.place.name) \($0.source)" }
                == ["Office one", "Office two", "Home one", "Home two"]
        )
        #expect(all.map { $0.visit.leftAt == nil } == [true, true, false, false])
        #expect(try book.ledger.visits(VisitFilter(limit: 1)) == [all[0]])
        #expect(try book.ledger.visits(VisitFilter(place: "Home")) == Array(all[2...]))
        #expect(try book.ledger.visits(VisitFilter(source: "two")) == [all[1], all[3]])
        let leftAt = try #require(all[2].visit.leftAt?.timestamp)
        let later = leftAt.advanced(byMilliseconds: 1)
        #expect(try book.ledger.visits(VisitFilter(from: leftAt)) == all)
        #expect(try book.ledger.visits(VisitFilter(from: later)) == Array(all[..<2]))
        let enteredAt = all[0].visit.enteredAt.timestamp
        #expect(try book.ledger.visits(VisitFilter(to: enteredAt)) == Array(all[2...]))
    }

    @Test func `what the rules of a source cannot use makes no visit`() throws {
        let book = try TemporaryLedger()
        let drive = DriveSimulator.events(of: .homeToOffice, seed: 1, source: "phone")
        let fixes = drive.filter { $0.body.kind == .fixRecorded }
        try book.append(drive + [try place("Home", at: fixes.first)])
        #expect(try book.ledger.visits().count == 1)
        let strict = RulesAdopted(
            parameters: ["maximum_accuracy_m": .number(1)]
        )
        let beginning = Timestamp(milliseconds: 400_000_000_000)
        try book.append([
            TripEvent(source: "manual", occurredAt: beginning, body: .rulesAdopted(strict))
        ])
        #expect(try book.ledger.visits().isEmpty)
    }

    /// Returns a place of 300 m saved where a fix was taken.
    private func place(_ name: String, at fix: TripEvent?) throws -> TripEvent {
        let event = try #require(fix)
        guard case .fixRecorded(let reading) = event.body else { throw Missing.fix }
        return TripEvent(
            source: "manual",
            occurredAt: event.occurredAt,
            body: .placeSaved(
                PlaceSaved(
                    place: name,
                    latitude: reading.latitude,
                    longitude: reading.longitude,
                    radiusMeters: 300
                )
            )
        )
    }

    private enum Missing: Error {
        case fix
    }
}
