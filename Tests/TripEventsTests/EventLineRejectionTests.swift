import Testing

@testable import TripEvents

@Suite struct EventLineRejectionTests {
    /// A bad line with the code, the column and the field of its rejection.
    struct Case: CustomTestStringConvertible {
        var line: String
        var code: RejectionCode
        var column: Int?
        var field: String?

        init(_ line: String, _ code: RejectionCode, _ column: Int?, _ field: String? = nil) {
            self.line = line
            self.code = code
            self.column = column
            self.field = field
        }

        var testDescription: String { "\(code.rawValue): \(line.prefix(90))" }
    }

    /// 2026-03-14T12:00:00Z.
    private static let recordedAt = Timestamp(milliseconds: 1_773_489_600_000)

    /// A line that starts as every good one: 65 bytes up to the place of `rest`.
    private static func fix(_ rest: String) -> String {
        #"{"type":"fix_recorded","source":"p","occurred_at":1773489600000,"# + rest
    }

    private static func go(_ rest: String) -> String {
        #"{"type":"go_pressed","source":"p","occurred_at":1773489600000"# + rest + "}"
    }

    private func expect(_ row: Case, isStrict: Bool = false) {
        var reader = EventLineReader(isStrict: isStrict)
        let line = Array(row.line.utf8)
        do throws(Rejection) {
            try reader.read(line.span, recordedAt: Self.recordedAt)
            Issue.record("the line was taken")
        } catch {
            #expect(error.code == row.code)
            #expect(error.column == row.column)
            #expect(error.field == row.field)
        }
    }

