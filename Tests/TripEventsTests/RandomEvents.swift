import DriveSimulation
import Testing

@testable import TripEvents

/// Makes up valid events of every kind, with what is awkward more often than in life.
struct RandomEvents: FieldVisitor {
    /// When the events are recorded: a day after the latest one that is made up.
    static let recordedAt = Timestamp(milliseconds: 2_000_000_000_000)

    var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    /// Returns an event of a kind.
    mutating func event(_ kind: EventKind) throws -> TripEvent {
        var event = TripEvent(
            source: text(TextRule.source),
            occurredAt: Timestamp(
                milliseconds: Int64.random(in: earliest...latest, using: &generator)
            ),
            utcOffset: often
                ? UTCOffset(minutes: Int.random(in: -1_439...1_439, using: &generator)) : nil,
            id: often ? text(TextRule.id) : nil,
            sequence: often
                ? UInt64.random(in: 0...UInt64.max >> UInt64(below(64)), using: &generator) : nil,
            actor: often ? text(TextRule.short) : nil,
            body: try body(kind)
        )
        if often { event.supplement = supplement(of: event.body) }
        return event
    }

    private mutating func body(_ kind: EventKind) throws -> EventBody {
        while true {
            var payload = kind.blankPayload
            payload.visit(&self)
            if (try? payload.check()) != nil {
                return try EventBody(kind, payload.fields)
            }
        }
    }

    mutating func required<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value) {
        guard let random = Value(field(name.form)) else {
            Issue.record("\(name) cannot be made from its form")
            return
        }
        value = random
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value?) {
        guard often else { return }
        value = Value(field(name.form))
    }

    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) {
        guard often else { return }
        change = often ? Value(field(name.form)).map { .set($0) } ?? .cleared : .cleared
    }

    private mutating func field(_ form: FieldForm) -> FieldValue {
        switch form {
        case .text(let rule): .text(text(rule))
        case .number(let rule): .number(number(rule))
        case .integer(let range): .integer(UInt64.random(in: range, using: &generator))
        case .boolean: .boolean(often)
        case .time: .time(time())
        case .date:
            .text(
                CivilDate(daysSince1970: Int.random(in: -700_000...2_900_000, using: &generator))
                    .description
            )
        case .trip: .text(hexadecimal(digits: 32))
        case .digest: .text(hexadecimal(digits: 64))
        case .positions: .text(positions())
        case .currency: .text(["EUR", "USD", "XAU"][below(3)])
        case .language: .text(["de", "en-GB"][below(2)])
        case .country: .text(["de", "nl", "us"][below(3)])
        case .records: .text(records())
        case .choice(let choices): .text(choices[below(choices.count)])
        case .choices(let choices):
            .texts(Array(choices.shuffled(using: &generator).prefix(1 + below(choices.count))))
        case .texts(let count, let rule):
            .texts((0..<count.lowerBound + below(4)).map { _ in text(rule) })
        case .trips(let count):
            .texts((0..<count.lowerBound + below(4)).map { _ in hexadecimal(digits: 32) })
        case .values: .values(values())
        }
    }

    private mutating func positions() -> String {
        var ranges = RangeSet<UInt64>()
        for _ in 0...below(5) {
            let first = UInt64.random(in: 0...1 << UInt64(below(56)), using: &generator)
            ranges.insert(contentsOf: first..<first + 1 + UInt64(below(3)))
        }
        return PositionRanges(ranges)?.description ?? "0"
    }

    private mutating func records() -> String {
        var runs = RecordRuns()
        for _ in 0...below(20) {
            if often { runs.addOthers(UInt64(1 + below(3))) }
            runs.add(UInt64.random(in: 0...1 << UInt64(below(40)), using: &generator))
        }
        return runs.description
    }

    private mutating func time() -> EventTime {
        EventTime(
            Timestamp(
                milliseconds: Int64.random(in: RFC3339.writableMilliseconds, using: &generator)
            ),
            utcOffset: often
                ? UTCOffset(minutes: Int.random(in: -1_439...1_439, using: &generator)) : nil
        )
    }

    private mutating func values() -> CustomFields {
        var fields = CustomFields()
        for _ in 0..<below(6) {
            let value: CustomValue =
                switch below(4) {
                case 0: .text(text(.long))
                case 1: .number(number(.any))
                case 2: .boolean(often)
                default: .null
                }
            fields[text(.key)] = value
        }
        return fields
    }

    private mutating func number(_ rule: NumberRule) -> ExactDecimal {
        let candidates: [ExactDecimal?] = [
            ExactDecimal(
                significand: Int64.random(in: -900_000_000...900_000_000, using: &generator),
                decimals: 7
            ),
            ExactDecimal(
                significand: Int64.random(in: -99_999...99_999, using: &generator),
                decimals: below(4)
            ),
            ExactDecimal(
                significand: Int64.random(
                    in: -999_999_999_999_999_999...999_999_999_999_999_999,
                    using: &generator
                ),
                decimals: below(19)
            ),
            ExactDecimal(-1), ExactDecimal(0),
            ExactDecimal(
                literal: "\(below(80)).\(UInt64.random(in: 1...UInt64.max, using: &generator))1"
            ),
            ExactDecimal(literal: "\(1 + below(9))e-\(below(320))"),
        ]
        guard let number = candidates[below(candidates.count)], rule.allows(number) else {
            return self.number(rule)
        }
        return number
    }

    private mutating func text(_ rule: TextRule) -> String {
        var alphabet = [
            "a", "Z", "0", " ", "\"", "\\", "/", "<", "\u{E9}", "e\u{301}", "\u{20AC}", "\u{1F697}",
            "\u{202E}",
        ]
        if rule.allowsLineBreaks {
            alphabet += ["\n", "\t"]
        }
        var text = ""
        for _ in 0...below(often ? 12 : rule.maximumBytes) {
            let next = alphabet[below(alphabet.count)]
            guard text.utf8.count + next.utf8.count <= rule.maximumBytes else { break }
            text += next
        }
        return text
    }

    private mutating func hexadecimal(digits: Int) -> String {
        String((0..<digits).map { _ in Array("0123456789abcdef")[below(16)] })
    }

    private var often: Bool {
        mutating get { below(2) == 0 }
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    private let earliest = EnvelopeRule.earliest.milliseconds
    private let latest = Self.recordedAt.milliseconds + EnvelopeRule.maximumLeadMilliseconds
}

