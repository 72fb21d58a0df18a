import Importers
import Testing
import TripEvents

@Suite struct CloudEventsTests {
    @Test func `a batch of another program's events`() throws {
        let imported = try Imported(
            #"""
            [{"specversion":"1.0","id":"a\"1","source":"urn:ledger:source:van","type":"go_pressed",
              "time":"2024-03-01T08:00:00+01:00"},
             {"specversion":"1.0","id":"2","source":"/gate","subject":"van",
              "type":"ledger.details_edited","time":"2024-03-01T07:00:01Z","data":{"trip":
              "0123456789abcdef0123456789abcdef", "purpose":"a \" b",
              "fields": {"tag": "x y",
                "n": "\\"}}},
             {"specversion":"1.0","id":"3","source":"/gate","type":"stop_pressed",
              "time":"2024-03-01T07:00:02Z","data":{"occurred_at":"2024-03-01T07:00:03Z"}},
             {"specversion":"1.0","id":"4","source":"/gate","type":"stop_pressed",
              "time":"2024-03-01T07:00:02","data":{}},
             {"specversion":"1.0","id":"5","source":"/gate","type":"stop_pressed",
              "time":"2024-03-01T07:00:02Z","data":"no object"},
             {"specversion":"1.0","id":"6","type":"stop_pressed","time":"2024-03-01T07:00:02Z"}]
            """#,
            as: .cloudevents
        )
        #expect(
            imported.events == [
                #"{"type":"go_pressed","source":"van","#
                    + #""occurred_at":"2024-03-01T08:00:00.000+01:00","id":"a\"1"}"#,
                #"{"type":"details_edited","source":"van","#
                    + #""occurred_at":"2024-03-01T07:00:01.000Z","id":"2","#
                    + #""trip":"0123456789abcdef0123456789abcdef","purpose":"a \" b","#
                    + #""fields":{"tag":"x y","n":"\\"}}"#,
                #"{"type":"stop_pressed","source":"/gate","#
                    + #""occurred_at":"2024-03-01T07:00:03.000Z","id":"3"}"#,
            ]
        )
        #expect(imported.rejected == ["4 invalid_time", "5 invalid_value", "6 missing_field"])
    }

    @Test func `what a ledger exports has its names in its data`() throws {
        let imported = try Imported(
            #"""
            {"specversion":"1.0","id":"0","source":"urn:ledger:79","type":"ledger.ledger_created",\#
            "time":"2024-03-01T07:00:00Z","data":{"type":"ledger_created","source":""}}
            {"specversion":"1.0","id":"1","source":"urn:ledger:79","type":"ledger.fix_recorded",\#
            "time":"2024-03-01T07:00:00Z","subject":"van","data":{"type":"fix_recorded",\#
            "source":"van","occurred_at":"2024-03-01T07:00:00Z","sequence":4,"lat":52.1,"lon":4.3}}
            {"specversion":"1.0","id":"2","source":"urn:ledger:79","type":"ledger.fix_recorded",\#
            "time":"2024-03-01T07:00:00Z","subject":"van","data":{"type":"fix_recorded",\#
            "source":"van","occurred_at":"2024-03-01T07:00:00Z","sequence":5,"lat":52.2,"lon":4.3}}
            {"specversion":"1.0","id":"3","source":"urn:ledger:79","type":"ledger.withheld"}
            """#,
            as: .cloudevents
        )
        let start =
            #"{"type":"fix_recorded","source":"van","occurred_at":"2024-03-01T07:00:00.000Z","#
        #expect(
            imported.events == [
                start + #""sequence":4,"lat":52.1,"lon":4.3}"#,
                start + #""sequence":5,"lat":52.2,"lon":4.3}"#,
            ]
        )
        #expect(imported.ignored == ["1 ledger_created", "4 no_time"])
        #expect(imported.rejected.isEmpty)
    }
}
