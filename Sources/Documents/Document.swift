package import Drawing

/// A report for paper and screens: what it says, in order, and nothing of how letters are set.
///
/// `ledger` writes it as HTML itself; `ledger-print` reads it as JSON
/// (`document.v1.schema.json`) and makes PDF of it.
package struct Document: Hashable, Sendable {
    /// In which language it is written; the raw value is the language's tag (BCP 47).
    package enum Language: String, CaseIterable, Sendable {
        case en, nl, de, fr

        /// What stands beside the foot of each page, with `{page}` and `{pages}` for the numbers.
        package var pageWords: String {
            switch self {
            case .en: "Page {page} of {pages}"
            case .nl: "Bladzijde {page} van {pages}"
            case .de: "Seite {page} von {pages}"
            case .fr: "Page {page} sur {pages}"
            }
        }
    }

    /// The paper for which it is meant.
    package enum Paper: String, CaseIterable, Sendable {
        /// 210 mm by 297 mm (ISO 216).
        case a4

        /// 8.5 inches by 11 inches (ANSI/ASME Y14.1), as the United States and Canada use it.
        case letter
    }

    /// How the paper lies.
    package enum Orientation: String, CaseIterable, Sendable {
        case portrait

        /// For tables with many columns.
        case landscape
    }

    /// A text as a square of dark and light modules that a camera can read.
    package struct Code: Hashable, Sendable {
        /// What it says.
        package var text: String

        /// Row by row, without the margin; dark modules are `true`.
        package var modules: [[Bool]]

        /// Creates a code.
        package init(text: String, modules: [[Bool]]) {
            self.text = text
            self.modules = modules
        }
    }

    /// A fact with its label.
    package struct Fact: Hashable, Sendable {
        /// What it is about.
        package var label: String

        /// The fact.
        package var text: String

        /// Creates a fact.
        package init(label: String, text: String) {
            self.label = label
            self.text = text
        }
    }

    /// A part of it.
    package enum Block: Hashable, Sendable {
        /// What stands above the blocks that follow.
        case heading(String)

        case paragraph(String)
        case table(Table)

        /// A picture, with one line that says what it shows.
        case picture(Page, alternative: String)
    }

    /// Lines of cells.
    package struct Table: Hashable, Sendable {
        /// A column.
        package struct Column: Hashable, Sendable {
            /// What stands above it.
            package var title: String

            /// Whether it is aligned to the right.
            package var isNumber: Bool

            /// Whether its words may be broken over lines.
            package var wraps: Bool

            /// Creates a column.
            package init(title: String, isNumber: Bool = false, wraps: Bool = false) {
                self.title = title
                self.isNumber = isNumber
                self.wraps = wraps
            }
        }

        /// A line.
        package struct Line: Hashable, Sendable {
            /// What it is beside the other lines.
            package enum Kind: String, CaseIterable, Sendable {
                case line

                /// The sum of lines above it.
                case total

                /// What counts nowhere.
                case faint
            }

            /// What it is beside the other lines.
            package var kind: Kind

            /// One for each column; empty where there is no value.
            package var cells: [String]

            /// Creates a line.
            package init(_ cells: [String], kind: Kind = .line) {
                self.kind = kind
                self.cells = cells
            }
        }

        /// The columns.
        package var columns: [Column]

        /// The lines.
        package var lines: [Line]

        /// Creates a table; each line MUST have a cell for each column.
        package init(_ columns: [Column], _ lines: [Line]) {
            self.columns = columns
            self.lines = lines
        }
    }

    /// What it is, in a line.
    package var title: String

    /// In which language it is written.
    package var language: Language

    /// The paper for which it is meant.
    package var paper: Paper

    /// How the paper lies.
    package var orientation: Orientation

    /// Lines that stand on every page.
    package var foot: [String]

    /// What a camera reads on every page; `nil` for a draft.
    package var code: Code?

    /// What it was made of.
    package var facts: [Fact]

    /// What it says, in order.
    package var blocks: [Block]

    /// Creates a document.
    package init(
        title: String,
        language: Language = .en,
        paper: Paper = .a4,
        orientation: Orientation = .portrait,
        foot: [String] = [],
        code: Code? = nil,
        facts: [Fact] = [],
        blocks: [Block] = []
    ) {
        self.title = title
        self.language = language
        self.paper = paper
        self.orientation = orientation
        self.foot = foot
        self.code = code
        self.facts = facts
        self.blocks = blocks
    }
}
