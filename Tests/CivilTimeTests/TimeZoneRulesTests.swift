import CivilTime
import DriveSimulation
import Foundation
import TestSupport
import Testing

@Suite struct TimeZoneRulesTests {
    @Test(
        .enabled(if: TimeZoneProgram.isPresent, TimeZoneProgram.missing),
        arguments: Seeds.fresh(1)
    )
    func `every zone has the offsets that an independent program reads`(seed: UInt64) throws {
        let zones = try TimeZoneProgram.zones(seed: seed)
        #expect(zones.count > 300)
        for zone in zones {
            let rules = try TimeZoneRules(name: zone.name, file: zone.file)
            for (seconds, offset) in zone.offsets {
                let found = rules.offsetSeconds(at: Timestamp(milliseconds: seconds * 1_000))
                #expect(found == offset, "seed \(seed): \(zone.name) at \(seconds)")
            }
        }
    }

    /// Changes that the tz database (2025b) tells of, in its own words.
    @Test(
        .enabled(if: TimeZoneProgram.isPresent, TimeZoneProgram.missing),
        arguments: [
            // "Rule EU 1981 max - Mar lastSun 1:00u 1:00 S".
            ("Europe/Amsterdam", "2025-03-30T00:59:59.999Z", 60),
            ("Europe/Amsterdam", "2025-03-30T01:00:00Z", 120),
            ("Europe/Amsterdam", "2025-10-26T00:59:59Z", 120),
            ("Europe/Amsterdam", "2025-10-26T01:00:00Z", 60),
            // "Rule LH 2008 max - Apr Sun>=1 2:00 0 -", "Oct Sun>=1 2:00 0:30 -".
            ("Australia/Lord_Howe", "2025-04-05T14:59:59Z", 660),
            ("Australia/Lord_Howe", "2025-04-05T15:00:00Z", 630),
            ("Australia/Lord_Howe", "2025-10-04T15:29:59Z", 630),
            ("Australia/Lord_Howe", "2025-10-04T15:30:00Z", 660),
            // "Zone Asia/Kathmandu … 5:30 - +0530 1986; 5:45 - +0545".
            ("Asia/Kathmandu", "1985-12-31T18:29:59Z", 330),
            ("Asia/Kathmandu", "1985-12-31T18:30:00Z", 345),
            ("Asia/Kathmandu", "2026-07-01T00:00:00Z", 345),
            // "Rule Morocco 2025 only - Feb 23 3:00 -1:00 -", "Apr 6 2:00 0 -".
            ("Africa/Casablanca", "2025-02-23T01:59:59Z", 60),
            ("Africa/Casablanca", "2025-02-23T02:00:00Z", 0),
            ("Africa/Casablanca", "2025-04-06T01:59:59Z", 0),
            ("Africa/Casablanca", "2025-04-06T02:00:00Z", 60),
            // "Rule Brazil 2016 2019 - Feb Sun>=15 0:00 0 -", and no summer time since.
            ("America/Sao_Paulo", "2019-02-17T01:59:59Z", -120),
            ("America/Sao_Paulo", "2019-02-17T02:00:00Z", -180),
            ("America/Sao_Paulo", "2025-12-21T12:00:00Z", -180),
            // "Zone Pacific/Apia … -11:00 WS -11/-10 2011 Dec 29 24:00; 13:00 WS +13/+14".
            ("Pacific/Apia", "2011-12-30T09:59:59Z", -600),
            ("Pacific/Apia", "2011-12-30T10:00:00Z", 840),
        ]
    )
    func `clocks change when they were decreed to`(zone: String, text: String, minutes: Int) throws
    {
        let zones = try Self.files.get()
        let rules = try TimeZoneRules(name: zone, file: try #require(zones[zone]))
        let instant = try #require(RFC3339.time(text)).timestamp
        #expect(rules.offsetSeconds(at: instant) == minutes * 60)
        #expect(rules.utcOffset(at: instant) == UTCOffset(minutes: minutes))
    }

    /// Offsets by Python's `zoneinfo`, which takes the same texts; the last two are the examples of
    /// RFC 9636, section 3.3.2.
    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2100-03-28T00:59:59Z", 3_600),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2100-03-28T01:00:00Z", 7_200),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-10T00:00:00Z", 0),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-10T00:00:00Z", 3_600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-10T00:00:00Z", 39_600),
        ("AAA3BBB,J60/2,J300/2", "2024-03-01T04:59:59Z", -10_800),
        ("AAA3BBB,J60/2,J300/2", "2024-03-01T05:00:00Z", -7_200),
        ("AAA3BBB,59/2,299/2", "2024-02-29T04:59:59Z", -10_800),
        ("AAA3BBB,59/2,299/2", "2024-02-29T05:00:00Z", -7_200),
        ("EST5EDT,0/0,J365/25", "2026-01-01T04:59:59Z", -14_400),
        ("EST5EDT,0/0,J365/25", "2026-01-01T05:00:00Z", -14_400),
        ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2026-03-29T00:59:59Z", -10_800),
        ("<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", "2026-03-29T01:00:00Z", -7_200),
    ])
    func `a rule holds year after year`(posix: String, text: String, offset: Int) throws {
        let rules = try TimeZoneRules(name: "", posix: posix)
        let instant = try #require(RFC3339.time(text)).timestamp
        #expect(rules.offsetSeconds(at: instant) == offset)
    }

    @Test func `before the first change the first offset holds, after the last one the rule`()
        throws
    {
        let rules = try TimeZoneRules(name: "", file: TimeZoneFile().bytes)
        let offsets = [-1, 999_999_999, 1_000_000_000, 1_099_999_999, 1_100_000_000, 1_783_641_600]
            .map { rules.offsetSeconds(at: Timestamp(milliseconds: $0 * 1_000)) }
        #expect(offsets == [3_600, 3_600, 7_200, 7_200, 3_600, 7_200])
        let old = try TimeZoneRules(name: "", file: TimeZoneFile(version: 0).bytes)
        #expect(old.offsetSeconds(at: Timestamp(milliseconds: 1_783_641_600_000)) == 3_600)
    }

    @Test func `offsets with seconds are rounded to minutes`() throws {
        let rules = try TimeZoneRules(name: "", posix: "AMT-0:19:32")
        #expect(rules.offsetSeconds(at: Timestamp(milliseconds: 0)) == 1_172)
        #expect(rules.utcOffset(at: Timestamp(milliseconds: 0)) == UTCOffset(minutes: 20))
        #expect(
            TimeZoneRules.utc.utcOffset(at: Timestamp(milliseconds: 0)) == UTCOffset(minutes: 0)
        )
    }

    @Test func `a damaged file is refused, and says why`() throws {
        #expect(problem { $0.version = UInt8(ascii: "5") } == .unknownVersion)
        #expect(problem { $0.kinds = [] } == .invalidCount)
        #expect(problem { $0.standardIndicators = [1] } == .invalidCount)
        #expect(problem { $0.transitions[1].seconds = 1_000_000_000 } == .invalidTransition)
        #expect(problem { $0.transitions[0].kind = 2 } == .invalidTransition)
        #expect(problem { $0.kinds[0].offset = 86_400 } == .invalidOffset)
        #expect(problem { $0.kinds[0].isSummer = 2 } == .invalidOffset)
        #expect(problem { $0.kinds[0].name = 9 } == .invalidOffset)
        #expect(problem { $0.names[8] = 0x41 } == .invalidOffset)
        #expect(problem { $0.universalIndicators[0] = 2 } == .invalidOffset)
        #expect(problem { $0.leapSeconds = [1] } == .countsLeapSeconds)
        #expect(problem { $0.footer = "" } == .truncated)
        #expect(problem { $0.footer = "\nCET-1" } == .truncated)
        #expect(problem { $0.footer += "x" } == .trailingBytes)
        #expect(problem { $0.footer = "CET-1\n" } == .invalidRule)
        let bytes = TimeZoneFile().bytes
        for count in bytes.indices {
            #expect(throws: TimeZoneProblem.self) {
                try TimeZoneRules(name: "", file: Array(bytes.prefix(count)))
            }
        }
    }

    @Test(arguments: [
        "CE-1", "CET", "CET-25", "CET-24", "CET-1CEST", "CET-1CEST,M3.5.0",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M3.5.0,M10.5.0/168", "CET-1CEST,J0,J365", "CET-1CEST,0,366", "<+1-1",
        "CET-1CEST,M3.5.0,M10.5.0x", "CET-1:60", "", "CET-1CEST-24,M3.5.0,M10.5.0",
    ])
    func `what is no rule is refused`(posix: String) {
        #expect(throws: TimeZoneProblem.invalidRule) {
            try TimeZoneRules(name: "", posix: posix)
        }
    }

    @Test(arguments: Seeds.fresh(8))
    func `no damage makes a trap, or an offset that cannot be written`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let bytes = TimeZoneFile().bytes
        for index in bytes.indices {
            var damaged = bytes
            damaged[index] = UInt8(truncatingIfNeeded: random.next())
            guard let rules = try? TimeZoneRules(name: "", file: damaged) else { continue }
            for _ in 0..<8 {
                let instant = Timestamp(milliseconds: Int64(bitPattern: random.next()))
                #expect(rules.utcOffset(at: instant) != nil, "seed \(seed), byte \(index)")
            }
        }
    }

    private static let files = Result {
        Dictionary(
            uniqueKeysWithValues: try TimeZoneProgram.zones(seed: 0).map { ($0.name, $0.file) }
        )
    }

    private func problem(_ change: (inout TimeZoneFile) -> Void) -> TimeZoneProblem? {
        var file = TimeZoneFile()
        change(&file)
        do throws(TimeZoneProblem) {
            _ = try TimeZoneRules(name: "", file: file.bytes)
            return nil
        } catch {
            return error
        }
    }
}

