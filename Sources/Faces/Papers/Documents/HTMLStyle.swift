import TripEvents

/// The style sheet of a document's HTML page.
struct HTMLStyle {
    private let document: Document

    /// Creates the style sheet of a document.
    init(_ document: Document) {
        self.document = document
    }

    /// The rules.
    var text: String {
        SVGWriter.styleSheet + Self.screen + tables + Self.print + page
    }

    // Without ligatures: Firefox puts one letter for `ff` into a PDF, and the id of a trip that is
    // copied from there is not found.
    private static let screen = """
        :root{color-scheme:light dark;--text:#1f252b;--faint:#5f6871;--paper:#fff;--rule:#d8d6cf;\
        --shade:#f3f5f6}
        @media screen and (prefers-color-scheme:dark){
        :root{--text:#e8eaec;--faint:#a3abb3;--paper:#16191d;--rule:#353b41;--shade:#22262a}
        }
        body{margin:0 auto;max-width:80rem;padding:1rem;background:var(--paper);\
        color:var(--text);font:15px/1.45 "DejaVu Sans","Noto Sans",system-ui,sans-serif;\
        font-variant-ligatures:none}
        h1{font-size:1.5rem;margin:0 0 .6rem}
        h2{font-size:1.1rem;margin:1.6rem 0 .5rem}
        dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0 0 1rem}
        dt{color:var(--faint)}
        dd{margin:0;overflow-wrap:anywhere}
        p{margin:.4rem 0;max-width:46rem;white-space:pre-line;overflow-wrap:anywhere}
        div[role=region]{overflow-x:auto;margin:.8rem 0}
        div[role=region]:focus-visible{outline:2px solid var(--faint)}
        table{border-collapse:separate;border-spacing:0;\
        font-variant-numeric:tabular-nums;font-size:.87em}
        th,td{padding:.22rem .5rem;text-align:left;vertical-align:top;white-space:pre;\
        border-bottom:1px solid var(--rule)}
        thead th{border-bottom:2px solid var(--faint);vertical-align:bottom}
        tbody th{font-weight:normal;position:sticky;left:0;background:var(--paper)}
        tr.total th,tr.total td{font-weight:bold;border-top:2px solid var(--faint)}
        tr.faint th,tr.faint td{color:var(--faint)}
        tbody tr:hover>*{background:var(--shade)}
        figure{margin:1rem 0;max-width:46rem}
        svg{display:block;width:100%;height:auto}
        footer{display:flex;gap:1rem;align-items:center;margin-top:1.6rem;padding-top:.8rem;\
        border-top:1px solid var(--rule);color:var(--faint);font-size:.87em}
        footer div{min-width:0}
        .code{flex:none;width:7rem}
        .code rect{fill:#fff}
        .code path{fill:#000}

        """

    private static let print = """
        @media print{
        body{max-width:none;padding:0;font-size:8.5pt;line-height:1.3}
        h1{font-size:15pt}
        h2,p:has(+h2){break-after:avoid}
        h2{font-size:10.5pt}
        p{max-width:none}
        div[role=region]{overflow:visible}
        table{width:100%;font-size:8pt}
        th,td{padding:1.6pt 3pt}
        thead th,td{white-space:pre-line}
        tbody th{position:static}
        thead{display:table-header-group}
        tr,figure,dl,footer{break-inside:avoid}
        figure{max-width:17cm}
        .code{width:26mm}
        }

        """

    /// The rules that say which columns of which table are numbers, and which may be broken over
    /// lines: one rule for each column, so that no cell has to say it.
    private var tables: String {
        var rules = ""
        var count = 0
        for case .table(let table) in document.blocks {
            count += 1
            for (index, column) in table.columns.enumerated() {
                let cells = "#t\(count) tr>:nth-child(\(index + 1))"
                if column.isNumber {
                    rules += "\(cells){text-align:right}\n"
                    rules += "#t\(count) td:nth-child(\(index + 1)){white-space:pre}\n"
                }
                if column.wraps {
                    rules += "\(cells){white-space:pre-line;overflow-wrap:break-word}\n"
                }
            }
        }
        return rules
    }

    /// The paper and what stands on each page of it.
    private var page: String {
        let size =
            switch document.paper {
            case .a4: "A4"
            case .letter: "letter"
            }
        let foot = document.foot.map(Self.string).joined(separator: "\"\\A \"")
        let pages = document.pageWords.replacing("{page}", with: "\u{0}\u{1}\u{0}")
            .replacing("{pages}", with: "\u{0}\u{2}\u{0}")
            .split(separator: "\u{0}")
            .map { part in
                switch part {
                case "\u{1}": "counter(page)"
                case "\u{2}": "counter(pages)"
                default: Self.string(String(part))
                }
            }
        let font = "font:7pt sans-serif;color:#5f6871"
        return """
            @page{size:\(size) \(document.orientation.rawValue);margin:12mm 12mm 17mm;
            @bottom-left{content:\(foot.isEmpty ? "none" : foot);white-space:pre;\(font)}
            @bottom-right{content:\(pages.joined(separator: " "));\(font)}}

            """
    }

    /// Returns a text as a string of CSS, in which only letters, digits and spaces stand for
    /// themselves (CSS Syntax Level 3, 4.3.7).
    private static func string(_ text: String) -> String {
        DirectionMarks.shown(text).unicodeScalars
            .reduce(into: "\"") { string, scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", " ": string.unicodeScalars.append(scalar)
                default: string += "\\\(String(scalar.value, radix: 16)) "
                }
            } + "\""
    }
}
