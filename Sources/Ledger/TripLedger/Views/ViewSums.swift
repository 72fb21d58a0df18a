import RowCoding
import Synchronization

/// The number of rows, and the sum of their checksums: the same in whatever order they were
/// written.
struct RowSum: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// How many rows.
    private(set) var count: UInt64 = 0

    private var checksums: UInt64 = 0

    /// The sum of no rows.
    init() {}

    /// Reads a sum.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        try self.init(&reader)
        try reader.finish()
    }

    fileprivate init(_ reader: inout RowDecoder) throws(RowCodingError) {
        count = try reader.readUInt64()
        checksums = try reader.readUInt64()
    }

    /// The sum as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        append(to: &writer)
        return writer.bytes
    }

    /// Counts a row.
    mutating func add(_ checksum: UInt32) {
        count &+= 1
        checksums &+= UInt64(checksum)
    }

    /// Takes a row out of the sum.
    ///
    /// If damaged pages have lost rows, the sum goes below zero and wraps, which a reader notices
    /// like any other difference.
    mutating func remove(_ checksum: UInt32) {
        count &-= 1
        checksums &-= UInt64(checksum)
    }

    fileprivate func append(to writer: inout RowEncoder) {
        writer.write(count)
        writer.write(checksums)
    }
}

/// For each table, the sum of its rows in the table `sums`.
struct TableSums: Hashable, Sendable {
    /// Their key in the table `state`.
    static let key: [UInt8] = Array("sums".utf8)

    private static let formatVersion: UInt8 = 1

    private var sums = [RowSum](repeating: RowSum(), count: ViewTable.allCases.count)

    /// The sums of empty tables.
    init() {}

    /// Reads the sums.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        for index in sums.indices { sums[index] = try RowSum(&reader) }
        try reader.finish()
    }

    /// The sums as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        for sum in sums { sum.append(to: &writer) }
        return writer.bytes
    }

    /// The sum of a table's rows in `sums`.
    subscript(table: ViewTable) -> RowSum {
        get { sums[Int(table.number)] }
        set { sums[Int(table.number)] = newValue }
    }
}

/// The rows of a table whose keys begin with the same bits.
///
/// LMDB cannot tell that a damaged page lost rows, or brought back old ones. So the table `sums`
/// has the sum of the rows of each section, and a reader of a row checks its section first.
struct ViewSection: Hashable, Sendable {
    /// The table.
    let table: ViewTable

    /// The first bits of the keys as a number.
    let number: UInt64

    init(_ number: UInt64, of table: ViewTable) {
        self.table = table
        self.number = number
    }

    /// Creates the section in which a key lies.
    init(of key: [UInt8], in table: ViewTable) {
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        // A shift by all 64 bits gives zero.
        self.init(word >> UInt64(64 - table.sectionBits), of: table)
    }

    /// The keys of the section.
    var keys: ViewKeyRange {
        let isLast = number == (1 << UInt64(table.sectionBits)) - 1
        // The first section begins with the table, because no key is empty.
        return ViewKeyRange(
            from: number == 0 ? nil : lowestKey,
            upTo: isLast ? nil : next.lowestKey
        )
    }

    /// The key of the section's sum in `sums`.
    var sumKey: [UInt8] {
        var key = [table.number]
        key.append(bigEndian: number)
        return key
    }

    private var next: ViewSection { ViewSection(number + 1, of: table) }

    /// The lowest key of the section: no zeros follow, because a key may be that short.
    private var lowestKey: [UInt8] {
        var key: [UInt8] = []
        key.append(bigEndian: number << UInt64(64 - table.sectionBits))
        while key.last == 0 { key.removeLast() }
        return key
    }

    /// The keys in `sums` of all sections of a table.
    static func sumKeys(of table: ViewTable) -> ViewKeyRange {
        ViewKeyRange(from: [table.number], upTo: [table.number + 1])
    }

    /// Returns the number of the section whose sum stands at a key of `sums`.
    static func number(ofSumKey key: Span<UInt8>) -> UInt64 {
        var number: UInt64 = 0
        for index in 1..<key.count { number = number << 8 | UInt64(key[index]) }
        return number
    }
}

extension ViewTable {
    /// The number of first bits of a key that choose its section.
    ///
    /// A section has some hundred rows in a large ledger: reading one row reads its section.
    var sectionBits: Int {
        switch self {
        case .state, .sums, .activeTrips, .activeTripsInOrder: 0
        case .trips, .splits: 8
        // 1,024 numbers, each in use once.
        case .feed: 54
        // The letter, and what a trip's id begins with.
        case .book, .feedSubjects: 16
        // 64 sources.
        case .folds, .rewinds, .visitFolds: 26
        // 2²⁸ ms: three days.
        case .tripsInOrder, .tripEnds, .ambient, .ends, .visitsInOrder: 36
        // One source, and 2³⁶ ms: two years.
        case .visits: 60
        // The kind of row, and of uses three days.
        case .routines, .routinesInOrder: 44
        // 128 hours.
        case .totals, .totalsInOrder: 57
        }
    }
}

