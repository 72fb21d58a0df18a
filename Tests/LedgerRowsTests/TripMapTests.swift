import Geodesy
import LedgerRows
import Maps
import Projections
import ProjectorTestSupport
import Tables
import Testing
import TripEvents
import TripLedger
import TripTracking

/// What a map of trips says beside its lines.
@Suite struct TripMapTests {
    @Test(arguments: [
        (Language.en, "2 trips, 2025, ", "No gaps", "saved place", "Speed"),
        (.nl, "2\u{A0}ritten, 2025, ", "Geen hiaten", "bewaarde plaats", "Snelheid"),
        (.de, "2\u{A0}Fahrten, 2025, ", "Keine Lücken", "gespeicherter Ort", "Geschwindigkeit"),
        (.fr, "2\u{A0}trajets, 2025, ", "Aucune lacune", "lieu enregistré", "Vitesse"),
    ])
    func `a map speaks each language, and its title ends with the distance`(
        language: Language,
        title: String,
        gaps: String,
        place: String,
        speed: String
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
        #expect(content.words.speed == speed)
        #expect(content.words.language == language.rawValue)
        #expect(content.remarks.last == "book")
    }

    @Test func `a long name gives way to how long a source stayed`() {
        let stay = "39 visits, 1119 h 59 min together"
        #expect(TripMap.name("Home", stay) == "Home, \(stay)")
        let long = TripMap.name("Bundesanstalt für Materialforschung und -prüfung, Berlin", stay)
        #expect(long.hasPrefix("Bun") && long.hasSuffix("lin, \(stay)"))
        #expect(long.count { $0 == "…" } == 1 && long.count < stay.count + 30)
    }
}
