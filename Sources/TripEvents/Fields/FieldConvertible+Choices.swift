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
extension TripClass: FieldConvertible {}
extension DistanceUnit: FieldConvertible {}
extension OdometerMethod: FieldConvertible {}
extension LocationFailure: FieldConvertible {}
extension CustomFieldType: FieldConvertible {}
