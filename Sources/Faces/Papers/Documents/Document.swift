package import TripEvents

/// A report for paper and screens: its content in order, without any typesetting.
///
/// `ledger` writes it as HTML, or as JSON (`document.v1.schema.json`), from which `ledger-print`
/// makes PDF and PNG.
package struct Document: Hashable, Sendable {
    /// The language in which it is written.
    package typealias Language = TripEvents.Language

    /// The paper for which it is meant.
    package typealias Paper = PaperSize

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
        /// The label.
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
        /// The heading of the blocks that follow.
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
            /// The title above it.
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
            /// The role of the line among the others.
            package enum Kind: String, CaseIterable, Sendable {
                case line

                /// The sum of lines above it.
                case total

                /// A line that counts nowhere.
                case faint
            }

            /// The role of the line among the others.
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

    /// The title, in one line.
    package var title: String

    /// The language in which it is written.
    package var language: Language

    /// The paper for which it is meant.
    package var paper: Paper

    /// How the paper lies.
    package var orientation: Orientation

    /// Lines that stand on every page.
    package var foot: [String]

    /// The words at the foot of each page, with `{page}` and `{pages}` for the numbers.
    package var pageWords: String

    /// The code that a camera reads on every page; `nil` for a draft.
    package var code: Code?

    /// The facts that say what it was made of.
    package var facts: [Fact]

    /// The blocks of its content, in order.
    package var blocks: [Block]

    /// Creates a document; without words for the number of a page, it has those of its language.
    package init(
        title: String,
        language: Language = .en,
        paper: Paper = .a4,
        orientation: Orientation = .portrait,
        foot: [String] = [],
        pageWords: String? = nil,
        code: Code? = nil,
        facts: [Fact] = [],
        blocks: [Block] = []
    ) {
        self.title = title
        self.language = language
        self.paper = paper
        self.orientation = orientation
        self.foot = foot
        self.pageWords = pageWords ?? language.pageWords
        self.code = code
        self.facts = facts
        self.blocks = blocks
    }
}

extension Document {
    /// The sheet of paper on which it is printed.
    package var sheet: Papers.Paper {
        let upright: Papers.Paper =
            switch paper {
            case .a4: .a4
            case .letter: .letter
            }
        return orientation == .landscape ? upright.turned : upright
    }

    /// The tag of the language in which it is written (BCP 47).
    package var languageTag: String { language.rawValue }
}

extension Language {
    /// The words for the number of a page.
    fileprivate var pageWords: String {
        switch self {
        case .en: "Page {page} of {pages}"
        case .nl: "Bladzijde {page} van {pages}"
        case .de: "Seite {page} von {pages}"
        case .fr: "Page {page} sur {pages}"
        }
    }
}
