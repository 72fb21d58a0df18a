import DriveSimulation
import LedgerKeeping
import LedgerRows
import LedgerTestSupport
import Tables
import TestSupport
import Testing
import TripEvents

@testable import TripLedger

/// A line written straight from an entry equals the line of its event.
@Suite struct LogWriterLawTests {
    private static let sources = ["phone", "=1, \"Zoë\" \u{202E}", "tracker\\7"]
    private static let ids: [String?] = [nil, nil, "a", "say \"é\", \\ please", "-1"]
    private static let actors: [String?] = [nil, nil, nil, "Ann"]

    /// Returns a number with up to `digits` digits before the point and any number behind it, so
    /// that some need the wide frame and some their own text.
    private static func number(
        upTo limit: Int64,
        _ random: inout SplitMix64
    ) throws -> ExactDecimal {
        let decimals = Int.random(in: 0...8, using: &random)
        let unit = Int64(PowersOfTen.integers[decimals])
        let digits = Int64.random(in: -limit * unit...limit * unit, using: &random)
        let number = try #require(ExactDecimal(significand: digits, decimals: decimals))
        guard Int.random(in: 0..<20, using: &random) == 0 else { return number }
        return try #require(ExactDecimal(literal: "0.1234567890123456789012"))
    }

    /// Returns a number, or that there is none.
    private static func maybe(
        upTo limit: Int64,
        _ random: inout SplitMix64
    ) throws -> ExactDecimal? {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: nil
        case 1: -1
        case 2: 0
        default: try number(upTo: limit, &random)
        }
    }

    /// Returns readings of every form.
    static func readings(_ count: Int, _ random: inout SplitMix64) throws -> [TripEvent] {
        var events: [TripEvent] = []
        for index in 0..<count {
            let offset = Int.random(in: -1_439...1_439, using: &random)
            let sequences: [UInt64?] = [nil, UInt64(index), .max]
            let fix = FixRecorded(
                latitude: try number(upTo: 90, &random),
                longitude: try number(upTo: 180, &random),
                accuracy: try maybe(upTo: 9_000, &random),
                altitude: try maybe(upTo: 900_000, &random),
                speed: try maybe(upTo: 700, &random),
                course: try maybe(upTo: 360, &random),
                provider: FixProvider.allCases.randomElement(using: &random),
                isMock: [nil, true, false].randomElement(using: &random) ?? nil
            )
            let day = Int64.random(in: 4_000...20_000, using: &random)
            let within = Int64.random(in: 0..<86_400_000, using: &random)
            events.append(
                TripEvent(
                    source: sources.randomElement(using: &random) ?? "phone",
                    occurredAt: Timestamp(
                        milliseconds: day * Timestamp.millisecondsPerDay
                            + (Bool.random(using: &random) ? within : within / 1_000 * 1_000)
                    ),
                    utcOffset: Bool.random(using: &random) ? UTCOffset(minutes: offset) : nil,
                    id: (ids.randomElement(using: &random) ?? nil).map { "\($0)\(index)" },
                    sequence: sequences.randomElement(using: &random) ?? nil,
                    actor: actors.randomElement(using: &random) ?? nil,
                    body: .fixRecorded(fix)
                )
            )
        }
        return events
    }

    /// Returns a line of `ledger log` as people see it.
    private static func text(of entry: StoredEvent) -> String {
        let event = entry.event
        let source = event.source.isEmpty ? "ledger" : Excerpt.escaped(event.source)
        return "\(entry.position)  \(LocalTime.text(event.time))  \(source)  "
            + "\(event.body.typeName) \(Excerpt.escaped(event.contentJSON))\n"
    }

    /// Returns whether a line is as long as a screen allows, and else the whole one.
    private static func fits(_ shown: [UInt8], _ line: [UInt8], _ width: Int?) -> Bool {
        let whole = String(decoding: line, as: UTF8.self).dropLast()
        guard let width, whole.count > width else { return shown == line }
        return String(decoding: shown, as: UTF8.self) == "\(whole.prefix(width - 1))…\n"
    }

    @Test(arguments: Seeds.fresh(8), [RowFormat.text, .json, .csv])
    func `an entry is written as its event is`(seed: UInt64, format: RowFormat) throws {
        var random = SplitMix64(seed: seed)
        let book = try TemporaryLedger()
        let receipts = try book.append(try Self.readings(400, &random))
        let refused = receipts.filter { if case .rejected = $0 { true } else { false } }
        #expect(refused.isEmpty, "seed \(seed): \(refused.prefix(3))")
        try book.appendRandomBook(seed: seed)
        let place = Timestamp(milliseconds: 1_700_000_000_000)
        _ = try book.appendOfTheFuture(
            kind: 0x6F,
            payload: [1, 2, 3],
            source: "phone",
            occurredAt: place
        )
        try book.eraseSome(using: &random)
        var style = TextStyle(clock: LocalDay(zone: .utc))
        style.spreadsheet = [nil, .comma, .point][Int.random(in: 0..<3, using: &random)]
        var writer = LogWriter(as: format, style)
        let width = Int.random(in: 1...120, using: &random)
        var narrowStyle = style
        narrowStyle.width = width
        var narrow = LogWriter(as: format, narrowStyle)
        var written: [[UInt8]] = []
        var readings = 0
        _ = try book.ledger.scanLog(from: 0, where: LogFilter()) { entry in
            var line: [UInt8] = []
            writer.append(entry, to: &line)
            written.append(line)
            var shown: [UInt8] = []
            narrow.append(entry, to: &shown)
            #expect(Self.fits(shown, line, format == .text ? width : nil), "seed \(seed), \(width)")
            switch entry {
            case .reading: readings += 1
            case .event: break
            }
            return true
        }
        #expect(readings > 200, "seed \(seed)")
        var expected: [[UInt8]] = []
        try book.ledger.scanLog(from: 0) { stored in
            var line: [UInt8] = []
            switch format {
            case .text: line = Array(Self.text(of: stored).utf8)
            case .csv: StoredEvent.columns.appendCSV(stored, to: &line, CSVForm(style))
            case .json:
                StoredEvent.columns.appendJSON(stored, to: &line, by: nil)
                #expect(line == stored.json, "seed \(seed)")
                line.append(UInt8(ascii: "\n"))
            case .ids: Issue.record("entries have positions")
            }
            expected.append(line)
            return true
        }
        #expect(written.count == expected.count, "seed \(seed)")
        for (line, wanted) in zip(written, expected) where line != wanted {
            let (line, wanted) = (String(decoding: line, as: UTF8.self), wanted)
            #expect(line == String(decoding: wanted, as: UTF8.self), "seed \(seed)")
        }
    }

    @Test func `a number in words is the same text without zeros at its end`() {
        var random = SplitMix64(seed: Seeds.fresh(1)[0])
        var numbers: [Int64] = [0, 1, -1, 99_999_999, 100_000_000, -100_000_001, .max, .min]
        numbers += (0..<20_000)
            .map { _ in Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0..<63) }
        numbers += (0..<10_000).map { Int64($0) }
        for number in numbers {
            let decimals = Int.random(in: 0..<20, using: &random)
            var bytes: [UInt8] = []
            bytes.append(addingCapacity: DigitText.room) {
                DigitText.append(number, decimals: decimals, to: &$0)
            }
            var wanted = FixedPoint.text(number, decimals: decimals)
            if wanted.contains(".") {
                while wanted.last == "0" { wanted.removeLast() }
                if wanted.last == "." { wanted.removeLast() }
            }
            #expect(String(decoding: bytes, as: UTF8.self) == wanted)
        }
    }

    @Test func `a time in words is the same text`() {
        let seed = Seeds.fresh(1)[0]
        var random = SplitMix64(seed: seed)
        let writable = RFC3339.writable
        var milliseconds: Int64 = 0
        // As within a log: the date of one time is kept for those after it.
        var date = DateText(daysSince1970: 0)
        for index in 0..<20_000 {
            milliseconds =
                switch index {
                case 0: writable.lowerBound.milliseconds
                case 1: writable.upperBound.milliseconds
                case _ where index % 4 > 1:
                    min(milliseconds + 20_000_000, writable.upperBound.milliseconds)
                default:
                    Int64.random(
                        in: writable.lowerBound.milliseconds...writable.upperBound.milliseconds,
                        using: &random
                    )
                }
            let offset = UTCOffset(minutes: Int.random(in: -1_439...1_439, using: &random))
            let time = EventTime(
                Timestamp(milliseconds: milliseconds),
                utcOffset: Bool.random(using: &random) ? offset : nil
            )
            var bytes: [UInt8] = []
            bytes.append(addingCapacity: TimeText.room) { TimeText(time, &date).append(to: &$0) }
            let wanted = RFC3339.text(time.timestamp, utcOffset: time.utcOffset)
            #expect(String(decoding: bytes, as: UTF8.self) == wanted, "seed \(seed)")
        }
    }
}
