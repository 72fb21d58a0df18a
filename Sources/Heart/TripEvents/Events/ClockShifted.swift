/// The clock of a source was found to be wrong in a range of its times.
///
/// Events that the source reported with these times count as having happened earlier or later. The
/// events themselves stay as they are.
///
/// If several are about one instant, the one decided last holds; so a shift by zero takes back
/// those before it.
public struct ClockShifted: Hashable, Sendable {
    /// The longest shift, in seconds: more than the 1,024 weeks by which old GPS receivers err.
    public static let mostSeconds: Int64 = 630_720_000

    /// The name of the source.
    public var appliesTo: String

    /// The first time that was wrong, by the clock of the source.
    public var from: EventTime

    /// The first time that was right again, by the clock of the source.
    public var to: EventTime

    /// The time by which the clock was behind, in seconds with at most three decimals; negative if
    /// it was ahead.
    public var bySeconds: ExactDecimal

    /// The reason, in the words of the person who decided.
    public var why: String?

    /// Creates the content of the event.
    public init(
        appliesTo: String,
        from: EventTime,
        to: EventTime,
        bySeconds: ExactDecimal,
        why: String? = nil
    ) {
        self.appliesTo = appliesTo
        self.from = from
        self.to = to
        self.bySeconds = bySeconds
        self.why = why
    }

    /// The time by which the clock was behind, in milliseconds; `nil` if the value is not allowed.
    public var byMilliseconds: Int64? {
        guard let milliseconds = bySeconds.units(places: 3),
            abs(milliseconds) <= Self.mostSeconds * 1_000
        else { return nil }
        return milliseconds
    }
}

extension ClockShifted: EventPayload {
    static var blank: ClockShifted {
        ClockShifted(appliesTo: .blank, from: .blank, to: .blank, bySeconds: .blank)
    }

    mutating func visit<Visitor: FieldVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
        try visitor.required(.appliesTo, &appliesTo)
        try visitor.required(.fromTime, &from)
        try visitor.required(.toTime, &to)
        try visitor.required(.bySeconds, &bySeconds)
        try visitor.optional(.why, &why)
    }

    func check() throws(Rejection) {
        try FieldName.checkOrder(from, to)
        guard byMilliseconds != nil else {
            throw Rejection(
                .invalidValue,
                field: FieldName.bySeconds.jsonName,
                sentence: "by_seconds takes at most three decimals, and 20 years either way."
            )
        }
    }
}
