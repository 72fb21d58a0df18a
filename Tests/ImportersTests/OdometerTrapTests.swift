import Importers
import Testing
import TripEvents

/// Odometers that trackers send with each position.
@Suite struct OdometerTrapTests {
    private static let days = [
        "2024-03-01T06:00:00Z", "2024-03-01T07:00:00Z", "2024-03-02T00:00:00Z",
        "2024-03-01T23:59:59Z", "2024-03-03T06:00:00Z",
    ]

    private func positions(_ times: [String]) -> String {
        let positions = times.enumerated()
            .map { index, time in
                #"{"deviceId":3,"fixTime":"\#(time)","valid":true,"latitude":52.\#(index),"#
                    + #""longitude":4,"attributes":{"odometer":\#(12_345_600 + index),"#
                    + #""totalDistance":1.5,"motion":true}}"#
            }
        return "[\(positions.joined(separator: ","))]"
    }

    private func readings(_ imported: Imported) -> [String] {
        imported.events.filter { $0.contains("odometer_read") }
    }

    @Test func `the first of each day is a reading, in a longer file as well`() throws {
        let options = ImportOptions(vehicle: "van")
        let all = try Imported(positions(Self.days), as: .traccar, options: options)
        #expect(
            readings(all) == [
                #"{"type":"odometer_read","source":"traccar/3","#
                    + #""occurred_at":"2024-03-01T06:00:00.000Z","vehicle":"van","#
                    + #""value":12345.6,"unit":"km","method":"imported"}"#,
                #"{"type":"odometer_read","source":"traccar/3","#
                    + #""occurred_at":"2024-03-02T00:00:00.000Z","vehicle":"van","#
                    + #""value":12345.602,"unit":"km","method":"imported"}"#,
                #"{"type":"odometer_read","source":"traccar/3","#
                    + #""occurred_at":"2024-03-03T06:00:00.000Z","vehicle":"van","#
                    + #""value":12345.604,"unit":"km","method":"imported"}"#,
            ]
        )
        let short = try Imported(
            positions(Array(Self.days.prefix(4))),
            as: .traccar,
            options: options
        )
        #expect(all.events.starts(with: short.events))
    }

    @Test func `without a vehicle there is no reading, and the balance says so`() throws {
        let named = try Imported(
            positions(Self.days),
            as: .traccar,
            options: ImportOptions(vehicle: "van")
        )
        let imported = try Imported(positions(Self.days), as: .traccar)
        #expect(readings(imported).isEmpty)
        #expect(imported.ignored == ["1 odometer", "3 odometer", "5 odometer"])
        #expect(
            imported.events.count + imported.ignored.count
                == named.events.count + named.ignored.count
        )
    }

    @Test func `Queclink's trackers count kilometres, name their vehicle and tell the ignition`()
        throws
    {
        let message = { (second: Int, rest: String) in
            #"{"_type":"location","tst":\#(1_709_276_400 + second),"lat":52,"lon":4,\#(rest)}"#
        }
        let imported = try Imported(
            [
                message(0, #""vin":"WVW1","odometer":12345.6,"ign":1"#),
                message(1, #""vin":"WVW1","odometer":12345.7,"ign":true"#),
                message(2, #""odometer":0,"ign":false"#),
            ]
            .joined(separator: "\n"),
            as: .owntracks
        )
        let others = imported.events.filter { !$0.contains("fix_recorded") }
        #expect(
            others == [
                #"{"type":"motion_changed","source":"owntracks","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","#
                    + #""state":"automotive","confidence":"medium"}"#,
                #"{"type":"odometer_read","source":"owntracks","#
                    + #""occurred_at":"2024-03-01T07:00:00.000Z","vehicle":"WVW1","#
                    + #""value":12345.6,"unit":"km","method":"imported"}"#,
                #"{"type":"motion_changed","source":"owntracks","#
                    + #""occurred_at":"2024-03-01T07:00:02.000Z","#
                    + #""state":"stationary","confidence":"medium"}"#,
            ]
        )
    }

    @Test func `queries tell the ignition and the odometer in metres`() throws {
        let imported = try Imported(
            """
            ?id=a&timestamp=1709276400&lat=52.1&lon=4.3&ignition=true&odometer=12345600
            ?id=a&timestamp=1709276460&lat=52.1&lon=4.3&ignition=true&odometer=12345700
            ?id=a&timestamp=1709276520&lat=52.1&lon=4.3&ignition=false

            """,
            as: .osmand,
            options: ImportOptions(vehicle: "van")
        )
        let others = imported.events.filter { !$0.contains("fix_recorded") }
        #expect(others.count == 3 && readings(imported).count == 1)
        #expect(readings(imported).first?.contains(#""value":12345.6,"unit":"km""#) == true)
    }

    @Test func `a table's odometer is one only where it is Traccar's`() throws {
        let rows = "time,lat,lon,odometer\n2024-03-01T07:00:00Z,52,4,12345600\n"
        let options = ImportOptions(vehicle: "van")
        #expect(try readings(Imported(rows, as: .csv, options: options)).isEmpty)
        let table = """
            deviceId,protocol,fixTime,valid,latitude,longitude,odometer
            3,h02,2024-03-01T07:00:00Z,true,52,4,12345600

            """
        let imported = try Imported(table, as: .traccar, options: options)
        #expect(readings(imported).first?.contains(#""value":12345.6,"#) == true)
    }
}
