import Geodesy
import RowCoding
import TripEvents

/// The places at which a stop never ends a trip: at most ``most``, in event order the first that
/// are there.
///
/// Each tracker and each rewind point keeps them, and each end of a trip is compared with them. A
/// place that is saved while there are as many others is not skipped, and stays so when one of
/// those goes, until it is saved again.
///
/// If a group of sources and the ledger's owner have places of one name, the group's counts. A
/// group's places at which a stop does end a trip are kept too, because they hide the owner's.
struct SkipPlaces: Hashable, Sendable {
    struct Place: Hashable, Sendable {
        var name: String
        var center: Coordinate
        var radius: Distance

        /// Whether a source of the group saved it, and not the owner.
        var isOfGroup = false

        /// Whether a stop there never ends a trip.
        var skips = true
    }

    /// How many places a tracker keeps at most.
    static let most = 250

    /// The places in order of saving.
    var all: [Place] = []

    /// Takes a place over, or forgets it if it is not to be skipped any more.
    mutating func save(_ saved: PlaceSaved, ofGroup isOfGroup: Bool) {
        remove(saved.place, ofGroup: isOfGroup)
        let skips = saved.skips == true
        guard skips || isOfGroup, all.count < Self.most,
            let center = Coordinate(
                latitude: saved.latitude.doubleValue,
                longitude: saved.longitude.doubleValue
            )
        else { return }
        all.append(
            Place(
                name: saved.place,
                center: center,
                radius: saved.radius,
                isOfGroup: isOfGroup,
                skips: skips
            )
        )
    }

    /// Forgets a place.
    mutating func remove(_ name: String, ofGroup isOfGroup: Bool) {
        all.removeAll { $0.isOfGroup == isOfGroup && $0.name.hasSameBytes(as: name) }
    }

    /// Returns whether a stop here never ends a trip.
    func contain(_ coordinate: Coordinate) -> Bool {
        all.contains { place in
            place.skips && place.center.distance(to: coordinate) <= place.radius
                && !isHidden(place)
        }
    }

    /// Returns whether a place is the owner's and the group has one of its name.
    private func isHidden(_ place: Place) -> Bool {
        !place.isOfGroup
            && all.contains { $0.isOfGroup && $0.name.hasSameBytes(as: place.name) }
    }
}

extension SkipPlaces {
    func write(to writer: inout RowEncoder) {
        writer.write(UInt64(all.count))
        for place in all {
            writer.write(place.name)
            writer.write(place.center)
            writer.write(place.radius)
            writer.write(place.isOfGroup)
            writer.write(place.skips)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        for _ in 0..<(try reader.readUInt64()) {
            all.append(
                Place(
                    name: try reader.readText(),
                    center: try reader.readCoordinate(),
                    radius: try reader.readDistance(),
                    isOfGroup: try reader.readBool(),
                    skips: try reader.readBool()
                )
            )
        }
    }
}
