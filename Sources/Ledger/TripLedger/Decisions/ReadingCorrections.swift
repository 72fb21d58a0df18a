package import TripEvents

/// Corrections of odometer readings that are requested by a sender who does not see everything.
///
/// A correction replaces all readings of a vehicle at a time, no matter who read them. So it is
/// allowed only if all of them are seen, and there is at least one.
package struct ReadingCorrections: Sendable {
    /// One of them.
    package struct Correction: Hashable, Sendable {
        /// The vehicle.
        package let vehicle: String

        /// When the readings that it corrects were made.
        package let readAt: EventTime

        fileprivate let value: ExactDecimal
        fileprivate let source: String
        fileprivate let id: String?
        fileprivate let occurredAt: Timestamp?

        /// Whether the same request itself makes the reading that it corrects.
        fileprivate let hasOwnReading: Bool
    }

    private var all: [Correction] = []
    private var readings: Set<ReadingPlace> = []
    private let sight: Sight
    private let group: String?

    /// Takes no correction yet.
    ///
    /// - Parameters:
    ///   - sight: What is seen.
    ///   - group: The group that it is for alone; `nil` for all.
    package init(seenBy sight: Sight, for group: String?) {
        self.sight = sight
        self.group = group
    }

    /// Whether there is nothing that may be refused.
    package var isEmpty: Bool { all.isEmpty }

    /// Adds an event that is to be stored after those before.
    package mutating func add(_ event: TripEvent) {
        guard case .odometerRead(let reading) = event.body else { return }
        add(reading, from: event.source, at: event.occurredAt, named: event.id)
    }

    /// Adds a decision that is to be stored after those before.
    package mutating func add(_ request: DecisionRequest) {
        guard
            case .readOdometer(let vehicle, let value, let unit, _, let corrects) =
                request.decision
        else { return }
        add(
            OdometerRead(
                vehicle: vehicle,
                value: value,
                unit: unit ?? .kilometers,
                corrects: corrects
            ),
            from: Ledger.storedName(
                ofSource: request.source ?? Ledger.decisionSource,
                in: request.group
            ),
            at: request.time?.timestamp,
            named: request.id
        )
    }

    private mutating func add(
        _ reading: OdometerRead,
        from source: String,
        at time: Timestamp?,
        named id: String?
    ) {
        guard !sight.isEverything else { return }
        guard let corrected = reading.corrects else {
            if let time { readings.insert(ReadingPlace(reading.vehicle, time)) }
            return
        }
        all.append(
            Correction(
                vehicle: reading.vehicle,
                readAt: corrected,
                value: reading.value,
                source: source,
                id: id,
                occurredAt: time,
                hasOwnReading: readings.contains(
                    ReadingPlace(reading.vehicle, corrected.timestamp)
                )
            )
        )
    }

    /// Returns the first one that corrects what is not seen, or nothing.
    ///
    /// One that is stored already is asked for again, which changes nothing: it is passed over.
    ///
    /// - Parameters:
    ///   - ledger: The ledger, as it is now.
    ///   - now: The present.
    /// - Returns: That one; `nil` if all are allowed.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func refused(in ledger: Ledger, asOf now: Timestamp) throws(LedgerError) -> Correction?
    {
        guard !isEmpty else { return nil }
        let known = Dictionary(grouping: try ledger.odometerReadings(asOf: now)) { event in
            event.readingPlace
        }
        return all.first { correction in
            let place = ReadingPlace(correction.vehicle, correction.readAt.timestamp)
            let corrected = known[place, default: []]
                .filter { group == nil || $0.group == nil || $0.group.hasSameBytes(as: group) }
            guard !corrected.contains(where: correction.isSaid) else { return false }
            if corrected.isEmpty { return !correction.hasOwnReading }
            return !corrected.allSatisfy { sight.sees($0.source, of: $0.group) }
        }
    }
}

/// The vehicle whose odometer was read, and when: names in bytes.
private struct ReadingPlace: Hashable, Sendable {
    let vehicle: [UInt8]
    let readAt: Timestamp

    init(_ vehicle: String, _ readAt: Timestamp) {
        self.vehicle = Array(vehicle.utf8)
        self.readAt = readAt
    }
}

extension ReadingCorrections.Correction {
    /// Whether an event is the one that is asked for.
    fileprivate func isSaid(by event: TripEvent) -> Bool {
        guard case .odometerRead(let reading) = event.body, reading.corrects != nil,
            event.source.hasSameBytes(as: source)
        else { return false }
        if let id { return event.id.hasSameBytes(as: id) }
        return event.occurredAt == occurredAt && reading.value == value
    }
}

extension TripEvent {
    /// The reading that it says; `nil` if it says none.
    fileprivate var readingPlace: ReadingPlace? {
        guard case .odometerRead(let reading) = body else { return nil }
        return ReadingPlace(reading.vehicle, reading.corrects?.timestamp ?? occurredAt)
    }
}

extension Ledger {
    /// Returns what odometers showed, no matter who said it, in order of time.
    fileprivate func odometerReadings(
        asOf now: Timestamp
    ) throws(LedgerError) -> [TripEvent] {
        try reading(asOf: now, seenBy: .everything) { snapshot in
            try snapshot.decisions(on: .vehicles).map(\.event)
                .filter { $0.body.kind == .odometerRead }
        }
    }
}
