public import Geodesy
import TripEvents

/// Where a trip started or ended.
public enum MileagePlace: Hashable, Sendable {
    /// In words.
    case words(String)

    /// Latitude and longitude, which are shown with five decimals: a metre.
    case position(Coordinate)

    private static let decimals = 5

    /// The most bytes of a position as text: its degrees have three digits before the point.
    public static let longestPosition = 2 + 2 * (decimals + 5)

    /// Appends the place as text.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .words(let text): bytes.append(contentsOf: text.utf8)
        case .position(let coordinate):
            bytes.append(addingCapacity: Self.longestPosition) {
                Self.append(coordinate, to: &$0)
            }
        }
    }

    /// Appends a position as text, for which there MUST be room.
    public static func append(_ coordinate: Coordinate, to span: inout OutputSpan<UInt8>) {
        append(coordinate.latitude, to: &span)
        span.append(UInt8(ascii: ","))
        span.append(UInt8(ascii: " "))
        append(coordinate.longitude, to: &span)
    }

    /// The place as text.
    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ degrees: Double, to span: inout OutputSpan<UInt8>) {
        let scaled = Int64((degrees * 100_000).rounded())
        FixedPoint.append(scaled, decimals: decimals, to: &span)
    }
}
