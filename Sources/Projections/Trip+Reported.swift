import Geodesy
package import TripEvents
package import TripTracking

extension Trip {
    /// Creates the trip that a person reported, in the form of a measured one.
    ///
    /// - Parameters:
    ///   - report: what was reported.
    ///   - decision: the decision that reports it, which names it.
    package init(_ report: TripReported, by decision: Decision) {
        self.init(
            id: TripID(openedBy: decision.order.identity),
            source: decision.event.source,
            vehicle: nil,
            rules: RulesName(version: .v1),
            startedBy: .report,
            startedAt: report.startedAt,
            recorded: Recorded(firstAt: decision.recordedAt, lastAt: decision.recordedAt)
        )
        status = .completed
        endedBy = .report
        endedAt = report.endedAt
        distance = Distance(nearestTo: report.distanceMeters)
    }
}
