/// A GPS reading in 18 bytes of scaled integers (Formats, *Narrow fix*).
@usableFromInline
struct NarrowFix: Hashable, Sendable, BitwiseCopyable {
    @inlinable static var length: Int { 18 }
    static let altitudeAbsent: Int32 = -8_388_608
    static let absent: UInt16 = 65_535

    /// −1 as reported: the usual way to say that a number is not known.
    @inlinable static var minusOne: UInt16 { 65_534 }

    /// In units of 1e-7 degree.
    @usableFromInline var latitude: Int32

    /// In units of 1e-7 degree.
    @usableFromInline var longitude: Int32

    /// In units of 0.1 m, 24 bits.
    @usableFromInline var altitude: Int32

    /// In units of 0.1 m.
    @usableFromInline var accuracy: UInt16

    /// In units of 0.01 m/s.
    @usableFromInline var speed: UInt16

    /// In units of 0.01 degree.
    @usableFromInline var course: UInt16

    @usableFromInline var origin: FixOrigin

    /// Creates the narrow form from its packed numbers, or returns `nil` if one did not fit.
    @inline(__always)
    init?(
        latitude: Int32?,
        longitude: Int32?,
        altitude: Int32?,
        accuracy: UInt16?,
        speed: UInt16?,
        course: UInt16?,
        origin: FixOrigin
    ) {
        guard let latitude, let longitude, let altitude, let accuracy, let speed, let course
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
        self.origin = origin
    }

    /// Creates the narrow form, or returns `nil` if a number does not fit exactly.
    @inline(__always)
    init?(_ fix: FixNumbers) {
        self.init(
            latitude: fix.latitude.units(places: 7).flatMap { Int32(exactly: $0) },
            longitude: fix.longitude.units(places: 7).flatMap { Int32(exactly: $0) },
            altitude: Self.packAltitude(fix.altitude),
            accuracy: Self.pack(fix.accuracy, places: 1),
            speed: Self.pack(fix.speed, places: 2),
            course: Self.pack(fix.course, places: 2),
            origin: fix.origin
        )
    }

    /// Reads the 18 bytes at an offset, which MUST be there.
    @inlinable @inline(__always)
    init(_ payload: Span<UInt8>, at start: Int) {
        latitude = Int32(truncatingIfNeeded: payload.littleEndian(at: start, bytes: 4))
        longitude = Int32(truncatingIfNeeded: payload.littleEndian(at: start + 4, bytes: 4))
        let unsigned = UInt32(truncatingIfNeeded: payload.littleEndian(at: start + 8, bytes: 3))
        // Shifting left and back again extends the sign of the 24 bits.
        altitude = Int32(bitPattern: unsigned << 8) >> 8
        accuracy = UInt16(truncatingIfNeeded: payload.littleEndian(at: start + 11, bytes: 2))
        speed = UInt16(truncatingIfNeeded: payload.littleEndian(at: start + 13, bytes: 2))
        course = UInt16(truncatingIfNeeded: payload.littleEndian(at: start + 15, bytes: 2))
        origin = FixOrigin(rawValue: payload[start + 17])
    }

    /// Appends the 18 bytes.
    @inline(__always)
    func append(to payload: inout [UInt8]) {
        let height = UInt64(UInt32(bitPattern: altitude) & 0xFF_FFFF)
        let position =
            UInt64(UInt32(bitPattern: latitude)) | UInt64(UInt32(bitPattern: longitude)) << 32
        let numbers =
            height | UInt64(accuracy) << 24 | UInt64(speed) << 40 | UInt64(course) << 56
        payload.append(addingCapacity: Self.length) { span in
            span.append(repeating: 0, count: Self.length)
            // At once: one append for each byte would check eighteen times whether it fits.
            var bytes = span.mutableSpan
            precondition(bytes.count == Self.length, "the room is what was asked for")
            for index in 0..<8 {
                bytes[index] = UInt8(truncatingIfNeeded: position >> UInt64(8 * index))
                bytes[8 + index] = UInt8(truncatingIfNeeded: numbers >> UInt64(8 * index))
            }
            bytes[16] = UInt8(truncatingIfNeeded: course >> 8)
            bytes[17] = origin.rawValue
        }
    }

