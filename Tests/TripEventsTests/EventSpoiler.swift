import DriveSimulation

@testable import TripEvents

/// Changes one thing of a valid event to what lies at a limit or beyond it.
struct EventSpoiler {
    private var generator: SplitMix64

    /// The index of the field that is changed, and the number of fields that were visited.
    private var target = 0
    private var visited = 0

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed ^ 0x5701_1E12)
    }

    /// Returns the event with one change.
    mutating func spoilt(_ event: TripEvent) -> TripEvent {
        var event = event
        switch below(6) {
        case 0: event.source = text(around: TextRule.source.maximumBytes)
        case 1: event.id = text(around: TextRule.id.maximumBytes)
        case 2: event.actor = text(around: TextRule.short.maximumBytes)
        case 3: event.occurredAt = time()
        default: event.body = body(event.body)
        }
        return event
    }

    private mutating func body(_ body: EventBody) -> EventBody {
        switch body {
        case .fixRecorded(var fix):
            switch below(6) {
            case 0: fix.latitude = angle(90)
            case 1: fix.longitude = angle(180)
            case 2: fix.accuracy = number()
            case 3: fix.altitude = number()
            case 4: fix.speed = number()
            default: fix.course = number()
            }
            return .fixRecorded(fix)
        case .goPressed(var pressed):
            pressed.vehicle = text(around: TextRule.short.maximumBytes)
            return .goPressed(pressed)
        case .stopPressed(var pressed):
            pressed.routine = text(around: TextRule.short.maximumBytes)
            return .stopPressed(pressed)
        default:
            return anyField(of: body)
        }
    }

    /// Changes one field of a content, by the rules of its form.
    private mutating func anyField(of body: EventBody) -> EventBody {
        guard var payload = body.payload else { return body }
        visited = 0
        target = below(FieldLister.fields(of: body.kind ?? .goPressed).count)
        payload.visit(&self)
        return EventBody(unchecked: payload) ?? body
    }

    private mutating func field(_ form: FieldForm) -> FieldValue {
        switch form {
        case .text(let rule): .text(text(around: rule.maximumBytes))
        case .date, .trip, .digest, .positions, .records, .currency, .language, .country,
            .choice:
            .text(["", "x", String(repeating: "A", count: 64), "12-", "2026-02-30"][below(5)])
        case .number: .number(below(2) == 0 ? number() : angle(90))
        case .integer: .integer([0, 1, 16_777_215, 16_777_216, 4_294_967_295][below(5)])
        case .boolean: .boolean(below(2) == 0)
        case .time: .time(EventTime(time()))
        case .texts:
            .texts(Array(repeating: text(around: 200), count: [0, 1, 100, 101][below(4)]))
        case .choices(let choices):
            .texts([[], [choices[0], choices[0]], ["x"], choices][below(4)])
        case .trips:
            .texts(
                Array(repeating: String(repeating: "a", count: 32), count: [0, 1, 101][below(3)])
            )
        case .values: .values(values())
        }
    }

    private mutating func values() -> CustomFields {
        var fields = CustomFields()
        for index in 0..<[1, 100, 101][below(3)] { fields["key \(index)"] = .null }
        fields[text(around: TextRule.key.maximumBytes)] = .text(
            text(around: TextRule.long.maximumBytes)
        )
        return fields
    }

    /// Returns a time at a limit, a millisecond from one, or far from all.
    private mutating func time() -> Timestamp {
        let latest = RandomEvents.recordedAt.milliseconds + EnvelopeRule.maximumLeadMilliseconds
        let limits: [Int64] = [
            EnvelopeRule.earliest.milliseconds, latest,
            RFC3339.writableMilliseconds.lowerBound + 1,
            RFC3339.writableMilliseconds.upperBound - 1, 0,
        ]
        let limit = limits[below(limits.count)]
        return Timestamp(milliseconds: limit + Int64.random(in: -1...1, using: &generator))
    }

    /// Returns a text that is empty, about as long as it may be, or holds what it must not.
    private mutating func text(around maximumBytes: Int) -> String {
        let controls = [
            "\u{0}", "\u{1F}", "\n", "\u{7F}", "\u{80}", "\u{9F}", "\u{A0}", "\u{FEFF}",
        ]
        let filler = ["a", "\u{E9}", "e\u{301}", "\u{1F697}", "\"", "\\"][below(6)]
        switch below(4) {
        case 0: return ""
        case 1: return "odd" + controls[below(controls.count)] + "name"
        default:
            var text = ""
            while text.utf8.count < maximumBytes - 2 + below(4) { text += filler }
            return text
        }
    }

    /// Returns a number of degrees at a limit, the least bit beyond it, or far beyond.
    private mutating func angle(_ limit: Int) -> ExactDecimal {
        let sign = below(2) == 0 ? "" : "-"
        let literals = [
            "\(limit)", "\(limit).0000001", "\(limit).0000000000000001",
            "\(limit).\(String(repeating: "0", count: 30))1", "\(limit - 1).9999999999999999",
            "\(limit - 1).\(String(repeating: "9", count: 30))", "\(limit + 1)", "1e300", "1e-300",
        ]
        return ExactDecimal(literal: sign + literals[below(literals.count)]) ?? .blank
    }

    /// Returns a number that just fits into one of the frames of a fix, or just does not.
    private mutating func number() -> ExactDecimal {
        let literals = [
            "0", "-1", "-0.1", "-1.0", "6553.3", "6553.4", "6553.5", "655.33", "655.34", "655.35",
            "0.05", "0.001", "838860.7", "-838860.7", "838860.8", "-838860.8", "838860.75",
            "999999999999999999", "1000000000000000000", "0.000000000000000001",
            "0.0000000000000000001", "1e300", "-1e-300", "1.7976931348623157e308",
        ]
        return ExactDecimal(literal: literals[below(literals.count)]) ?? .blank
    }

    private mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }
}

extension EventSpoiler: FieldVisitor {
    mutating func required<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value) {
        if isTarget, let spoilt = Value(field(name.form)) { value = spoilt }
    }

    mutating func optional<Value: FieldConvertible>(_ name: FieldName, _ value: inout Value?) {
        if isTarget, let spoilt = Value(field(name.form)) { value = spoilt }
    }

    mutating func clearable<Value: FieldConvertible>(
        _ name: FieldName,
        _ change: inout DetailChange<Value>
    ) {
        if isTarget, let spoilt = Value(field(name.form)) { change = .set(spoilt) }
    }

    private var isTarget: Bool {
        mutating get {
            visited += 1
            return visited == target + 1
        }
    }
}
