import DriveSimulation
import Tables
import TestSupport
import Testing

/// Tables on screens of any width.
@Suite struct NarrowTableTests {
    /// A row of words and numbers.
    struct Sample {
        var id = "35e6e935"
        var place = ""
        var purpose = ""
        var count: Int?
        var source = "simulated-phone"
    }

    private static let columns = Columns<Sample> {
        Column.name("id", "ID") { $0.id }
        Column.text("place", "PLACE") { $0.place.isEmpty ? nil : $0.place }
        Column.integer("count", "COUNT") { $0.count }.narrowing(.leaves(1))
        Column.text("purpose", "PURPOSE") { $0.purpose.isEmpty ? nil : $0.purpose }
        Column.name("source", "SOURCE") { $0.source }.narrowing(.leaves(0))
    }

    /// The narrowest line that these columns allow: an id, and two texts of eight characters.
    private static let leastWidth = 8 + 2 + 8 + 2 + 8

    private func lines(_ rows: [Sample], width: Int?) -> (lines: [String], leftOut: [String]) {
        var bytes: [UInt8] = []
        var writer = RowWriter(Self.columns, as: .text, style: TextStyle(width: width))
        for row in rows { writer.add(row, to: &bytes) }
        let leftOut = writer.finish { append in append(&bytes) }
        let text = String(decoding: bytes, as: UTF8.self)
        return (text.split(separator: "\n").map(String.init), leftOut)
    }

    private func row(_ random: inout SplitMix64) -> Sample {
        let words = ["a", "Café", "of", "Rotterdam", "ünïcödé", "client", "☕"]
        func text(_ random: inout SplitMix64) -> String {
            (0..<Int.random(in: 0...8, using: &random))
                .map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        return Sample(
            place: text(&random),
            purpose: text(&random),
            count: Bool.random(using: &random) ? Int.random(in: 0...99_999, using: &random) : nil
        )
    }

    @Test(arguments: Seeds.fresh(100))
    func `a line fits every screen that is wide enough for the shortest one`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rows = (0..<Int.random(in: 1...20, using: &random)).map { _ in row(&random) }
        let whole = lines(rows, width: nil)
        #expect(whole.leftOut.isEmpty)
        for width in Self.leastWidth...140 {
            let narrow = lines(rows, width: width)
            #expect(narrow.lines.allSatisfy { $0.count <= width }, "seed \(seed), width \(width)")
            #expect(narrow.lines.count == whole.lines.count)
            // Columns go in the stated order, and only if they are there at all.
            let order = ["SOURCE", "COUNT"].filter { whole.lines[0].contains($0) }
            #expect(narrow.leftOut == Array(order.prefix(narrow.leftOut.count)))
            if narrow.lines.allSatisfy({ $0 == $0.trimmingSuffix(" ") }), narrow.leftOut.isEmpty,
                (whole.lines.map(\.count).max() ?? 0) <= width
            {
                #expect(narrow.lines == whole.lines)
            }
        }
    }

    @Test func `a text ends after a word, with an ellipsis`() {
        let row = Sample(place: "Home", purpose: "Client visit in Rotterdam", count: 3)
        #expect(
            lines([row], width: 36).lines == [
                "ID        PLACE  PURPOSE",
                "35e6e935  Home   Client visit in…",
            ]
        )
        #expect(lines([row], width: 36).leftOut == ["SOURCE", "COUNT"])
    }

    @Test func `sentences are wrapped between words, and keep their indentation`() {
        let style = TextStyle(width: 16)
        #expect(
            style.wrapped("Times in Europe/Amsterdam.\n\n  one two three four\n")
                == "Times in\nEurope/Amsterdam.\n\n  one two three\n  four\n"
        )
        #expect(TextStyle().wrapped("as it is") == "as it is")
        #expect(
            style.wrapped("    {\"type\":\"go_pressed\"} was sent")
                == "    {\"type\":\"go_pressed\"} was sent"
        )
    }

    @Test func `a word in the quotes of a shell stays whole`() {
        let style = TextStyle(width: 20)
        #expect(
            style.wrapped(#"Make one with `ledger --ledger 'it'\''s my own book' trips`, or not."#)
                == #"""
                Make one with
                `ledger --ledger
                'it'\''s my own book'
                trips`, or not.
                """#
        )
        #expect(
            style.wrapped("ledger --ledger='-my own book' status")
                == "ledger\n--ledger='-my own book'\nstatus"
        )
        // Apostrophes are no quotes.
        for text in ["the driver's car at Jan's", "'t Hoekje in 's-Hertogenbosch", "from 'n tuin"] {
            let words = text.split(separator: " ").joined(separator: "\n")
            #expect(TextStyle(width: 1).wrapped(text) == words)
        }
    }

    @Test(arguments: Seeds.fresh(100))
    func `a fact fits every screen, word by word, beside its label`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let fact = row(&random).place
        let words = fact.split(separator: " ")
        for width in 1...60 {
            let text = FactSheet([("From", fact), ("Duration", "1:00")]).text(width: width)
            let lines = text.split(separator: "\n").dropLast()
            #expect(
                lines.joined(separator: " ").split(separator: " ") == ["From"] + words,
                "seed \(seed), width \(width)"
            )
            // Only a word that stands alone is longer.
            for (index, line) in lines.enumerated() where line.count > width {
                #expect(
                    line.split(separator: " ").count <= (index == 0 ? 2 : 1),
                    "seed \(seed), width \(width)"
                )
            }
        }
    }

    @Test func `columns of one number are left out together`() {
        let columns = Columns<Sample> {
            Column.name("id", "ID") { $0.id }
            Column.integer("lat", "LATITUDE") { $0.count }.narrowing(.leaves(0))
            Column.integer("lon", "LONGITUDE") { $0.count }.narrowing(.leaves(0))
        }
        var writer = RowWriter(columns, as: .text, style: TextStyle(width: 28))
        var bytes: [UInt8] = []
        writer.add(Sample(count: 52), to: &bytes)
        #expect(writer.finish { append in append(&bytes) } == ["LATITUDE", "LONGITUDE"])
        #expect(String(decoding: bytes, as: UTF8.self) == "ID\n35e6e935\n")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        String(reversed().drop { $0 == character }.reversed())
    }
}
