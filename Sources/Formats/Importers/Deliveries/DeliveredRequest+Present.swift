package import TripEvents

/// The current position of a device, as its app reports it while older positions still wait to be
/// delivered.
package struct PresentPosition: Hashable, Sendable {
    /// When the device was there.
    package let at: Timestamp

    /// Geodetic latitude in degrees, as it was said.
    package let latitude: Double

    /// Longitude in degrees, as it was said.
    package let longitude: Double
}

// Overland sends where it is now beside a part of what waits (`current`), and sends the same
// position again in a later part. Stored at once it would make all that waits late; a server shows
// it while it runs, so that a phone with a backlog is seen where it is.
extension DeliveredRequest {
    /// Longer bodies are not looked into once more: the longest that Overland sends by itself,
    /// 1,000 positions, have half of that.
    private static let mostBytes = 1 << 20

    /// Returns the current position that the app reports; `nil` if it reports none, or not as a
    /// position.
    ///
    /// - Parameters:
    ///   - door: The door at which it delivers.
    ///   - options: The facts about the deliverer.
    /// - Returns: The position; `nil` as said above.
    package func presentPosition(
        at door: DeliveryDoor,
        _ options: DeliveryOptions
    ) -> PresentPosition? {
        guard shape(at: door) == .overland, body.count <= Self.mostBytes,
            body.span.contains(#""current""#, from: 0)
        else { return nil }
        var object = JSONRecord()
        let text = body.span
        guard (try? object.read(text)) != nil, let value = object.value("current", text),
            value.kind == .object
        else { return nil }
        let alone = Array(#"{"locations":["#.utf8) + body[value.range] + Array("]}".utf8)
        let batch = DeliveredRequest(body: alone).events(at: .overland, options)
        guard let item = batch.items.first(where: { batch.kind(of: $0) == .fixRecorded }),
            let fix = try? JSONValue(Array(batch.bytes[item.range]).span),
            case .number(let latitude)? = fix["lat"], let latitude = Double(latitude),
            case .number(let longitude)? = fix["lon"], let longitude = Double(longitude),
            // Reading accepts a number out of range; only appending refuses it.
            abs(latitude) <= 90, abs(longitude) <= 180,
            let at = fix["occurred_at"]?.text.flatMap({ RFC3339.time($0) })
        else { return nil }
        return PresentPosition(at: at.timestamp, latitude: latitude, longitude: longitude)
    }
}
