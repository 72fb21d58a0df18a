import Foundation

/// Documents that tests print, written by hand as `ledger` writes them.
struct PrintedSample {
    /// Whether poppler's tools are there, with which the tests read pages.
    static let canBeRead = FileManager.default.isExecutableFile(atPath: "/usr/bin/pdftotext")

    var title = "Mileage log"
    var paper = "a4"
    var orientation = "landscape"
    var foot = ["Ledger 5f2c · 12,345 entries", "Root 9ab3"]
    var code: [String]? = (0..<25)
        .map { row in
            String((0..<25).map { ($0 * 7 + row * 3) % 5 < 2 ? "1" : "0" })
        }
    var facts = [("Period", "2025-01-01 to 2025-12-31"), ("Driver", "A. de Vries")]
    var blocks: [[String: Any]] = []

    /// Returns a log with a row for each number, and a total after every tenth.
    static func log(_ count: Int) -> PrintedSample {
        let columns = [
            ("DATE", "left", false), ("PURPOSE", "left", true), ("KM", "right", false),
        ]
        var lines: [[String: Any]] = []
        for number in 1...count {
            lines.append(line([String(format: "day-%05d", number), "Visit", "\(number).5"]))
            if number % 10 == 0 { lines.append(line(["", "", "sum\(number)"], "total")) }
        }
        var sample = PrintedSample()
        sample.blocks = [["heading": "Every trip"], table(columns, lines)]
        return sample
    }

    static func line(_ cells: [String], _ kind: String = "line") -> [String: Any] {
        ["kind": kind, "cells": cells]
    }

    static func table(
        _ columns: [(title: String, alignment: String, wraps: Bool)],
        _ lines: [[String: Any]]
    ) -> [String: Any] {
        let columns = columns.map {
            ["title": $0.title, "alignment": $0.alignment, "wraps": $0.wraps] as [String: Any]
        }
        return ["table": ["columns": columns, "lines": lines]]
    }

    /// The document as JSON.
    func json() throws -> Data {
        let document: [String: Any] = [
            "document": 1, "title": title, "language": "en", "paper": paper,
            "orientation": orientation, "foot": foot, "page": "Page {page} of {pages}",
            "code": code.map { ["text": "a head", "rows": $0] as [String: Any] } ?? NSNull(),
            "facts": facts.map { ["label": $0.0, "text": $0.1] }, "blocks": blocks,
        ]
        return try JSONSerialization.data(withJSONObject: document, options: .sortedKeys)
    }
}