extension RFC3339 {
    /// The milliseconds since 1970 of ``writable``.
    static var writableMilliseconds: ClosedRange<Int64> {
        writable.lowerBound.milliseconds...writable.upperBound.milliseconds
    }
}

/// An event's line, and what becomes of it when one member is taken away, renamed or changed.
enum EventVariants {
    private static let otherValues = [
        "null", "true", "17", "-1", "\"\"", "\"x\"", "[]", "{}", "[\"x\"]", "{\"a\":{}}", "1.5",
        "\"2026-03-14\"", "\"2026-03-14T08:15:00Z\"", "\"2026-03-14T08:15:00.123456700Z\"",
        "\"2026-03-14T08:15:00.0000000001Z\"", "-0",
    ]

    /// Returns the line of an event and its variants.
    static func lines(of event: TripEvent) -> [String] {
        let members = members(of: event)
        var lines = [line(members), line(members + [("extra", "1")])]
        for index in members.indices {
            var without = members
            without.remove(at: index)
            lines.append(line(without))
            var renamed = members
            renamed[index].name = "Lat"
            lines.append(line(renamed))
            for value in otherValues {
                var changed = members
                changed[index].value = value
                lines.append(line(changed))
            }
        }
        return lines
    }

    /// Returns the members of an event's line.
    static func members(of event: TripEvent) -> [(name: String, value: String)] {
        var members: [(name: String, value: String)] = []
        func add(_ name: String, _ value: FieldValue) {
            var bytes: [UInt8] = []
            JSONWriter.append(value, to: &bytes)
            members.append((name, String(decoding: bytes, as: UTF8.self)))
        }
        add("type", .text(event.body.kind?.name ?? ""))
        add("source", .text(event.source))
        func add(_ name: String, _ time: EventTime, nanoseconds: UInt32) {
            var bytes: [UInt8] = []
            RFC3339.append(PreciseTime(time, nanoseconds: nanoseconds), to: &bytes)
            members.append((name, "\"\(String(decoding: bytes, as: UTF8.self))\""))
        }
        let supplement = event.supplement
        add("occurred_at", event.preciseTime.time, nanoseconds: supplement.nanoseconds)
        if let id = event.id { add("id", .text(id)) }
        if let sequence = event.sequence { add("sequence", .integer(sequence)) }
        if let actor = event.actor { add("actor", .text(actor)) }
        for field in event.body.payload?.fields.all ?? [] {
            if case .time(let time) = field.value {
                let nanoseconds = supplement.nanoseconds(of: field.name.rawValue)
                add(field.name.jsonName, time, nanoseconds: nanoseconds)
            } else {
                add(field.name.jsonName, field.value)
            }
        }
        if let extra = supplement.extra { members.append(("extra", extra.json)) }
        return members
    }

    private static func line(_ members: [(name: String, value: String)]) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
    }
}
