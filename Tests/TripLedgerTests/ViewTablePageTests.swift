import Foundation
import TestSupport
import Testing

@testable import TripLedger

/// The page about formats says which tables the views have, and how their sections are chosen.
@Suite struct ViewTablePageTests {
    /// The part of the page about the views.
    private let part: String

    init() throws {
        let file = ManualPage.root
            .appending(path: "Sources/Ledger/TripLedger/TripLedger.docc/Formats.md")
        let parts = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n## ")
        part = try #require(parts.first { $0.hasPrefix("The views' tables\n") })
    }

    @Test func `the page lists every table in order, and no other`() {
        var names: [String] = []
        for row in part.matches(of: #/\n\| `([a-z_]+)` \|/#) {
            let name = String(row.1)
            // A table with two kinds of keys has two rows.
            if names.last != name { names.append(name) }
        }
        #expect(names == ViewTable.allCases.map(\.rawValue))
    }

    @Test func `the page says how many bits of a key choose its section`() {
        let sizes = Set(ViewTable.allCases.map(\.sectionBits)).subtracting([0]).sorted()
        let groups = sizes.map { size in
            let names = ViewTable.allCases.filter { $0.sectionBits == size }
                .map { "`\($0.rawValue)`" }
            let list = [names.dropLast().joined(separator: ", "), names.last ?? ""]
                .filter { !$0.isEmpty }
                .joined(separator: " and ")
            return "\(size)\(size == sizes.first ? " bits" : "") in \(list)"
        }
        let sentence = groups.joined(separator: ", ") + ", none in the others."
        #expect(part.replacing("\n", with: " ").contains(sentence), "\(sentence)")
    }
}
