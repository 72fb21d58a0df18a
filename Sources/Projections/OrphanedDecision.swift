public import RowCoding
public import TripEvents
import TripTracking

/// A decision about a trip that is not there, and that no trip at its time could take over.
public struct OrphanedDecision: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// The decision.
    public let decision: Decision

    /// The trip that it names.
    public let trip: TripID

    /// When that trip started, if the decision says it.
    public var tripStartedAt: EventTime? { decision.tripStart }

    /// Creates an orphan.
    init(_ decision: Decision, of trip: TripID) {
        self.decision = decision
        self.trip = trip
    }

    /// The first byte of the keys of the book's rows that hold orphans, in event order.
    public static let keyPrefix: UInt8 = BookKey.orphanPrefix

    /// Reads an orphan from its row of the book.
    ///
    /// - Throws: why the bytes are no orphan of this version; the view is then rebuilt.
    public init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        trip = try reader.readTripID()
        decision = try Decision(from: &reader)
        try reader.finish()
    }

    /// The orphan as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(trip)
        decision.write(to: &writer)
        return writer.bytes
    }

    /// The key of the orphan's row.
    var key: [UInt8] { BookKey.orphan(decision, of: trip) }
}
