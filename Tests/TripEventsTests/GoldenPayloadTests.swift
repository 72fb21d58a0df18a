import Testing

@testable import TripEvents

/// Payloads written out by hand from Formats.md, field by field.
@Suite struct GoldenPayloadTests {
    private func expect(
        _ line: String,
        kind: UInt8,
        form: UInt8,
        payload: [UInt8],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var reader = EventLineReader()
        let bytes = Array(line.utf8)
        try reader.read(
            bytes.span,
            defaultSource: "p",
            recordedAt: Timestamp(milliseconds: 1_773_489_600_000)
        )
        #expect(reader.candidate.kind.rawValue == kind, sourceLocation: sourceLocation)
        #expect(reader.candidate.form.rawValue == form, sourceLocation: sourceLocation)
        #expect(reader.candidate.payload == payload, sourceLocation: sourceLocation)
        let event = try TripEvent(
            decoding: payload.span,
            kind: kind,
            form: PayloadForm(rawValue: form),
            source: "p",
            occurredAt: reader.candidate.occurredAt,
            id: form & 1 == 1 ? "a" : nil
        )
        let encoded = event.encoded
        #expect(encoded.kind == kind, sourceLocation: sourceLocation)
        #expect(encoded.form.rawValue == form, sourceLocation: sourceLocation)
        #expect(encoded.payload == payload, sourceLocation: sourceLocation)
    }

    @Test func `a fix in the narrow frame`() throws {
        try expect(
            #"{"type":"fix_recorded","occurred_at":1773489600000,"lat":51.9270,"lon":-4.3620001,"#
                + #""accuracy":12.50,"altitude":-3.7,"speed":13.62,"course":271.25,"#
                + #""provider":"gps","mock":false}"#,
            kind: 0x10,
            form: 0x10,
            payload: [
                0x70, 0x6E, 0xF3, 0x1E,  // 519270000 = 0x1EF36E70
                0x5F, 0x69, 0x66, 0xFD,  // -43620001 = -0x029996A1
                0xDB, 0xFF, 0xFF,  // -37
                0x7D, 0x00,  // 125
                0x52, 0x05,  // 1362 = 0x0552
                0xF5, 0x69,  // 27125 = 0x69F5
                0x41,  // gps, mock known, not mock
            ]
        )
    }

    @Test func `a fix with nothing but a position`() throws {
        try expect(
            #"{"type":"fix_recorded","occurred_at":1773489600000,"lat":0,"lon":180}"#,
            kind: 0x10,
            form: 0x10,
            payload: [
                0x00, 0x00, 0x00, 0x00,
                0x00, 0xD2, 0x49, 0x6B,  // 1800000000 = 0x6B49D200
                0x00, 0x00, 0x80,  // no altitude
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,  // no accuracy, speed, course
                0x00,
            ]
        )
    }

    @Test func `a fix with minus one for what is not known`() throws {
        try expect(
            #"{"type":"fix_recorded","occurred_at":1773489600000,"lat":1e-7,"lon":0,"#
                + #""accuracy":-1,"speed":-1.0,"course":-1,"provider":"simulated","mock":true}"#,
            kind: 0x10,
            form: 0x10,
            payload: [
                0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80,
                0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF,
                0xC8,  // simulated, mock known, mock
            ]
        )
    }

    @Test func `a fix in the wide frame`() throws {
        try expect(
            #"{"type":"fix_recorded","occurred_at":1773489600000,"lat":48.16350662940509,"#
                + #""lon":11.5,"speed":0.0144,"provider":"gps"}"#,
            kind: 0x10,
            form: 0x20,
            payload: [
                0x04, 0x01,  // speed; gps
                // 14 decimals, zigzag(4816350662940509) = 9632701325881018, seven bits a byte
                0x0E, 0xBA, 0xDD, 0x86, 0xE6, 0xC0, 0x9C, 0x8E, 0x11,
                0x01, 0xE6, 0x01,  // 1 decimal, zigzag(115) = 230
                0x04, 0xA0, 0x02,  // 4 decimals, zigzag(144) = 288
            ]
        )
    }

