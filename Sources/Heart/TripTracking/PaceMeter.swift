import Geodesy
import RowCoding
import TripEvents

/// Measures the pace of a trip leg by leg, along the straight line of each leg.
struct PaceMeter: Hashable, Sendable {
    /// The shortest leg, in milliseconds.
    static let legMilliseconds: Int64 = 15_000

    /// The shortest legs, in metres, between which a turn can be told from noise.
    private static let turnMeters = 40.0

    /// The cosine of the smallest turn, 40°.
    private static let cosineOfTurn = 0.766_044_443

    /// Where the leg under way began; `nil` before the first kept fix.
    var from: Coordinate?

    /// When it began.
    var since: Timestamp

    /// Where the leg before began, if it was long enough to tell a turn by.
    var before: Coordinate?

    /// Whether the leg before was driven.
    var hasDriven = false

    init(since: Timestamp) {
        self.since = since
    }

    /// Takes a kept fix, and returns the leg that it completes.
    @inline(__always)
    mutating func take(
        _ fix: Fix,
        isAfterGap: Bool,
        metric: inout LocalMetric
    ) -> Leg? {
        guard fix.occurredAt.milliseconds(since: since) >= Self.legMilliseconds || from == nil
        else { return nil }
        return complete(at: fix, isAfterGap: isAfterGap, metric: &metric)
    }

    @inline(never)
    private mutating func complete(
        at fix: Fix,
        isAfterGap: Bool,
        metric: inout LocalMetric
    ) -> Leg? {
        let milliseconds = fix.occurredAt.milliseconds(since: since)
        defer { since = fix.occurredAt }
        guard let start = from, !isAfterGap else {
            from = fix.coordinate
            before = nil
            return nil
        }
        let meters = metric.geodesicMeters(from: start, to: fix.coordinate)
        var leg = Leg(meters: meters, milliseconds: milliseconds)
        let isDriven = leg.metersPerSecond >= ModeEvidence.ridingPace
        if let before, meters >= Self.turnMeters, isDriven {
            let last = metric.geodesicMeters(from: before, to: start)
            let across = metric.geodesicMeters(from: before, to: fix.coordinate)
            // The law of cosines.
            leg.isTurn =
                across * across
                < last * last + meters * meters + 2 * Self.cosineOfTurn * last * meters
        }
        leg.isStop = hasDriven && leg.metersPerSecond < ModeEvidence.walkingPace
        if isDriven { hasDriven = true } else if leg.isStop { hasDriven = false }
        before = isDriven && meters >= Self.turnMeters ? start : nil
        from = fix.coordinate
        return leg
    }
}

extension PaceMeter {
    func write(to writer: inout RowEncoder) {
        writer.write(from) { $0.write($1) }
        writer.write(since)
        writer.write(before) { $0.write($1) }
        writer.write(hasDriven)
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        from = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readCoordinate()
        }
        since = try reader.readTimestamp()
        before = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readCoordinate()
        }
        hasDriven = try reader.readBool()
    }
}
