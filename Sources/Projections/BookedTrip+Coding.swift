import Geodesy
import TripEvents
package import TripTracking

extension BookedTrip {
    /// Writes the trip, member by member in order of declaration.
    package func write(to writer: inout StateWriter) {
        trip.write(to: &writer)
        writer.write(isMeasured)
        writer.write(status)
        writer.write(mergedInto) { $0.write($1) }
        writer.write(UInt64(parts.count))
        for part in parts {
            writer.write(part)
        }
        writer.write(origin) { $0.write($1) }
        writer.write(destination) { $0.write($1) }
        writer.write(importedFrom) { $0.write($1) }
        details.write(to: &writer)
        writer.write(routine) { $0.write($1) }
        writer.write(adjusted) { $0.write($1) }
        writer.write(UInt64(flags.rawValue))
        writer.write(detailsRecorded) {
            $0.write($1.firstAt)
            $0.write($1.lastAt)
        }
    }

    /// Reads a trip.
    package init(from reader: inout StateReader) throws(StateError) {
        // In order, as they were written; in one piece, so that nothing is copied.
        self.init(
            trip: try Trip(from: &reader),
            isMeasured: try reader.readBool(),
            status: try reader.readBookedStatus(),
            mergedInto: try reader.readBool() ? try reader.readTripID() : nil,
            parts: try Self.parts(from: &reader),
            origin: try reader.readOptionalText(),
            destination: try reader.readOptionalText(),
            importedFrom: try reader.readOptionalText(),
            details: try TripDetails(from: &reader),
            routine: try reader.readOptionalText(),
            adjusted: try reader.readBool() ? try reader.readDistance() : nil,
            flags: try Self.flags(from: &reader),
            detailsRecorded: try reader.readBool() ? try Self.recorded(from: &reader) : nil
        )
    }

    private static func parts(from reader: inout StateReader) throws(StateError) -> [TripID] {
        var parts: [TripID] = []
        for _ in 0..<(try reader.readAmount()) {
            parts.append(try reader.readTripID())
        }
        return parts
    }

    private static func recorded(
        from reader: inout StateReader
    ) throws(StateError) -> Trip.Recorded {
        Trip.Recorded(firstAt: try reader.readTimestamp(), lastAt: try reader.readTimestamp())
    }

    private static func flags(from reader: inout StateReader) throws(StateError) -> BookedFlags {
        guard let bits = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        let flags = BookedFlags(rawValue: bits)
        guard flags.isSubset(of: .all) else { throw .invalidValue }
        return flags
    }
}
