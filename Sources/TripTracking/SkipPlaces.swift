import Geodesy
import RowCoding
import TripEvents

/// The places at which a stop never ends a trip.
struct SkipPlaces: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        var name: String
        var center: Coordinate
        var radius: Distance
    }

    /// The farthest that two places can be apart: half way round the earth.
    private static let maximumRadiusMeters = 20_100_000.0

    /// The places in order of saving.
    var all: [Place] = []

    /// Takes a place over, or forgets it if it is not to be skipped any more.
    mutating func save(_ saved: PlaceSaved) {
        remove(saved.place)
        guard saved.skips == true,
            let center = Coordinate(
                latitude: saved.latitude.doubleValue,
                longitude: saved.longitude.doubleValue
            )
        else { return }
        let meters = min(saved.radiusMeters.doubleValue, Self.maximumRadiusMeters)
        all.append(
            Place(
                name: saved.place,
                center: center,
                radius: Distance(millimeters: Int64((meters * 1_000).rounded()))
            )
        )
    }

    /// Forgets a place.
    mutating func remove(_ name: String) {
        all.removeAll { $0.name == name }
    }

    /// Returns whether a stop here never ends a trip.
    func contain(_ coordinate: Coordinate) -> Bool {
        all.contains { $0.center.distance(to: coordinate) <= $0.radius }
    }
}

extension SkipPlaces {
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(all.count))
        for place in all {
            writer.write(place.name)
            writer.write(place.center)
            writer.write(place.radius)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        for _ in 0..<(try reader.readUInt64()) {
            all.append(
                Place(
                    name: try reader.readText(),
                    center: try reader.readCoordinate(),
                    radius: try reader.readDistance()
                )
            )
        }
    }
}
