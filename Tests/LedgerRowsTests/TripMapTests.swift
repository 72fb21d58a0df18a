import Geodesy
import LedgerRows
import Maps
import Projections
import ProjectorTestSupport
import Tables
import Testing
import TripEvents
import TripTracking

@testable import TripLedger

/// What a map of trips says beside its lines.
@Suite struct TripMapTests {
    @Test(arguments: [
        (Language.en, "2 trips, 2025, ", "No gaps", "saved place", "NESW."),
        (.nl, "2\u{A0}ritten, 2025, ", "Geen hiaten", "bewaarde plaats", "NOZW,"),
        (.de, "2\u{A0}Fahrten, 2025, ", "Keine Lücken", "gespeicherter Ort", "NOSW,"),
        (.fr, "2\u{A0}trajets, 2025, ", "Aucune lacune", "lieu enregistré", "NESO,"),
    ])
    func `a map speaks each language, and its title ends with the distance`(
        language: Language,
        title: String,
        gaps: String,
        place: String,
        signs: String
    ) {
        var style = TextStyle()
        style.language = language
        let trips = (1...2)
            .map { number in
                var trip = SampleTrip.active(high: UInt64(number))
                trip.status = .completed
                trip.distance = Distance(millimeters: 1_250_000)
                return NamedTrip(BookedTrip(trip))
            }
        let map = TripMap(trips, style, isYear: false, showsRejected: false)
        let content = map.content(PlaceBook(), period: .own("2025"), evidence: .own("book"))
        #expect(content.title.hasPrefix(title))
        let distance = content.title.dropFirst(title.count).filter { $0 != "\u{A0}" && $0 != " " }
        #expect(distance == (language == .en ? "2.50km" : "2,50km"))
        #expect(content.facts.contains(gaps))
        #expect(content.words.place == place)
        let words = content.words
        let letters = [words.north, words.east, words.south, words.west]
        #expect(letters.joined() + words.decimalMark == signs)
        #expect(content.words.language == language.rawValue)
        #expect(content.remarks.last == "book")
    }

    private static func at(_ hour: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_740_960_000_000 + 3_600_000 * hour)
    }

    private static func trip(
        _ number: UInt64,
        of source: String,
        from start: Int64,
        to end: Int64
    ) -> NamedTrip {
        var trip = SampleTrip.active(high: number, startedAt: at(start).milliseconds)
        trip.source = source
        trip.status = .completed
        trip.endedAt = EventTime(at(end))
        return NamedTrip(BookedTrip(trip))
    }

    /// A visit of a source to the clinic, from one hour to another; without the other it goes on.
    private typealias Stay = (source: String, entered: Int64, left: Int64?)

    /// Returns how a map of trips names the clinic if there were some visits.
    private static func name(_ trips: [NamedTrip], _ stays: [Stay]) throws -> String {
        let saving = PlaceSaved(place: "Clinic", latitude: 52, longitude: 4, radiusMeters: 100)
        let event = TripEvent(source: "manual", occurredAt: at(0), body: .placeSaved(saving))
        let decision = Decision(
            event,
            identity: ProjectorLaws.identity(of: event),
            recordedAt: at(0)
        )
        let places = PlaceBook([try #require(decision)])
        let place = try #require(places.versions.first)
        var map = TripMap(trips, TextStyle(), isYear: false, showsRejected: false)
        for stay in stays {
            let visit = Visit(
                place: place,
                enteredAt: EventTime(at(stay.entered)),
                lastInsideAt: EventTime(at(stay.left ?? stay.entered)),
                leftAt: stay.left.map { EventTime(at($0)) }
            )
            map.add(SourceVisit(source: stay.source, group: nil, visit: visit))
        }
        let content = map.content(places, period: nil, evidence: .own("book"))
        return try #require(content.places.first).name
    }

    @Test func `a map tells stays of its own sources, and never adds up those of two`() throws {
        let annas = [
            Self.trip(1, of: "anna", from: 8, to: 9), Self.trip(2, of: "anna", from: 17, to: 18),
        ]
        let mums = [Self.trip(3, of: "mum", from: 8, to: 18)]
        let stays: [Stay] = [("mum", 10, 15), ("anna", 9, 11), ("anna", 12, 13)]
        #expect(try Self.name(annas, [stays[0]]) == "Clinic")
        #expect(try Self.name(annas, stays) == "Clinic, 2 visits, 3 h together")
        #expect(try Self.name(mums, stays) == "Clinic, stayed 5 h")
        #expect(try Self.name(annas + mums, stays) == "Clinic")
    }

    @Test func `a stay of which the time of the trips holds only a part is not told`() throws {
        let trips = [
            Self.trip(1, of: "anna", from: 8, to: 9), Self.trip(2, of: "anna", from: 17, to: 18),
        ]
        #expect(try Self.name(trips, [("anna", 9, 16)]) == "Clinic, stayed 7 h")
        #expect(try Self.name(trips, [("anna", 9, 18)]) == "Clinic, stayed 9 h")
        let cut: [Stay] = [("anna", 7, 10), ("anna", 8, 10), ("anna", 10, 19), ("anna", 17, nil)]
        for stay in cut { #expect(try Self.name(trips, [stay]) == "Clinic", "\(stay)") }
    }

    @Test func `a long name gives way to how long a source stayed`() {
        let stay = "39 visits, 1119 h 59 min together"
        #expect(TripMap.name("Home", stay) == "Home, \(stay)")
        let long = TripMap.name("Bundesanstalt für Materialforschung und -prüfung, Berlin", stay)
        #expect(long.hasPrefix("Bun") && long.hasSuffix("lin, \(stay)"))
        #expect(long.count { $0 == "…" } == 1 && long.count < stay.count + 30)
    }
}
