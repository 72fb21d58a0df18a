import CivilTime
import DriveSimulation
import Geodesy
import RowCoding
import TestSupport
import Testing

@Suite struct RowCodingTests {
    private static let version: UInt8 = 3

    /// Returns the bytes of what `write` writes.
    private func bytes(_ write: (inout RowEncoder) -> Void) -> [UInt8] {
        var encoder = RowEncoder(version: Self.version)
        write(&encoder)
        return encoder.bytes
    }

    private func number(in body: [UInt8]) throws -> UInt64 {
        var decoder = try RowDecoder([Self.version] + body, version: Self.version)
        let number = try decoder.readUInt64()
        try decoder.finish()
        return number
    }

    @Test(arguments: Seeds.fresh(100))
    func `what is written is read again`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let number = random.next() >> (random.next() % 64)
        let word = random.next()
        let instant = Timestamp(milliseconds: Int64(random.next() % (1 << 47)))
        let offset = UTCOffset(minutes: Int(random.next() % 2_879) - 1_439)
        let place = try #require(Coordinate(latitude: 52.5, longitude: -13.25))
        let text = "Jörg’s car \(random.next())"
        let bytes = bytes { encoder in
            encoder.write(number)
            encoder.write(Int64(bitPattern: word))
            encoder.write(word: word)
            encoder.write(random.next() % 2 == 0 ? text : nil) { $0.write($1) }
            encoder.write(EventTime(instant, utcOffset: offset))
            encoder.write(Distance(millimeters: 1_234))
            encoder.write(place)
            encoder.write(true)
        }
        var decoder = try RowDecoder(bytes, version: Self.version)
        #expect(try decoder.readUInt64() == number)
        #expect(try decoder.readInt64() == Int64(bitPattern: word))
        #expect(try decoder.readWord() == word)
        #expect([text, nil].contains(try decoder.readOptionalText()))
        #expect(try decoder.readEventTime() == EventTime(instant, utcOffset: offset))
        #expect(try decoder.readDistance() == Distance(millimeters: 1_234))
        #expect(try decoder.readCoordinate() == place)
        #expect(try decoder.readBool())
        try decoder.finish()
    }

    @Test func `a row of another version, cut short or too long is refused`() throws {
        let bytes = bytes { $0.write("a text") }
        #expect(throws: RowCodingError.truncated) { try RowDecoder([], version: Self.version) }
        #expect(throws: RowCodingError.unknownVersion(Self.version)) {
            try RowDecoder(bytes, version: 4)
        }
        for count in 1..<bytes.count {
            #expect(throws: RowCodingError.truncated) {
                var decoder = try RowDecoder(Array(bytes.prefix(count)), version: Self.version)
                _ = try decoder.readText()
            }
        }
        #expect(throws: RowCodingError.trailingBytes) {
            var decoder = try RowDecoder(bytes + [0], version: Self.version)
            _ = try decoder.readText()
            try decoder.finish()
        }
    }

    @Test func `a number has one form only, and at most ten bytes`() throws {
        let most: [UInt8] = Array(repeating: 0xFF, count: 9) + [1]
        #expect(try number(in: most) == .max)
        #expect(throws: RowCodingError.truncated) { try number(in: [0x80]) }
        #expect(throws: RowCodingError.invalidValue) { try number(in: [0x80, 0]) }
        #expect(throws: RowCodingError.invalidValue) { try number(in: most.dropLast() + [2]) }
        #expect(throws: RowCodingError.invalidValue) {
            try number(in: Array(repeating: 0xFF, count: 10) + [1])
        }
    }

    @Test func `a value that no program writes is refused`() throws {
        let negative = bytes { $0.write(Int64(-1)) }
        #expect(throws: RowCodingError.invalidValue) {
            var decoder = try RowDecoder(negative, version: Self.version)
            _ = try decoder.readAmount()
        }
        let farNorth = bytes {
            $0.write(91.0)
            $0.write(0.0)
        }
        #expect(throws: RowCodingError.invalidValue) {
            var decoder = try RowDecoder(farNorth, version: Self.version)
            _ = try decoder.readCoordinate()
        }
        #expect(throws: RowCodingError.invalidValue) {
            var decoder = try RowDecoder([Self.version, 2], version: Self.version)
            _ = try decoder.readBool()
        }
    }

    @Test func `numbers in keys are in the order of their bytes`() {
        let keys = [0, 1, 255, 256, .max]
            .map { (number: UInt64) in
                var bytes: [UInt8] = []
                bytes.append(bigEndian: number)
                return bytes
            }
        for (key, next) in zip(keys, keys.dropFirst()) {
            #expect(key.lexicographicallyPrecedes(next))
        }
    }
}
