import Foundation
import TestSupport
import Testing

/// LibreOffice reads what `--excel` writes: numbers as numbers, days as days, in the language that
/// was asked for.
@Suite struct LibreOfficeTests {
    /// A language with the number that LibreOffice has for it, and what stands between its fields.
    struct Language: CustomTestStringConvertible, Sendable {
        let name: String
        let number: Int
        let separator: Character

        var testDescription: String { name }
    }

    private static let languages = [
        Language(name: "en", number: 1033, separator: ","),
        Language(name: "de", number: 1031, separator: ";"),
        Language(name: "fr", number: 1036, separator: ";"),
    ]

    private static let missing: Comment = "skipped: there is no soffice, or not thorough"

    private static let isPresent =
        Seeds.isThorough
        && (try? LedgerProcess().shell("command -v \(soffice) > there").exitCode) == 0

    private static var soffice: String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { "\($0)/soffice" }
            .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "soffice"
    }

    @Test(.enabled(if: isPresent, missing), arguments: languages)
    func `numbers and days of a spreadsheet are what the ledger says`(
        language: Language
    ) throws {
        let process = try LedgerProcess()
        let filter =
            "Text - txt - csv (StarCalc):\(Int(language.separator.asciiValue ?? 0)),34,76,1,,"
            + "\(language.number),false,true"
        let outcome = try process.shell(
            """
            set -e
            export HOME="$PWD"
            ledger init --time-zone Europe/Amsterdam > /dev/null
            ledger simulate home-to-office | ledger append > /dev/null
            ledger edit last --purpose 'Köln; "a", b' > /dev/null
            ledger trips --excel \(language.name) > trips.csv
            ledger totals --by month --excel \(language.name) > totals.csv
            ledger report log --year 2025 --excel \(language.name) -o log.csv > /dev/null
            for name in trips totals log; do
              \(Self.soffice) "-env:UserInstallation=file://$PWD/profile" --headless \
                "--infilter=\(filter)" --convert-to fods $name.csv > /dev/null 2>&1
            done
            cat trips.fods totals.fods log.fods > all.fods
            grep -o 'value-type="float" office:value="8.629702"' all.fods | wc -l
            grep -o 'office:date-value="2025-03-03"' all.fods | wc -l
            grep -o 'Köln; &quot;a&quot;, b' all.fods | wc -l
            grep -c 'office:date-value="2025-03-03T08:30:00"' log.fods
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let counts = outcome.lines.compactMap { Int($0) }
        // The distance once in each file, days in lists of trips, and two purposes.
        #expect(counts == [3, 3, 2, 1], "\(outcome.text)")
    }
}
