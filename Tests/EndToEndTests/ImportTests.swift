import DriveSimulation
import Foundation
import TestSupport
import Testing
import TripEvents

/// Files of other apps, taken in by the program itself.
@Suite struct ImportTests {
    /// The files of the shared data with the real drive that each holds.
    private static let files: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: SharedData.url("formats").path))?
        .filter { $0.contains(".") }
        .sorted() ?? []

    /// How far the distance of a drive may be from that of its ledger form, in metres.
    ///
    /// Recorder files have whole seconds and km/h, NMEA hundred-thousandths of a minute. Google's
    /// whole metres per second and GPX without speeds change what counts as jitter.
    private static let tolerances: [(suffix: String, meters: Double)] = [
        (".rec", 2), (".overland.json", 0), (".overland-batches.jsonl", 0), (".csv", 0),
        (".nmea", 0.05), (".records.json", 25), (".gpx", 10),
    ]

    @Test(.enabled(if: SharedData.isPresent, SharedData.missing), arguments: files)
    func `a real drive is the same in every format`(file: String) throws {
        let drive = String(try #require(file.split(separator: ".").first))
        let process = try LedgerProcess()
        _ = try process.run("init", "--time-zone", "UTC")
        let path = SharedData.url("formats/\(file)").path
        let summary = try process.run("append", path, "--source", "car").text
        #expect(summary.contains(#""rejected":0,"#), "\(summary)")
        let again = try process.run("append", path, "--source", "car").text
        #expect(again.contains(#""appended":0,"#), "\(again)")

        let trace = SharedData.url("traces/\(drive).jsonl")
        guard let lines = try? String(contentsOf: trace, encoding: .utf8) else { return }
        let pressed = lines.split(separator: "\n").filter { $0.contains("_pressed") }
        let sent = pressed.map { $0.replacing("\"\(drive)\"", with: "\"car\"") + "\n" }.joined()
        _ = try process.run("append", input: Data(sent.utf8))

        let one = try Self.distance(in: process)
        let two = try #require(try Self.distances.get()[drive])
        let tolerance = try #require(Self.tolerances.first { file.hasSuffix($0.suffix) }?.meters)
        #expect(abs(one - two) <= tolerance, "\(one) m instead of \(two) m")
    }

    /// The lengths of the drives in their ledger form, in metres, by the names of the drives.
    private static let distances = Result {
        let drives = Set(files.compactMap { $0.split(separator: ".").first.map(String.init) })
        return try drives.reduce(into: [String: Double]()) { distances, drive in
            let trace = SharedData.url("traces/\(drive).jsonl").path
            guard FileManager.default.fileExists(atPath: trace) else { return }
            let ledger = try LedgerProcess()
            _ = try ledger.run("init", "--time-zone", "UTC")
            _ = try ledger.run("append", trace)
            distances[drive] = try distance(in: ledger)
        }
    }

    /// Returns the length of the only trip of a ledger, in metres.
    private static func distance(in ledger: LedgerProcess) throws -> Double {
        let trips = try ledger.run("trips", "--format", "json").lines
        try #require(trips.count == 1)
        let trip = try JSONSerialization.jsonObject(with: Data(trips[0].utf8)) as? [String: Any]
        return try #require(trip?["distance_m"] as? Double)
    }

    /// Only the file itself gives the origins of the events, and thereby their positions.
    @Test(arguments: Seeds.fresh(4))
    func `append takes what convert prints`(seed: UInt64) throws {
        let process = try LedgerProcess()
        var random = SplitMix64(seed: seed)
        var table = "time,lat,lon,speed_kmh\n"
        for second in 0..<2_000 {
            let isDamaged = Int.random(in: 0..<100, using: &random) == 0
            table += "\(1_740_987_060 + second / 2),52.\(second),\(isDamaged ? "x" : "4.3"),36\n"
        }
        try Data(table.utf8).write(to: process.directory.url.appendingPathComponent("t.csv"))
        let outcome = try process.shell(
            """
            ledger init > /dev/null; ledger --ledger other init > /dev/null
            ledger append t.csv 2> /dev/null > appended
            ledger convert t.csv 2> /dev/null | ledger --ledger other append > converted
            for book in book other; do
              ledger --ledger $book log --type fix_recorded --format json \\
                | sed -E 's/"(position|recorded_at)":("[^"]*"|[0-9]+),//g' \\
                | sed 's/,"origin":{[^}]*}//' > $book.log
            done
            cmp book.log other.log && wc -l < book.log
            """
        )
        #expect(outcome.exitCode == 0, "seed \(seed): \(outcome.errors)")
        #expect((Int(outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 1_900)
    }
}
