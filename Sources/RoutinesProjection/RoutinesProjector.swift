public import Projections
import TripEvents

/// Makes the view of routines: the templates and the trips to which they were applied.
public struct RoutinesProjector: Projector {
    /// The row of one template, or of its uses in thirty days.
    public typealias Row = RoutineRow

    /// The name of the view.
    public static let name = "routines"

    /// The version of the view.
    public static let version: UInt32 = 1

    /// Creates a projector.
    public init() {}

    /// Puts or removes a template, or moves the use that a trip makes of one.
    public func evolve<Rows: RowStore & ~Copyable>(
        _ change: BookChange,
        in rows: inout Rows
    ) throws {
        switch change {
        case .routine(let change):
            if let new = change.new {
                try rows.put(RoutineRow(name: change.name, content: .template(new.details)))
            } else {
                try rows.remove(key: RoutineRow.key(of: change.name))
            }
        case .trip(let change):
            try setUse(of: change.old, isThere: false, in: &rows)
            try setUse(of: change.new, isThere: true, in: &rows)
        }
    }

    /// Takes the use that a trip makes of a routine away, or adds it.
    private func setUse<Rows: RowStore & ~Copyable>(
        of booked: BookedTrip?,
        isThere: Bool,
        in rows: inout Rows
    ) throws {
        guard let booked, let name = booked.routine, Self.isUse(booked) else { return }
        let use = RoutineUse(booked)
        let span = RoutineRow.span(of: use.startedAt.timestamp)
        let key = RoutineRow.key(of: name, span: span)
        var uses: [RoutineUse] = []
        if let stored = try rows.value(forKey: key),
            case .uses(_, let before) = try RoutineRow(decoding: stored).content
        {
            uses = before.filter { $0.trip != use.trip }
        }
        if isThere {
            uses.insert(use, at: uses.firstIndex { use < $0 } ?? uses.count)
        }
        if uses.isEmpty {
            try rows.remove(key: key)
        } else {
            try rows.put(RoutineRow(name: name, content: .uses(span: span, uses)))
        }
    }

    private static func isUse(_ booked: BookedTrip) -> Bool {
        booked.status == .completed || booked.status == .active
    }
}