    @Test func `a fix with a number that needs its text`() throws {
        try expect(
            #"{"type":"fix_recorded","occurred_at":1773489600000,"lat":2.5,"lon":-1,"#
                + #""speed":1e-19}"#,
            kind: 0x10,
            form: 0x00,
            payload: [
                0x08, 0x02, 0x01, 0x32,  // lat: 1 decimal, zigzag(25) = 50
                0x09, 0x02, 0x00, 0x01,  // lon: no decimals, zigzag(-1) = 1
                0x0C, 0x16, 0xFF,  // speed: 22 bytes, text
            ] + Array("0.0000000000000000001".utf8)
        )
    }

    @Test func `a fix with a supplement stays in the narrow frame`() throws {
        try expect(
            #"{"type":"fix_recorded","occurred_at":"2026-03-14T11:00:00.000250Z","lat":0,"#
                + #""lon":180,"battery":0.50,"speed":null}"#,
            kind: 0x10,
            form: 0x30,
            payload: [
                0x0D,  // a narrow fix follows, extra members, one finer time
                0x7A, 0x90, 0xD0, 0x03,  // occurred_at: 250,000 nanoseconds = 0x03D090
                0x10,  // 16 bytes
            ] + Array(#"{"battery":0.50}"#.utf8) + [
                0x00, 0x00, 0x00, 0x00, 0x00, 0xD2, 0x49, 0x6B, 0x00, 0x00, 0x80,
                0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00,
            ]
        )
    }

    @Test func `a split to the nanosecond, with an offset before its supplement`() throws {
        let trip = String(repeating: "0", count: 32)
        try expect(
            #"{"type":"trip_split","occurred_at":"2026-03-14T11:00:00+00:00","trip":"\#(trip)","#
                + #""split_at":"1970-01-01T00:00:00.001000001Z"}"#,
            kind: 0x29,
            form: 0x32,
            payload: [
                0x00, 0x00,  // an offset of zero
                0x08,  // fields follow, one finer time
                0x19, 0x01, 0x00, 0x00,  // split_at: 1 nanosecond
                0x15, 0x20,
            ] + Array(trip.utf8) + [0x19, 0x08, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]
        )
    }

