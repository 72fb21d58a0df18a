package import Tables
import TripEvents
package import TripLedger

extension LineReceipt: Tabular {
    /// The answer to a line of a file: `receipt.v1.schema.json`.
    package static let columns = Columns<LineReceipt> {
        Column.text("file") { $0.file }
        Column.integer("line") { $0.line }
        Receipt.columns.of { $0.receipt }
        Column.list("extra") { $0.extra.names.isEmpty ? nil : $0.extra.names }.optional
        Column.text("hint") { answer in
            let hints = answer.extra.misspellings.map(\.text)
            return hints.isEmpty ? nil : hints.joined(separator: " ")
        }
        .optional
    }
}

extension LineReceipt {
    /// The answer to an event of a body, which is no file.
    private static let answer = columns.without(["file"])

    /// Appends the answer to an event of a request: `receipt.v1.schema.json` without a file.
    ///
    /// Most events of a large request are simply stored: their answers are written directly, with
    /// the same bytes that the columns would write.
    package func appendAnswer(to bytes: inout [UInt8]) {
        let (name, position): (String, UInt64)
        switch receipt {
        case .appended(let stored):
            (name, position) = (#","receipt":"appended","position":"#, stored)
        case .duplicate(let stored):
            (name, position) = (#","receipt":"duplicate","of":"#, stored)
        case .conflict, .rejected, .heldBack, .passedOver:
            return Self.answer.appendJSON(self, to: &bytes, by: nil)
        }
        guard extra.names.isEmpty else { return Self.answer.appendJSON(self, to: &bytes, by: nil) }
        bytes.append(contentsOf: #"{"line":"#.utf8)
        FixedPoint.append(Int64(line), decimals: 0, to: &bytes)
        bytes.append(contentsOf: name.utf8)
        FixedPoint.append(Int64(position), decimals: 0, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension KeptExtra.Misspelling {
    /// The members that were kept, and a question.
    package var text: String {
        "\(Excerpt.of(name)) was kept as extra; was \(meant) meant?"
    }
}

extension Receipt: Tabular {
    /// The answer to an event that came from no file.
    package static let columns = Columns<Receipt> {
        Column.name("receipt") { $0.name }
        Column.integer("position") { receipt in
            if case .appended(let position) = receipt { position } else { nil }
        }
        .optional
        Column.integer("of") { receipt in
            if case .duplicate(let position) = receipt { position } else { nil }
        }
        .optional
        Column.integer("with") { $0.conflict?.position }.optional
        Column.list("fields") { $0.conflict?.fields }.optional
        Column.name("code") { $0.rejection?.code.rawValue }.optional
        Column.text("message") { $0.rejection?.sentence }.optional
        Column.integer("column") { $0.rejection?.column }.optional
        Column.text("field") { $0.rejection?.field }.optional
    }

    private var name: String {
        switch self {
        case .appended: "appended"
        case .duplicate: "duplicate"
        case .conflict: "conflict"
        case .rejected: "rejected"
        case .heldBack: "held_back"
        case .passedOver: "passed_over"
        }
    }

    private var conflict: (position: UInt64, fields: [String])? {
        if case .conflict(let position, let fields) = self { (position, fields) } else { nil }
    }

    private var rejection: Rejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }
}

extension IntakeNote: Tabular {
    /// A note on the intake, in `summary.v1.schema.json`.
    package static let columns = Columns<IntakeNote> {
        Column.name("kind") { $0.kind }
        Column.text("text") { $0.text + "." }
    }
}

extension IntakeSummary {
    /// The counts of the items that were read, by outcome: `summary.v1.schema.json`.
    package static let counts = Columns<IntakeSummary> {
        Column.integer("read") { $0.read }
        Column.integer("appended") { $0.appended }
        Column.integer("duplicate") { $0.duplicate }
        Column.integer("conflict") { $0.conflict }
        Column.integer("rejected") { $0.rejected }
        Column.integer("held_back") { $0.heldBack > 0 ? $0.heldBack : nil }.optional
        Column.integer("passed_over") { $0.passedOver > 0 ? $0.passedOver : nil }
            .optional
        Column.integer("ignored") {
            $0.ignored.isEmpty ? nil : $0.ignored.values.reduce(0, +)
        }
        .optional
        Column.rows("ignored_by", CountedKind.columns) { CountedKind.all($0.ignored) }
            .optional(onlyWhere: { !$0.ignored.isEmpty })
        Column.rows("rejected_by", CountedKind.columns) { summary in
            CountedKind.all(summary.rejections.map { ($0.rawValue, $1) })
        }
        .optional(onlyWhere: { $0.rejected > 0 })
        Column.integer("blank") { $0.blank > 0 ? $0.blank : nil }.optional
        Column.integer("with_extra") { $0.withExtra > 0 ? $0.withExtra : nil }
            .optional
        Column.rows("with_extra_by", CountedKind.columns) { CountedKind.all($0.extraNames) }
            .optional(onlyWhere: { !$0.extraNames.isEmpty })
    }
}
