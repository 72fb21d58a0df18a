import Foundation
import TestSupport
import Testing

/// The walk of the page *Check a ledger alone*, on two machines: what goes from one to the other is
/// the export, the head and the verifier key.
@Suite struct AuditorWalkTests {
    /// The sessions on the page: the driver's two, then the auditor's.
    private static let sessions = (try? ManualPage.auditing.sessions(as: "ledger")) ?? []

    /// The files of the sheet and of the export.
    private static let handedOver = ["for-the-accountant", "paper.note", "key.txt"]

    /// The driver's machine after a year with one drive.
    private static func driver() throws -> LedgerProcess {
        let driver = try LedgerProcess()
        _ = try driver.shell(
            """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office > drive.jsonl
            ledger append drive.jsonl > /dev/null
            ledger place save Home --at-trip-start last > /dev/null
            ledger place save Office --at-trip-end last > /dev/null
            ledger edit last --purpose "Client visit" --class business --actor Eva > /dev/null
            """
        )
        return driver
    }

    /// Another machine: another home, another directory, no ledger.
    private static func auditor(after driver: LedgerProcess) throws -> LedgerProcess {
        let auditor = try LedgerProcess()
        for name in handedOver {
            try FileManager.default.copyItem(
                at: driver.directory.url.appendingPathComponent(name),
                to: auditor.directory.url.appendingPathComponent(name)
            )
        }
        #expect(try auditor.run("status").exitCode == 65, "there is no ledger here")
        return auditor
    }

    @Test func `the auditor's five commands go as the page says, where there is no ledger`() throws
    {
        let sessions = Self.sessions
        try #require(sessions.count == 3)
        let driver = try Self.driver()
        for session in sessions.dropLast() { _ = try session.replayed(in: driver) }
        let auditor = try Self.auditor(after: driver)
        let walk = sessions[2]
        #expect(walk.steps.count <= 5)
        let replayed = try walk.replayed(in: auditor)
        let normalizer = Normalizer(directory: auditor.directory.path)
        for (expected, actual) in zip(walk.steps, replayed.steps) {
            let response = expected.response.map(normalizer.normalized)
            #expect(actual.response == response, "$ \(expected.command)")
        }
        // Not only of the same form: the same figures, and the same root.
        let report = try auditor.shell("ledger --ledger then report log --year 2025")
        let paper = try String(
            contentsOf: driver.directory.url.appendingPathComponent("report.txt"),
            encoding: .utf8
        )
        #expect(report.text == paper && paper.contains("8.63"))
        let head = try auditor.shell("ledger --ledger then head --format json").text
        let root = try #require(head.firstMatch(of: /"root":"([0-9a-f]{64})"/)).output.1
        #expect(paper.contains("Root       \(root)"))
    }

    @Test(arguments: [ExportForm.jsonl, .tiles])
    func `an export with any trip of then edited away fails at the first step`(
        form: ExportForm
    ) throws {
        let driver = try Self.driver()
        for session in Self.sessions.prefix(1) { _ = try session.replayed(in: driver) }
        // The driver writes the book anew, with a shorter drive, and signs it with the same key.
        let forged = try driver.shell(
            """
            mkdir forger
            ledger init --ledger forged --time-zone Europe/Amsterdam > /dev/null
            sed 4d drive.jsonl | ledger append --ledger forged > /dev/null
            ledger simulate tunnel --source second | ledger append --ledger forged > /dev/null
            HOME=forger ledger head --ledger forged --sign --key eva.key > /dev/null
            HOME=forger ledger export --ledger forged --as \(form.rawValue) for-the-accountant
            """
        )
        #expect(forged.exitCode == 0, "\(forged.errors)")
        let auditor = try Self.auditor(after: driver)
        let key = #"--key "$(sed -n 's/Verifier key *//p' key.txt)""#
        // By itself it is a sound book with the driver's signature; only the sheet gives it away.
        #expect(try auditor.shell("ledger verify for-the-accountant \(key)").exitCode == 0)
        let verify = try auditor.shell("ledger verify for-the-accountant paper.note \(key)")
        #expect(verify.exitCode == 1)
        #expect(verify.text.contains("its first 13 entries are not those of the older head"))
        let importing = try auditor.shell(
            "ledger import for-the-accountant --head paper.note --ledger then"
        )
        #expect(importing.exitCode == 65)
        #expect(importing.errors.contains("its first 13 entries are not those of the head"))
        #expect(try auditor.shell("ls then").exitCode != 0, "nothing is left of it")
        let whole = try auditor.shell("ledger import for-the-accountant --ledger now")
        #expect(whole.exitCode == 0)
        let changes = try auditor.shell("ledger --ledger now changes --since paper.note")
        #expect(changes.exitCode == 1)
        #expect(changes.errors.contains("the first 13 entries are not those of the head"))
        #expect(changes.errors.contains("something before it was changed"))
    }

