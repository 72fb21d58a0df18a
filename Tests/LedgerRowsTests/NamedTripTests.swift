import Foundation
import Geodesy
import LedgerRows
import Projections
import ProjectorTestSupport
import Tables
import TestSupport
import Testing
import TripEvents
import TripTracking

/// A trip as programs see it: `trip.v1.schema.json`.
@Suite struct NamedTripTests {
    private func json(_ booked: BookedTrip) -> String {
        var bytes: [UInt8] = []
        NamedTrip.columns.appendJSON(NamedTrip(booked), to: &bytes, by: nil)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `an active trip has no end`() {
        #expect(
            json(BookedTrip(SampleTrip.active(high: 0x00FF_1122_3344_5566))) == """
                {"id":"00ff1122334455660102030405060708",\
                "started_at":"2023-11-14T22:13:20.000Z","ended_at":null,\
                "distance_m":0.000,"from":null,"to":null,"class":"unclassified",\
                "measured":true,"mode":"car",\
                "gaps":{"count":0,"seconds":0.000,"meters":0.000},\
                "status":"active","source":"phone",\
                "started_by":"press","ended_by":null,"start":null,"end":null,\
                "start_place":null,"end_place":null,\
                "sampling_interval_s":null,"max_speed_mps":0.000,"moving_s":0.000,\
                "fixes":{"accepted":0,"jitter":0,"poor_accuracy":0,"stale":0,\
                "impossible_speed":0,"spike":0,"after_gap":0,"null_coordinate":0,"mock":0},\
                "flags":[],"rules":"v1",\
                "recorded":{"first_at":"2023-11-14T22:13:20.040Z",\
                "last_at":"2023-11-14T22:13:20.090Z"}}
                """
        )
    }

    @Test func `a trip in which everything is known shows everything`() {
        #expect(
            json(BookedTrip(SampleTrip.full)) == """
                {"id":"00ff1122334455660102030405060708",\
                "started_at":"2024-03-09T17:00:00.123+01:00",\
                "ended_at":"2024-03-09T14:31:40.000-01:30",\
                "distance_m":6123.045,"from":"51.92700, 4.36200","to":"0.00000, 180.00000",\
                "class":"unclassified","measured":true,"mode":"car",\
                "gaps":{"count":2,"seconds":76.001,"meters":0.999},\
                "status":"abandoned","abandoned":"no_position","vehicle":"van",\
                "source":"Jörg’s \\"phone\\"\\n","started_by":"press","ended_by":"press",\
                "start":{"lat":51.927,"lon":4.362},"end":{"lat":-1e-07,"lon":180.0},\
                "start_place":null,"end_place":null,\
                "sampling_interval_s":1.500,"max_speed_mps":33.333,"moving_s":98.765,\
                "fixes":{"accepted":1,"jitter":2,"poor_accuracy":3,"stale":4,\
                "impossible_speed":5,"spike":6,"after_gap":7,"null_coordinate":8,"mock":9},\
                "flags":["approximate_start","auto_stopped","forgotten_stop",\
                "pressed","recovered"],\
                "rules":"v1/logger+custom",\
                "recorded":{"first_at":"2024-03-09T16:00:00.163Z",\
                "last_at":"2024-03-09T16:00:00.213Z"}}
                """
        )
    }

    @Test func `a trip about which everything was said shows that beside its figures`() throws {
        let data = Data(json(SampleTrip.fullyBooked).utf8)
        let shown = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let texts = [
            "vehicle": "car", "status": "voided", "from": "Home", "to": "Office",
            "imported_from": "trips.csv", "title": "Visit", "purpose": "Roof",
            "notes": "Two\nlines", "category": "Sales", "client": "ACME", "class": "business",
            "routine": "Weekly visit", "merged_into": "00000000000000030000000000000004",
        ]
        for (name, text) in texts {
            #expect(shown[name] as? String == text, "\(name)")
        }
        #expect(shown["adjusted_distance_m"] as? Double == 7_000.001)
        #expect(shown["distance_m"] as? Double == 6_123.045)
        #expect(shown["measured"] as? Bool == false)
        #expect(
            shown["flags"] as? [String]
                == [
                    "adjusted", "approximate_start", "auto_stopped", "by_rule", "edited",
                    "erased", "excluded", "forgotten_stop", "merged", "odometer", "pressed",
                    "recovered", "split",
                ]
        )
        let fields = try #require(shown["fields"] as? [String: Any])
        #expect(fields["gate"] as? String == "B")
        let recorded = try #require(shown["recorded"] as? [String: Any])
        #expect(recorded["details_first_at"] as? String == "2024-07-03T09:46:40.000Z")
        #expect(recorded["details_last_at"] as? String == "2024-07-03T09:46:41.001Z")
    }

    @Test(arguments: Seeds.fresh(5))
    func `what is shown is what is known`(seed: UInt64) throws {
        var trip = SampleTrip.full
        trip.source = String(seed, radix: 36) + "\u{1}\u{1F}\u{7F}\\/\"é🚗"
        trip.distance = Distance(millimeters: Int64(seed % 1_000_000_000))
        let data = Data(json(BookedTrip(trip)).utf8)
        let shown = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(shown["source"] as? String == trip.source, "seed \(seed)")
        let meters = try #require(shown["distance_m"] as? Double)
        #expect(Int64((meters * 1_000).rounded()) == trip.distance.millimeters, "seed \(seed)")
    }
}
