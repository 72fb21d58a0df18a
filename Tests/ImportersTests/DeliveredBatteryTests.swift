import Testing

@testable import Importers

/// The charge of a battery, as apps say it.
@Suite struct DeliveredBatteryTests {
    @Test(
        arguments: [
            (#"{"_type":"location","batt":83,"bs":1}"#, 83), (#"{"bat":0}"#, 0),
            (
                #"{"locations":[{"properties":{"battery_level":0.2}},"#
                    + #"{"properties":{"battery_level":0.83,"battery_state":"full"}}]}"#, 83
            ),
            (#"{"location":{"battery":{"level":0.91,"is_charging":false}}}"#, 91),
            (#"{"batt":1}"#, 1), (#"{"battery_level":1}"#, 100), (#"{"batt":-1}"#, nil),
            (#"{"batt":101}"#, nil), (#"{"batt":"83"}"#, nil), ("[]", nil), ("{", nil),
            ("id=1&lat=51.9&batt=83.4", 83), ("lat=51.9&batt=", nil), ("", nil),
        ] as [(String, Int?)]
    )
    func `it is found in bodies`(body: String, percent: Int?) {
        #expect(DeliveredRequest(body: Array(body.utf8)).batteryPercent == percent)
        #expect(DeliveredRequest(query: "batt=7", body: []).batteryPercent == 7)
    }
}
