import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// The origins of events, with the real program.
@Suite struct OriginTests {
    /// A track of so many points, a second apart.
    private static func track(_ count: Int) -> String {
        let points = (0..<count)
            .map { index in
                let time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(index) * 1_000)
                return "<trkpt lat=\"52.\(100_000 + index)\" lon=\"4.3\">"
                    + "<time>\(RFC3339.text(time))</time></trkpt>"
            }
        return "<gpx><trk><trkseg>\n\(points.joined(separator: "\n"))\n</trkseg></trk></gpx>\n"
    }

    private struct Line: Decodable {
        struct Origin: Decodable {
            var file: String
            var record: Int
        }

        var type: String
        var source: String
        var lat: Double?
        var origin: Origin?
    }

    @Test func `an erasure says which file's name stays in the log`() throws {
        let book = try LedgerProcess()
        try book.begin()
        let track = book.directory.url.appendingPathComponent("track.gpx")
        try Data(Self.track(20).utf8).write(to: track)
        #expect(try book.run("append", "track.gpx", "--source", "car").exitCode == 0)
        let erase = ["erase", "10", "--why", "private"]
        let kept = "The log keeps the names of the files: track.gpx."
        #expect(try book.run(erase).lines.contains(kept))
        let done = try book.run(erase + ["--yes", "--format", "json"])
        #expect(done.exitCode == 0 && done.text.contains(#""kept_files":["track.gpx"]"#))
    }

    @Test(arguments: Seeds.fresh(6))
    func `killed at any moment and imported again, every fix says where it came from`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let book = try LedgerProcess()
        try book.begin()
        let count = 40_000
        let track = book.directory.url.appendingPathComponent("track.gpx")
        try Data(Self.track(count).utf8).write(to: track)
        for _ in 0..<4 {
            let process = book.process(["append", "track.gpx", "--source", "car"])
            process.standardOutput = .null
            process.standardError = .null
            try process.start()
            // Chance, not waiting for something: the moment of the kill is what is tested.
            usleep(UInt32.random(in: 0...400_000, using: &random))
            kill(process.processIdentifier, SIGKILL)
            process.waitForEnd()
        }
        #expect(try book.run("append", "track.gpx", "--source", "car").exitCode == 0)
        let size = try book.run("head", "--format", "json").text
        #expect(try book.run("append", "track.gpx", "--source", "car").exitCode == 0)
        #expect(try book.run("head", "--format", "json").text == size, "seed \(seed)")

        var fixes = 0
        for text in try book.run("log", "--source", "car", "--format", "json").lines {
            let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
            let latitude = try #require(line.lat)
            let record = Int((latitude * 1_000_000).rounded()) - 52_100_000 + 1
            #expect(line.origin?.file == "track.gpx", "seed \(seed)")
            #expect(line.origin?.record == record, "seed \(seed)")
            fixes += 1
        }
        #expect(fixes == count, "seed \(seed)")
        #expect(try book.run("verify").exitCode == 0, "seed \(seed)")
    }
}
