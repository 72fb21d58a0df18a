import Papers

/// The foot of every page as it is set: its lines, the number of the page and the code.
struct SetFoot {
    private static let style = TextStyle(7)

    /// The smallest code, and the smallest field of a code, that phone cameras read on paper.
    private static let smallestCode = Paper.millimeters(18)
    private static let smallestField = Paper.millimeters(0.35)

    /// Fields that must stay white around a code (ISO/IEC 18004).
    private static let quietFields = 4.0

    private static let gap = 12.0

    /// Lines at the left.
    let rows: [SetRow]

    /// The fields of the code at the right, dark ones are true; empty without one.
    let code: [[Bool]]

    /// How wide a field of the code is.
    let field: Double

    /// How wide and high the code is.
    var codeWidth: Double { Double(code.count) * field }

    /// The space between the line above the foot and what stands in it.
    let space: Double

    /// How high it is, `space` included.
    let height: Double

    private let page: String
    private let pageColumn: SetRow.Column

    /// Sets the foot of a document for pages whose text is so wide.
    init(_ document: Document, width: Double, with setter: TextSetter) {
        code = document.code?.modules ?? []
        page = document.pageWords
        let count = Double(max(1, code.count))
        field = code.isEmpty ? 0 : max(Self.smallestCode / count, Self.smallestField)
        space = max(field * Self.quietFields, 5)
        let codeWidth = Double(code.count) * field
        let right = width - (code.isEmpty ? 0 : codeWidth + max(space, Self.gap))
        // Wide enough for the number of the last page, which is not known yet.
        let longest = Self.text(page, number: 99_999, of: 99_999)
        let pageWidth = min(setter.extent(longest, Self.style).width, width / 3)
        pageColumn = SetRow.Column(
            left: right - pageWidth,
            width: pageWidth,
            isRight: true,
            ink: PrintInk.grey
        )
        let column = SetRow.Column(
            left: 0,
            width: right - pageWidth - Self.gap,
            isRight: false,
            ink: PrintInk.grey
        )
        rows = document.foot.map {
            SetRow(.foot, [$0], in: [column], style: Self.style, with: setter)
        }
        let number = SetRow(.foot, [longest], in: [pageColumn], style: Self.style, with: setter)
        let lines = rows.reduce(0) { $0 + $1.height }
        height = space + max(lines, number.height, codeWidth)
    }

    /// Returns the number of a page as it is set.
    func pageRow(number: Int, of count: Int, with setter: TextSetter) -> SetRow {
        let text = Self.text(page, number: number, of: count)
        return SetRow(.foot, [text], in: [pageColumn], style: Self.style, with: setter)
    }

    private static func text(_ page: String, number: Int, of count: Int) -> String {
        page.replacing("{page}", with: "\(number)").replacing("{pages}", with: "\(count)")
    }
}
