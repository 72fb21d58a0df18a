import TripEvents

/// Where the columns of a map stand in a table.
struct ColumnHeader {
    /// What separates cells.
    let separator: UInt8

    /// How many columns are named; `nil` if none are.
    let columnCount: Int?

    private var indices: [ColumnMap.Field: [Int]] = [:]
    private var selection: [(index: Int, values: Set<String>)] = []

    /// Finds the columns by the line that names them; `nil` if it does not name all.
    init?(_ map: ColumnMap, _ text: Span<UInt8>, _ line: Range<Int>) {
        guard map.hasHeader else {
            separator = map.delimiter ?? Self.likeliestSeparator(text, line)
            columnCount = nil
            find(map, [])
            return
        }
        for separator in map.delimiter.map({ [$0] }) ?? Self.separators {
            let names = Self.names(text, line, separator)
            guard Self.isComplete(map, names) else { continue }
            self.separator = separator
            columnCount = names.count
            find(map, names)
            return
        }
        return nil
    }

    /// What may separate cells.
    static let separators = CSVCells.separators + [UInt8(ascii: "|")]

    private mutating func find(_ map: ColumnMap, _ names: [String]) {
        func index(_ place: ColumnMap.Place) -> Int? {
            switch place {
            case .name(let name): names.firstIndex(of: Self.plain(name))
            case .number(let number): number - 1
            }
        }
        for (field, column) in map.columns {
            indices[field] = column.places.compactMap(index)
        }
        selection = map.selection.compactMap { place, values in
            index(place).map { ($0, values) }
        }
    }

    /// The places of a field's texts; none if it is constant or there is none.
    subscript(field: ColumnMap.Field) -> [Int] { indices[field] ?? [] }

    /// Whether a row is one of those that are wanted.
    func selects(_ cells: CSVCells, _ text: Span<UInt8>) -> Bool {
        selection.allSatisfy { $0.values.contains(cells.text($0.index, text) ?? "") }
    }

    // MARK: Names

    /// Returns the names of a line's columns as they are compared.
    static func names(_ text: Span<UInt8>, _ line: Range<Int>, _ separator: UInt8) -> [String] {
        let cells = CSVCells(text, line, separator: separator)
        return cells.ranges.indices.map { plain(cells.text($0, text) ?? "") }
    }

    /// Returns a name as it is compared: without case, spaces and marks, if anything is left.
    static func plain(_ name: String) -> String {
        let letters = CSVCells.letters(of: name)
        return letters.isEmpty ? name.lowercased() : letters
    }

    /// Whether a line names a column.
    private static func isNamed(_ place: ColumnMap.Place, in names: [String]) -> Bool {
        switch place {
        case .name(let name): names.contains(plain(name))
        case .number(let number): number <= names.count
        }
    }

    /// Whether a line names every column of a map.
    private static func isComplete(_ map: ColumnMap, _ names: [String]) -> Bool {
        map.columns.values.allSatisfy { $0.places.allSatisfy { isNamed($0, in: names) } }
            && map.selection.allSatisfy { isNamed($0.place, in: names) }
    }

    /// Returns the columns of a map that a line does not name.
    static func missing(_ map: ColumnMap, _ names: [String]) -> [String] {
        let places = map.columns.values.flatMap(\.places) + map.selection.map(\.place)
        return places.filter { !isNamed($0, in: names) }
            .map { place in
                switch place {
                case .name(let name): name
                case .number(let number): String(number)
                }
            }
            .sorted()
    }

    /// Returns what separates most cells of a line.
    static func likeliestSeparator(_ text: Span<UInt8>, _ line: Range<Int>) -> UInt8 {
        let counts = separators.map { CSVCells(text, line, separator: $0).ranges.count }
        let most = counts.max() ?? 1
        return zip(separators, counts).first { $0.1 == most }?.0 ?? UInt8(ascii: ",")
    }
}

extension ColumnMap {
    /// Tells whether a text begins with a table that has the columns of this map.
    ///
    /// - Parameter head: The first ``ImportFormat/headByteCount`` bytes, or all if there are fewer.
    /// - Returns: Whether it does.
    public func fits(_ head: Span<UInt8>) -> Bool {
        var decoding = TextDecoding(head)
        let mark = decoding.takeUTF8Mark()
        let text = mark.map { head.bytes(in: $0..<head.count) } ?? decoding.decoded(head)
        var position = 0
        for _ in 0..<MappedTableFormat.mostLinesBefore where position < text.count {
            let end = text.span.firstLineFeed(from: position) ?? text.count
            let line = NumberText.trimmed(text.span, position..<end)
            position = end + 1
            if !line.isEmpty, ColumnHeader(self, text.span, line) != nil { return true }
        }
        return false
    }
}
