import Foundation
import Testing

@testable import TripEvents

/// The page that says what the bytes mean agrees with the code that writes them.
@Suite struct FormatsPageTests {
    private let page: String

    init() throws {
        page = try String(contentsOf: SchemaFiles.formats, encoding: .utf8)
    }

    @Test(arguments: EventKind.allCases)
    func `the page lists the kind, its rank and its fields`(kind: EventKind) {
        let byte = Excerpt.hexadecimal(kind.rawValue)
        #expect(page.contains("| \(byte) | `\(kind.name)` | \(kind.rank) |\n"))
        let fields = FieldLister.fields(of: kind)
            .map { entry in
                "`\(entry.name.jsonName)`"
                    + (entry.isRequired ? "" : entry.isClearable ? " or null?" : "?")
            }
        #expect(page.contains("| `\(kind.name)` | \(fields.joined(separator: ", ")) |\n"))
    }

    @Test func `the page lists every tag once`() {
        for name in FieldName.allCases {
            let row = "| \(Excerpt.hexadecimal(name.rawValue)) | `\(name.jsonName)` | "
            #expect(page.components(separatedBy: row).count == 2, "\(row)")
        }
    }

    @Test func `the page lists every provider`() {
        for provider in FixProvider.allCases {
            #expect(page.contains("\(provider.code) `\(provider.rawValue)`"))
        }
    }

    @Test func `names fit the table of the line reader`() {
        let names =
            FieldName.allCases.map(\.jsonName) + EnvelopeName.allCases.map(\.jsonName)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { (1...PackedName.maximumBytes).contains($0.utf8.count) })
        let codes = FieldName.allCases.map(\.rawValue) + EnvelopeName.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0 != MemberTable.unknown && $0 < MemberTable.codeCount })
        let table = MemberTable()
        for (name, code) in zip(names, codes) {
            #expect(table.code(of: PackedName(Array(name.utf8))) == code)
        }
    }
}