    private static let texts: [Case] = [
        Case("", .emptyLine, nil),
        Case(" \t\r\n", .emptyLine, nil),
        Case("[]", .notAnObject, 1),
        Case(" 12", .notAnObject, 2),
        Case("\u{FEFF}{}", .invalidJSON, 1),
        Case("{", .invalidJSON, 2),
        Case("{}}", .invalidJSON, 3),
        Case("{} x", .invalidJSON, 4),
        Case(#"{"a":1,}"#, .invalidJSON, 8),
        Case(#"{"a":1 "b":2}"#, .invalidJSON, 8),
        Case(#"{"a" 1}"#, .invalidJSON, 6),
        Case(#"{"a":}"#, .invalidJSON, 6),
        Case(#"{a:1}"#, .invalidJSON, 2),
        Case(#"{'a':1}"#, .invalidJSON, 2),
        Case(#"{"a":tru}"#, .invalidJSON, 6),
        Case(#"{"a":True}"#, .invalidJSON, 6),
        Case(#"{"a":[1,]}"#, .invalidJSON, 9),
        Case(#"{"a":[1 2]}"#, .invalidJSON, 9),
        Case(#"{"a":{"b":1,}}"#, .invalidJSON, 13),
        Case(#"{"a":"b"#, .invalidJSON, 8),
        Case(#"{"a":1"#, .invalidJSON, 7),
        Case("{\"a\":\"b\u{0}\"}", .controlCharacter, 8),
        Case("{\"a\tb\":1}", .controlCharacter, 4),
        Case("{\"a\":\"\n\"}", .controlCharacter, 7),
        Case(#"{"a":"\x41"}"#, .invalidEscape, 7),
        Case(#"{"a":"\u12G4"}"#, .invalidEscape, 7),
        Case(#"{"a":"\uD83D"}"#, .invalidEscape, 7),
        Case(#"{"a":"\uDE97"}"#, .invalidEscape, 7),
        Case(#"{"a":"\uD83D\u0041"}"#, .invalidEscape, 7),
        Case(#"{"a":01}"#, .invalidNumber, 6),
        Case(#"{"a":-}"#, .invalidNumber, 7),
        Case(#"{"a":-x}"#, .invalidNumber, 7),
        Case(#"{"a":1.}"#, .invalidNumber, 8),
        Case(#"{"a":.5}"#, .invalidNumber, 6),
        Case(#"{"a":+1}"#, .invalidNumber, 6),
        Case(#"{"a":1e}"#, .invalidNumber, 8),
        Case(#"{"a":1e+}"#, .invalidNumber, 9),
        Case(#"{"a":NaN}"#, .invalidNumber, 6),
        Case(#"{"a":Infinity}"#, .invalidNumber, 6),
        Case(#"{"a":-Infinity}"#, .invalidNumber, 7),
        Case(#"{"a":1,"a":2}"#, .duplicateKey, 8),
        Case(#"{"lat":1,"lat":2}"#, .duplicateKey, 10),
        Case(#"{"lat":1,"l\u0061t":2}"#, .duplicateKey, 10),
        Case(#"{"a":{"b":1,"\u0062":2}}"#, .duplicateKey, 13),
        Case(#"{"a":[{"":1,"":2}]}"#, .duplicateKey, 13),
        Case(nested(32), .tooDeep, 37),
    ]

    /// Lists inside one another, inside the object of the line.
    private static func nested(_ depth: Int) -> String {
        #"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            + "}"
    }

    @Test(arguments: texts)
    func `what is not strict JSON is refused`(row: Case) {
        expect(row)
    }

    private static let members: [Case] = [
        Case("{}", .missingField, nil, "type"),
        Case(#"{"type":"go_pressed"}"#, .missingField, nil, "source"),
        Case(#"{"type":"go_pressed","source":"p"}"#, .missingField, nil, "occurred_at"),
        Case(fix(#""lat":1}"#), .missingField, nil, "lon"),
        Case(nested(31), .missingField, nil, "type"),
        Case(fix(#""lat":"1","lon":2}"#), .wrongType, 71, "lat"),
        Case(fix(#""lat":null,"lon":2}"#), .missingField, 71, "lat"),
        Case(fix(#""lat":1,"lon":2,"mock":1}"#), .wrongType, 88, "mock"),
        Case(fix(#""lat":1,"lon":2,"speed":[]}"#), .wrongType, 89, "speed"),
        Case(#"{"type":7}"#, .wrongType, 9, "type"),
        Case(#"{"type":"trip_started"}"#, .unknownType, 9, "type"),
        Case(#"{"type":"ledger_created"}"#, .reservedType, 9, "type"),
        Case(#"{"type":"source_registered"}"#, .reservedType, 9, "type"),
        Case(#"{"type":"go_pressed","source":""}"#, .emptyText, 31, "source"),
        Case(#"{"type":"go_pressed","source":"a\u0007"}"#, .invalidText, 31, "source"),
        Case(#"{"type":"go_pressed","source":"a\u0085"}"#, .invalidText, 31, "source"),
        Case(
            #"{"type":"go_pressed","source":""# + String(repeating: "s", count: 129) + #""}"#,
            .textTooLong,
            31,
            "source"
        ),
        Case(go(#","id":"""#), .emptyText, 68, "id"),
        Case(
            go(#","id":""# + String(repeating: "i", count: 256) + #"""#),
            .textTooLong,
            68,
            "id"
        ),
        Case(go(#","sequence":-1"#), .invalidValue, 74, "sequence"),
        Case(go(#","sequence":1.0"#), .invalidValue, 74, "sequence"),
        Case(go(#","sequence":18446744073709551616"#), .numberOutOfRange, 74, "sequence"),
        Case(go(#","vehicle":"a\nb""#), .invalidText, 73, "vehicle"),
        Case(
            go(#","vehicle":""# + String(repeating: "v", count: 201) + #"""#),
            .textTooLong,
            73,
            "vehicle"
        ),
    ]

    private static let strict: [Case] = [
        Case(fix(#""lat":1,"lon":2,"volume":3}"#), .unknownField, 81, nil),
        Case(fix(#""lat":1,"lon":2,"title":"x"}"#), .unknownField, 89, "title"),
        Case(fix(#""lat":1,"lon":2,"title":null}"#), .unknownField, 89, "title"),
    ]

    @Test(arguments: strict)
    func `a member that events of the type do not have is refused if so asked`(row: Case) {
        expect(row, isStrict: true)
    }

    @Test(arguments: members)
    func `a member that cannot be is refused`(row: Case) {
        expect(row)
    }

    private static func occurred(_ time: String) -> String {
        #"{"type":"go_pressed","source":"p","occurred_at":"# + time + "}"
    }

    private static let values: [Case] = [
        Case(fix(#""lat":90.0000001,"lon":2}"#), .coordinateOutOfRange, 71, "lat"),
        Case(fix(#""lat":-91,"lon":2}"#), .coordinateOutOfRange, 71, "lat"),
        Case(fix(#""lat":1,"lon":180.5}"#), .coordinateOutOfRange, 79, "lon"),
        Case(fix(#""lat":1,"lon":2,"speed":1e999}"#), .numberOutOfRange, 89, "speed"),
        Case(fix(#""lat":1,"lon":2,"speed":-2e308}"#), .numberOutOfRange, 89, "speed"),
        Case(fix(#""lat":1,"lon":2,"provider":"GPS"}"#), .unknownValue, 92, "provider"),
        Case(occurred("0"), .timeOutOfRange, 49, "occurred_at"),
        Case(occurred("-1"), .timeOutOfRange, 49, "occurred_at"),
        Case(occurred("1773489600"), .timeOutOfRange, 49, "occurred_at"),
        Case(occurred("315964799999"), .timeOutOfRange, 49, "occurred_at"),
        Case(occurred("1773576000001"), .timeOutOfRange, 49, "occurred_at"),
        Case(occurred("1773489600000.5"), .invalidTime, 49, "occurred_at"),
        Case(occurred("1.7734896e12"), .invalidTime, 49, "occurred_at"),
        Case(occurred("true"), .wrongType, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T11:59:60Z""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T11:59:59.0000000001Z""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T11:59:59""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14 11:59:59Z""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-02-29T11:59:59Z""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T24:00:00Z""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T11:59:59.Z""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T11:59:59+1:00""#), .invalidTime, 49, "occurred_at"),
        Case(occurred(#""2026-03-14T11:59:59+24:00""#), .invalidTime, 49, "occurred_at"),
    ]

    @Test(arguments: values)
    func `a value that cannot be is refused`(row: Case) {
        expect(row)
    }

    @Test func `invalid UTF-8 is refused where it starts`() {
        let sequences: [[UInt8]] = [
            [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xE2, 0x82], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5],
            [0xF0, 0x9F, 0x9A],
        ]
        for sequence in sequences {
            let line = Array(#"{"a":"x"#.utf8) + sequence + Array(#""}"#.utf8)
            var reader = EventLineReader()
            do throws(Rejection) {
                try reader.read(line.span, recordedAt: Self.recordedAt)
                Issue.record("\(sequence) was taken")
            } catch {
                #expect(error.code == .invalidUTF8, "\(sequence)")
                #expect(error.column == 8, "\(sequence)")
            }
        }
    }

    @Test func `a line of more than a mebibyte is refused`() {
        let padding = String(repeating: " ", count: 1_048_576 - Self.go("").utf8.count)
        var reader = EventLineReader()
        let fits = Array((Self.go("") + padding).utf8)
        #expect(throws: Never.self) { try reader.read(fits.span, recordedAt: Self.recordedAt) }
        expect(Case(Self.go("") + padding + " ", .lineTooLong, 1_048_577))
    }

    @Test func `an event that no entry can hold is refused`() {
        let notes = (0..<17).map { #""k\#($0)":""# + String(repeating: "n", count: 4_000) + #"""# }
        let line =
            #"{"type":"details_edited","source":"p","occurred_at":1773489600000,"trip":""#
            + String(repeating: "0", count: 32) + #"","fields":{"#
            + notes.joined(separator: ",") + "}}"
        expect(Case(line, .entryTooLong, nil))
    }

    @Test func `a sentence shows the value, shortened and harmless`() throws {
        let line = Array(
            #"{"type":"\u001b[31m\u202Eevil\#(String(repeating: "x", count: 99))"}"#.utf8
        )
        var reader = EventLineReader()
        do throws(Rejection) {
            try reader.read(line.span, recordedAt: Self.recordedAt)
            Issue.record("the line was taken")
        } catch {
            #expect(
                error.sentence == #"No event has the type "\u{1b}[31m\u{202e}evil"#
                    + String(repeating: "x", count: 30) + #"…"."#
            )
        }
    }
}
