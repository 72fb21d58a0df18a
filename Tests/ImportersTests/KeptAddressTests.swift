import Importers
import Testing
import TripEvents

/// Addresses that other programs looked up: they are kept, and nothing is measured by them.
@Suite struct KeptAddressTests {
    private static let home = "Hauptstraße 1, 10115 Berlin"
    private static let office = "Sulzbacher Str. 5, 90491 Nürnberg"

    @Test func `TeslaMate's drives have the addresses that stand in their table`() throws {
        let text = """
            id,start_date,end_date,start_km,end_km,distance,car_id,start_address,end_address
            1,2024-03-01 07:00:00,2024-03-01 07:30:00,1000,1020,20,1,"\(Self.home)","\(Self.office)"
            2,2024-03-02 07:00:00,2024-03-02 07:30:00,1020,1040,20,1,,

            """
        let bytes = Array(text.utf8)
        #expect(ImportFormat.recognized(in: bytes.span) == .teslamate)
        let imported = try Imported(text, as: .teslamate)
        let trips = imported.events.filter { $0.contains("trip_reported") }
        #expect(trips.count == 2 && imported.rejected.isEmpty)
        #expect(trips[0].contains(#""from_address":"\#(Self.home)""#), "\(trips)")
        #expect(trips[0].contains(#""to_address":"\#(Self.office)""#), "\(trips)")
        #expect(!trips[1].contains("address"), "\(trips)")
    }

    @Test func `Traccar's trips keep their addresses, and its positions stay as they are`() throws {
        let imported = try Imported(
            """
            [{"deviceId":3,"fixTime":"2024-03-01T07:00:00Z","latitude":52.1,"longitude":4.3,
              "address":"\(Self.home)"},
             {"deviceId":3,"fixTime":"2024-03-01T07:00:05Z","latitude":52.2,"longitude":4.3,
              "address":null},
             {"deviceId":3,"startPositionId":1,"endPositionId":2,"distance":12000.5,
              "startTime":"2024-03-01T07:00:00Z","endTime":"2024-03-01T07:30:00Z",
              "startAddress":"\(Self.home)","endAddress":"\(Self.office)"}]
            """,
            as: .traccar
        )
        #expect(imported.rejected.isEmpty)
        try #require(imported.events.count == 3)
        #expect(imported.events[..<2].allSatisfy { !$0.contains("address") })
        #expect(
            imported.events[2]
                .contains(
                    #""from_address":"\#(Self.home)","to_address":"\#(Self.office)""#
                )
        )
    }

    @Test func `a fix is the same event with an address and without one`() throws {
        let message = #"{"_type":"location","tid":"ab","lat":52.5,"lon":13.4,"tst":1709276400"#
        let phone = try Imported(message + "}\n", as: .owntracks)
        let recorder = try Imported(message + ",\"addr\":\"\(Self.home)\"}\n", as: .owntracks)
        #expect(phone == recorder && phone.events.count == 1)
    }
}
