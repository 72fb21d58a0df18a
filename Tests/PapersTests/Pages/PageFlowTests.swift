import DriveSimulation
import Papers
import TestSupport
import Testing

/// Pages of random documents, whose heights are whole numbers, so that sums are exact.
@Suite struct PageFlowTests {
    private let height = 400.0

    /// Headings, paragraphs and tables; some pieces are higher than a page.
    private static func items(_ random: inout SplitMix64) -> [FlowItem] {
        var items: [FlowItem] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            if Bool.random(using: &random) {
                var heading = FlowItem(
                    lineCount: Int.random(in: 1...2, using: &random),
                    lineHeight: 16
                )
                heading.spaceBefore = 18
                heading.keepsWithNext = true
                items.append(heading)
            }
            switch Int.random(in: 0...2, using: &random) {
            case 0:
                let count = Int.random(in: 1...5, using: &random)
                var paragraph = FlowItem(lineCount: count, lineHeight: 12)
                paragraph.spaceBefore = 6
                items.append(paragraph)
            case 1:
                items.append(
                    FlowItem(
                        lineCount: 1,
                        lineHeight: Double.random(in: 50...300, using: &random).rounded()
                    )
                )
            default: items += table(&random)
            }
        }
        return items
    }

    private static func table(_ random: inout SplitMix64) -> [FlowItem] {
        var head = FlowItem(
            lineCount: Int.random(in: 1...2, using: &random),
            lineHeight: 10,
            padding: 2
        )
        let count = Int.random(in: 0...60, using: &random)
        head.keepsWithNext = count > 0
        head.spaceBefore = 7
        let rows = (0..<count)
            .map { _ in
                let isHuge = Int.random(in: 0..<40, using: &random) == 0
                let lines = Int.random(in: isHuge ? 30...200 : 1...5, using: &random)
                var row = FlowItem(lineCount: lines, lineHeight: 10, padding: 2)
                row.headHeight = head.height
                row.prefersNext = Int.random(in: 0..<8, using: &random) == 0
                return row
            }
        return [head] + rows
    }

    /// Returns the pieces that must stand together with one, which is the last of them.
    private static func group(endingAt index: Int, in items: [FlowItem]) -> Range<Int> {
        var first = index
        while first > 0, items[first - 1].keepsWithNext { first -= 1 }
        return first..<index + 1
    }

    /// Returns how high pieces are below one another, from the top of a page.
    private static func height(of group: Range<Int>, in items: [FlowItem]) -> Double {
        let first = items[group.lowerBound]
        return items[group].dropFirst()
            .reduce(first.headHeight + first.height) {
                $0 + $1.spaceBefore + $1.height
            }
    }

    @Test(arguments: Seeds.fresh(400))
    func `every line of every piece stands on one page, in order`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let items = Self.items(&random)
        var next = (item: 0, line: 0)
        for placement in PageFlow.place(items, height: height) {
            #expect(placement.item == next.item && placement.lines.lowerBound == next.line)
            #expect(!placement.lines.isEmpty)
            let isWhole = placement.lines.upperBound == items[placement.item].lineCount
            next =
                isWhole
                ? (placement.item + 1, 0) : (placement.item, placement.lines.upperBound)
        }
        #expect(next == (items.count, 0))
    }

    @Test(arguments: Seeds.fresh(400))
    func `nothing overlaps what is above it, the repeated head or the foot`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let items = Self.items(&random)
        var (page, bottom) = (0, 0.0)
        for placement in PageFlow.place(items, height: height) {
            #expect(placement.page == page || placement.page == page + 1)
            if placement.page > page { (page, bottom) = (placement.page, 0) }
            let item = items[placement.item]
            let isFirst = bottom == 0
            #expect(placement.repeatsHead == (isFirst && item.headHeight > 0))
            #expect(placement.top - (placement.repeatsHead ? item.headHeight : 0) >= bottom)
            bottom = placement.top + item.height(ofLines: placement.lines.count)
            #expect(bottom <= height)
        }
    }

    @Test(arguments: Seeds.fresh(400))
    func `only what no page holds is cut, and only then does a heading end a page`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let items = Self.items(&random)
        let placements = PageFlow.place(items, height: height)
        for (placement, next) in zip(placements, placements.dropFirst())
        where next.page > placement.page {
            let isCut = next.item == placement.item
            guard isCut || items[placement.item].keepsWithNext else { continue }
            var last = next.item
            while items[last].keepsWithNext, last + 1 < items.count { last += 1 }
            let group = Self.group(endingAt: last, in: items)
            #expect(Self.height(of: group, in: items) > height, "seed \(seed)")
        }
    }

    @Test(arguments: Seeds.fresh(400))
    func `no page ends while what comes next has room, but for the last page's sake`(
        seed: UInt64
    ) {
        var random = SplitMix64(seed: seed)
        let items = Self.items(&random)
        let placements = PageFlow.place(items, height: height)
        for (placement, next) in zip(placements, placements.dropFirst())
        where next.page > placement.page && next.lines.lowerBound == 0 {
            if next.page == placements.last?.page, Self.isFilled(next.item, items) { continue }
            var last = next.item
            while items[last].keepsWithNext, last + 1 < items.count { last += 1 }
            let whole = next.item..<last + 1
            if items[last].prefersNext, last + 1 < items.count,
                Self.height(of: next.item..<last + 2, in: items) <= height
            {
                last += 1
            }
            let bottom =
                placement.top + items[placement.item].height(ofLines: placement.lines.count)
            let wanted =
                Self.height(of: next.item..<last + 1, in: items)
                - items[next.item].headHeight + items[next.item].spaceBefore
            // A piece that no page holds begins where the headings above it end, if a line has
            // room.
            let isTooHigh = Self.height(of: whole, in: items) > height
            #expect(isTooHigh || bottom + wanted > height, "seed \(seed)")
        }
    }

    /// Whether the last page, which begins with a piece, would have too few lines without the
    /// first of its pieces that may stand on the page before.
    private static func isFilled(_ first: Int, _ items: [FlowItem]) -> Bool {
        var last = first
        while items[last].keepsWithNext || items[last].prefersNext, last + 1 < items.count {
            last += 1
        }
        let lineCount = items[(last + 1)...].reduce(0) { $0 + $1.lineCount }
        return lineCount < PageFlow.fewestLines
    }

    @Test(arguments: Seeds.fresh(400))
    func `a last page has some lines, if more of them have room and leave a page before it`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let items = Self.items(&random)
        let placements = PageFlow.place(items, height: height)
        guard let page = placements.last?.page, page > 0 else { return }
        let first = try #require(placements.firstIndex { $0.page == page })
        let lineCount = placements[first...].reduce(0) { $0 + $1.lines.count }
        guard lineCount < PageFlow.fewestLines else { return }
        // What could have come with them: whole pieces, up to where a page may end.
        var start = first
        var found = lineCount
        var canMove = placements[first].lines.lowerBound == 0
        repeat {
            start -= 1
            let moved = placements[start]
            guard start > 0, placements[start - 1].page == page - 1,
                moved.lines.count == items[moved.item].lineCount
            else {
                canMove = false
                break
            }
            found += moved.lines.count
        } while found < PageFlow.fewestLines || items[placements[start - 1].item].keepsWithNext
            || items[placements[start - 1].item].prefersNext
        guard canMove else { return }
        let moved = placements[start].item..<items.count
        #expect(Self.height(of: moved, in: items) > height, "seed \(seed)")
    }

    @Test func `a closing sentence takes the last rows and their total with it`() {
        var rows = (0..<20)
            .map { _ in
                var row = FlowItem(lineCount: 1, lineHeight: 20)
                row.headHeight = 20
                return row
            }
        rows[18].prefersNext = true
        var sentence = FlowItem(lineCount: 1, lineHeight: 12)
        sentence.spaceBefore = 6
        let placements = PageFlow.place(rows + [sentence], height: height)
        #expect(placements.map(\.page) == Array(repeating: 0, count: 16) + [1, 1, 1, 1, 1])
        #expect(placements[16].repeatsHead && placements[16].top == 20)
        #expect(placements.last?.top == 106)
    }

    @Test func `pieces that stand together go to the last page together`() {
        var table = (0..<10).map { _ in FlowItem(lineCount: 1, lineHeight: 20) }
        for index in table.indices.dropLast() { table[index].keepsWithNext = true }
        let text = FlowItem(lineCount: 10, lineHeight: 20)
        let sentence = FlowItem(lineCount: 1, lineHeight: 20)
        let pages = PageFlow.place([text] + table + [sentence], height: height).map(\.page)
        #expect(pages == [0] + Array(repeating: 1, count: 11))
        let other = PageFlow.place(table + [text, sentence], height: height).map(\.page)
        #expect(other == Array(repeating: 0, count: 10) + [1, 1])
        // No page is emptied for another's sake.
        let huge = FlowItem(lineCount: 20, lineHeight: 20)
        #expect(PageFlow.place([huge, sentence], height: height).map(\.page) == [0, 1])
    }

    @Test func `a total stands with the row above it`() {
        var rows = (0..<26).map { _ in FlowItem(lineCount: 1, lineHeight: 20) }
        rows[19].prefersNext = true
        let pages = PageFlow.place(rows, height: height).map(\.page)
        #expect(pages == Array(repeating: 0, count: 19) + Array(repeating: 1, count: 7))
    }

    @Test func `a row that is higher than a page goes on below repeated heads`() {
        var row = FlowItem(lineCount: 100, lineHeight: 10, padding: 5)
        row.headHeight = 30
        let placements = PageFlow.place(
            [FlowItem(lineCount: 1, lineHeight: 200), row],
            height: height
        )
        #expect(placements.map(\.lines) == [0..<1, 0..<19, 19..<55, 55..<91, 91..<100])
        #expect(placements.map(\.page) == [0, 0, 1, 2, 3])
        #expect(placements.map(\.top) == [0, 200, 30, 30, 30])
        #expect(placements.map(\.repeatsHead) == [false, false, true, true, true])
    }

    @Test func `a row of many lines is cut where it stands, and one of few is moved`() {
        func lines(of count: Int, below top: Double) -> [Range<Int>] {
            var row = FlowItem(lineCount: count, lineHeight: 10)
            row.mostMovedLines = 12
            let above = FlowItem(lineCount: 1, lineHeight: top)
            return PageFlow.place([above, row], height: height).dropFirst().map(\.lines)
        }
        #expect(lines(of: 20, below: 250) == [0..<15, 15..<20])
        #expect(lines(of: 12, below: 350) == [0..<12])
        // One line alone is not left behind.
        #expect(lines(of: 20, below: 385) == [0..<20])
    }

    @Test(arguments: Seeds.fresh(100))
    func `a page of rows loses twelve lines at most`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let items = (0..<Int.random(in: 1...80, using: &random))
            .map { _ in
                var row = FlowItem(
                    lineCount: Int.random(in: 1...40, using: &random),
                    lineHeight: 10,
                    padding: 2
                )
                row.mostMovedLines = 12
                return row
            }
        let placements = PageFlow.place(items, height: height)
        // The page before the last one gives lines to that.
        let last = (placements.last?.page ?? 0) - 1
        for (placement, next) in zip(placements, placements.dropFirst())
        where next.page > placement.page && placement.page < last {
            let item = items[placement.item]
            let bottom = placement.top + item.height(ofLines: placement.lines.count)
            #expect(height - bottom <= 12 * 10 + 4, "seed \(seed)")
        }
    }

    @Test func `nothing is placed nowhere`() {
        #expect(PageFlow.place([], height: height).isEmpty)
    }

    @Test func `a hundred thousand headings and rows are placed at once`() {
        var heading = FlowItem(lineCount: 1, lineHeight: 10)
        heading.keepsWithNext = true
        let count = 100_000
        let items =
            Array(repeating: heading, count: count)
            + Array(repeating: FlowItem(lineCount: 1, lineHeight: 10), count: count)
        let time = ThreadTime.spent {
            #expect(PageFlow.place(items, height: height).count == 2 * count)
        }
        // A second or two in a debug build; in quadratic time it would be hours.
        #expect(time < .seconds(60))
    }
}