    /// The same reading in decimals.
    var numbers: FixNumbers {
        FixNumbers(
            latitude: Self.decimal(Int64(latitude), places: 7),
            longitude: Self.decimal(Int64(longitude), places: 7),
            altitude: altitude == Self.altitudeAbsent
                ? nil : Self.decimal(Int64(altitude), places: 1),
            accuracy: Self.unpack(accuracy, places: 1),
            speed: Self.unpack(speed, places: 2),
            course: Self.unpack(course, places: 2),
            origin: origin
        )
    }

    /// Packs degrees in units of 1e-7, or returns `nil` if they are beyond the limit.
    @inline(__always)
    static func packAngle(_ units: Int64, atMost degrees: Int64) -> Int32? {
        units.magnitude <= UInt64(degrees * 10_000_000) ? Int32(units) : nil
    }

    /// Packs an altitude in units of 0.1 m, or returns `nil` if it needs more bits.
    @inline(__always)
    static func packAltitude(_ units: Int64) -> Int32? {
        units.magnitude <= 8_388_607 ? Int32(units) : nil
    }

    /// Packs a number in units of 10^−places, or returns `nil` if it has none.
    @inline(__always)
    static func pack(_ units: Int64, places: Int) -> UInt16? {
        if 0..<Int64(minusOne) ~= units { return UInt16(units) }
        return units == -Int64(PowersOfTen.integers[places]) ? minusOne : nil
    }

    @inline(__always)
    private static func packAltitude(_ number: ScaledDecimal?) -> Int32? {
        guard let number else { return altitudeAbsent }
        return number.units(places: 1).flatMap { packAltitude($0) }
    }

    @inline(__always)
    private static func pack(_ number: ScaledDecimal?, places: UInt8) -> UInt16? {
        guard let number else { return absent }
        return number.units(places: places).flatMap { pack($0, places: Int(places)) }
    }

    private static func unpack(_ units: UInt16, places: Int) -> ScaledDecimal? {
        switch units {
        case absent: nil
        case minusOne: decimal(-1, places: 0)
        default: decimal(Int64(units), places: places)
        }
    }

    private static func decimal(_ units: Int64, places: Int) -> ScaledDecimal {
        ScaledDecimal(magnitude: units.magnitude, decimals: places, isNegative: units < 0) ?? .zero
    }
}

/// A fix's origin byte: bits 0–3 the provider, bit 6 whether mock is known, bit 7 mock.
@usableFromInline
struct FixOrigin: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
    @usableFromInline var rawValue: UInt8

    /// A provider that may be left out, so that "unknown code" is another answer than "none".
    struct Provider {
        var value: FixProvider?
    }

    @inlinable @inline(__always)
    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    @inline(__always)
    init(provider: FixProvider?, isMock: Bool?) {
        rawValue = provider?.code ?? 0
        if let isMock {
            rawValue |= isMock ? 0xC0 : 0x40
        }
    }

    /// The provider, or `nil` if this version does not write the byte.
    var provider: Provider? {
        guard rawValue & 0x30 == 0, rawValue & 0xC0 != 0x80 else { return nil }
        let code = Int(rawValue & 0x0F)
        return code < Self.providers.count ? Provider(value: Self.providers[code]) : nil
    }

    /// The providers by their codes; 0 is none.
    private static let providers: [FixProvider?] =
        [nil] + FixProvider.allCases.sorted { $0.code < $1.code }

    /// Whether the source says the location was made up, if it says.
    @inlinable var isMock: Bool? { rawValue & 0x40 != 0 ? rawValue & 0x80 != 0 : nil }
}

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
