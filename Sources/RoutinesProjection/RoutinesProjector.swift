public import Geodesy
public import Projections
public import RowCoding
public import TripEvents
import TripTracking

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

/// A row of the view of routines: a template, or the trips of thirty days to which it was applied.
public struct RoutineRow: ViewRow {
    /// What the row says.
    public enum Content: Hashable, Sendable {
        /// What the routine makes trips say about themselves.
        case template(TripDetails)

        /// The trips that started in one span of thirty days, counted from 1970, in order of their
        /// starts.
        case uses(span: Int64, [RoutineUse])
    }

    private static let formatVersion: UInt8 = 1
    private static let spanMilliseconds: Int64 = 30 * Timestamp.millisecondsPerDay

    /// The name of the routine.
    public let name: String

    /// What the row says.
    public let content: Content

    /// Creates a row.
    public init(name: String, content: Content) {
        self.name = name
        self.content = content
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        name = try reader.readText()
        let span = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readInt64()
        }
        if let span {
            var uses: [RoutineUse] = []
            for _ in 0..<(try reader.readAmount()) {
                uses.append(try RoutineUse(from: &reader))
            }
            content = .uses(span: span, uses)
        } else {
            content = .template(try TripDetails(from: &reader))
        }
        try reader.finish()
    }

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(name)
        switch content {
        case .template(let details):
            writer.write(nil as Int64?) { $0.write($1) }
            details.write(to: &writer)
        case .uses(let span, let uses):
            writer.write(span) { $0.write($1) }
            writer.write(UInt64(uses.count))
            for use in uses {
                use.write(to: &writer)
            }
        }
        return writer.bytes
    }

    /// The name and, for uses, the span.
    public var key: [UInt8] {
        switch content {
        case .template: Self.key(of: name)
        case .uses(let span, _): Self.key(of: name, span: span)
        }
    }

    /// The key: rows are in order of names, the template first, then the uses in order of time.
    public var orderKey: [UInt8] { key }

    /// The row itself: nothing in it depends on the order of arrival.
    public var withoutArrival: RoutineRow { self }

    /// Returns the key of a routine's template.
    ///
    /// Names hold no control characters, so that the zero byte ends the name.
    public static func key(of name: String) -> [UInt8] {
        name.utf8 + [0]
    }

    /// Returns the key of a routine's uses in a span of thirty days.
    public static func key(of name: String, span: Int64) -> [UInt8] {
        let word = UInt64(bitPattern: span) ^ (1 << 63)
        return key(of: name) + (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
    }

    /// Returns the span of thirty days in which an instant lies.
    static func span(of instant: Timestamp) -> Int64 {
        let (span, rest) = instant.milliseconds.quotientAndRemainder(dividingBy: spanMilliseconds)
        return rest < 0 ? span - 1 : span
    }
}

/// A trip to which a routine was applied.
public struct RoutineUse: Hashable, Sendable {
    /// The trip.
    public let trip: TripID

    /// When it started.
    public let startedAt: EventTime

    /// Where it started, if that is known.
    public let start: Coordinate?

    /// Where it ended, if that is known.
    public let end: Coordinate?

    /// Creates the use that a trip makes of a routine.
    public init(_ booked: BookedTrip) {
        trip = booked.id
        startedAt = booked.trip.startedAt
        start = booked.trip.start
        end = booked.trip.end
    }

    /// The minute of the local day at the start, 0 … 1,439; in UTC if the offset is not known.
    public var minuteOfDay: Int {
        let offset = Int64(startedAt.utcOffset?.minutes ?? 0)
        let (minutes, rest) = startedAt.timestamp.milliseconds
            .quotientAndRemainder(dividingBy: 60_000)
        let minute = (minutes - (rest < 0 ? 1 : 0) + offset) % 1_440
        return Int(minute < 0 ? minute + 1_440 : minute)
    }

    /// Returns how far two times of day lie apart, in minutes, 0 … 720.
    static func minutesApart(_ left: Int, _ right: Int) -> Int {
        let apart = abs(left - right)
        return min(apart, 1_440 - apart)
    }

    /// Writes the use.
    func write(to writer: inout RowEncoder) {
        writer.write(trip)
        writer.write(startedAt)
        writer.write(start) { $0.write($1) }
        writer.write(end) { $0.write($1) }
    }

    /// Reads a use.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        trip = try reader.readTripID()
        startedAt = try reader.readEventTime()
        start = try reader.readOptional { reader throws(RowCodingError) in
            try reader.readCoordinate()
        }
        end = try reader.readOptional { reader throws(RowCodingError) in try reader.readCoordinate()
        }
    }
}

extension RoutineUse: Comparable {
    /// Returns whether one trip started before another; ties go by id.
    public static func < (left: RoutineUse, right: RoutineUse) -> Bool {
        (left.startedAt.timestamp, left.trip) < (right.startedAt.timestamp, right.trip)
    }
}
