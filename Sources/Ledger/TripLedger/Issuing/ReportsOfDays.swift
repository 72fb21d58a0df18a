import EventStore
import Projections
public import TripEvents

/// The reports that were issued about some days, and which decisions were stored after them.
public struct ReportsOfDays: Sendable {
    /// The reports, first what was issued first.
    public let reports: [IssuedReport]

    /// The positions of the decisions that were stored after the first of the reports was made.
    private let positions: [IdentityDigest: UInt64]

    /// Creates a list of reports.
    ///
    /// - Parameters:
    ///   - reports: The reports, in the order in which they were issued.
    ///   - positions: The positions of later decisions, by the identity digests of their events.
    init(_ reports: [IssuedReport], positions: [IdentityDigest: UInt64]) {
        self.reports = reports
        self.positions = positions
    }

    /// Returns whether a change was stored after the entries that a report was made from.
    public func isLater(_ line: AuditLine, than report: IssuedReport) -> Bool {
        positions[line.order.identity].map { $0 >= report.head.size } ?? false
    }
}

extension Snapshot {
    /// Returns the reports that were issued about some days, whatever the time zone in which they
    /// count.
    ///
    /// - Parameters:
    ///   - period: The days; a report is about them if one of them is one of its own.
    ///   - vehicle: The only vehicle of interest, or that of reports about one; `nil` for all.
    /// - Returns: The reports, with the decisions after them.
    /// - Throws: `.damaged`, `.inputOutput`.
    public func reports(
        about period: LocalPeriod,
        vehicle: String? = nil
    ) throws(LedgerError) -> ReportsOfDays {
        let reports = try issuedReports()
            .filter { report in
                (period.from.map { report.content.periodEnd >= $0 } ?? true)
                    && (period.to.map { report.content.periodStart <= $0 } ?? true)
                    && (vehicle == nil || report.vehicle == nil || report.vehicle == vehicle)
            }
        guard let first = reports.map(\.head.size).min(), first < head.size else {
            return ReportsOfDays(reports, positions: [:])
        }
        return try asking {
            var positions: [IdentityDigest: UInt64] = [:]
            var names = SourceNames(log)
            try log.eachEntry(in: first..<head.size) { entry, position in
                // Most entries of a log, and none of them decides anything.
                guard entry.kind != EventKind.fixRecorded.rawValue else { return }
                let source = try names.source(of: entry.source, at: position)
                let stored = try StoredEvent(entry, at: position, source: source)
                positions[stored.identity] = position
            }
            return ReportsOfDays(reports, positions: positions)
        }
    }
}
