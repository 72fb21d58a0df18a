import TripEvents

/// The places of a map's columns in a table.
struct ColumnHeader {
    /// What separates cells.
    let separator: UInt8

    /// How many columns are named; `nil` if none are.
    let columnCount: Int?

    private var indices: [ColumnMap.Field: [Int]] = [:]
    private var selection: [(index: Int, values: Set<String>)] = []

    /// Finds the columns by the line that names them; `nil` if it does not name all.
    init?(_ sought: SoughtColumns, _ text: Span<UInt8>, _ line: Range<Int>) {
        guard sought.map.hasHeader else {
            self.init(
                numberedBy: sought,
                separator: sought.map.delimiter ?? Self.likeliestSeparator(text, line)
            )
            return
        }
        guard CSVCellCounts(text, line).most >= sought.leastCount else { return nil }
        self.init(sought, LineNames(text, line))
    }

    /// Takes the columns by their numbers, because no line names them.
    private init(numberedBy sought: SoughtColumns, separator: UInt8) {
        self.separator = separator
        columnCount = nil
        find(sought, [])
    }

    /// Finds the columns by the names of a line; `nil` if they are not all there.
    init?(_ sought: SoughtColumns, _ line: LineNames) {
        for separator in sought.separators {
            let names = line[separator]
            guard sought.missingCount(in: names) == 0 else { continue }
            self.separator = separator
            columnCount = names.count
            find(sought, names)
            return
        }
        return nil
    }

    /// The characters that may separate cells.
    static let separators = CSVCells.separators + [UInt8(ascii: "|")]

    private mutating func find(_ sought: SoughtColumns, _ names: [String]) {
        func index(_ place: ColumnMap.Place) -> Int? {
            switch place {
            case .name(let name): names.firstIndex(of: Self.plain(name))
            case .number(let number): number - 1
            }
        }
        for (field, column) in sought.map.columns {
            indices[field] = column.places.compactMap(index)
        }
        selection = sought.map.selection.compactMap { place, values in
            index(place).map { ($0, values) }
        }
    }

    /// The places of a field's texts; empty if the field is constant or has no column.
    subscript(field: ColumnMap.Field) -> [Int] { indices[field] ?? [] }

    /// Whether a row is one of those that are wanted.
    func selects(_ cells: CSVCells, _ text: Span<UInt8>) -> Bool {
        selection.allSatisfy { $0.values.contains(cells.text($0.index, text) ?? "") }
    }

    // MARK: Names

    /// Returns a name as it is compared: without case, spaces and marks, if anything is left.
    static func plain(_ name: String) -> String {
        let letters = CSVCells.letters(of: name)
        return letters.isEmpty ? name.lowercased() : letters
    }

    /// Returns the separator that gives a line the most cells.
    static func likeliestSeparator(_ text: Span<UInt8>, _ line: Range<Int>) -> UInt8 {
        let counts = CSVCellCounts(text, line)
        return separators.first { counts[$0] == counts.most } ?? UInt8(ascii: ",")
    }
}

extension ColumnMap {
    /// Tells whether a text begins with a table that has the columns of this map.
    ///
    /// - Parameter head: The first ``ImportFormat/headByteCount`` bytes, or all if there are fewer.
    /// - Returns: Whether it does.
    public func fits(_ head: Span<UInt8>) -> Bool {
        let text = TextDecoding.utf8(of: head)
        let sought = SoughtColumns(self)
        var position = 0
        for _ in 0..<MappedTableFormat.mostLinesBefore where position < text.count {
            let end = text.span.firstLineFeed(from: position) ?? text.count
            let line = NumberText.trimmed(text.span, position..<end)
            position = end + 1
            if !line.isEmpty, ColumnHeader(sought, text.span, line) != nil { return true }
        }
        return false
    }
}
