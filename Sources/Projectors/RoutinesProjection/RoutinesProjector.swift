public import Geodesy
public import Projections
public import RowCoding
public import TripEvents
import TripTracking

/// Makes the view of routines: the templates and the trips to which they were applied.
public struct RoutinesProjector: Projector {
    /// The row of one template, or of one use.
    public typealias Row = RoutineRow

    /// The name of the view.
    public static let name = "routines"

    /// The version of the view.
    public static let version: UInt32 = 7

    /// Creates a projector.
    public init() {}

    /// Puts or removes a template, or moves the use that a trip makes of one.
    public func evolve(_ change: BookChange, in rows: inout ViewRows) throws {
        switch change {
        case .routine(let change):
            if let new = change.new {
                try rows.put(
                    RoutineRow(
                        name: change.name,
                        group: change.group,
                        content: .template(new.details, new.pattern)
                    )
                )
            } else {
                try rows.remove(key: RoutineRow.key(of: change.name, in: change.group))
            }
        case .trip(let change):
            if let old = Self.use(of: change.old) { try rows.remove(key: old.key) }
            if let new = Self.use(of: change.new) { try rows.put(new) }
        case .visit: break
        }
    }

    /// Returns the row of the use that a trip makes of a routine; `nil` if it makes none.
    private static func use(of booked: BookedTrip?) -> RoutineRow? {
        guard let booked, let name = booked.routine, isUse(booked) else { return nil }
        return RoutineRow(
            name: name,
            group: booked.trip.group,
            content: .use(RoutineUse(booked))
        )
    }

    private static func isUse(_ booked: BookedTrip) -> Bool {
        booked.status == .completed || booked.status == .active
    }
}

/// A row of the view of routines: a template, or a trip to which it was applied.
public struct RoutineRow: ViewRow {
    /// What the row says.
    public enum Content: Hashable, Sendable {
        /// The details that the routine gives to trips, and the pattern of trips to which it
        /// applies by itself.
        case template(TripDetails, TripPattern)

        /// A trip to which the routine was applied.
        case use(RoutineUse)
    }

    private static let formatVersion: UInt8 = 6

    /// The first byte of the keys of templates, and of those of uses.
    private static let templateKey: UInt8 = 0
    private static let useKey: UInt8 = 1

    /// The name of the routine.
    public let name: String

    /// The group that a template is for, or that a use's trip belongs to; `nil` for the owner.
    public let group: String?

    /// What the row says.
    public let content: Content

    /// Creates a row.
    public init(name: String, group: String? = nil, content: Content) {
        self.name = name
        self.group = group
        self.content = content
    }

    /// Reads a row.
    ///
    /// - Throws: why the bytes are not a row of this version.
    public init(decoding value: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(value, version: Self.formatVersion)
        name = try reader.readText()
        group = try reader.readOptionalText()
        let isUse = try reader.readBool()
        content =
            isUse
            ? .use(try RoutineUse(from: &reader))
            : .template(try TripDetails(from: &reader), try TripPattern(from: &reader))
        try reader.finish()
    }

    /// The row as bytes.
    public var value: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(name)
        writer.write(group) { $0.write($1) }
        switch content {
        case .template(let details, let pattern):
            writer.write(false)
            details.write(to: &writer)
            pattern.write(to: &writer)
        case .use(let use):
            writer.write(true)
            use.write(to: &writer)
        }
        return writer.bytes
    }

    /// The name and group of a template, or the start of a use and its trip, which uses one routine
    /// at most.
    public var key: [UInt8] {
        switch content {
        case .template:
            return Self.key(of: name, in: group)
        case .use(let use):
            var bytes = [Self.useKey]
            let start = use.startedAt.timestamp.milliseconds
            bytes.append(bigEndian: UInt64(bitPattern: start) ^ (1 << 63))
            bytes.append(bigEndian: use.trip.high)
            bytes.append(bigEndian: use.trip.low)
            return bytes
        }
    }

    /// The key: templates are in order of names, and then uses in order of time.
    public var orderKey: [UInt8] { key }

    /// The row itself: nothing in it depends on the order of arrival.
    public var withoutArrival: RoutineRow { self }

    /// Returns the key of a routine's template.
    static func key(of name: String, in group: String?) -> [UInt8] {
        // Neither of both holds a zero.
        [templateKey] + name.utf8 + (group.map { [0] + $0.utf8 } ?? [])
    }
}

/// A trip to which a routine was applied.
public struct RoutineUse: Hashable, Sendable {
    /// The trip.
    public let trip: TripID

    /// When it started.
    public private(set) var startedAt: EventTime

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

    /// Returns the use with its start told by a clock.
    func told(by clock: LocalDay?) -> RoutineUse {
        var told = self
        told.startedAt = startedAt.told(by: clock)
        return told
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

extension TripPattern {
    private static let dayNames = ChoiceNames(of: Weekday.self)

    /// Writes the pattern, member by member in order of declaration.
    func write(to writer: inout RowEncoder) {
        writer.write(from) { $0.write($1) }
        writer.write(to) { $0.write($1) }
        writer.write(goesBothWays) { $0.write($1) }
        writer.write(days) { writer, days in
            writer.write(UInt64(days.count))
            for day in days { writer.write(day) }
        }
        writer.write(since) { $0.write($1) }
    }

    /// Reads a pattern.
    init(from reader: inout RowDecoder) throws(RowCodingError) {
        self.init(
            from: try reader.readOptionalText(),
            to: try reader.readOptionalText(),
            goesBothWays: try reader.readBool() ? try reader.readBool() : nil,
            days: try reader.readBool() ? try Self.days(from: &reader) : nil,
            since: try reader.readBool() ? try reader.readEventTime() : nil
        )
    }

    private static func days(from reader: inout RowDecoder) throws(RowCodingError) -> [Weekday] {
        var days: [Weekday] = []
        for _ in 0..<(try reader.readAmount()) {
            days.append(Weekday.allCases[try reader.readIndex(in: dayNames)])
        }
        return days
    }
}
