import Importers
import Testing
import TripEvents

/// Traps seen in FIT files, and others that the protocol allows.
@Suite struct FITTrapTests {
    /// 2024-03-01T07:00:00Z.
    private static let moment: Int64 = 1_709_276_400 - 631_065_600

    /// 45° north, 90° west.
    private static let position: [(Int64, Int)] = [(0x2000_0000, 4), (-0x4000_0000, 4)]

    private static func fix(_ seconds: Int, _ rest: String = "", source: String = "fit") -> String {
        #"{"type":"fix_recorded","source":"\#(source)","#
            + #""occurred_at":"2024-03-01T07:00:\#(seconds < 10 ? "0" : "")\#(seconds).000Z","#
            + #""lat":45,"lon":-90\#(rest)}"#
    }

    @Test func `either order of bytes, either header, and several files in one`() throws {
        var bytes: [UInt8] = []
        for (isBigEndian, count) in [(false, 12), (true, 14)] {
            var file = FITEncoder(isBigEndian: isBigEndian, headerByteCount: count)
            file.define(0, global: 0, [(3, 4), (4, 4)])
            file.add(0, [(isBigEndian ? 77 : 0, 4), (Self.moment, 4)])
            file.define(5, global: 20, [(253, 4), (0, 4), (1, 4)])
            file.add(5, [(Self.moment, 4)] + Self.position)
            bytes += file.bytes
        }
        let imported = try Imported(bytes, as: .fit)
        #expect(imported.events == [Self.fix(0), Self.fix(0, source: "fit/77")])
        #expect(imported.rejected.isEmpty && imported.ignored.isEmpty)
    }

    @Test func `fields that are not there, or unknown, say nothing`() throws {
        var file = FITEncoder()
        let position: [(UInt8, UInt8)] = [(253, 4), (0, 4), (1, 4)]
        file.define(1, global: 20, position + [(2, 2), (78, 4), (6, 2), (73, 4), (31, 1), (3, 1)])
        let start = [(Self.moment, 4)] + Self.position
        file.add(
            1,
            start + [(2_515, 2), (0xFFFF_FFFF, 4), (1_234, 2), (0xFFFF_FFFF, 4), (255, 1), (9, 1)]
        )
        file.add(1, start + [(0xFFFF, 2), (2_490, 4), (0xFFFF, 2), (0, 4), (3, 1), (9, 1)])
        file.add(
            1,
            [(Self.moment, 4), (0x7FFF_FFFF, 4), (0, 4)] + [
                (0, 2), (0, 4), (0, 2), (0, 4), (3, 1), (9, 1),
            ]
        )
        // Another definition takes the number over; apps add fields of their own.
        file.define(1, global: 20, position, developer: [3, 1])
        file.add(1, start + [(7, 3), (8, 1)])
        // A field of another size is not a known one.
        file.define(1, global: 20, [(253, 4), (0, 8), (1, 4)])
        file.add(1, [(Self.moment, 4), (1, 8), (1, 4)])
        let imported = try Imported(file.bytes, as: .fit)
        #expect(
            imported.events == [
                Self.fix(0, #","altitude":3,"speed":1.234"#),
                #"{"type":"fix_recorded","source":"fit","occurred_at":"2024-03-01T07:00:00.000Z","#
                    + #""lat":45,"lon":-90,"accuracy":3,"altitude":-2,"speed":0,"sequence":1}"#,
                #"{"type":"fix_recorded","source":"fit","occurred_at":"2024-03-01T07:00:00.000Z","#
                    + #""lat":45,"lon":-90,"sequence":2}"#,
            ]
        )
        #expect(imported.ignored == ["3 no_position", "5 no_position"])
        #expect(imported.rejected.isEmpty)
    }

