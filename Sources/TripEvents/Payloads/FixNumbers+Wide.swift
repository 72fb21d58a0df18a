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
