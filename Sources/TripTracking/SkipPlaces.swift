import Geodesy
import RowCoding
import TripEvents

/// The places at which a stop never ends a trip: at most ``most``, in event order the first that
/// are there.
///
/// Each tracker and each rewind point keeps them, and each end of a trip is compared with them. A
/// place that is saved while there are as many others is not skipped, and stays so when one of
/// those goes, until it is saved again.
struct SkipPlaces: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        var name: String
        var center: Coordinate
        var radius: Distance
    }

    /// How many places a tracker keeps at most.
    static let most = 250

    /// The farthest that two places can be apart: half way round the earth.
    private static let maximumRadiusMeters = 20_100_000.0

    /// The places in order of saving.
    var all: [Place] = []

    /// Takes a place over, or forgets it if it is not to be skipped any more.
    mutating func save(_ saved: PlaceSaved) {
        remove(saved.place)
        guard saved.skips == true, all.count < Self.most,
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
        all.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
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
