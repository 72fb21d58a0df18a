/// A GPS reading in 18 bytes of scaled integers (Formats, *Narrow fix*).
@usableFromInline
struct NarrowFix: Hashable, BitwiseCopyable {
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

    /// Creates the narrow form, or returns `nil` if a number does not fit exactly.
    @inline(__always)
    init?(_ fix: FixNumbers) {
        guard let latitude = fix.latitude.units(places: 7).flatMap({ Int32(exactly: $0) }),
            let longitude = fix.longitude.units(places: 7).flatMap({ Int32(exactly: $0) }),
            let altitude = Self.packAltitude(fix.altitude),
            let accuracy = Self.pack(fix.accuracy, places: 1),
            let speed = Self.pack(fix.speed, places: 2),
            let course = Self.pack(fix.course, places: 2)
        else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.accuracy = accuracy
        self.speed = speed
        self.course = course
        origin = fix.origin
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
        payload.append(addingCapacity: Self.length) { span in
            Self.append(UInt32(bitPattern: latitude), bytes: 4, to: &span)
            Self.append(UInt32(bitPattern: longitude), bytes: 4, to: &span)
            Self.append(UInt32(bitPattern: altitude), bytes: 3, to: &span)
            Self.append(UInt32(accuracy), bytes: 2, to: &span)
            Self.append(UInt32(speed), bytes: 2, to: &span)
            Self.append(UInt32(course), bytes: 2, to: &span)
            span.append(origin.rawValue)
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

    @inline(__always)
    private static func append(_ number: UInt32, bytes: Int, to span: inout OutputSpan<UInt8>) {
        for byte in 0..<bytes {
            span.append(UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)))
        }
    }

    @inline(__always)
    private static func packAltitude(_ number: ScaledDecimal?) -> Int32? {
        guard let number else { return altitudeAbsent }
        guard let units = number.units(places: 1), units.magnitude <= 8_388_607 else { return nil }
        return Int32(units)
    }

    @inline(__always)
    private static func pack(_ number: ScaledDecimal?, places: UInt8) -> UInt16? {
        guard let number else { return absent }
        guard let units = number.units(places: places) else { return nil }
        if number.significand == -1, number.decimals == 0 { return minusOne }
        return 0..<Int64(minusOne) ~= units ? UInt16(units) : nil
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
