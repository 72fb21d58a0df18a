import Testing

@testable import Importers

/// The charge of a battery and the name of a device, as apps say them.
@Suite struct DeliveredDeviceTests {
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
    func `the charge is found in bodies`(body: String, percent: Int?) {
        #expect(DeliveredRequest(body: Array(body.utf8)).batteryPercent == percent)
        #expect(DeliveredRequest(query: "batt=7", body: []).batteryPercent == 7)
    }

    @Test(
        arguments: [
            (#"{"_type":"location","tid":"an","_id":"8f","batt":83}"#, "an"),
            (
                #"{"locations":[{"properties":{"device_id":"bob"}},"#
                    + #"{"properties":{"device_id":"anna","battery_level":0.8}}]}"#, "anna"
            ),
            (#"{"device_id":"anna","location":{"uuid":"1","coords":{"latitude":52}}}"#, "anna"),
            (#"{"locations":[{"properties":{"device_id":""}}]}"#, nil),
            (#"{"id":"1","tid":7}"#, nil), ("[]", nil), ("{", nil),
            ("id=anna%20b&lat=51.9&tid=an", "anna b"), ("lat=51.9&deviceid=anna", "anna"),
            ("id=&lat=51.9", nil), ("", nil),
        ] as [(String, String?)]
    )
    func `the name of the device is found in bodies`(body: String, name: String?) {
        #expect(DeliveredRequest(body: Array(body.utf8)).deviceID == name)
        #expect(DeliveredRequest(query: "id=bob", body: []).deviceID == "bob")
    }
}
