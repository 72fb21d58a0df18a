import EventStore
import Projections
import Proofs
package import TripEvents
import TripTracking

/// The basis of the way of a trip that is over.
///
/// As long as a snapshot confirms it, computing the way and the ``TripSpans`` again gives the same.
/// A way follows from the entries of the log alone. So it stays the same as long as all entries
/// since are of kinds that no tracker heeds, or are of other sources, or happened after the trip,
/// and as long as the rows of the trip and of its parts are the same.
package struct TripBasis: Sendable {
    /// The trip, or its parts.
    fileprivate let parts: [Trip]

    /// For each source of the parts, by its number, the instant after which its events change
    /// nothing.
    fileprivate let settled: [UInt32: Timestamp]

    /// The number of entries that were looked at: those from here on may change the way.
    fileprivate var size: UInt64

    /// The leaf hash of the last of them, in hexadecimal.
    fileprivate var lastLeaf: String

    /// Returns whether an entry cannot change the way.
    fileprivate func isApart(
        _ entry: EntryView,
        at position: UInt64,
        _ clocks: [UInt32: ClockShifts]
    ) -> Bool {
        guard !entry.isTombstone, let kind = EventKind(rawValue: entry.kind) else { return false }
        if let settled = settled[entry.source], let clock = clocks[entry.source] {
            let mark = EventMark(entry, at: position, clock: clock)
            guard mark.occurredAt > settled else { return false }
        }
        return switch kind {
        case .fixRecorded, .motionChanged, .goPressed, .stopPressed, .authorizationChanged,
            .locationFailed, .sourceRegistered, .recordsImported, .eventsReceived,
            .inferenceReported, .detailsEdited, .routineSaved, .routineRemoved, .routineApplied,
            .tripsMerged, .tripVoided, .distanceAdjusted, .tripReported, .vehicleRegistered,
            .odometerRead, .fieldDefined, .reportIssued, .expenseRecorded, .ratesLoaded:
            true
        // Trackers of other sources take these, or they take decisions back, or they change how
        // earlier entries are read.
        case .recoveryDecided, .placeSaved, .placeRemoved, .rulesAdopted, .tripSplit,
            .stretchExcluded, .tripRestored, .clockShifted, .settingsChanged, .ledgerCreated,
            .entriesErased:
            false
        }
    }
}

extension Snapshot {
    /// Returns the basis of the way of a trip, to know later that it would come out the same.
    ///
    /// - Parameters:
    ///   - trip: The trip.
    ///   - fewestFixes: How many fixes it has at least.
    /// - Returns: The basis; `nil` if the trip goes on, was reported, or has fewer fixes.
    /// - Throws: `.damaged`, `.inputOutput`.
    package func basis(
        of trip: TripID,
        fewestFixes: Int64
    ) throws(LedgerError) -> TripBasis? {
        try asking {
            guard let parts = try measuredParts(of: trip), head.size > 0,
                parts.reduce(0, { $0 + $1.fixes.total }) >= fewestFixes,
                let leaf = try leaf(of: head.size - 1)
            else { return nil }
            let folds = trackers()
            var settled: [UInt32: Timestamp] = [:]
            for part in parts {
                guard part.endedAt != nil, part.startedBy != .report,
                    let source = try log.number(ofSource: part.source)
                else { return nil }
                // Without an event that ended it, the source's next one may say more.
                let ending = try folds.endMark(of: part, source: source)?.occurredAt
                let end = ending ?? Timestamp(milliseconds: .max)
                settled[source] = max(settled[source] ?? end, end)
            }
            return TripBasis(parts: parts, settled: settled, size: head.size, lastLeaf: leaf)
        }
    }

    /// Returns a basis with the entries since, or `nil` if these may change the way, or if it is
    /// not known that they do not.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    package func confirming(
        _ basis: TripBasis,
        of trip: TripID
    ) throws(LedgerError) -> TripBasis? {
        try asking {
            guard head.size >= basis.size, try leaf(of: basis.size - 1) == basis.lastLeaf,
                try measuredParts(of: trip) == basis.parts
            else { return nil }
            guard head.size > basis.size else { return basis }
            var events = trackers().ambient.order
            var clocks: [UInt32: ClockShifts] = [:]
            for source in basis.settled.keys {
                clocks[source] = try events.clock(
                    of: events.names.source(of: source, at: basis.size)
                )
            }
            var isConfirmed = true
            try log.scan(from: basis.size) { block in
                var entries = block.entries
                while isConfirmed, entries.position < head.size, let entry = try entries.next() {
                    let position = entries.position - 1
                    guard position >= basis.size else { continue }
                    isConfirmed = basis.isApart(entry, at: position, clocks)
                }
                return isConfirmed && block.endPosition < head.size
            }
            guard isConfirmed, let leaf = try leaf(of: head.size - 1) else { return nil }
            var confirmed = basis
            (confirmed.size, confirmed.lastLeaf) = (head.size, leaf)
            return confirmed
        }
    }

    /// Returns a trip, or the parts of a merged one, as the views have them; `nil` if one is not
    /// there.
    private func measuredParts(of trip: TripID) throws -> [Trip]? {
        guard let row = try store.tripRow(trip) else { return nil }
        let parts = try row.booked.shownTrips.compactMap { try store.part($0) }
        return parts.count == row.booked.shownTrips.count ? parts : nil
    }

    private func leaf(of position: UInt64) throws -> String? {
        try log.withEntry(at: position) { $0.leafHash.description }
    }
}
