import TripEvents
import TripTracking

/// A stored list of trip ids in ascending order.
enum TripList {
    private static let formatVersion: UInt8 = 1

    /// Returns the trips of a stored list; none if there is no such list.
    static func trips(in stored: [UInt8]?) throws(StateError) -> [TripID] {
        guard let stored else { return [] }
        var reader = try StateReader(stored, version: formatVersion)
        var trips: [TripID] = []
        for _ in 0..<(stored.count - 1) / 16 {
            trips.append(try reader.readTripID())
        }
        try reader.finish()
        return trips
    }

    /// Adds a trip to a list or takes it away, and returns whether that changed the list; an empty
    /// list has no row.
    static func set<Rows: RowStore & ~Copyable>(
        _ trip: TripID,
        isListed: Bool,
        key: [UInt8],
        in rows: inout Rows
    ) throws -> Bool {
        var trips = try trips(in: rows.value(forKey: key))
        let index = trips.firstIndex { $0 >= trip } ?? trips.count
        let wasListed = index < trips.count && trips[index] == trip
        guard wasListed != isListed else { return false }
        if isListed {
            trips.insert(trip, at: index)
        } else {
            trips.remove(at: index)
        }
        if trips.isEmpty {
            try rows.remove(key: key)
            return true
        }
        var writer = StateWriter(version: formatVersion)
        for trip in trips {
            writer.write(trip)
        }
        try rows.put(writer.bytes, key: key, orderKey: key)
        return true
    }
}
