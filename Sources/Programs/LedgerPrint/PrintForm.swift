import Papers

/// The kinds of files that pictures and documents become.
enum PrintForm: String {
    case png
    case pdf

    /// Pixels of PNG for each CSS pixel of a picture: sharp on the screens of today, and in print.
    private static let pictureScale = 2.0

    /// Pixels of PNG for each point of a document: 150 to the inch, to look at.
    private static let documentScale = 150.0 / 72

    /// PDF counts in points, 72 to the inch, and CSS in pixels, 96 to the inch.
    private static let pointsPerPixel = 0.75

    /// Returns a picture as a file: PNG has its first page, PDF all of them.
    func file(_ picture: Picture) throws(PrintError) -> [UInt8] {
        let first = picture.pages[0]
        switch self {
        case .png:
            return try PrintFile.png(
                width: first.width,
                height: first.height,
                scale: Self.pictureScale
            ) { $0.draw(first) }
        case .pdf:
            let unit = Self.pointsPerPixel
            let title = PrintableText.clean(picture.title)
            let file = try PrintFile.pdf(width: first.width * unit, height: first.height * unit) {
                (surface) throws(PrintError) in
                surface.setTitle(title)
                for (index, page) in picture.pages.enumerated() {
                    surface.setSize(width: page.width * unit, height: page.height * unit)
                    let canvas = surface.canvas(scale: unit)
                    // Cairo marks a file as tagged if everything is within a `Document` tag.
                    if index == 0 { canvas.begin("Document") }
                    canvas.begin("Figure")
                    canvas.draw(page)
                    canvas.end("Figure")
                    if index == picture.pages.count - 1 { canvas.end("Document") }
                    canvas.endPage()
                    try canvas.check()
                }
            }
            return ArchivedPDF.bytes(of: file, title: title, language: nil)
        }
    }

    /// Returns a document as a file: PNG has its first page, PDF all of them.
    func file(_ document: Document) throws(PrintError) -> [UInt8] {
        let setter = TextSetter(language: document.languageTag)
        let set = try SetDocument(document, with: setter)
        let paper = set.paper
        switch self {
        case .png:
            return try PrintFile.png(
                width: paper.width,
                height: paper.height,
                scale: Self.documentScale
            ) { canvas in
                var pages = DocumentPages(set, on: canvas, with: setter)
                pages.drawFirst()
            }
        case .pdf:
            let file = try PrintFile.pdf(width: paper.width, height: paper.height) {
                (surface) throws(PrintError) in
                surface.setTitle(document.title)
                let canvas = surface.canvas()
                var pages = DocumentPages(set, on: canvas, with: setter)
                pages.drawAll()
                try canvas.check()
                for entry in set.outline {
                    surface.addOutline(
                        entry.title,
                        page: entry.page + 1,
                        left: Int(set.left),
                        top: Int(entry.top)
                    )
                }
            }
            return ArchivedPDF.bytes(
                of: file,
                title: document.title,
                language: document.languageTag
            )
        }
    }
}
