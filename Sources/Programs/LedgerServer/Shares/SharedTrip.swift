import JSONText
import LedgerHTTP
import TripEvents
import TripLedger

/// The part of a shared trip that others see: where it is, and how far and how long it has gone.
///
/// They never see its purpose, its driver or the names of places.
struct SharedTrip: Sendable {
    /// The time after its end for which a trip is still shown, in milliseconds.
    private static let afterEnd: Int64 = 15 * 60_000

    private let startedAt: EventTime
    private let endedAt: EventTime?
    private let distance: Distance
    private let position: LastPosition?
    private let isSignalLost: Bool
    private let units: DistanceUnit
    private let instant: Timestamp

    /// Whether it is still shown.
    var isShown: Bool {
        endedAt.map { instant.milliseconds(since: $0.timestamp) < Self.afterEnd } ?? true
    }

    /// The part whose change is worth another event: everything that does not change with time
    /// alone.
    struct Key: Hashable, Sendable {
        fileprivate var endedAt: Timestamp?
        fileprivate var millimeters: Int64
        fileprivate var positionAt: Timestamp?
        fileprivate var isSignalLost: Bool
    }

    /// The key that distinguishes it from what was shown before.
    var key: Key {
        Key(
            endedAt: endedAt?.timestamp,
            millimeters: distance.millimeters,
            positionAt: position?.at,
            isSignalLost: isSignalLost
        )
    }

    /// Looks up a trip; `nil` if it no longer exists, or does not count.
    static func find(
        _ trip: TripID,
        in snapshot: borrowing Snapshot,
        _ present: PresentPositions,
        asOf instant: Timestamp
    ) throws -> SharedTrip? {
        do {
            let row = try snapshot.trip(.prefix(trip.description))
            return try SharedTrip(row.booked, in: snapshot, present, asOf: instant)
        } catch let error as LedgerError where error.code == .notFound {
            return nil
        }
    }

    /// Looks at a trip; `nil` if it was voided or discarded, or is a part of another one.
    ///
    /// Its place may come from positions of devices that are not in the log yet.
    init?(
        _ booked: BookedTrip,
        in snapshot: borrowing Snapshot,
        _ present: PresentPositions? = nil,
        asOf instant: Timestamp
    ) throws {
        self.instant = instant
        units = snapshot.settings.units(at: instant)
        var trip = booked.trip
        switch booked.status {
        case .completed:
            (position, isSignalLost) = (LastPosition(of: trip), false)
        case .active:
            var status = try snapshot.status(asOf: instant, of: .named(trip.source))
            present?.show(in: &status)
            guard let source = status.sources.first, let going = source.live.trip,
                going.id == trip.id
            else { return nil }
            trip = going
            isSignalLost = source.live.isSignalLost
            // Before its first fix the source was last seen elsewhere, perhaps at home.
            position = source.lastPosition.flatMap { last in
                last.at >= going.startedAt.timestamp ? last : nil
            }
        case .abandoned, .voided, .merged: return nil
        }
        (startedAt, endedAt) = (trip.startedAt, trip.endedAt)
        distance = trip.distance
    }

    /// The trip as JSON: `live-trip.v1.schema.json`.
    var members: [JSONValue.Member] {
        let end = endedAt?.timestamp ?? instant
        let seconds = max(0, end.milliseconds(since: startedAt.timestamp) / 1_000)
        var members: [(String, JSONValue)] = [
            ("state", .text(endedAt == nil ? "going" : "over")),
            ("as_of", .text(RFC3339.text(instant))),
            ("seconds", .number(literal: "\(seconds)")),
            ("distance_m", .number(literal: "\(distance.millimeters / 1_000)")),
            ("units", .text(units.rawValue)), ("signal_lost", .boolean(isSignalLost)),
        ]
        if let position {
            members += [
                ("lat", .number(literal: "\(position.coordinate.latitude)")),
                ("lon", .number(literal: "\(position.coordinate.longitude)")),
                ("position_at", .text(RFC3339.text(position.at))),
            ]
        }
        return members.map { JSONValue.Member(name: $0, value: $1) }
    }
}
