import Geodesy
import TripEvents

extension Trip {
    /// Writes the trip, member by member in order of declaration.
    package func write(to writer: inout StateWriter) {
        writer.write(id)
        writer.write(source)
        writer.write(vehicle) { $0.write($1) }
        writer.write(rules)
        writer.write(status)
        writer.write(abandonReason) { $0.write($1) }
        writer.write(startedBy)
        writer.write(endedBy) { $0.write($1) }
        writer.write(startedAt)
        writer.write(endedAt) { $0.write($1) }
        writer.write(start) { $0.write($1) }
        writer.write(end) { $0.write($1) }
        writer.write(distance)
        writer.write(gaps.count)
        writer.write(gaps.milliseconds)
        writer.write(gaps.distance)
        for verdict in Verdict.allCases {
            writer.write(fixes[verdict])
        }
        writer.write(samplingMilliseconds) { $0.write($1) }
        writer.write(maximumSpeedMetersPerSecond)
        writer.write(movingMilliseconds)
        writer.write(UInt64(flags.rawValue))
        writer.write(recorded.firstAt)
        writer.write(recorded.lastAt)
    }

    /// Reads a trip.
    package init(from reader: inout StateReader) throws(StateError) {
        id = try reader.readTripID()
        source = try reader.readText()
        vehicle = try reader.readOptionalText()
        rules = try reader.readRulesName()
        status = try reader.readTripStatus()
        abandonReason = try reader.readOptional { reader throws(StateError) in
            try reader.readAbandonReason()
        }
        startedBy = try reader.readTripCause()
        endedBy = try reader.readOptional { reader throws(StateError) in
            try reader.readTripCause()
        }
        startedAt = try reader.readEventTime()
        endedAt = try reader.readOptional { reader throws(StateError) in
            try reader.readEventTime()
        }
        start = try reader.readOptional { reader throws(StateError) in
            try reader.readCoordinate()
        }
        end = try reader.readOptional { reader throws(StateError) in try reader.readCoordinate() }
        distance = try reader.readDistance()
        gaps = GapTotal(
            count: try reader.readAmount(),
            milliseconds: try reader.readAmount(),
            distance: try reader.readDistance()
        )
        for verdict in Verdict.allCases {
            fixes[verdict] = try reader.readAmount()
        }
        samplingMilliseconds = try reader.readOptional { reader throws(StateError) in
            try reader.readAmount()
        }
        maximumSpeedMetersPerSecond = try reader.readDouble()
        guard maximumSpeedMetersPerSecond.isFinite else { throw .invalidValue }
        movingMilliseconds = try reader.readAmount()
        flags = try Self.readFlags(from: &reader)
        recorded = Recorded(
            firstAt: try reader.readTimestamp(),
            lastAt: try reader.readTimestamp()
        )
    }

    private static func readFlags(from reader: inout StateReader) throws(StateError) -> TripFlags {
        guard let bits = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        let flags = TripFlags(rawValue: bits)
        guard flags.isSubset(of: .all) else { throw .invalidValue }
        return flags
    }
}
