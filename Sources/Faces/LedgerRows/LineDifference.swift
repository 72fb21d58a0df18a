package import Tables

/// A line of a report that has changed, was added or is gone.
package struct LineDifference: Hashable, Sendable, Tabular {
    /// The number of pairs of lines above which lines are compared only by their places.
    private static let maximumPairs = 16_000_000

    /// A line, which equals every line with the same meaning.
    private struct Line: Hashable {
        let text: String

        /// The text; for a line for people its words, without the dashes of empty cells.
        private let meaning: [Substring]

        init(_ text: String, isText: Bool) {
            self.text = text
            meaning = isText ? text.split(separator: " ").filter { $0 != "-" } : [text[...]]
        }

        static func == (left: Line, right: Line) -> Bool { left.meaning == right.meaning }

        func hash(into hasher: inout Hasher) { hasher.combine(meaning) }
    }

    /// The number of the line in the old report, from 1; for an added line, that of the old line
    /// after it.
    package let line: Int

    /// The line as it was; `nil` for one that was added.
    package let old: String?

    /// The line as it is; `nil` for one that is gone.
    package let new: String?

    /// The columns: `line-difference.v1.schema.json`.
    package static let columns = Columns<LineDifference> {
        Column.integer("line") { $0.line }
        Column.text("old") { $0.old }
        Column.text("new") { $0.new }
    }

    /// Returns the lines that differ, in their order.
    ///
    /// - Parameters:
    ///   - old: The bytes of a report as it was.
    ///   - new: Those of the same report as it is.
    ///   - format: Its format. Lines of text are compared without the widths of columns, and
    ///     without columns that are left out because they are empty.
    /// - Returns: The lines; a line and its replacement are one difference.
    package static func all(
        from old: [UInt8],
        to new: [UInt8],
        as format: RowFormat
    ) -> [LineDifference] {
        let old = lines(of: old).map { Line($0, isText: format == .text) }
        let new = lines(of: new).map { Line($0, isText: format == .text) }
        let start = zip(old, new).prefix { $0 == $1 }.count
        let rest = min(old.count, new.count) - start
        let end = zip(old.reversed(), new.reversed()).prefix(rest).prefix { $0 == $1 }.count
        let before = Array(old[start..<old.count - end])
        let after = Array(new[start..<new.count - end])
        guard before.count * after.count <= maximumPairs else {
            return paired(before[...], after[...], from: start)
        }
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in after.difference(from: before) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var differences: [LineDifference] = []
        var (index, other) = (0, 0)
        while index < before.count || other < after.count {
            let gone = index
            let came = other
            while removed.contains(index) { index += 1 }
            while added.contains(other) { other += 1 }
            differences += paired(before[gone..<index], after[came..<other], from: start)
            // The lines that follow are the same in both.
            index += 1
            other += 1
        }
        return differences
    }

    /// Pairs lines that are gone with those that replace them.
    private static func paired(
        _ gone: ArraySlice<Line>,
        _ came: ArraySlice<Line>,
        from start: Int
    ) -> [LineDifference] {
        (0..<max(gone.count, came.count))
            .map { offset in
                LineDifference(
                    line: start + gone.startIndex + min(offset, gone.count) + 1,
                    old: offset < gone.count ? gone[gone.startIndex + offset].text : nil,
                    new: offset < came.count ? came[came.startIndex + offset].text : nil
                )
            }
    }

    private static func lines(of bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in
                let isEndOfRow = line.last == UInt8(ascii: "\r")
                return String(decoding: isEndOfRow ? line.dropLast() : line, as: UTF8.self)
            }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
