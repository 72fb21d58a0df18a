import CivilTime
package import Importers
import TripEvents
package import TripLedger

/// A delivery of an app, read with the source, the zone and the key of its token.
package struct ReadDelivery: Sendable {
    /// The events, in their order.
    package private(set) var items: [Delivery.Item] = []

    /// The items that cannot be understood.
    package private(set) var aside: [SetAsideItem] = []

    /// The current position that the app reports, which is not an event yet; `nil` if there is
    /// none.
    package let present: PresentPosition?

    /// The bytes that hold the lines of the events.
    package var bytes: [UInt8] { batch.bytes }

    /// The last report in it about the motion of each source.
    package var heard: [NameKey: HeardMotion] { batch.heard }

    private let batch: ImportBatch

    /// Whether all of it is one record: then it is set aside as a whole, and once.
    private let isAlone: Bool

    private let delivered: DeliveredRequest
    private let door: DeliveryDoor
    private let token: Token
    private let now: Timestamp

    /// Reads a delivery.
    ///
    /// Only facts from apps are events: their owner decides about places and rules.
    ///
    /// - Parameters:
    ///   - delivered: The delivery.
    ///   - door: The door.
    ///   - token: The token, which MUST have a source.
    ///   - heard: The latest message about the motion of each source.
    ///   - now: The present.
    package init(
        _ delivered: DeliveredRequest,
        at door: DeliveryDoor,
        with token: Token,
        heard: [NameKey: HeardMotion] = [:],
        at now: Timestamp
    ) {
        self.delivered = delivered
        self.door = door
        self.token = token
        self.now = now
        var options = token.deliveryOptions
        options.heard = heard
        options.receivedAt = now
        let batch = delivered.events(at: door, options)
        self.batch = batch
        isAlone = batch.items.allSatisfy { $0.record == batch.items[0].record }
        present = delivered.presentPosition(at: door, options)
        var rejected: [(Rejection, Range<Int>)] = []
        for item in batch.items {
            switch item.outcome {
            case .rejected(let rejection): rejected.append((rejection, item.range))
            case .event where batch.kind(of: item)?.scope == .ingest:
                items.append(Delivery.Item(.success(item.range)))
            case .event, .ignored: break
            }
        }
        aside = setAside(rejected)
    }

    /// Returns what is to be set aside of events that the ledger has answered.
    ///
    /// - Parameters:
    ///   - some: Events of this delivery.
    ///   - answer: The answer to them, in their order.
    /// - Returns: One item for each event that was not stored, or one for the whole delivery.
    package func setAside(
        of some: [Delivery.Item],
        after answer: DeliveryAnswer
    ) -> [SetAsideItem] {
        setAside(
            answer.receipts.compactMap { line in
                guard let rejection = line.receipt.reasonAgainst,
                    case .success(let range) = some[line.line - 1].line
                else { return nil }
                return (rejection, range)
            }
        )
    }

    /// Returns an item for each rejection, and one for all those whose bytes are those of the whole
    /// delivery: scanning it once for each would take quadratic time.
    private func setAside(_ rejected: [(rejection: Rejection, range: Range<Int>)]) -> [SetAsideItem]
    {
        func isOfWhole(_ range: Range<Int>) -> Bool { isAlone || range.isEmpty }
        // Events of one record share its text.
        var seen: Set<Range<Int>> = []
        var items = rejected.filter { !isOfWhole($0.range) && seen.insert($0.range).inserted }
            .map { item(Array(bytes[$0.range]), $0.rejection) }
        let ofWhole = rejected.filter { isOfWhole($0.range) }
        // A reason that may pass away counts first.
        let mending: Set<RejectionCode> = [.encrypted, .invalidTime]
        let first = ofWhole.first { mending.contains($0.rejection.code) } ?? ofWhole.first
        if let first { items.append(item(delivered.content, first.rejection)) }
        return items
    }

    private func item(_ content: [UInt8], _ rejection: Rejection) -> SetAsideItem {
        // A message of a list can stand alone.
        let isEncrypted = rejection.code == .encrypted
        let unzoned = rejection.code == .invalidTime ? formWithoutZone(content) : nil
        return SetAsideItem(
            unzoned ?? content,
            door: door.rawValue,
            source: token.sources.first ?? token.name,
            token: token.name,
            group: token.group,
            code: rejection.code.rawValue,
            reason: unzoned == nil
                ? rejection.sentence
                : "Its time has no zone; `ledger token change --time-zone` says which.",
            mayPassLater: isEncrypted || unzoned != nil,
            receivedAt: now
        )
    }

    /// Returns the form in which something can be understood once the zone of the app's clock is
    /// known: as it is, or, for an element of a list, as the only element of that list.
    ///
    /// - Returns: `nil` if a zone does not help.
    private func formWithoutZone(_ content: [UInt8]) -> [UInt8]? {
        guard token.timeZone == nil else { return nil }
        var options = token.deliveryOptions
        options.zone = .utc
        let lists: [[UInt8]] = ["locations", "points"]
            .map { Array("{\"\($0)\":[".utf8) + content + Array("]}".utf8) }
        return ([content] + lists)
            .first { form in
                let items = DeliveredRequest(body: form).events(at: door, options).items
                return items.contains { $0.outcome == .event }
                    && items.allSatisfy { if case .rejected = $0.outcome { false } else { true } }
            }
    }
}

extension Token {
    /// The options for reading deliveries with this token.
    var deliveryOptions: DeliveryOptions {
        var options = DeliveryOptions(sources: sources.isEmpty ? [name] : sources)
        options.zone = timeZone.flatMap { try? TimeZoneRules.ofMachine(named: $0) }
        if let ownTracksKey {
            let box = SecretBox(key: ownTracksKey)
            options.open = { box.open($0) }
        }
        return options
    }
}

extension Receipt {
    /// Why an event is not in the log; `nil` if it is.
    fileprivate var reasonAgainst: Rejection? {
        switch self {
        case .rejected(let rejection): rejection
        case .conflict(let position, let fields):
            Rejection(
                .idTaken,
                sentence: "Its id is that of the event at \(position), which differs in "
                    + "\(fields.joined(separator: ", "))."
            )
        case .appended, .duplicate, .heldBack, .passedOver: nil
        }
    }
}
