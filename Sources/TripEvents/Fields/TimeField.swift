/// Times in JSON: RFC 3339 text, or whole milliseconds since 1970.
enum TimeField {
    /// Returns the time that a value stands for.
    static func time(from json: JSONValue, of name: String) throws(Rejection) -> EventTime {
        let time: EventTime
        let shown: String
        switch json {
        case .text(let text):
            shown = Excerpt.of(text)
            let bytes = Array(text.utf8)
            do throws(TimeProblem) {
                time = try RFC3339.time(bytes.span, 0..<bytes.count)
            } catch {
                throw invalid(shown, error, of: name)
            }
        case .number(let literal):
            shown = literal
            guard let milliseconds = Int64(literal), literal != "-0" else {
                throw invalid(Excerpt.of(literal), .malformed, of: name)
            }
            time = EventTime(Timestamp(milliseconds: milliseconds))
        default:
            throw .wrongType(name, expected: FieldForm.time.typeName, found: json.typeName)
        }
        guard RFC3339.writable.contains(time.timestamp) else {
            throw Rejection(
                .timeOutOfRange,
                field: name,
                sentence: "\(name) \(shown) is not in the years 1 to 9999."
            )
        }
        return time
    }

    private static func invalid(
        _ shown: String,
        _ problem: TimeProblem,
        of name: String
    ) -> Rejection {
        let why =
            switch problem {
            case .malformed:
                "is no time; write RFC 3339 with its offset from UTC, such as "
                    + "2026-03-14T16:09:26+01:00 (Z only for UTC), or whole milliseconds since 1970"
            case .leapSecond: "is a leap second, which has no place on a scale without them"
            case .tooPrecise: "says more than milliseconds; round it to three digits"
            }
        return Rejection(.invalidTime, field: name, sentence: "\(name) \(shown) \(why).")
    }
}
