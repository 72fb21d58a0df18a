import Foundation
import TestSupport
import Testing

/// Every report and every list as a spreadsheet program of another decimal mark opens it.
@Suite struct SpreadsheetReportTests {
    private static let commands: [[String]] =
        ["log", "summary", "reconcile", "completeness", "changes"].map { ["report", $0] }
        + ["nl", "de", "fr", "qrate"].map { ["report", "claim", "--jurisdiction", $0] }
        + [
            ["report", "changes", "--all"], ["report", "methods", "--jurisdiction", "de"],
            ["rates", "list"], ["rates", "list", "--jurisdiction", "fr"], ["trips"], ["totals"],
            ["expense", "list"], ["vehicle", "list"], ["place", "list"], ["routine", "list"],
            ["field", "list"], ["history", "--all"], ["log"],
        ]

    /// The cells of a sheet in rows; those of the texts of this book have no semicolons.
    private static func cells(_ sheet: String) -> [[String]] {
        sheet.split(whereSeparator: \.isNewline)
            .map { line in
                line.split(separator: ";", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"\u{FEFF}")) }
            }
    }

    @Test func `no number of any column has a point in a sheet of commas`() throws {
        let ledger = try EveryNoteBook.fixture.copy()
        for command in Self.commands {
            let year = command[0] == "report" ? ["--year", "2025"] : []
            let written = try ledger.run(command + year + ["--excel", "de"])
            #expect(written.exitCode == 0, "\(command): \(written.errors)")
            let rows = Self.cells(written.text)
            #expect(!rows.isEmpty, "\(command)")
            for cell in rows.joined() {
                #expect(!cell.contains(/^[-+x ]*\d+\.\d+( .*)?$/), "\(command): \(cell)")
            }
        }
    }

    @Test func `a claim in a sheet of commas has the rates that it has in JSON`() throws {
        let ledger = try EveryNoteBook.fixture.copy()
        let claim = ["report", "claim", "--year", "2025", "--jurisdiction", "nl"]
        let rows = Self.cells(try ledger.run(claim + ["--excel", "de"]).text)
        let column = try #require(rows[0].firstIndex(of: "rate"))
        let shown = rows.dropFirst().map { $0[column] }.filter { !$0.isEmpty }
        let stored = try ledger.run(claim + ["--format", "json"]).lines
            .compactMap { line in
                line.firstMatch(of: /"rate":"([0-9.]+)"/).map { String($0.1) }
            }
        #expect(!stored.isEmpty && shown.map { $0.replacing(",", with: ".") } == stored)
        #expect(shown.contains("0,23"))
    }
}
