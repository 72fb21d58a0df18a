import Foundation
import TestSupport
import Testing

/// What is said where a name is not there: a filter by a word that nothing has lists nothing, and a
/// note says so; what is registered must be there.
@Suite struct FilterWordTests {
    private static let book = LedgerProcess.Fixture(
        shell: """
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office --source anna | ledger append --group 17 > /dev/null
            ledger edit last --class business --vehicle van --driver Anna --actor Eva --group 17
            ledger expense add parking 12.5 EUR --vehicle van
            """
    )

    @Test(arguments: [
        ("trips --group 18", "no source belongs to the group 18", "17"),
        ("totals --group 18", "no source belongs to the group 18", "17"),
        ("chart --group 18", "no source belongs to the group 18", "17"),
        ("calendar --group 18", "no source belongs to the group 18", "17"),
        ("visits --group 18", "no source belongs to the group 18", "17"),
        ("report log --year 2025 --group 18", "no source belongs to the group 18", "17"),
        ("trips --driver Ana", "no trip has the driver Ana", "Anna"),
        ("trips --vehicle vna", "no trip has the vehicle vna", "van"),
        ("edit --whose-driver Ana --purpose X --yes", "no trip has the driver Ana", "Anna"),
        ("edit --whose-vehicle vna --purpose X --yes", "no trip has the vehicle vna", "van"),
        ("expense list --vehicle vna", "no trip has the vehicle vna", "van"),
        ("history --all --actor Ev", "Ev has decided nothing", "Eva"),
    ])
    func `a word that nothing has is named, with those that there are`(
        command: String,
        note: String,
        known: String
    ) throws {
        let outcome = try Self.book.copy().run(command.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("ledger: note: \(note)"), "\(outcome.errors)")
        #expect(outcome.errors.contains(known), "\(outcome.errors)")
    }

    @Test func `a report for a group that nothing has is not issued`() throws {
        let process = try Self.book.copy()
        let refused = try process.shell("ledger report log --year 2025 --group 18 --issue")
        #expect(refused.exitCode == 65 && refused.text.isEmpty, "\(refused.text)")
        #expect(refused.errors.contains("no source belongs to the group 18"), "\(refused.errors)")
        #expect(try process.shell("ledger report issued --format json").output.isEmpty)
    }

    @Test(arguments: [
        "void --why typo --yes", "edit --class personal --yes", "restore --why typo --yes",
        "routine apply Office --yes",
    ])
    func `no decision is about every trip because the words of a filter are empty`(
        command: String
    ) throws {
        let process = try Self.book.copy()
        let before = try process.shell("ledger log --format json").text
        for words in ["''", "' '"] {
            let refused = try process.shell("ledger \(command) --text \(words)")
            #expect(refused.exitCode == 64, "\(refused.text)\(refused.errors)")
            #expect(refused.errors.contains("--text has no word in it"), "\(refused.errors)")
        }
        #expect(try process.shell("ledger log --format json").text == before)
    }

    @Test func `a trip that is named twice is decided once`() throws {
        let process = try Self.book.copy()
        let ids = try process.shell("ledger trips --format ids").lines
        let id = try #require(ids.first)
        let edited = try process.run("edit", id, id, id, "--client", "ACME", "--yes")
        #expect(edited.exitCode == 0, "\(edited.errors)")
        let log = try process.shell("ledger log --format json | grep -c ACME")
        #expect(log.lines == ["1"])
    }

    @Test(arguments: ["", "id,,km", "id,"])
    func `an empty name is no column's`(names: String) throws {
        for list in ["trips", "totals", "visits"] {
            let refused = try Self.book.copy().run(list, "--columns", names)
            #expect(refused.exitCode == 64, "\(list): \(refused.text)")
        }
    }

    @Test func `so is a source of which nothing was refused`() throws {
        let outcome = try Self.book.copy().run("refused", "--source", "phone")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains("nothing that was refused is of the source phone"))
    }

    @Test(arguments: [
        "trips --group 17", "totals --group 17", "trips --driver Anna", "trips --year 1999",
        "trips --driver Anna --year 1999", "trips --group 17 --year 1999", "totals --group '' ",
        "expense list --vehicle van --year 1999", "history --all --actor Eva --year 1999",
    ])
    func `a word that something has is not`(command: String) throws {
        let outcome = try Self.book.copy().shell("ledger \(command)")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(!outcome.errors.contains("note"), "\(outcome.errors)")
    }

    @Test(arguments: [
        "visits --source phone", "inferences --source phone", "log --source phone",
        "track --source phone", "status --source phone", "visits --place Home",
    ])
    func `what is registered must be there`(command: String) throws {
        let outcome = try Self.book.copy().run(command.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 65, "\(outcome.errors)")
        #expect(outcome.text == "")
    }
}
