/// Places pieces on pages, one below the other.
///
/// A piece is never cut in two, with two exceptions: a piece that is higher than a page, together
/// with the headings above it, can only be printed in parts; and a piece may have too many lines to
/// be moved (``FlowItem/mostMovedLines``). The last page always has some lines: a closing sentence
/// stays with the end of the text before it.
package struct PageFlow {
    /// The place of a piece, or of a part of it.
    package struct Placement: Hashable, Sendable {
        /// The number of the piece, from 0.
        package let item: Int

        /// The number of the page, from 0.
        package let page: Int

        /// How far it is below the top of the text, in points.
        package let top: Double

        /// The lines of it that stand here.
        package let lines: Range<Int>

        /// Whether the head of its table is repeated right above it.
        package let repeatsHead: Bool
    }

    /// The fewest lines of a piece that stand before a cut.
    private static let fewestBeforeCut = 2

    /// The fewest lines of the last page; with fewer, it takes more from the page before it.
    package static let fewestLines = 5

    private let items: [FlowItem]
    private let height: Double
    private var placements: [Placement] = []
    private var page = 0
    private var top = 0.0

    /// Returns the place of each piece, in their order, on pages with a height of text in points.
    ///
    /// Complexity: O(*n*), for *n* pieces and their parts.
    package static func place(_ items: [FlowItem], height: Double) -> [Placement] {
        var flow = PageFlow(items: items, height: height)
        var index = 0
        while index < items.count { index = flow.placeGroup(from: index) }
        flow.fillLastPage()
        return flow.placements
    }

    private init(items: [FlowItem], height: Double) {
        self.items = items
        self.height = height
        placements.reserveCapacity(items.count)
    }

    /// Places a piece and all that it must stand with, and returns the number of the next one.
    private mutating func placeGroup(from first: Int) -> Int {
        var last = first
        while items[last].keepsWithNext, last + 1 < items.count { last += 1 }
        let group = first..<last + 1
        let wanted = items[last].prefersNext && last + 1 < items.count ? first..<last + 2 : group
        let goal = [wanted, group].first { fits($0, below: 0) }
        if group.count == 1, isCutHere(items[first]) {
            placeInParts(first, isLast: true)
        } else if let goal {
            if !fits(goal, below: top) { turnPage() }
            for index in group { place(index, lines: 0..<items[index].lineCount) }
        } else {
            for index in group { placeInParts(index, isLast: index == last) }
        }
        return last + 1
    }

    /// Whether a piece has too many lines to be moved, does not fit here, and some lines of it do.
    private func isCutHere(_ item: FlowItem) -> Bool {
        guard let most = item.mostMovedLines, item.lineCount > most else { return false }
        let count = item.lineCount(in: height - top - above(item))
        return count < item.lineCount && count >= Self.fewestBeforeCut
    }

    /// Places a piece of a group that is higher than a page.
    ///
    /// Only its last piece is cut where it begins in the middle of a page: those before it are
    /// headings, which are cut only if one of them is higher than a page.
    private mutating func placeInParts(_ index: Int, isLast: Bool) {
        let item = items[index]
        if fits(index..<index + 1, below: top) {
            place(index, lines: 0..<item.lineCount)
            return
        }
        if !isLast, fits(index..<index + 1, below: 0) { turnPage() }
        var next = 0
        while next < item.lineCount {
            var count = item.lineCount(in: height - top - above(item))
            if count == 0, top > 0 {
                turnPage()
                count = item.lineCount(in: height - above(item))
            }
            // A line that is higher than the page stands on a page of its own.
            let end = min(item.lineCount, next + max(1, count))
            place(index, lines: next..<end)
            next = end
            if next < item.lineCount { turnPage() }
        }
    }

    /// Moves pieces from the end of the page before the last one to the last page, until that has
    /// enough lines.
    ///
    /// It moves nothing if they have no room there, or if the other page would be empty.
    private mutating func fillLastPage() {
        guard page > 0, var first = placements.firstIndex(where: { $0.page == page }) else {
            return
        }
        var lineCount = placements[first...].reduce(0) { $0 + $1.lines.count }
        guard lineCount < Self.fewestLines, isWhole(placements[first]) else { return }
        repeat {
            first -= 1
            guard first > 0, placements[first - 1].page == page - 1, isWhole(placements[first])
            else { return }
            lineCount += placements[first].lines.count
        } while lineCount < Self.fewestLines || isBound(placements[first - 1].item)
        let moved = placements[first].item..<items.count
        guard fits(moved, below: 0) else { return }
        placements.removeSubrange(first...)
        top = 0
        for index in moved { place(index, lines: 0..<items[index].lineCount) }
    }

    private func isWhole(_ placement: Placement) -> Bool {
        placement.lines.count == items[placement.item].lineCount
    }

    /// Whether the next piece should stand on the same page as a piece.
    private func isBound(_ index: Int) -> Bool {
        items[index].keepsWithNext || items[index].prefersNext
    }

    private mutating func place(_ index: Int, lines: Range<Int>) {
        let item = items[index]
        let isFirst = top == 0
        top += above(item)
        placements.append(
            Placement(
                item: index,
                page: page,
                top: top,
                lines: lines,
                repeatsHead: isFirst && item.headHeight > 0
            )
        )
        top += item.height(ofLines: lines.count)
    }

    /// Returns what stands between the end of the text so far and a piece.
    private func above(_ item: FlowItem) -> Double { top == 0 ? item.headHeight : item.spaceBefore }

    private func fits(_ group: Range<Int>, below top: Double) -> Bool {
        let first = items[group.lowerBound]
        var end = top + (top == 0 ? first.headHeight : first.spaceBefore) + first.height
        for item in items[group].dropFirst() { end += item.spaceBefore + item.height }
        return end <= height
    }

    private mutating func turnPage() {
        page += 1
        top = 0
    }
}