    @Test(
        arguments: [
            [0x08],  // no time, no extra member
            [0x01, 0x04, 0x02, 0x7B, 0x7D],  // an empty object
            [0x04, 0x07] + Array(#"{"a":1 "#.utf8),  // no JSON
            [0x04, 0x08] + Array(#"{"a": 1}"#.utf8),  // white space
            [0x04, 0x0D] + Array(#"{"a":1,"a":2}"#.utf8),  // a name twice
            [0x08, 0x7A, 0x00, 0x00, 0x00],  // no nanoseconds
            [0x08, 0x7A, 0x40, 0x42, 0x0F],  // a million of them
            [0x08, 0x1C, 0x01, 0x00, 0x00],  // a time that a press does not have
            [0x10, 0x7A, 0x01, 0x00, 0x00, 0x7A, 0x01, 0x00, 0x00],  // a time twice
            [0x0B, 0x7A, 0x01, 0x00, 0x00],  // a supplement in a supplement
            [0x0C, 0x7A, 0x01, 0x00, 0x00, 0xFF],  // too short
            [0x00],  // nothing
        ] as [[UInt8]]
    )
    func `a supplement that no writer makes is damage`(payload: [UInt8]) {
        #expect(throws: PayloadDamage.self) {
            try TripEvent(
                decoding: payload.span,
                kind: 0x12,
                form: PayloadForm(rawValue: 0x30),
                source: "p",
                occurredAt: Timestamp(milliseconds: 0),
                id: nil
            )
        }
    }

    @Test func `a press with offset, sequence, actor and id`() throws {
        try expect(
            #"{"type":"go_pressed","occurred_at":"2026-03-14T11:00:00-01:30","id":"a","#
                + #""sequence":258,"actor":"Eva","vehicle":"van"}"#,
            kind: 0x12,
            form: 0x0F,
            payload: [
                0xA6, 0xFF,  // -90 minutes
                0x02, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,  // 258
                0x03, 0x45, 0x76, 0x61,  // Eva
                0x26, 0x03, 0x76, 0x61, 0x6E,  // vehicle: van
            ]
        )
    }

    @Test func `a failure in the words of version 1 keeps its bytes`() throws {
        let error = Array("The operation timed out".utf8)
        try expect(
            #"{"type":"location_failed","occurred_at":1773489600000,"#
                + #""error":"The operation timed out"}"#,
            kind: 0x15,
            form: 0x00,
            payload: [0x14, 0x17] + error
        )
        try expect(
            #"{"type":"location_failed","occurred_at":1773489600000,"reason":"timeout","#
                + #""error":"The operation timed out"}"#,
            kind: 0x15,
            form: 0x00,
            payload: [0x14, 0x17] + error
        )
    }

    @Test func `a failure that only version 2 can say`() throws {
        try expect(
            #"{"type":"location_failed","occurred_at":1773489600000,"reason":"denied"}"#,
            kind: 0x15,
            form: 0x40,
            payload: [0x47, 0x06] + Array("denied".utf8)
        )
    }

    @Test func `a changed motion`() throws {
        try expect(
            #"{"type":"motion_changed","occurred_at":1773489600000,"confidence":"high","#
                + #""state":"walking"}"#,
            kind: 0x11,
            form: 0x00,
            payload: [0x10, 0x07] + Array("walking".utf8) + [0x11, 0x04] + Array("high".utf8)
        )
    }

    @Test func `an edit that clears and sets`() throws {
        let trip = "00112233445566778899aabbccddeeff"
        try expect(
            #"{"type":"details_edited","occurred_at":1773489600000,"trip":"\#(trip)","#
                + #""trip_started_at":"1970-01-01T01:00:01.000+01:00","title":null,"#
                + #""class":"business","fields":{"z":null,"b":true,"a":1.50}}"#,
            kind: 0x20,
            form: 0x00,
            payload: [0x15, 0x20] + Array(trip.utf8)
                + [
                    0x16, 0x0A,  // trip_started_at: i64 and i16
                    0xE8, 0x03, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3C, 0x00,
                    0x21, 0x00,  // title: no value, cleared
                    0x27, 0x08,
                ] + Array("business".utf8) + [0x28, 0x1B]
                + Array(#"{"a":1.5,"b":true,"z":null}"#.utf8)
        )
    }

    @Test func `settings that are changed and taken back`() throws {
        try expect(
            #"{"type":"settings_changed","occurred_at":1773489600000,"time_zone":"UTC","#
                + #""units":"mi","keeper":null,"language":"de","country":"de","paper":null}"#,
            kind: 0x3A,
            form: 0x00,
            payload: [0x02, 0x03] + Array("UTC".utf8) + [0x03, 0x02] + Array("mi".utf8)
                + [
                    0x5A, 0x00,  // keeper: no value, taken back
                    0x76, 0x02, 0x64, 0x65,  // language de
                    0x77, 0x02, 0x64, 0x65,  // country de
                    0x7F, 0x00,  // paper: no value, taken back
                ]
        )
    }

    @Test func `a saved place`() throws {
        try expect(
            #"{"type":"place_saved","occurred_at":1773489600000,"place":"h","lat":1,"lon":2,"#
                + #""radius_m":75,"skip":true}"#,
            kind: 0x32,
            form: 0x00,
            payload: [
                0x08, 0x02, 0x00, 0x02,  // lat 1
                0x09, 0x02, 0x00, 0x04,  // lon 2
                0x31, 0x01, 0x68,  // place h
                0x32, 0x03, 0x00, 0x96, 0x01,  // radius_m 75: zigzag 150
                0x34, 0x01, 0x01,  // skip
            ]
        )
    }
}
