import HTTPTypes
import JSONText
import LedgerKeeping

extension Problem {
    /// Two ledgers do not exchange events.
    init(_ refusal: SyncRefusal) {
        switch refusal {
        case .settingsDiffer(let names):
            self.init(
                kind: "settings-differ",
                status: .conflict,
                title: "The ledgers compute differently",
                detail: "They differ in \(names.joined(separator: ", ")).",
                members: [
                    JSONValue.Member(name: "fields", value: .list(names.map { .text($0) }))
                ]
            )
        case .sameLedger:
            self.init(
                kind: "same-ledger",
                status: .conflict,
                title: "This is the same ledger",
                detail: "Two copies of one ledger cannot be told apart: sync with a new one."
            )
        case .setBack(let until):
            self.init(
                kind: "peer-set-back",
                status: .conflict,
                title: "Your log was shorter or other than this",
                detail: "Until \(until) was received with another root; send from 0, or restore "
                    + "the newer copy.",
                members: [
                    JSONValue.Member(name: "until", value: .number(literal: "\(until)"))
                ]
            )
        case .malformed(let why):
            self.init(
                kind: "invalid-parameter",
                status: .badRequest,
                title: "This is not what a ledger sends",
                detail: "See: \(why)."
            )
        }
    }
}
