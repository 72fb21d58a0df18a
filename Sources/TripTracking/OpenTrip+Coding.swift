import Geodesy
import TripEvents

extension OpenTrip {
    /// Writes the trip in progress and everything that waits for a decision.
    func write(to writer: inout StateWriter) {
        trip.write(to: &writer)
        writer.write(arming.oldest) { $1.write(to: &$0) }
        writer.write(arming.newest) { $1.write(to: &$0) }
        writer.write(arming.firstFixAt) { $0.write($1) }
        writer.write(arming.approximation) {
            $0.write($1.coordinate)
            $0.write($1.accuracyMeters)
        }
        writer.write(filter) {
            $0.write($1.anchor)
            $0.write($1.last)
            $0.write($1.lastAt)
        }
        writer.write(UInt64(run.fixes.count))
        for fix in run.fixes {
            fix.write(to: &writer)
        }
    }

    /// Reads a trip in progress.
    init(from reader: inout StateReader) throws(StateError) {
        let trip = try Trip(from: &reader)
        let arming = Arming(
            oldest: try reader.readOptional(PendingFix.read),
            newest: try reader.readOptional(PendingFix.read),
            firstFixAt: try reader.readOptional { reader throws(StateError) in
                try reader.readTimestamp()
            },
            approximation: try reader.readOptional { reader throws(StateError) in
                Arming.Approximation(
                    coordinate: try reader.readCoordinate(),
                    accuracyMeters: try reader.readDouble()
                )
            }
        )
        let filter = try reader.readOptional { reader throws(StateError) in
            FixFilter(
                anchor: try reader.readCoordinate(),
                last: try reader.readCoordinate(),
                lastAt: try reader.readTimestamp()
            )
        }
        var run = ReanchorRun()
        for _ in 0..<(try reader.readUInt64()) {
            run.fixes.append(try PendingFix.read(from: &reader))
        }
        self.init(trip, arming: arming, filter: filter, run: run)
    }
}

extension PendingFix {
    fileprivate func write(to writer: inout StateWriter) {
        writer.write(fix.occurredAt)
        writer.write(fix.coordinate)
        writer.write(fix.accuracyMeters) { $0.write($1) }
        writer.write(fix.speedMetersPerSecond) { $0.write($1) }
        writer.write(fix.isMock)
        writer.write(position)
    }

    fileprivate static func read(from reader: inout StateReader) throws(StateError) -> PendingFix {
        let fix = Fix(
            occurredAt: try reader.readTimestamp(),
            coordinate: try reader.readCoordinate(),
            accuracyMeters: try reader.readOptional { reader throws(StateError) in
                try reader.readDouble()
            },
            speedMetersPerSecond: try reader.readOptional { reader throws(StateError) in
                try reader.readDouble()
            },
            isMock: try reader.readBool()
        )
        return PendingFix(fix: fix, position: try reader.readUInt64())
    }
}
