/// A GPS reading whose numbers have at most 18 digits and decimals: what the narrow and the wide
/// frame are made from, without allocating.
struct FixNumbers: Hashable, BitwiseCopyable {
    var latitude: ScaledDecimal
    var longitude: ScaledDecimal
    var altitude: ScaledDecimal?
    var accuracy: ScaledDecimal?
    var speed: ScaledDecimal?
    var course: ScaledDecimal?
    var origin: FixOrigin

    /// Appends the reading in the narrow frame if it fits, else in the wide one.
    @inline(__always)
    func append(to payload: inout [UInt8]) -> PayloadForm.Frame {
        if let narrow = NarrowFix(self) {
            narrow.append(to: &payload)
            return .narrowFix
        }
        appendWide(to: &payload)
        return .wideFix
    }
}

extension FixNumbers {
    /// Creates the numbers of a reading, or returns `nil` if one needs more digits.
    init?(_ fix: FixRecorded) {
        guard let latitude = fix.latitude.scaled, let longitude = fix.longitude.scaled else {
            return nil
        }
        self.init(
            latitude: latitude,
            longitude: longitude,
            altitude: fix.altitude?.scaled,
            accuracy: fix.accuracy?.scaled,
            speed: fix.speed?.scaled,
            course: fix.course?.scaled,
            origin: FixOrigin(provider: fix.provider, isMock: fix.isMock)
        )
        let isWhole =
            (altitude == nil) == (fix.altitude == nil)
            && (accuracy == nil) == (fix.accuracy == nil)
            && (speed == nil) == (fix.speed == nil) && (course == nil) == (fix.course == nil)
        guard isWhole else { return nil }
    }

    /// Creates the event's content, or returns `nil` if a code in the origin is not known.
    func recorded() -> FixRecorded? {
        guard let provider = origin.provider else { return nil }
        return FixRecorded(
            latitude: ExactDecimal(latitude),
            longitude: ExactDecimal(longitude),
            accuracy: accuracy.map(ExactDecimal.init),
            altitude: altitude.map(ExactDecimal.init),
            speed: speed.map(ExactDecimal.init),
            course: course.map(ExactDecimal.init),
            provider: provider.value,
            isMock: origin.isMock
        )
    }
}