/// Writes files as the tz database has them (RFC 9636), right or wrong.
struct TimeZoneFile {
    var version: UInt8 = UInt8(ascii: "2")
    var transitions: [(seconds: Int64, kind: UInt8)] = [(1_000_000_000, 1), (1_100_000_000, 0)]
    var kinds: [(offset: Int32, isSummer: UInt8, name: UInt8)] = [(3_600, 0, 0), (7_200, 1, 4)]
    var names: [UInt8] = Array("CET\0CEST\0".utf8)
    var leapSeconds: [Int64] = []
    var standardIndicators: [UInt8] = [1, 1]
    var universalIndicators: [UInt8] = [1, 1]
    var footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"

    /// The file.
    var bytes: [UInt8] {
        let old = header + block(timeByteCount: 4)
        return version == 0 ? old : old + header + block(timeByteCount: 8) + Array(footer.utf8)
    }

    private var header: [UInt8] {
        let counts = [
            universalIndicators.count, standardIndicators.count, leapSeconds.count,
            transitions.count, kinds.count, names.count,
        ]
        return Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
            + counts.flatMap { Self.bigEndian(Int64($0), byteCount: 4) }
    }

    private func block(timeByteCount: Int) -> [UInt8] {
        var bytes = transitions.flatMap { Self.bigEndian($0.seconds, byteCount: timeByteCount) }
        bytes += transitions.map(\.kind)
        for kind in kinds {
            bytes += Self.bigEndian(Int64(kind.offset), byteCount: 4) + [kind.isSummer, kind.name]
        }
        bytes += names
        for (index, seconds) in leapSeconds.enumerated() {
            bytes += Self.bigEndian(seconds, byteCount: timeByteCount)
            bytes += Self.bigEndian(Int64(index + 1), byteCount: 4)
        }
        return bytes + standardIndicators + universalIndicators
    }

