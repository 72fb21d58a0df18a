/// What a number may be.
enum NumberRule {
    case any
    case notNegative

    /// Degrees, −90 … 90.
    case latitude

    /// Degrees, −180 … 180.
    case longitude

    /// Returns whether a number keeps the rule.
    func allows(_ number: ExactDecimal) -> Bool {
        switch self {
        case .any: true
        case .notNegative: number.doubleValue >= 0
        case .latitude: Self.isAngle(number, atMost: 90)
        case .longitude: Self.isAngle(number, atMost: 180)
        }
    }

    /// Returns whether a number of degrees lies between −limit and limit, exactly.
    static func isAngle(_ number: ScaledDecimal, atMost limit: UInt64) -> Bool {
        let scaled = limit.multipliedReportingOverflow(
            by: PowersOfTen.integers[Int(number.decimals)]
        )
        // A significand has at most 18 digits, so a limit beyond 64 bits is beyond it.
        return scaled.overflow || number.significand.magnitude <= scaled.partialValue
    }

    private static func isAngle(_ number: ExactDecimal, atMost limit: UInt64) -> Bool {
        guard let scaled = number.scaled else {
            return number.doubleValue.magnitude <= Double(limit)
        }
        return isAngle(scaled, atMost: limit)
    }

    /// Throws if a number breaks the rule.
    func check(_ number: ExactDecimal, of name: String) throws(Rejection) {
        guard !allows(number) else { return }
        switch self {
        case .any, .notNegative:
            throw Rejection(
                .numberOutOfRange,
                field: name,
                sentence: "\(name) is \(number.shortDescription); it must not be negative."
            )
        case .latitude, .longitude:
            let limit = self == .latitude ? 90 : 180
            throw Rejection(
                .coordinateOutOfRange,
                field: name,
                sentence: "\(name) \(number.shortDescription) is out of range (-\(limit) to "
                    + "\(limit))."
            )
        }
    }
}

extension ExactDecimal {
    /// The number as a sentence shows it.
    fileprivate var shortDescription: String {
        description.utf8.count <= 40 ? description : String(doubleValue)
    }
}