    @Test func `short times count on from the last one`() throws {
        var file = FITEncoder()
        file.define(0, global: 21, [(253, 4)])
        file.define(1, global: 20, [(0, 4), (1, 4)])
        // Its low five bits are 16.
        file.add(0, [(Self.moment, 4)])
        let low = UInt8(Self.moment & 0x1F)
        for seconds in [0, 3, 3, 20, 36] as [UInt8] {
            file.add(1, lowTime: (low + seconds) & 0x1F, Self.position)
        }
        let imported = try Imported(file.bytes, as: .fit)
        // The third is the same instant as the second, and is told by nothing.
        let expected = [0, 3, 3, 20, 36].map { Self.fix($0) }
        #expect(imported.events == expected)
    }

    @Test func `times since the device was switched on are none`() throws {
        var file = FITEncoder()
        file.define(0, global: 20, [(0, 4), (1, 4)])
        file.add(0, Self.position)
        file.define(0, global: 20, [(253, 4), (0, 4), (1, 4)])
        file.add(0, [(0x0FFF_FFFF, 4)] + Self.position)
        file.add(0, [(Self.moment + 9, 4)] + Self.position)
        let imported = try Imported(file.bytes, as: .fit)
        #expect(imported.events == [Self.fix(9)])
        #expect(imported.rejected == ["1 missing_field", "2 invalid_time"])
    }

    @Test func `messages behind the size of an earlier moment are read`() throws {
        var file = FITEncoder()
        file.define(0, global: 20, [(253, 4), (0, 4), (1, 4)])
        for second in 0..<5 { file.add(0, [(Self.moment + Int64(second), 4)] + Self.position) }
        // Header, and messages without a checksum; three records of 13 bytes were added later.
        var bytes = Array(file.bytes.prefix(12)) + file.messages
        bytes[4] -= 3 * 13
        let imported = try Imported(bytes, as: .fit)
        #expect(imported.events == (0..<5).map { Self.fix($0) })
        #expect(imported.rejected.isEmpty && imported.ignored.isEmpty)
    }

    @Test func `what is damaged is named, and what was read stays`() throws {
        var file = FITEncoder()
        file.define(0, global: 20, [(253, 4), (0, 4), (1, 4)])
        file.add(0, [(Self.moment, 4)] + Self.position)
        let bytes = file.bytes
        var changed = bytes
        changed[1] ^= 1
        var imported = try Imported(changed, as: .fit)
        #expect(imported.events == [Self.fix(0)])
        #expect(imported.rejected == ["2 invalid_checksum"])
        for count in 1..<bytes.count {
            imported = try Imported(Array(bytes.prefix(count)), as: .fit)
            // The last two bytes are the checksum, and no record is in them.
            let isWhole = count >= bytes.count - 2
            #expect(imported.rejected.count == (isWhole ? 0 : 1), "\(count)")
            #expect(imported.events == (isWhole ? [Self.fix(0)] : []), "\(count)")
        }
        imported = try Imported(bytes + [1, 2, 3], as: .fit)
        #expect(imported.events == [Self.fix(0)])
        #expect(imported.rejected.isEmpty)
        #expect(imported.ignored == ["2 behind_the_end"])
        // Behind a wrong checksum, bytes that look like messages are none without a near time.
        let wrong = Array(bytes.dropLast(2)) + [0x00, 0x5A]
        for junk in [[UInt8](repeating: 0x33, count: 40), [0], Array(repeating: 0, count: 26)] {
            imported = try Imported(wrong + junk, as: .fit)
            #expect(imported.events == [Self.fix(0)], "\(junk)")
            #expect(imported.rejected == ["2 invalid_checksum"])
            #expect(imported.ignored == ["3 behind_the_end"])
        }
        var lying = bytes
        lying[4] -= 1
        #expect(try Imported(lying, as: .fit).rejected == ["1 invalid_value"])
        var undefined = FITEncoder()
        undefined.add(3, [(1, 4)])
        #expect(try Imported(undefined.bytes, as: .fit).rejected == ["1 invalid_value"])
    }
}
