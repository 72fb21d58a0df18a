/// A GPS reading whose numbers have at most 18 digits and decimals: what the narrow and the wide
/// frame are made from, without allocating.
struct FixNumbers: Hashable, Sendable, BitwiseCopyable {
    var latitude: ScaledDecimal
    var longitude: ScaledDecimal
    var altitude: ScaledDecimal?
    var accuracy: ScaledDecimal?
    var speed: ScaledDecimal?
    var course: ScaledDecimal?
    var origin: FixOrigin

    /// Whether latitude and longitude are those of a place on Earth.
    @inline(__always)
    var hasPosition: Bool {
        NumberRule.isAngle(latitude, atMost: 90) && NumberRule.isAngle(longitude, atMost: 180)
    }

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

extension TripEvent {
    /// Returns the narrow form of an event that is a GPS reading of a place on Earth, or `nil` if
    /// a number does not fit into it or it is no such reading.
    // It takes the span because the compiler copies all of an event to call a method on it.
    static func narrowFix(of events: Span<TripEvent>, at index: Int) -> NarrowFix? {
        switch events[index].body {
        case .fixRecorded(let fix): fix.narrow()
        default: nil
        }
    }

    /// Returns the numbers of an event that is a GPS reading, or `nil` if one needs more digits or
    /// it is no reading.
    static func fixNumbers(of events: Span<TripEvent>, at index: Int) -> FixNumbers? {
        switch events[index].body {
        case .fixRecorded(let fix): fix.numbers()
        default: nil
        }
    }
}

extension FixRecorded {
    /// The narrow form of a reading of a place on Earth, or `nil` if a number does not fit into it.
    @inline(__always)
    borrowing func narrow() -> NarrowFix? {
        NarrowFix(
            latitude: latitude.units(places: 7).flatMap { NarrowFix.packAngle($0, atMost: 90) },
            longitude: longitude.units(places: 7).flatMap { NarrowFix.packAngle($0, atMost: 180) },
            altitude: Self.narrowAltitude(altitude),
            accuracy: Self.narrowNumber(accuracy, places: 1),
            speed: Self.narrowNumber(speed, places: 2),
            course: Self.narrowNumber(course, places: 2),
            origin: FixOrigin(provider: provider, isMock: isMock)
        )
    }

    @inline(__always)
    private static func narrowAltitude(_ number: borrowing ExactDecimal?) -> Int32? {
        switch number {
        case .none: NarrowFix.altitudeAbsent
        case .some(let number): number.units(places: 1).flatMap { NarrowFix.packAltitude($0) }
        }
    }

    @inline(__always)
    private static func narrowNumber(
        _ number: borrowing ExactDecimal?,
        places: UInt8
    ) -> UInt16? {
        switch number {
        case .none: NarrowFix.absent
        case .some(let number):
            number.units(places: places).flatMap { NarrowFix.pack($0, places: Int(places)) }
        }
    }

    /// The reading in numbers, or `nil` if one needs more digits.
    // Borrowing, because each number that is copied costs more than reading it.
    borrowing func numbers() -> FixNumbers? {
        guard let latitude = latitude.scaled, let longitude = longitude.scaled else { return nil }
        var numbers = FixNumbers(
            latitude: latitude,
            longitude: longitude,
            origin: FixOrigin(provider: provider, isMock: isMock)
        )
        let isWhole =
            Self.read(altitude, into: &numbers.altitude)
            && Self.read(accuracy, into: &numbers.accuracy)
            && Self.read(speed, into: &numbers.speed)
            && Self.read(course, into: &numbers.course)
        return isWhole ? numbers : nil
    }

    /// Reads a number, if there is one, or returns `false` if it needs more digits.
    @inline(__always)
    private static func read(
        _ number: borrowing ExactDecimal?,
        into scaled: inout ScaledDecimal?
    ) -> Bool {
        switch number {
        case .none: return true
        case .some(let number):
            scaled = number.scaled
            return scaled != nil
        }
    }
}

/// The wide frame of a GPS reading (Formats, *Wide fix*).
extension FixNumbers {
    private static let altitudeBit: UInt8 = 0x01
    private static let accuracyBit: UInt8 = 0x02
    private static let speedBit: UInt8 = 0x04
    private static let courseBit: UInt8 = 0x08

    /// Appends the reading in the wide frame.
    func appendWide(to payload: inout [UInt8]) {
        payload.append(
            (altitude == nil ? 0 : Self.altitudeBit) | (accuracy == nil ? 0 : Self.accuracyBit)
                | (speed == nil ? 0 : Self.speedBit) | (course == nil ? 0 : Self.courseBit)
        )
        payload.append(origin.rawValue)
        payload.append(latitude)
        payload.append(longitude)
        if let altitude { payload.append(altitude) }
        if let accuracy { payload.append(accuracy) }
        if let speed { payload.append(speed) }
        if let course { payload.append(course) }
    }

    /// Reads the wide frame that makes up the rest of a payload.
    init(wide payload: Span<UInt8>, from start: Int) throws(PayloadDamage) {
        var reader = PayloadReader(position: start)
        let mask = try reader.byte(payload)
        guard mask < 0x10 else { throw PayloadDamage("A wide fix names unknown numbers.") }
        origin = FixOrigin(rawValue: try reader.byte(payload))
        latitude = try reader.decimal(payload)
        longitude = try reader.decimal(payload)
        altitude = mask & Self.altitudeBit == 0 ? nil : try reader.decimal(payload)
        accuracy = mask & Self.accuracyBit == 0 ? nil : try reader.decimal(payload)
        speed = mask & Self.speedBit == 0 ? nil : try reader.decimal(payload)
        course = mask & Self.courseBit == 0 ? nil : try reader.decimal(payload)
        guard reader.position == payload.count else {
            throw PayloadDamage("A wide fix has bytes after it.")
        }
    }
}
