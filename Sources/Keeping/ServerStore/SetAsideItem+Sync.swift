package import CivilTime
import JSONText
package import TripLedger

extension SetAsideItem {
    /// The name of the door for events that came from another ledger.
    private static let doorOfLedgers = "sync"

    /// Whether it is an event that another ledger has.
    var isOfLedger: Bool { door == Self.doorOfLedgers }

    /// Returns the events of another ledger that are to be set aside.
    ///
    /// There they are events, so each may be accepted later: once the clock of this machine has
    /// reached their time, or this ledger is read by a version that knows their type. Only an event
    /// of a source that belongs to another group here is never accepted, because a source keeps its
    /// group.
    ///
    /// - Parameters:
    ///   - answer: The answer to the delivery.
    ///   - delivery: The delivery.
    ///   - peer: The id of the other ledger.
    ///   - now: The present.
    /// - Returns: One item for each event that was refused.
    package static func refused(
        _ answer: DeliveryAnswer,
        of delivery: Delivery,
        from peer: String,
        at now: Timestamp
    ) -> [SetAsideItem] {
        answer.receipts.compactMap { line in
            guard case .rejected(let rejection) = line.receipt,
                rejection.code != .nothingToAppend,
                case .success(let range) = delivery.items[line.line - 1].line
            else { return nil }
            let event = JSONMembers(delivery.bytes.span.extracting(range))
            return SetAsideItem(
                Array(delivery.bytes[range]),
                door: doorOfLedgers,
                source: event?.text("source") ?? "",
                token: peer,
                code: rejection.code.rawValue,
                reason: rejection.sentence,
                mayPassLater: rejection.code != .otherGroup,
                receivedAt: now
            )
        }
    }
}
