extension BadLine {
    private static let position = #""lat":51.927,"lon":4.362"#

    /// Lines that programs and people send by mistake, each with the code of its rejection.
    static let table = texts + numbers + times + members + odd

    private static let texts = [
        BadLine("truncated", String(line(position).dropLast(9)), "invalid_json"),
        BadLine("cut in a name", #"{"type":"fix_rec"#, "invalid_json"),
        BadLine("trailing comma", line(position + ","), "invalid_json"),
        BadLine("two objects", line(position) + line(position), "invalid_json"),
        BadLine("words after the object", line(position) + " done", "invalid_json"),
        BadLine("comment", line(position + "/* here */"), "invalid_json"),
        BadLine("single quotes", "{'type':'go_pressed'}", "invalid_json"),
        BadLine("no JSON at all", "hello", "invalid_json"),
        BadLine("list", "[" + line(position) + "]", "not_an_object"),
        BadLine("number", "42", "not_an_object"),
        BadLine("null", "null", "not_an_object"),
        BadLine("control character", text("a\u{1}b"), "control_character"),
        BadLine("tab in a text", text("a\tb"), "control_character"),
        BadLine("NUL in a text", text("a\0b"), "control_character"),
        BadLine("NUL between members", line("\0" + position), "invalid_json"),
        BadLine("unknown escape", text(#"\x41"#), "invalid_escape"),
        BadLine("lone high surrogate", text(#"\ud83d"#), "invalid_escape"),
        BadLine("lone low surrogate", text(#"\ude00"#), "invalid_escape"),
        BadLine(
            "byte order mark",
            [0xEF, 0xBB, 0xBF] + Array(line(position).utf8),
            "invalid_json"
        ),
        BadLine("UTF-16", utf16, "invalid_json"),
        BadLine("Latin 1", text([0xE9]), "invalid_utf8"),
        BadLine("overlong UTF-8", text([0xC0, 0xAF]), "invalid_utf8"),
        BadLine("surrogate in UTF-8", text([0xED, 0xA0, 0x80]), "invalid_utf8"),
        BadLine("beyond Unicode", text([0xF4, 0x90, 0x80, 0x80]), "invalid_utf8"),
        BadLine("UTF-8 cut off", text([0xE2, 0x82]), "invalid_utf8"),
        BadLine("stray continuation byte", text([0x80]), "invalid_utf8"),
        BadLine("2 MiB", text(String(repeating: "a", count: 2 << 20)), "line_too_long"),
        BadLine(
            "40 levels",
            line(position + #","deep":"# + nested(40)),
            "too_deep"
        ),
    ]

    private static let numbers = [
        fix("91 degrees", lat: "91", "coordinate_out_of_range"),
        fix("-91 degrees", lat: "-91", "coordinate_out_of_range"),
        fix("a centimetre over 90 degrees", lat: "90.0000001", "coordinate_out_of_range"),
        BadLine("181 degrees", line(#""lat":1,"lon":181"#), "coordinate_out_of_range"),
        fix("NaN", lat: "NaN", "invalid_number"),
        fix("infinity", lat: "Infinity", "invalid_number"),
        fix("1e999", lat: "1e999", "number_out_of_range"),
        fix("leading zero", lat: "051.927", "invalid_number"),
        fix("plus sign", lat: "+1", "invalid_number"),
        fix("no digit before the point", lat: ".5", "invalid_number"),
        fix("no digit after the point", lat: "5.", "invalid_number"),
        fix("hexadecimal", lat: "0x10", "invalid_json"),
        fix("decimal comma", lat: "51,927", "invalid_json"),
        fix("number as a text", lat: #""51.927""#, "wrong_type"),
        fix("null for a number", lat: "null", "missing_field"),
        fix("list for a number", lat: "[51.927]", "wrong_type"),
    ]

    private static let times = [
        BadLine("year 1970", line(position, time: "0"), "time_out_of_range"),
        BadLine("year 2090", line(position, time: "3786912000000"), "time_out_of_range"),
        BadLine(
            "seconds for milliseconds",
            line(position, time: "1740987060"),
            "time_out_of_range"
        ),
        BadLine(
            "fraction of a millisecond",
            line(position, time: "1740987060000.5"),
            "invalid_time"
        ),
        BadLine("no offset", line(position, time: #""2025-03-03T08:31:00""#), "invalid_time"),
        BadLine(
            "a day that is none",
            line(position, time: #""2025-02-30T08:31:00Z""#),
            "invalid_time"
        ),
        BadLine("leap second", line(position, time: #""2016-12-31T23:59:60Z""#), "invalid_time"),
        BadLine("null for a time", line(position, time: "null"), "missing_field"),
        BadLine(
            "picoseconds",
            line(position, time: #""2025-03-03T08:31:00.000000000001Z""#),
            "invalid_time"
        ),
    ]

    private static let members = [
        BadLine("duplicate key", line(position + #","lat":51.928"#), "duplicate_key"),
        BadLine("duplicate key with escapes", line(position + #","l\u0061t":1"#), "duplicate_key"),
        BadLine("no type", #"{"source":"phone"}"#, "missing_field"),
        BadLine("empty object", "{}", "missing_field"),
        BadLine("no time", #"{"type":"go_pressed","source":"phone"}"#, "missing_field"),
        BadLine(
            "no source",
            #"{"type":"go_pressed","occurred_at":1740987060000}"#,
            "missing_field"
        ),
        BadLine("no longitude", line(#""lat":51.927"#), "missing_field"),
        BadLine("unknown type", event("teleported"), "unknown_type"),
        BadLine("type in capitals", event("GO_PRESSED"), "unknown_type"),
        BadLine("type that is a number", #"{"type":7,"source":"phone"}"#, "wrong_type"),
        BadLine("reserved type", event("ledger_created"), "reserved_type"),
        BadLine("the ledger's own type", event("source_registered"), "reserved_type"),
        BadLine("misspelt field", line(#""lat":51.927,"lng":4.362"#), "missing_field"),
        BadLine("extra that is no object", line(position + #","extra":12"#), "wrong_type"),
        BadLine(
            "extra of 20 kB",
            line(position + #","note":"\#(String(repeating: "n", count: 20_000))""#),
            "extra_too_long"
        ),
        BadLine(
            "the name of the ledger's own source",
            #"{"source":"ledger","type":"go_pressed"}"#,
            "reserved_source"
        ),
        BadLine("unknown provider", line(position + #","provider":"magic""#), "unknown_value"),
        BadLine("empty id", line(position + #","id":"""#), "empty_text"),
        BadLine(
            "long id",
            line(position + #","id":"\#(String(repeating: "i", count: 256))""#),
            "text_too_long"
        ),
    ]

    /// Odd, but what JSON Lines allows.
    private static let odd = [
        BadLine("carriage return", line(position) + "\r", nil),
        BadLine(
            "spaces all over",
            "  {\"type\" : \"go_pressed\" ,\t\"source\":\"phone\", \"occurred_at\":1740987060000} ",
            nil
        ),
        BadLine("escapes in names", line(#""l\u0061t":51.927,"lon":4.362"#), nil),
        BadLine("exponent", line(#""lat":5.1927e1,"lon":4362E-3"#), nil),
        fix("negative zero", lat: "-0.0", nil),
        BadLine("unknown field", line(position + #","bearing":12"#), nil),
        BadLine("field of another type", line(position + #","state":"walking""#), nil),
        BadLine("null for what may be missing", line(position + #","speed":null"#), nil),
        BadLine("nanoseconds", line(position, time: #""2025-03-03T08:31:00.123456789Z""#), nil),
        BadLine("accuracy -1", line(position + #","accuracy":-1"#), nil),
    ]

    private static let utf16: [UInt8] = [0xFF, 0xFE] + line(position).utf8.flatMap { [$0, 0] }

    private static func text(_ text: String) -> String {
        #"{"type":"go_pressed","source":"phone","occurred_at":1740987060000,"vehicle":"\#(text)"}"#
    }

    private static func text(_ bytes: [UInt8]) -> [UInt8] {
        let parts = text("|").utf8.split(separator: UInt8(ascii: "|"))
        return Array(parts[0]) + bytes + Array(parts[1])
    }

    private static func event(_ type: String) -> String {
        #"{"type":"\#(type)","source":"phone","occurred_at":1740987060000}"#
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
}
