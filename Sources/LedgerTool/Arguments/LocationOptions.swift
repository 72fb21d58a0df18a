import ArgumentParser
import Geodesy
import RowFormats
import SystemPackage
import TripEvents
import TripLedger
import TripTracking
import TripsProjection

/// The options that say where a place is.
struct LocationOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where a trip started.", valueName: "trip"))
    var atTripStart: TripReference?

    @Option(help: ArgumentHelp("Where a trip ended.", valueName: "trip"))
    var atTripEnd: TripReference?

    @Flag(help: "Where the latest usable fix was taken.")
    var here = false

    @Option(parsing: .unconditional, help: "Latitude in degrees, -90 to 90, north positive.")
    var lat: ExactDecimal?

    @Option(parsing: .unconditional, help: "Longitude in degrees, -180 to 180, east positive.")
    var lon: ExactDecimal?

    func validate() throws {
        guard (lat == nil) == (lon == nil) else {
            throw ValidationError("--lat and --lon belong together.")
        }
        let ways = [atTripStart != nil, atTripEnd != nil, here, lat != nil].filter(\.self)
        guard ways.count <= 1 else {
            throw ValidationError("Say in one way only where the place is.")
        }
    }

    /// Returns the position that the options name, or `nil` if they name none.
    func position(in snapshot: borrowing Snapshot) throws -> NamedPosition? {
        if let lat, let lon { return NamedPosition(lat, lon) }
        if here { return try latestPosition(in: snapshot) }
        guard let reference = atTripStart ?? atTripEnd else { return nil }
        let isStart = atTripStart != nil
        let trip = try snapshot.trip(reference).trip
        let remark = ", where trip \(trip.id.short) \(isStart ? "started" : "ended")"
        let end = isStart ? trip.start : trip.end
        guard let position = end.flatMap({ NamedPosition($0, remark: remark) }) else {
            throw LedgerError(
                .notFound,
                at: snapshot.path.string,
                cause: "trip \(trip.id.short) has no \(isStart ? "start" : "end") with a position",
                hint: "Name another trip, or say --lat and --lon"
            )
        }
        return position
    }

    private func latestPosition(in snapshot: borrowing Snapshot) throws -> NamedPosition {
        guard let stored = try snapshot.latestFix(), case .fixRecorded(let fix) = stored.event.body
        else {
            throw LedgerError(
                .notFound,
                at: snapshot.path.string,
                cause: "there is no usable fix yet",
                hint: "Say --lat and --lon"
            )
        }
        let time = EventTime(stored.event.occurredAt, utcOffset: stored.event.utcOffset)
        let source = Excerpt.escaped(stored.event.source)
        let remark = ", where \(source) was on \(LocalTime.text(time))"
        return NamedPosition(fix.latitude, fix.longitude, remark: remark)
    }
}