    @Test func `an export that somebody else signed, or that was changed, fails too`() throws {
        let driver = try Self.driver()
        for session in Self.sessions.prefix(2) { _ = try session.replayed(in: driver) }
        let auditor = try Self.auditor(after: driver)
        let walk = #"for-the-accountant paper.note --key "$(sed -n 's/Verifier key *//p' key.txt)""#
        #expect(try auditor.shell("ledger verify \(walk)").exitCode == 0)
        // Another key of the same name.
        let resigned = try auditor.shell(
            """
            cp -r for-the-accountant first
            ledger import first --ledger stolen > /dev/null
            ledger key new --name eva.example --output other.key > other.txt
            ledger head --ledger stolen --sign --key other.key > /dev/null
            rm -r for-the-accountant
            ledger export --ledger stolen for-the-accountant > /dev/null
            ledger verify \(walk)
            """
        )
        #expect(resigned.exitCode == 1)
        #expect(resigned.text.contains("it is not signed by eva.example with that key"))
        // A word in a line, and an entry that is cut off at the end.
        for change in ["s/Client visit/Client lunch/", "$ d"] {
            let changed = try auditor.shell(
                """
                rm -r for-the-accountant; cp -r first for-the-accountant
                sed -i '\(change)' for-the-accountant/entries.jsonl; ledger verify \(walk)
                """
            )
            #expect(changed.exitCode == 1 && changed.text.hasPrefix("CHANGED OR DAMAGED"))
        }
        // The sheet is of a later book than the export.
        let older = try driver.shell(
            """
            ledger export --as tiles older > /dev/null; ledger go > /dev/null
            ledger head --sign --key eva.key > later.note; ledger verify older later.note
            """
        )
        #expect(older.exitCode == 1 && older.text.contains("entries were taken away"))
    }

    @Test func `tiles whose signed head is another one are refused`() throws {
        let driver = try Self.driver()
        for session in Self.sessions.prefix(1) { _ = try session.replayed(in: driver) }
        let outcomes = try driver.shell(
            """
            ledger export --as tiles out > /dev/null; ledger verify out; echo $?
            sed -i 2s/13/12/ out/checkpoint; ledger verify out; echo $?
            rm out/checkpoint; ledger verify out; echo $?
            """
        )
        #expect(outcomes.lines.filter { $0.count == 1 } == ["2", "1", "1"], "\(outcomes.text)")
    }

    @Test func `what was erased since is told, and the report of then is refused`() throws {
        let driver = try Self.driver()
        for session in Self.sessions.prefix(1) { _ = try session.replayed(in: driver) }
        _ = try driver.shell(
            """
            ledger erase 4 --why 'at the doctor' --actor Eva --yes > /dev/null
            ledger head --sign --key eva.key > /dev/null; ledger export for-the-accountant
            """
        )
        let auditor = try Self.auditor(after: driver)
        let walk = try auditor.shell(
            """
            ledger verify for-the-accountant paper.note \
            --key "$(sed -n 's/Verifier key *//p' key.txt)" | head -n 1
            ledger import for-the-accountant --head paper.note --ledger then; echo $?
            ledger import for-the-accountant --ledger now > /dev/null
            ledger --ledger now changes --since paper.note --format json
            """
        )
        #expect(walk.lines.prefix(2) == ["VERIFIED", "65"])
        #expect(walk.errors.contains("what stood at position 4 was erased after that head"))
        let told = #""actor":"Eva","why":"at the doctor","positions":"4""#
        #expect(walk.lines.last?.contains(told) == true, "\(walk.text)")
    }

    /// The forms of exports that can be verified.
    enum ExportForm: String, Sendable {
        case jsonl
        case tiles
    }
}