/// The changes that a commit makes to the sums of the views.
struct SumChanges {
    /// The earlier sums of the changed sections.
    private(set) var earlier: [ViewSection: RowSum]

    /// Their sums now.
    private(set) var sums: [ViewSection: RowSum]

    /// The sums of the sums.
    var tables: TableSums

    /// Begins with sections that may change, and have not yet.
    init(_ sums: [ViewSection: RowSum], _ tables: TableSums) {
        earlier = sums
        self.sums = sums
        self.tables = tables
    }

    /// Counts a row with the checksum `new` in place of one with the checksum `old`, if there are
    /// such rows.
    mutating func replace(_ old: UInt32?, by new: UInt32?, in section: ViewSection) {
        if let old { sums[section, default: RowSum()].remove(old) }
        if let new { sums[section, default: RowSum()].add(new) }
    }
}

/// The sums of the sections of the views, and the sections that were found to have them: for one
/// snapshot, or for the one process that changes them.
final class ViewSums: Sendable {
    private struct Sections {
        /// The sum of each section that has rows.
        var sums: [UInt64: RowSum]

        /// The numbers of these sections, in order.
        var numbers: [UInt64]

        /// The sections whose rows were found to be complete.
        var sound: Set<UInt64> = []

        init(_ sums: [UInt64: RowSum]) {
            self.sums = sums
            numbers = sums.keys.sorted()
        }

        mutating func note(_ sum: RowSum, _ number: UInt64) {
            let isNew = sums.updateValue(sum, forKey: number) == nil
            if sum == RowSum() {
                sums[number] = nil
                if !isNew { numbers.remove(at: index(of: number)) }
            } else if isNew {
                numbers.insert(number, at: index(of: number))
            }
        }

        /// Returns where a section stands, or would stand.
        func index(of number: UInt64) -> Int {
            var start = 0
            var end = numbers.count
            while start < end {
                let middle = (start + end) / 2
                if numbers[middle] < number { start = middle + 1 } else { end = middle }
            }
            return start
        }
    }

    private let tables = Mutex<[ViewTable: Sections]>([:])

    /// Whether this process has written all rows, and nothing has had time to damage them.
    private let areRowsOwn: Bool

    init(areRowsOwn: Bool = false) {
        self.areRowsOwn = areRowsOwn
    }

    /// Returns what a section's rows add up to, and whether they were found to do so.
    ///
    /// `load` reads the sums of its table if they are not known yet.
    func sum(
        of section: ViewSection,
        or load: (ViewTable) throws -> [UInt64: RowSum]
    ) throws -> (sum: RowSum, isSound: Bool) {
        try withSections(of: section.table, or: load) { sections in
            guard let sum = sections.sums[section.number] else { return (RowSum(), true) }
            return (sum, areRowsOwn || sections.sound.contains(section.number))
        }
    }

    /// Notes that the rows of a section add up.
    func noteSound(_ section: ViewSection) {
        tables.withLock { _ = $0[section.table]?.sound.insert(section.number) }
    }

    /// Returns the sections with rows that have keys in a range.
    func sections(
        of table: ViewTable,
        in keys: ViewKeyRange,
        isDescending: Bool,
        or load: (ViewTable) throws -> [UInt64: RowSum]
    ) throws -> [ViewSection] {
        let first = keys.from.map { ViewSection(of: $0, in: table).number } ?? 0
        let last = keys.upTo.map { ViewSection(of: $0, in: table).number } ?? .max
        let numbers = try withSections(of: table, or: load) { sections in
            sections.numbers[sections.index(of: first)...].prefix { $0 <= last }
        }
        return (isDescending ? numbers.reversed() : Array(numbers))
            .map { ViewSection($0, of: table) }
    }

    /// Takes over what sections add up to after a commit.
    func note(_ changes: SumChanges) {
        tables.withLock { tables in
            for (section, sum) in changes.sums {
                tables[section.table]?.note(sum, section.number)
            }
        }
    }

    private func withSections<Result>(
        of table: ViewTable,
        or load: (ViewTable) throws -> [UInt64: RowSum],
        _ body: (Sections) throws -> Result
    ) throws -> Result {
        if let known = tables.withLock({ $0[table] }) { return try body(known) }
        let sections = Sections(try load(table))
        tables.withLock { $0[table] = sections }
        return try body(sections)
    }
}
