import Geodesy
import Projections
import Testing
import TripEvents
import TripTracking

/// A person's word about the means of transport counts before that of the rules.
@Suite struct SaidModeTests {
    /// A trip that the rules discarded for a reason, or with `nil` one that counts.
    private func trip(_ reason: AbandonReason?) -> Trip {
        var trip = Book.trip(1, 0...10)
        trip.startedBy = .movement
        trip.abandonReason = reason
        if reason != nil { trip.status = .abandoned }
        return trip
    }

    private func say(_ mode: DetailChange<TravelMode>) -> EventBody {
        .detailsEdited(DetailsEdited(trip: Book.id(1), mode: mode))
    }

    @Test func `the word decides whether it counts, until it is taken back`() throws {
        let words: [(TravelMode, AbandonReason?)] = [
            (.car, nil), (.rail, .notByCar), (.unsure, nil), (.foot, .walkingPace), (.bus, nil),
            (.bicycle, .notByCar),
        ]
        for byRules in [AbandonReason.walkingPace, .notByCar, nil] {
            var book = Book()
            try book.measure(trip(byRules))
            for (minute, (mode, reason)) in zip(Int64(100)..., words) {
                try book.decide(say(.set(mode)), at: minute)
                let booked = try #require(book.trip(1))
                #expect(booked.mode == mode)
                #expect(booked.abandonReason == reason, "\(mode)")
                #expect(booked.counts == (reason == nil), "\(mode)")
                #expect(booked.trip.distance == Distance(millimeters: 100_000))
                #expect(!booked.hasDetails)
            }
            try book.decide(say(.cleared), at: 200)
            let booked = try #require(book.trip(1))
            #expect(booked.abandonReason == byRules)
            #expect(booked.mode == booked.trip.mode)
        }
    }

    @Test func `a false start stays one, and so does a voided trip`() throws {
        var book = Book()
        try book.measure(trip(.falseStart))
        try book.decide(say(.set(.car)), at: 100)
        #expect(book.trip(1)?.abandonReason == .falseStart)
        #expect(book.trip(1)?.counts == false)
        try book.measure(trip(.notByCar))
        #expect(book.trip(1)?.counts == true)
        try book.decide(.tripVoided(TripVoided(trip: Book.id(1), why: "none")), at: 110)
        #expect(book.trip(1)?.status == .voided)
    }

    @Test func `its history says who changed it from what`() throws {
        var book = Book()
        try book.measure(trip(.notByCar))
        try book.decide(say(.set(.car)), at: 100)
        try book.decide(say(.set(.bus)), at: 110)
        let changes = try book.history(Book.id(1))
        #expect(changes == ["mode: – → car", "mode: car → bus"])
    }
}
