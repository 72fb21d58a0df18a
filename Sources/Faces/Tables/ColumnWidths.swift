/// The behaviour of a column where the screen is too narrow for all of them.
package enum Narrowing: Hashable, Sendable {
    /// It stays as it is.
    case none

    /// Its texts become shorter, down to some characters.
    case shortens(to: Int)

    /// It is left out; lower numbers go first, and columns of the same number together.
    case leaves(Int)
}

/// How wide the columns of a table are in a line.
///
/// Columns that can be shorter are shortened, the widest first, as long as they can be read with
/// ease. If that is not enough, columns are left out in their order; when none is left to go, the
/// others become as short as they can be.
struct ColumnWidths {
    /// A column.
    struct Column {
        /// How wide it is if there is room.
        let width: Int

        /// The width of its title.
        let titleWidth: Int

        let narrowing: Narrowing

        /// How narrow it can be.
        var leastWidth: Int {
            guard case .shortens(let least) = narrowing else { return width }
            return min(width, max(titleWidth, least))
        }

        /// How narrow it is before another column is left out.
        var easyWidth: Int { max(leastWidth, min(width, ColumnWidths.easyWidth)) }

        var order: Int? {
            if case .leaves(let order) = narrowing { order } else { nil }
        }
    }

    /// The number of characters to which a text can be shortened and still be read with ease.
    private static let easyWidth = 14

    /// The width of each column; 0 if there is no room for it.
    private(set) var widths: [Int]

    /// The columns for which there was no room.
    private(set) var leftOut: [Int] = []

    /// Finds the widths.
    ///
    /// - Parameters:
    ///   - columns: The columns; those of width 0 are not shown.
    ///   - gap: How many characters stand between two columns.
    ///   - lineWidth: How many characters a line may have; `nil` for any number.
    init(_ columns: [Column], gap: Int, within lineWidth: Int?) {
        widths = columns.map(\.width)
        guard let lineWidth else { return }
        var easy = columns.map(\.easyWidth)
        while Self.lineWidth(of: easy, gap: gap) > lineWidth {
            let shown = columns.indices.filter { easy[$0] > 0 }
            guard let next = shown.compactMap({ columns[$0].order }).min() else { break }
            for column in shown where columns[column].order == next {
                easy[column] = 0
                widths[column] = 0
                leftOut.append(column)
            }
        }
        // The widest column shrinks to the next one's width, until there is room or all are at
        // their least.
        while Self.lineWidth(of: widths, gap: gap) > lineWidth {
            let widest = columns.indices
                .filter { widths[$0] > columns[$0].leastWidth }
                .max { widths[$0] < widths[$1] }
            guard let widest else { break }
            widths[widest] -= 1
        }
    }

    private static func lineWidth(of widths: [Int], gap: Int) -> Int {
        let shown = widths.filter { $0 > 0 }
        return shown.reduce(0, +) + gap * max(0, shown.count - 1)
    }
}
