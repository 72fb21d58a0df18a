/// The colour profile of screens, for printers.
enum ColorProfile {
    /// A profile of sRGB (IEC 61966-2-1) of the form of ICC.1:2004-10: its primary colours under
    /// the illuminant D50, and its curve as a function.
    static var sRGB: [UInt8] {
        let curve = tag(
            "para",
            beginning: [3, 0].flatMap(short),
            [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.040_45]
        )
        let tags: [(name: String, content: [UInt8])] = [
            ("desc", words("sRGB")), ("cprt", words("No copyright")), ("wtpt", tag("XYZ ", d50)),
            (
                "chad",
                tag(
                    "sf32",
                    [
                        1.047_811_2, 0.022_886_6, -0.050_127_0, 0.029_542_4, 0.990_484_4,
                        -0.017_049_1, -0.009_234_5, 0.015_043_6, 0.752_131_6,
                    ]
                )
            ), ("rXYZ", tag("XYZ ", [0.436_074_7, 0.222_504_5, 0.013_932_2])),
            ("gXYZ", tag("XYZ ", [0.385_064_9, 0.716_878_6, 0.097_104_5])),
            ("bXYZ", tag("XYZ ", [0.143_080_4, 0.060_616_9, 0.714_173_3])),
            ("rTRC", curve), ("gTRC", curve),
            ("bTRC", curve),
        ]
        let start = 128 + 4 + 12 * tags.count
        var (table, contents): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in tags {
            table += name.utf8
            table += long(start + contents.count) + long(content.count)
            contents += content
        }
        return head(byteCount: start + contents.count) + long(tags.count) + table + contents
    }

    /// The white point of the illuminant D50.
    private static let d50 = [0.964_2, 1, 0.824_9]

    private static func head(byteCount: Int) -> [UInt8] {
        var head = long(byteCount) + long(0) + [4, 0x20, 0, 0]
        head += "mntrRGB XYZ ".utf8
        // The day on which it was made.
        head += [2026, 1, 1, 0, 0, 0].flatMap(short)
        head += "acsp".utf8
        head += [UInt8](repeating: 0, count: 28)
        head += d50.flatMap(fixed)
        return head + [UInt8](repeating: 0, count: 128 - head.count)
    }

    private static func tag(
        _ kind: String,
        beginning: [UInt8] = [],
        _ numbers: [Double]
    ) -> [UInt8] {
        Array(kind.utf8) + long(0) + beginning + numbers.flatMap(fixed)
    }

    /// Returns words in English, in UTF-16, with zeros up to a multiple of four bytes.
    private static func words(_ text: String) -> [UInt8] {
        let letters = text.utf16.flatMap { short(Int($0)) }
        let words =
            Array("mluc".utf8) + long(0) + long(1) + long(12) + Array("enUS".utf8)
            + long(letters.count) + long(28) + letters
        return words + [UInt8](repeating: 0, count: (4 - words.count % 4) % 4)
    }

    private static func short(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }

    private static func long(_ number: Int) -> [UInt8] { short(number >> 16) + short(number) }

    /// Returns a number with sixteen binary places.
    private static func fixed(_ number: Double) -> [UInt8] {
        long(Int((number * 65_536).rounded()))
    }
}
