import Geodesy
import RowCoding
import Testing
import TripEvents

@testable import TripTracking

@Suite struct WaySketchTests {
    /// A drive to the north-east at 20 m/s, with a fix every so many milliseconds.
    private static func drive(
        from start: Int64,
        to end: Int64,
        every interval: Int64
    ) throws -> [Waypoint] {
        try stride(from: start, through: end, by: Int(interval))
            .map { at in
                Waypoint(coordinate: try place(at), at: Timestamp(milliseconds: at), position: 0)
            }
    }

    private static func place(_ at: Int64) throws -> Coordinate {
        let seconds = Double(at) / 1_000
        let degrees = seconds * 20 / 111_276
        return try #require(Coordinate(latitude: 50 + degrees, longitude: 4 + degrees))
    }

    private static func sketcher(of drive: [Waypoint], gapAfter gap: Int? = nil) -> WaySketcher {
        var way = WaySketcher()
        for (index, waypoint) in drive.enumerated() where waypoint.at.milliseconds >= way.due {
            let fix = Fix(occurredAt: waypoint.at, coordinate: waypoint.coordinate)
            let isAfterGap = index == 0 || index - 1 == gap
            way.take(fix, after: isAfterGap ? nil : drive[index - 1])
        }
        return way
    }

    private static func sketch(_ way: WaySketcher, from: Int64 = 0, to: Int64 = .max) -> WaySketch {
        way.sketch(from: Timestamp(milliseconds: from), to: Timestamp(milliseconds: to))
    }

    @Test(arguments: [1_000, 7_000, 32_000, 45_000] as [Int64])
    func `places are those at full minutes, however often fixes come`(
        interval: Int64
    ) throws {
        let way = Self.sketcher(of: try Self.drive(from: 12_345, to: 600_000, every: interval))
        let points = try Self.sketch(way).points()
        #expect(points.map(\.at.milliseconds) == (1...9).map { $0 * 60_000 })
        for point in points {
            let place = try Self.place(point.at.milliseconds)
            #expect(point.coordinate.distance(to: place).meters < 10, "\(point.at)")
        }
    }

    @Test func `a long way has few places, and another one of any length has the same instants`()
        throws
    {
        let long = Self.sketcher(of: try Self.drive(from: 500, to: 36_000_000, every: 1_000))
        let points = try Self.sketch(long).points()
        #expect(points.count > 7 && points.count < 18)
        let span = points[1].at.milliseconds(since: points[0].at)
        #expect(points.map(\.at.milliseconds).allSatisfy { $0 % span == 0 })
        #expect(span % 30_000 == 0 && (span / 30_000).nonzeroBitCount == 1)
        let short = Self.sketcher(of: try Self.drive(from: 0, to: 900_000, every: 5_000))
        let instants = Set(try Self.sketch(short).points().map(\.at))
        #expect(
            points.filter { $0.at.milliseconds <= 900_000 }.allSatisfy { instants.contains($0.at) }
        )
    }

    @Test func `nothing is known of a gap, nor of the time before and after the trip`() throws {
        let drive =
            try Self.drive(from: 0, to: 120_000, every: 10_000)
            + Self.drive(from: 300_000, to: 420_000, every: 10_000)
        let way = Self.sketcher(of: drive, gapAfter: 12)
        let known = try Self.sketch(way, from: 31_000, to: 390_000).points()
        #expect(
            known.map { $0.at.milliseconds / 1_000 } == [60, 90, 120, 300, 330, 360, 390]
        )
        #expect(try WaySketch().points().isEmpty)
    }

    @Test func `nothing is known across the antimeridian`() throws {
        let east = try #require(Coordinate(latitude: 0, longitude: 179.99))
        let west = try #require(Coordinate(latitude: 0, longitude: -179.99))
        var way = WaySketcher()
        way.take(
            Fix(occurredAt: Timestamp(milliseconds: 40_000), coordinate: west),
            after: Waypoint(coordinate: east, at: Timestamp(milliseconds: 10_000), position: 0)
        )
        #expect(try Self.sketch(way).points().isEmpty)
    }

    @Test func `a sketch that is stored and read on the way goes on as if it had not been`() throws
    {
        let drive = try Self.drive(from: 0, to: 5_000_000, every: 3_000)
        let whole = Self.sketcher(of: drive)
        var cut = WaySketcher()
        for (index, waypoint) in drive.enumerated() where waypoint.at.milliseconds >= cut.due {
            var writer = RowEncoder(version: 1)
            cut.write(to: &writer)
            var reader = try RowDecoder(writer.bytes, version: 1)
            cut = try WaySketcher(from: &reader)
            try reader.finish()
            let fix = Fix(occurredAt: waypoint.at, coordinate: waypoint.coordinate)
            cut.take(fix, after: index == 0 ? nil : drive[index - 1])
        }
        #expect(cut == whole)
    }

    @Test func `a merged trip was where its parts were`() throws {
        let drive = try Self.drive(from: 0, to: 600_000, every: 1_000)
        let way = Self.sketcher(of: drive)
        var joined = Self.sketch(way, from: 0, to: 200_000)
        joined.add(Self.sketch(way, from: 200_001))
        #expect(joined == Self.sketch(way))
    }
}
