import Foundation
import LedgerTestSupport
import Testing

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

    /// What a test says that needs it.
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
        let process = Process()
        let output = Pipe()
        let check = "import zoneinfo; print(len(zoneinfo.available_timezones()) or '')"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program.isEmpty ? check : program, "\(seed)"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitForEnd()
        return String(decoding: data, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
