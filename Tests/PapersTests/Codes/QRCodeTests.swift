import Foundation
import Papers
import Testing

@Suite struct QRCodeTests {
    private struct Golden: Decodable {
        var text: String
        var version: Int
        var rows: [String]
    }

    @Test func `codes are those that another encoder makes`() throws {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent()
            .appendingPathComponent("Golden/codes.v1.json")
        let codes = try JSONDecoder().decode([Golden].self, from: Data(contentsOf: file))
        #expect(codes.count == 9)
        for golden in codes {
            let code = try #require(QRCode(Array(golden.text.utf8)))
            #expect(code.side == 17 + 4 * golden.version)
            let rows = code.modules.map { row in String(row.map { $0 ? "1" : "0" }) }
            #expect(rows == golden.rows, "\(golden.text)")
        }
    }

    @Test func `more bytes than the largest code holds are refused`() {
        #expect(QRCode([UInt8](repeating: 7, count: 2_332)) == nil)
        #expect(QRCode([UInt8](repeating: 7, count: 2_331))?.side == 177)
        #expect(QRCode([])?.side == 21)
    }

    @Test func `the text has a margin of four modules around the modules`() throws {
        let code = try #require(QRCode(Array("a".utf8)))
        let lines = code.text.split(separator: "\n").map(Array.init)
        #expect(lines.count == (code.side + 8 + 1) / 2)
        #expect(lines.allSatisfy { $0.count == code.side + 8 })
        for row in -4..<code.side + 4 {
            for column in -4..<code.side + 4 {
                let character = lines[(row + 4) / 2][column + 4]
                let isUpper = row.isMultiple(of: 2)
                let isDrawn =
                    character == "\u{2588}" || character == (isUpper ? "\u{2580}" : "\u{2584}")
                let isInside =
                    code.modules.indices.contains(row) && code.modules.indices.contains(column)
                #expect(isDrawn == !(isInside && code.modules[row][column]))
            }
        }
    }

    @Test(arguments: ["", "a", "https://ledger.example/in/overland?token=0123456789"])
    func `the picture has the modules where they are, and nothing else`(text: String) throws {
        let code = try #require(QRCode(Array(text.utf8)))
        var drawn = code.modules.map { row in row.map { _ in false } }
        let path = try #require(code.svg.firstMatch(of: #/<path d="([^"]*)"/#)?.1)
        for run in path.matches(of: #/M(\d+) (\d+)h(\d+)v1h-(\d+)z/#) {
            let (column, row) = (try #require(Int(run.1)), try #require(Int(run.2)))
            let count = try #require(Int(run.3))
            #expect(run.3 == run.4)
            for offset in 0..<count { drawn[row][column + offset] = true }
        }
        #expect(drawn == code.modules)
        #expect(path.replacing(#/M\d+ \d+h\d+v1h-\d+z/#, with: "").isEmpty)
        #expect(code.svg.contains(#"viewBox="-4 -4 \#(code.side + 8) \#(code.side + 8)""#))
        #expect(code.svg.hasSuffix("</svg>"))
    }
}
