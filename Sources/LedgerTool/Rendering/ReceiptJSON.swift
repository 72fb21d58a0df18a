import Projections
import RowFormats
import TripEvents
import TripLedger

/// A receipt for programs (`receipt.v1.schema.json`).
struct ReceiptJSON {
    let json: RowJSON

    /// The answer to a line of a file.
    init(_ answer: LineReceipt) {
        var json = RowJSON()
        json.add("file", text: answer.file)
        json.add("line", integer: Int64(answer.line))
        Self.add(answer.receipt, to: &json)
        self.json = json
    }

    /// The answer to an event that came from no file.
    init(_ receipt: Receipt) {
        var json = RowJSON()
        Self.add(receipt, to: &json)
        self.json = json
    }

    private static func add(_ receipt: Receipt, to json: inout RowJSON) {
        switch receipt {
        case .appended(let position):
            json.add("receipt", text: "appended")
            json.add("position", integer: Int64(position))
        case .duplicate(let position):
            json.add("receipt", text: "duplicate")
            json.add("of", integer: Int64(position))
        case .conflict(let position, let fields):
            json.add("receipt", text: "conflict")
            json.add("with", integer: Int64(position))
            json.add("fields", texts: fields)
        case .rejected(let rejection):
            json.add("receipt", text: "rejected")
            json.add("code", text: rejection.code.rawValue)
            json.add("message", text: rejection.sentence)
            if let column = rejection.column { json.add("column", integer: Int64(column)) }
            if let field = rejection.field { json.add("field", text: field) }
        case .heldBack:
            json.add("receipt", text: "held_back")
        }
    }
}
