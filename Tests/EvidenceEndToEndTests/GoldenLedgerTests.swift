import DriveSimulation
import Foundation
import LedgerTestSupport
import TestSupport
import Testing
import TripEvents
import TripLedger

/// A ledger that was written once, and that every version of the program reads to the same figures.
///
/// `Golden/log.mdb` is its log: every kind of event, one of a later version, decisions, erased
/// entries, compact and plain blocks. Beside it stand its export, a head that was signed half way
/// and the key that signed it, and what commands answered (`answers.txt`).
///
/// Until 0.1.0 is cut, `GOLDEN=make tools/test --filter GoldenLedgerTests` makes all of it anew.
/// Afterwards it stays as it is, and a version that answers otherwise is wrong; an answer may gain
/// columns and members, and no figure in it changes.
@Suite struct GoldenLedgerTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()
        .appendingPathComponent("Golden")
    private static let isMaking = ProcessInfo.processInfo.environment["GOLDEN"] == "make"
    private static let seed: UInt64 = 2_026

    /// The commands: all whose answer follows from the log alone.
    private static let commands = [
        "ledger head --format json",
        "ledger log --format json --limit 1",
        "ledger log --format json | grep -e '\"type\":\"erased\"' -e '\"type\":\"unknown\"'",
        "ledger log --format json | cksum",
        "ledger export - | cksum",
        "ledger trips --all --as-of 2031-01-01T00:00:00Z --format json",
        "ledger totals --as-of 2031-01-01T00:00:00Z --format csv",
        "ledger report log --as-of 2031-01-01T00:00:00Z --from 2000 --to 2030 --format csv",
        "ledger report log --as-of 2031-01-01T00:00:00Z --from 2000 --to 2030 --sums --format json",
        "ledger report issued --format json",
        "ledger report reissue R1 2> /dev/null",
        "ledger history --all --format csv",
        "ledger visits --format json",
        "ledger inferences --format json",
        "ledger place list --format json",
        "ledger vehicle list --format json",
        "ledger expense list --voided --format json | cksum",
        "ledger odometer van --list --format json",
        "ledger routine list --format json",
        "ledger field list --format json",
        "ledger rules show --format json",
        "ledger changes --orphans --format json",
        "ledger project --check",
        "ledger verify",
        "ledger verify export paper.note --key \"$(cat key.txt)\"",
        "ledger import export --head paper.note --ledger then; "
            + "ledger trips --ledger then --all --as-of 2031-01-01T00:00:00Z --format json",
        "ledger import export --ledger again; ledger head --ledger again --format json",
    ]

    @Test(.enabled(if: !isMaking))
    func `every version reads the golden ledger to the same figures`() throws {
        let golden = try Self.open()
        let text = try String(
            contentsOf: Self.folder.appendingPathComponent("answers.txt"),
            encoding: .utf8
        )
        let answers = text.components(separatedBy: "$ ").dropFirst().map { "$ " + $0 }
        #expect(answers.count == Self.commands.count)
        for (command, expected) in zip(Self.commands, answers) {
            #expect(
                try Self.answer(to: command, in: golden) == expected,
                "the answer to `\(command)` is not what it was; see GoldenLedgerTests.swift"
            )
        }
    }

    @Test(.enabled(if: !isMaking))
    func `the golden ledger has every kind of event and of block`() throws {
        let golden = try Self.open()
        let log = try golden.run("log", "--format", "json")
        let types = Set(
            log.lines.compactMap { line in
                let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                return (object as? [String: Any])?["type"] as? String
            }
        )
        #expect(types.isSuperset(of: EventKind.allCases.map(\.name) + ["erased", "unknown"]))
        #expect(log.text.contains(#""extra":{"#))
        #expect(try golden.run("trips", "--all", "--format", "json").text.contains("by_rule"))
        #expect(log.text.contains(#"00001Z","#) || log.text.contains(#"456789"#))
        // Some blocks are compact already, and others become so now.
        let compaction = try golden.run("compact", "--format", "json").text
        #expect(!compaction.contains(#""compact_blocks":0,"#), "\(compaction)")
        #expect(!compaction.contains(#""new_blocks":0,"#), "\(compaction)")
        #expect(try golden.run("verify").exitCode == 0)
    }

    /// Some of the golden events lie in the future, which the other one does not take.
    private static let receiveFromAnother = """
        ledger init --ledger other
        echo '{"type":"motion_changed","source":"laptop","state":"stationary",' \
            '"confidence":"high","occurred_at":"2025-03-04T08:00:00Z"}' > laptop.jsonl
        ledger append laptop.jsonl --ledger other
        ledger serve --ledger other --socket other.sock > served & served=$!
        while kill -0 $served && ! grep -q '^Serving ' served; do sleep 0.1; done
        ledger sync http://localhost --socket ./other.sock --accept-settings || test $? = 1
        kill $served
        """

    @Test(.enabled(if: isMaking)) func `the golden ledger is made anew`() throws {
        let book = try TemporaryLedger()
        var random = SplitMix64(seed: Self.seed)
        let golden = try LedgerProcess()
        let examples = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Schemas/examples/event/accepted")
        try book.append(
            Array(DriveSimulator.drives(seed: Self.seed, count: 3, fixesPerDrive: 700...900))
        )
        try book.appendRandomBook(seed: Self.seed)
        let begin = """
            ledger compact --ledger '\(book.path)'
            ledger key new --name golden.example --output golden.key > key.out
            sed -n 's/Verifier key *//p' key.out > key.txt
            ledger head --sign --key golden.key --ledger '\(book.path)' > paper.note
            """
        var outcomes: [LedgerProcess.Outcome] = []
        try book.whileClosed { outcomes.append(try golden.shell("set -e\n" + begin)) }
        try book.appendRandomBook(seed: Self.seed + 1)
        try book.eraseSome(using: &random)
        _ = try book.appendOfTheFuture(
            kind: 0x6F,
            payload: [1, 2, 3],
            source: "later",
            occurredAt: Timestamp(milliseconds: 1_700_000_000_000)
        )
        book.ledger.close()
        let finish = """
            cp -r '\(book.path)' book
            for file in '\(examples.path)'/*.json; do tr -d '\\n' < "$file"; echo; done > all.jsonl
            ledger append all.jsonl --source sample
            echo '<gpx><trk><trkseg><trkpt lat="52.1" lon="4.3"><time>2025-03-03T07:30:00Z</time>' \
                '</trkpt></trkseg></trk></gpx>' > track.gpx
            ledger append track.gpx --source tracker
            \(Self.receiveFromAnother)
            ledger place save Europe --lat 50 --lon 10 --radius 4000000
            ledger routine save Abroad --class business --from-place Europe --since 2000-01-01
            ledger report log --year 2025 --sums --issue > issued.txt
            ledger export export && tar -czf export.tar.gz export
            """
        outcomes.append(try golden.shell("set -e\n" + finish))
        for outcome in outcomes { try #require(outcome.exitCode == 0, "\(outcome.errors)") }
        let files = FileManager.default
        try? files.removeItem(at: Self.folder)
        try files.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        let made = golden.directory.url
        let log = made.appendingPathComponent("book/log/data.mdb")
        try files.copyItem(at: log, to: Self.folder.appendingPathComponent("log.mdb"))
        for name in Self.companions {
            try files.copyItem(
                at: made.appendingPathComponent(name),
                to: Self.folder.appendingPathComponent(name)
            )
        }
        let reader = try Self.open()
        let answers = try Self.commands.map { try Self.answer(to: $0, in: reader) }
        try Data(answers.joined().utf8)
            .write(to: Self.folder.appendingPathComponent("answers.txt"))
    }

    /// The files beside the log.
    private static let companions = ["export.tar.gz", "paper.note", "key.txt"]

    /// Returns the golden ledger in a directory of its own, as a program finds it.
    private static func open() throws -> LedgerProcess {
        let process = try LedgerProcess()
        let files = FileManager.default
        let log = process.directory.url.appendingPathComponent("book/log")
        try files.createDirectory(at: log, withIntermediateDirectories: true)
        try files.copyItem(
            at: folder.appendingPathComponent("log.mdb"),
            to: log.appendingPathComponent("data.mdb")
        )
        for name in companions {
            try files.copyItem(
                at: folder.appendingPathComponent(name),
                to: process.directory.url.appendingPathComponent(name)
            )
        }
        try #require(try process.shell("tar -xzf export.tar.gz").exitCode == 0)
        return process
    }

    private static func answer(to command: String, in golden: LedgerProcess) throws -> String {
        let outcome = try golden.shell(command)
        let code = outcome.exitCode == 0 ? "" : "[exit \(outcome.exitCode)]\n"
        return "$ \(command)\n\(outcome.text)\(code)"
    }
}
