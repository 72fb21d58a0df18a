import TripEvents

/// The rows that were read of a table, so that one that is equal to an earlier one is found.
///
/// Of equal events a ledger keeps one: a trip that stands in a table twice counts once. Where both
/// are real, a column that the map does not read tells them apart, and the owner has to know.
///
/// Of large tables, the rows of the last megabytes are remembered: tables are sorted by days.
struct EarlierRows {
    private struct Row {
        /// The line that it is on.
        let number: Int

        /// The line.
        let text: [UInt8]

        /// The events of it that come after its trip: what an odometer showed.
        let readings: [UInt8]
    }

    /// What its columns are called; empty if no line names them.
    private let names: [String]

    /// The separator of their cells.
    private let separator: UInt8

    /// The columns that are read.
    private let mapped: Set<Int>

    /// The rows by their trip or expense: those that came last, and those before them.
    private var recent: [[UInt8]: Row] = [:]
    private var older: [[UInt8]: Row] = [:]

    /// The bytes of the recent ones.
    private var byteCount = 0

    /// The most bytes that are remembered are twice as many.
    private static let mostBytes = 4 << 20

    /// Prepares to compare the rows below the line that names the columns.
    init(_ map: ColumnMap, _ header: ColumnHeader, _ text: Span<UInt8>, _ line: Range<Int>) {
        separator = header.separator
        mapped = Set(map.columns.keys.flatMap { header[$0] })
        names = map.hasHeader ? Self.texts(text, line, separator: separator) : []
    }

    /// Prepares to compare the rows below the line that names the columns of MileIQ or Everlance.
    init(_ header: ReportedTripsHeader, _ text: Span<UInt8>, _ line: Range<Int>) {
        separator = header.separator
        mapped = header.readColumns
        names = Self.texts(text, line, separator: separator)
    }

    /// Compares a row with those before it.
    ///
    /// The trip or expense of one that is equal leaves the batch, with what an odometer showed if
    /// that is equal too.
    ///
    /// - Parameters:
    ///   - text: the text in which the row is.
    ///   - line: its place.
    ///   - number: its line.
    ///   - first: its first item in the batch.
    ///   - batch: its events.
    mutating func compare(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        _ number: Int,
        itemsFrom first: Int,
        in batch: inout ImportBatch
    ) {
        guard first < batch.items.count, batch.items[first].outcome == .event else { return }
        let key = Self.identity(of: batch.bytes[batch.items[first].range])
        let readings = batch.items[(first + 1)...].flatMap { batch.bytes[$0.range] }
        let row = Row(number: number, text: text.bytes(in: line), readings: readings)
        guard let earlier = recent[key] ?? older[key] else { return remember(row, key) }
        let end = earlier.readings == readings ? batch.items.count : first + 1
        let equal = ImportBatch.EqualRow(
            record: number,
            earlier: earlier.number,
            column: difference(earlier.text, row.text)
        )
        batch.setAside(equal, items: first..<end)
    }

    /// Returns the line of an event without what could not be read of its row, which is no part of
    /// the event's identity: the ledger keeps one of two that differ in that alone.
    private static func identity(of line: ArraySlice<UInt8>) -> [UInt8] {
        guard let unread = line.firstRange(of: Array(#""unread":{"#.utf8)) else {
            return Array(line)
        }
        let known = line[..<unread.lowerBound]
        let opening = Array(#","extra":{"#.utf8)
        return known.suffix(opening.count) == opening[...]
            ? known.dropLast(opening.count) + Array("}".utf8)
            // A comma divides the notes from it.
            : known.dropLast() + Array("}}".utf8)
    }

    private mutating func remember(_ row: Row, _ key: [UInt8]) {
        if byteCount > Self.mostBytes {
            older = recent
            recent = [:]
            byteCount = 0
        }
        recent[key] = row
        byteCount += key.count + row.text.count + row.readings.count
    }

    /// Returns the first column in which two rows differ, if possible one that is not read; `nil`
    /// if there is none.
    private func difference(_ one: [UInt8], _ other: [UInt8]) -> String? {
        let left = Self.texts(one.span, one.indices, separator: separator)
        let right = Self.texts(other.span, other.indices, separator: separator)
        let different = (0..<max(left.count, right.count))
            .filter { index in
                let text = index < left.count ? left[index] : ""
                return !text.hasSameBytes(as: index < right.count ? right[index] : "")
            }
        guard let index = different.first(where: { !mapped.contains($0) }) ?? different.first
        else { return nil }
        let isNamed = index < names.count && !names[index].isEmpty
        return isNamed ? Excerpt.of(names[index]) : "column \(index + 1)"
    }

    private static func texts(
        _ text: Span<UInt8>,
        _ line: Range<Int>,
        separator: UInt8
    ) -> [String] {
        let cells = CSVCells(text, line, separator: separator)
        return cells.ranges.indices.map { cells.text($0, text) ?? "" }
    }
}
