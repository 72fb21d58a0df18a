import TripEvents

/// The columns that a map names, made ready to be looked for in many lines.
struct SoughtColumns: Sendable {
    /// The map.
    let map: ColumnMap

    /// The fewest cells of a line that names all of them.
    let leastCount: Int

    /// What may separate the cells of that line.
    let separators: [UInt8]

    /// The columns as the map has them, and as they are compared.
    private let places: [(written: ColumnMap.Place, compared: ColumnMap.Place)]

    /// Makes the columns of a map ready.
    init(_ map: ColumnMap) {
        self.map = map
        separators = map.delimiter.map { [$0] } ?? ColumnHeader.separators
        places = (map.columns.values.flatMap(\.places) + map.selection.map(\.place))
            .map { place in
                switch place {
                case .name(let name): (place, .name(ColumnHeader.plain(name)))
                case .number: (place, place)
                }
            }
        var names: Set<String> = []
        var most = 0
        for (_, place) in places {
            switch place {
            case .name(let name): names.insert(name)
            case .number(let number): most = max(most, number)
            }
        }
        leastCount = max(names.count, most)
    }

    /// Returns how many columns of the map are not among the names of a line.
    func missingCount(in names: [String]) -> Int {
        places.count { !Self.isNamed($0.compared, in: names) }
    }

    /// Returns the columns of the map that are not among the names of a line, as it calls them.
    func missing(in names: [String]) -> [String] {
        places.filter { !Self.isNamed($0.compared, in: names) }
            .map { place in
                switch place.written {
                case .name(let name): name
                case .number(let number): String(number)
                }
            }
            .sorted()
    }

    private static func isNamed(_ place: ColumnMap.Place, in names: [String]) -> Bool {
        switch place {
        case .name(let name): names.contains(name)
        case .number(let number): number <= names.count
        }
    }
}

/// The cells of a line as names for comparison, for any separator.
struct LineNames {
    /// The line as one name, for separators that it does not contain.
    private let whole: [String]

    private var several: [(separator: UInt8, names: [String])] = []

    /// Takes a line apart.
    init(_ text: Span<UInt8>, _ line: Range<Int>) {
        let counts = CSVCellCounts(text, line)
        // Any absent separator will do: the whole line is one name for it.
        let absent = ColumnHeader.separators.first { counts[$0] == 1 }
        whole = absent.map { Self.names(text, line, $0) } ?? []
        for separator in ColumnHeader.separators where counts[separator] > 1 {
            several.append((separator, Self.names(text, line, separator)))
        }
    }

    /// The names between which a separator stands.
    subscript(separator: UInt8) -> [String] {
        several.first { $0.separator == separator }?.names ?? whole
    }

    private static func names(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ separator: UInt8
    ) -> [String] {
        let cells = CSVCells(text, line, separator: separator)
        return cells.ranges.indices.map { ColumnHeader.plain(cells.text($0, text) ?? "") }
    }
}
