public import Geodesy
import TripEvents

/// Where a trip started or ended.
public enum MileagePlace: Hashable, Sendable {
    /// In words.
    case words(String)

    /// Latitude and longitude, which are shown with five decimals: a metre.
    case position(Coordinate)

    /// Appends the place as text.
    public func append(to bytes: inout [UInt8]) {
        switch self {
        case .words(let text): bytes.append(contentsOf: text.utf8)
        case .position(let coordinate):
            Self.append(coordinate.latitude, to: &bytes)
            bytes.append(contentsOf: ", ".utf8)
            Self.append(coordinate.longitude, to: &bytes)
        }
    }

    /// The place as text.
    public var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ degrees: Double, to bytes: inout [UInt8]) {
        FixedPoint.append(Int64((degrees * 100_000).rounded()), decimals: 5, to: &bytes)
    }
}
