import Geodesy
import TripEvents

extension OpenTrip {
    /// Writes the trip in progress and everything that waits for a decision.
    func write(to writer: inout StateWriter) {
        trip.write(to: &writer)
        rules.write(to: &writer)
        writer.write(isPressed)
        arming.write(to: &writer)
        writer.write(filter) {
            $0.write($1.anchor)
            $0.write($1.last)
            $0.write($1.lastAt)
        }
        writer.write(UInt64(run.fixes.count))
        for fix in run.fixes {
            fix.write(to: &writer)
        }
        writer.write(latest) { $1.write(to: &$0) }
        writer.write(pace.rest) {
            $1.trip.write(to: &$0)
            $1.place.write(to: &$0)
        }
        movement.write(to: &writer)
        parking.write(to: &writer)
        intervals.write(to: &writer)
        writer.write(stationarySince) { $0.write($1) }
        writer.write(recoveringSince) { $0.write($1) }
        writer.write(nextStart) { $1.write(to: &$0) }
        writer.write(division.pending) { $1.write(to: &$0) }
        writer.write(UInt64(earlierParts.count))
        for part in earlierParts {
            writer.write(part)
        }
    }

    /// Reads a trip in progress.
    init(from reader: inout StateReader) throws(StateError) {
        self.init(try Trip(from: &reader), rules: try TrackingRules(from: &reader))
        isPressed = try reader.readBool()
        arming = try Arming(from: &reader)
        filter = try reader.readOptional { reader throws(StateError) in
            FixFilter(
                anchor: try reader.readCoordinate(),
                last: try reader.readCoordinate(),
                lastAt: try reader.readTimestamp()
            )
        }
        for _ in 0..<(try reader.readUInt64()) {
            run.fixes.append(try PendingFix(from: &reader))
        }
        latest = try reader.readOptional(Waypoint.init(from:))
        pace = try reader.readBool() ? .resting(try Rest(from: &reader)) : .moving
        movement = try Stay(from: &reader)
        parking = try Stay(from: &reader)
        intervals = try IntervalSample(from: &reader)
        stationarySince = try reader.readOptionalTimestamp()
        recoveringSince = try reader.readOptionalTimestamp()
        nextStart = try reader.readOptional(PendingStart.init(from:))
        if try reader.readBool() {
            division = .pending(try PendingDivision(from: &reader))
        }
        for _ in 0..<(try reader.readUInt64()) {
            earlierParts.append(try reader.readTripID())
        }
        // What is judged is kept, and the other way round.
        guard (filter == nil) == (latest == nil) else { throw .invalidValue }
    }
}

extension Arming {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(oldest) { $1.write(to: &$0) }
        writer.write(newest) { $1.write(to: &$0) }
        writer.write(firstFixAt) { $0.write($1) }
        writer.write(approximation) {
            $0.write($1.coordinate)
            $0.write($1.accuracyMeters)
        }
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        oldest = try reader.readOptional(PendingFix.init(from:))
        newest = try reader.readOptional(PendingFix.init(from:))
        firstFixAt = try reader.readOptionalTimestamp()
        approximation = try reader.readOptional { reader throws(StateError) in
            Approximation(
                coordinate: try reader.readCoordinate(),
                accuracyMeters: try reader.readDouble()
            )
        }
    }
}

extension PendingFix {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(fix)
        writer.write(position)
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        fix = try reader.readFix()
        position = try reader.readUInt64()
    }
}

extension Waypoint {
    /// Writes the place.
    func write(to writer: inout StateWriter) {
        writer.write(coordinate)
        writer.write(at)
        writer.write(position)
    }

    /// Reads a place.
    init(from reader: inout StateReader) throws(StateError) {
        coordinate = try reader.readCoordinate()
        at = try reader.readTimestamp()
        position = try reader.readUInt64()
    }
}

extension Rest {
    fileprivate init(from reader: inout StateReader) throws(StateError) {
        trip = try Trip(from: &reader)
        place = try Waypoint(from: &reader)
    }
}

extension Stay {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(center) { $0.write($1) }
        writer.write(since)
        writer.write(safeUntil.millimeters)
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        center = try reader.readOptional { reader throws(StateError) in
            try reader.readCoordinate()
        }
        since = try reader.readTimestamp()
        safeUntil = Distance(millimeters: try reader.readInt64())
    }
}

extension PendingStart {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(cause)
        writer.write(at)
        writer.write(recordedAt)
        writer.write(position)
        writer.write(vehicle) { $0.write($1) }
    }

    fileprivate init(from reader: inout StateReader) throws(StateError) {
        cause = try reader.readTripCause()
        at = try reader.readTimestamp()
        recordedAt = try reader.readTimestamp()
        position = try reader.readUInt64()
        vehicle = try reader.readOptional { reader throws(StateError) in try reader.readText() }
    }
}
