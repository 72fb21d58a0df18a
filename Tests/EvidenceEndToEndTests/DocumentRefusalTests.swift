import Foundation
import TestSupport
import Testing

/// Documents that `ledger-print` refuses, with its messages.
@Suite struct DocumentRefusalTests {
    /// Runs a command on a document.
    private func print(_ json: Data, as form: String = "pdf") throws -> LedgerProcess.Outcome {
        let process = try LedgerProcess()
        try json.write(to: process.directory.url.appendingPathComponent("document.json"))
        return try process.shell("ledger-print \(form) < document.json > report")
    }

    @Test func `the program says how it is used, on 80 columns`() throws {
        let process = try LedgerProcess()
        let help = try process.shell("ledger-print --help")
        #expect(help.exitCode == 0)
        #expect(help.text.hasPrefix("Usage: ledger-print png|pdf"))
        #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let wrong = try process.shell("ledger-print svg")
        #expect(wrong.exitCode == 64)
        #expect(wrong.text.isEmpty && wrong.errors == help.text)
    }

    @Test func `where no font is, nothing is printed`() throws {
        let process = try LedgerProcess()
        let url = process.directory.url
        try PrintedSample().json().write(to: url.appendingPathComponent("document.json"))
        try Data("<fontconfig><cachedir>cache</cachedir></fontconfig>\n".utf8)
            .write(to: url.appendingPathComponent("fonts.conf"))
        for form in ["pdf", "png"] {
            let outcome = try process.shell(
                "FONTCONFIG_FILE=$PWD/fonts.conf ledger-print \(form) < document.json"
            )
            #expect(outcome.exitCode == 65)
            #expect(outcome.text.isEmpty)
            #expect(outcome.errors.contains("no font is installed"), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["accepted", "refused"])
    func `what the schema accepts is printed, and what it refuses is not`(kind: String) throws {
        let examples = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Schemas/examples/document/\(kind)")
        let files = try FileManager.default.contentsOfDirectory(
            at: examples,
            includingPropertiesForKeys: nil
        )
        #expect(!files.isEmpty)
        for file in files {
            let outcome = try print(try Data(contentsOf: file))
            #expect(outcome.exitCode == (kind == "accepted" ? 0 : 65), "\(file): \(outcome.errors)")
        }
    }

    private func expectRefused(_ json: Data, _ reason: String) throws {
        for form in ["pdf", "png"] {
            let outcome = try print(json, as: form)
            #expect(outcome.exitCode == 65, "\(outcome.errors)")
            #expect(outcome.errors.hasPrefix("ledger-print: error: "))
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        ("document", "2", "of a version"), ("document", #""1""#, "document is no length"),
        ("title", "null", "no text title"), ("author", "1", "cannot be printed: author"),
        ("language", #""fy""#, "language is none of"),
        ("paper", #""a5""#, "paper is none of a4, letter"),
        ("orientation", #""across""#, "orientation is none of"),
        ("foot", #"["1","2","3","4","5","6","7"]"#, "foot has more than 6 elements"),
        ("foot", "[1]", "foot is no list of texts"), ("page", "3", "no text page"),
        ("code", #"{"text":"x","rows":["01"]}"#, "rows is no square of 0 and 1"),
        ("code", #"{"text":"x","rows":["2"]}"#, "rows is no square of 0 and 1"),
        ("facts", #"[{"label":"x"}]"#, "facts[0] has no text text"),
        ("facts", "{}", "no list facts"),
        ("blocks", "[{}]", "blocks[0] is no heading, paragraph, table or picture"),
        ("blocks", #"[{"table":{"columns":[],"lines":[]}}]"#, "table has no column"),
        (
            "blocks", #"[{"picture":{"width":-1,"height":9,"layers":[]},"alternative":"x"}]"#,
            "width is not between 1 and 32000"
        ),
        ("blocks", #"[{"picture":{"width":9,"height":9,"layers":[]}}]"#, "no text alternative"),
    ])
    func `a document with a wrong member is refused`(
        member: String,
        value: String,
        reason: String
    ) throws {
        var text = String(decoding: try PrintedSample().json(), as: UTF8.self)
        let other = try JSONSerialization.jsonObject(with: try PrintedSample().json())
        var document = try #require(other as? [String: Any])
        document[member] = try JSONSerialization.jsonObject(
            with: Data(value.utf8),
            options: .fragmentsAllowed
        )
        text = String(
            decoding: try JSONSerialization.data(withJSONObject: document),
            as: UTF8.self
        )
        try expectRefused(Data(text.utf8), reason)
    }

    @Test func `a line without a cell for each column is refused`() throws {
        var sample = PrintedSample()
        sample.blocks = [
            PrintedSample.table([("A", "left", true)], [PrintedSample.line(["x", "y"])])
        ]
        try expectRefused(try sample.json(), "lines[0] has not as many cells")
    }

    @Test func `more lines than a year can have are refused`() throws {
        var sample = PrintedSample()
        let line = PrintedSample.line(["x"])
        sample.blocks = [
            PrintedSample.table([("A", "left", true)], Array(repeating: line, count: 100_001))
        ]
        try expectRefused(try sample.json(), "more than 100000 lines in tables")
    }

    @Test func `a text that is no text for paper is refused`() throws {
        var sample = PrintedSample()
        sample.facts.append(("Notes", String(repeating: "wörter ", count: 200_000)))
        try expectRefused(try sample.json(), "longer than 16384 bytes")
    }

    @Test func `a foot that leaves no room is refused`() throws {
        var sample = PrintedSample()
        sample.foot = [String(repeating: "a line at the foot ", count: 800)]
        try expectRefused(try sample.json(), "leave no room")
    }

    @Test func `a line that is no line for paper is refused`() throws {
        var sample = PrintedSample()
        let columns = Array(repeating: ("A", "left", true), count: 3)
        let cells = Array(repeating: String(repeating: "word ", count: 3_000), count: 3)
        sample.blocks = [PrintedSample.table(columns, [PrintedSample.line(cells)])]
        try expectRefused(try sample.json(), "lines[0] is longer than 32768 bytes")
    }

    @Test func `odd characters in the longest texts and the most columns are printed`() throws {
        var sample = PrintedSample()
        let odd = " \u{202E}b\u{0}\t\n\u{FFFF}\u{10FFFE}\u{1F468}\u{200D}\u{1F467}"
        let text = String(repeating: "a", count: 16_000) + odd
        sample.title = text
        let title = String(repeating: "x", count: 300)
        let columns = (0..<40).map { (title, "right", $0 % 2 == 0) }
        let cell = String(repeating: "a", count: 700) + odd
        sample.blocks = [
            ["heading": text],
            PrintedSample.table(columns, [PrintedSample.line(Array(repeating: cell, count: 40))]),
            [
                "picture": ["width": 32_000, "height": 1, "layers": []] as [String: Any],
                "alternative": text,
            ],
        ]
        for form in ["pdf", "png"] {
            let outcome = try print(try sample.json(), as: form)
            #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }
    }
}
