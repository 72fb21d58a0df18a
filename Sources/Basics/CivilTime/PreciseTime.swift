/// A time as precisely as it was written: an instant, and the nanoseconds after its millisecond.
package struct PreciseTime: Hashable, Sendable {
    /// How many nanoseconds a millisecond has.
    package static let nanosecondsPerMillisecond: UInt32 = 1_000_000

    /// The instant, cut to the millisecond.
    package var time: EventTime

    /// The nanoseconds after it, 0 … 999,999.
    package var nanoseconds: UInt32

    /// Creates a time.
    package init(_ time: EventTime, nanoseconds: UInt32 = 0) {
        self.time = time
        self.nanoseconds = nanoseconds
    }
}

extension RFC3339 {
    /// The most digits after the second's point that may differ from 0.
    private static let mostDigits = 9

    /// Where the digits of a text's fraction begin: after `YYYY-MM-DDTHH:MM:SS.`.
    private static let fractionStart = 20

    /// Reads a time with up to nine decimals of a second; zeros behind them change nothing.
    package static func preciseTime(_ text: [UInt8]) throws(TimeProblem) -> PreciseTime {
        do throws(TimeProblem) {
            return PreciseTime(try Self.time(text.span, text.indices))
        } catch {
            guard error == .tooPrecise else { throw error }
        }
        let fraction = text.dropFirst(fractionStart).prefix { $0 &- UInt8(ascii: "0") < 10 }
        guard fraction.dropFirst(mostDigits).allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            throw .tooPrecise
        }
        var finer = Array(fraction.dropFirst(3).prefix(mostDigits - 3))
        finer += [UInt8](repeating: UInt8(ascii: "0"), count: mostDigits - 3 - finer.count)
        let nanoseconds = finer.reduce(UInt32(0)) { $0 * 10 + UInt32($1 - UInt8(ascii: "0")) }
        let rest = Array(text[..<(fraction.startIndex + 3)] + text[fraction.endIndex...])
        return PreciseTime(try Self.time(rest.span, rest.indices), nanoseconds: nanoseconds)
    }

    /// Returns a time with three, six or nine decimals, the fewest that say it.
    package static func text(_ precise: PreciseTime) -> String {
        var bytes: [UInt8] = []
        append(precise, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a time with three, six or nine decimals, the fewest that say it.
    package static func append(_ precise: PreciseTime, to bytes: inout [UInt8]) {
        append(precise.time.timestamp, utcOffset: precise.time.utcOffset, to: &bytes)
        guard precise.nanoseconds > 0 else { return }
        var digits = Array(String(precise.nanoseconds).utf8)
        digits = [UInt8](repeating: UInt8(ascii: "0"), count: 6 - digits.count) + digits
        if digits.suffix(3).allSatisfy({ $0 == UInt8(ascii: "0") }) { digits.removeLast(3) }
        let offsetCount = precise.time.utcOffset == nil ? 1 : offsetByteCount
        bytes.insert(contentsOf: digits, at: bytes.count - offsetCount)
    }
}
