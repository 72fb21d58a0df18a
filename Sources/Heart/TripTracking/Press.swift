import RowCoding
import TripEvents

/// A GO that no STOP has answered yet.
///
/// If the trip that it started ends for want of movement, what is driven before STOP belongs to the
/// same vehicle.
struct Press: Hashable, Sendable {
    /// How long after a GO another one is a double press, in milliseconds.
    private static let doubleMilliseconds: Int64 = 120_000

    /// How long a car must have stood for another GO to begin another trip, in milliseconds.
    private static let standingMilliseconds: Int64 = 300_000

    /// When GO was pressed.
    var at: Timestamp

    /// The vehicle that the driver named.
    var vehicle: String?

    /// The routine that the driver named.
    var routine: String?

    /// Who drives, as the press says it.
    var driver: String?

    init(_ press: GoPressed, at instant: Timestamp) {
        at = instant
        vehicle = press.vehicle
        routine = press.routine
        driver = press.driver
    }

    /// Returns whether another GO means another trip, and not the same one once more.
    func isAnswered(by next: Press, in stage: Stage) -> Bool {
        guard next.at.milliseconds(since: at) > Self.doubleMilliseconds,
            let unmovedSince = stage.unmovedSince, unmovedSince > at
        else { return false }
        let isOther =
            next.vehicle != nil && !next.vehicle.hasSameBytes(as: stage.open?.trip.vehicle)
            || next.routine != nil && !next.routine.hasSameBytes(as: routine)
        guard !isOther else { return true }
        guard let rest = stage.placed?.pace.rest else { return false }
        return next.at.milliseconds(since: rest.place.at) >= Self.standingMilliseconds
    }
}

extension Press {
    func write(to writer: inout RowEncoder) {
        writer.write(at)
        writer.write(vehicle) { $0.write($1) }
        writer.write(routine) { $0.write($1) }
        writer.write(driver) { $0.write($1) }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        at = try reader.readTimestamp()
        vehicle = try reader.readOptionalText()
        routine = try reader.readOptionalText()
        driver = try reader.readOptionalText()
    }
}