    private static func bigEndian(_ number: Int64, byteCount: Int) -> [UInt8] {
        (1...byteCount).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (byteCount - $0))) }
    }
}

/// An independent program that knows time zones: Python with its module `zoneinfo`, which reads the
/// same database.
enum TimeZoneProgram {
    /// A zone and what the program says about it.
    struct Zone {
        var name: String
        var file: [UInt8]

        /// Instants in seconds since 1970, each with the offset in seconds.
        var offsets: [(seconds: Int64, offset: Int)]
    }

    /// The comment of a test that needs it.
    static let missing: Comment = "skipped: no python3 with time zones"

    /// Whether it is there.
    static let isPresent = ((try? output(of: "", seed: 0)) ?? "").isEmpty == false

    /// Prints for each zone its name, its file, and pairs of instants and offsets: instants at
    /// random from 1900 to 2200, and the seconds before and at the changes between them.
    private static let program = """
        import os, random, sys
        from datetime import datetime, timezone
        from zoneinfo import ZoneInfo, TZPATH, available_timezones
        randomness = random.Random(int(sys.argv[1]))
        def offset(zone, seconds):
            time = datetime.fromtimestamp(seconds, timezone.utc).astimezone(zone)
            return int(time.utcoffset().total_seconds())
        for name in sorted(available_timezones()):
            paths = [os.path.join(path, name) for path in TZPATH]
            path = next((path for path in paths if os.path.isfile(path)), None)
            if path is None: continue
            zone = ZoneInfo(name)
            instants = sorted(randomness.randrange(-2208988800, 7258118400) for _ in range(24))
            chosen = list(instants)
            for low, high in zip(instants, instants[1:]):
                if offset(zone, low) == offset(zone, high): continue
                while high - low > 1:
                    middle = (low + high) // 2
                    if offset(zone, middle) == offset(zone, low): low = middle
                    else: high = middle
                chosen += [low, high]
            print(name, path, *(f"{second}:{offset(zone, second)}" for second in chosen))
        """

    /// Returns every zone of the database with instants that follow from a seed.
    static func zones(seed: UInt64) throws -> [Zone] {
        try output(of: program, seed: seed).split(separator: "\n")
            .map { line in
                let words = line.split(separator: " ")
                let pairs = words.dropFirst(2)
                    .map { pair in
                        let numbers = pair.split(separator: ":").compactMap { Int64($0) }
                        return (seconds: numbers[0], offset: Int(numbers[1]))
                    }
                let file = try Data(contentsOf: URL(fileURLWithPath: String(words[1])))
                return Zone(name: String(words[0]), file: Array(file), offsets: pairs)
            }
    }

    private static func output(of program: String, seed: UInt64) throws -> String {
        let check = "import zoneinfo; print(len(zoneinfo.available_timezones()) or '')"
        let python = Subprocess(
            URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["python3", "-c", program.isEmpty ? check : program, "\(seed)"]
        )
        return try python.outcome().text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
