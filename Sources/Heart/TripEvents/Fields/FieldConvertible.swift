/// A type that a field's value can be turned into and back.
protocol FieldConvertible: Hashable, Sendable {
    /// Any value, to be replaced by reading.
    static var blank: Self { get }

    /// Creates the value of a field, or returns `nil` if it does not stand for one of this type.
    init?(_ value: FieldValue)

    /// The field that stands for this value.
    var fieldValue: FieldValue { get }
}

extension String: FieldConvertible {
    static var blank: String { "" }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self = text
    }

    var fieldValue: FieldValue { .text(self) }
}

extension Bool: FieldConvertible {
    static var blank: Bool { false }

    init?(_ value: FieldValue) {
        guard case .boolean(let boolean) = value else { return nil }
        self = boolean
    }

    var fieldValue: FieldValue { .boolean(self) }
}

extension UInt32: FieldConvertible {
    static var blank: UInt32 { 0 }

    init?(_ value: FieldValue) {
        guard case .integer(let integer) = value else { return nil }
        self.init(exactly: integer)
    }

    var fieldValue: FieldValue { .integer(UInt64(self)) }
}

extension UInt64: FieldConvertible {
    static var blank: UInt64 { 0 }

    init?(_ value: FieldValue) {
        guard case .integer(let integer) = value else { return nil }
        self = integer
    }

    var fieldValue: FieldValue { .integer(self) }
}

extension ExactDecimal: FieldConvertible {
    static var blank: ExactDecimal { ExactDecimal(.zero) }

    init?(_ value: FieldValue) {
        guard case .number(let number) = value else { return nil }
        self = number
    }

    var fieldValue: FieldValue { .number(self) }
}

extension EventTime: FieldConvertible {
    static var blank: EventTime { EventTime(Timestamp(milliseconds: 0)) }

    init?(_ value: FieldValue) {
        guard case .time(let time) = value else { return nil }
        self = time
    }

    var fieldValue: FieldValue { .time(self) }
}

extension CivilDate: FieldConvertible {
    static var blank: CivilDate { CivilDate(daysSince1970: 0) }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    var fieldValue: FieldValue { .text(description) }
}

extension TripID: FieldConvertible {
    static var blank: TripID { TripID(high: 0, low: 0) }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    var fieldValue: FieldValue { .text(description) }
}

extension PositionRanges: FieldConvertible {
    static var blank: PositionRanges { PositionRanges([0..<1]) }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    var fieldValue: FieldValue { .text(description) }
}

extension RecordRuns: FieldConvertible {
    static var blank: RecordRuns { RecordRuns() }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self.init(text)
    }

    var fieldValue: FieldValue { .text(description) }
}

extension CustomFields: FieldConvertible {
    static var blank: CustomFields { CustomFields() }

    init?(_ value: FieldValue) {
        guard case .values(let fields) = value else { return nil }
        self = fields
    }

    var fieldValue: FieldValue { .values(self) }
}

extension Array: FieldConvertible where Element: FieldConvertible {
    static var blank: [Element] { [] }

    init?(_ value: FieldValue) {
        guard case .texts(let texts) = value else { return nil }
        var elements: [Element] = []
        for text in texts {
            guard let element = Element(.text(text)) else { return nil }
            elements.append(element)
        }
        self = elements
    }

    var fieldValue: FieldValue {
        .texts(
            compactMap { element in
                guard case .text(let text) = element.fieldValue else { return nil }
                return text
            }
        )
    }
}

extension FieldConvertible where Self: RawRepresentable<String> & CaseIterable {
    static var blank: Self { allCases[allCases.startIndex] }

    init?(_ value: FieldValue) {
        guard case .text(let text) = value else { return nil }
        self.init(rawValue: text)
    }

    var fieldValue: FieldValue { .text(rawValue) }
}

extension FixProvider: FieldConvertible {}
extension MotionState: FieldConvertible {}
extension MotionConfidence: FieldConvertible {}
extension LocationAuthorization: FieldConvertible {}
extension RecoveryDecision: FieldConvertible {}
extension TravelMode: FieldConvertible {}
extension InferenceKind: FieldConvertible {}
extension TripClass: FieldConvertible {}
extension DistanceUnit: FieldConvertible {}
extension PaperSize: FieldConvertible {}
extension OdometerMethod: FieldConvertible {}
extension VehicleKind: FieldConvertible {}
extension Fuel: FieldConvertible {}
extension LocationFailure: FieldConvertible {}
extension CustomFieldType: FieldConvertible {}
extension Weekday: FieldConvertible {}
