import RowCoding
import TripEvents

/// What the motion sensor says of the means of transport.
enum MotionEvidence: UInt8, Sendable {
    case onFoot
    case cycling
    case automotive
}

/// How long the motion sensor reported each kind of motion on a stretch of the way, in
/// milliseconds.
struct SaidTimes: Hashable, Sendable {
    var onFootMilliseconds: Int64 = 0

    /// The part of it shortly after the sensor said so.
    var freshOnFootMilliseconds: Int64 = 0

    var cyclingMilliseconds: Int64 = 0
    var automotiveMilliseconds: Int64 = 0
}

/// Adds up how long each report of the motion sensor lasted during a trip.
struct MotionHearing: Hashable, Sendable {
    /// How long a word is fresh, in milliseconds: sensors repeat what still holds.
    private static let freshMilliseconds: Int64 = 60_000

    /// What the sensor last said.
    private(set) var word: MotionEvidence?

    /// When it said so; `nil` if that was before the trip.
    private var saidAt: Timestamp?

    /// Up to when its word is counted.
    private var countedTo: Timestamp

    /// What it said since the last leg ended.
    private var times = SaidTimes()

    /// Listens from the start of a trip on, before which the sensor had said `word`.
    init(_ word: MotionEvidence?, since: Timestamp) {
        self.word = word
        countedTo = since
    }

    /// Takes the next word; `nil` if the sensor does not know.
    mutating func hear(_ word: MotionEvidence?, at instant: Timestamp) {
        count(to: instant)
        self.word = word
        saidAt = instant
    }

    /// Forgets what was said until an instant at which a leg begins.
    mutating func restart(at instant: Timestamp) {
        countedTo = instant
        times = SaidTimes()
    }

    /// Returns what was said during the leg that ends now.
    mutating func take(to instant: Timestamp) -> SaidTimes {
        count(to: instant)
        defer { times = SaidTimes() }
        return times
    }

    private mutating func count(to instant: Timestamp) {
        let milliseconds = instant.milliseconds(since: countedTo)
        guard milliseconds > 0 else { return }
        switch word {
        case .onFoot:
            times.onFootMilliseconds += milliseconds
            if let saidAt {
                let fresh = saidAt.advanced(byMilliseconds: Self.freshMilliseconds)
                times.freshOnFootMilliseconds += max(
                    0,
                    min(instant, fresh).milliseconds(since: countedTo)
                )
            }
        case .cycling: times.cyclingMilliseconds += milliseconds
        case .automotive: times.automotiveMilliseconds += milliseconds
        case nil: break
        }
        countedTo = instant
    }
}

extension MotionHearing {
    func write(to writer: inout RowEncoder) {
        writer.write(word.map { UInt64($0.rawValue) }) { $0.write($1) }
        writer.write(saidAt) { $0.write($1) }
        writer.write(countedTo)
        for amount in [
            times.onFootMilliseconds, times.freshOnFootMilliseconds, times.cyclingMilliseconds,
            times.automotiveMilliseconds,
        ] {
            writer.write(amount)
        }
    }

    init(from reader: inout RowDecoder) throws(RowCodingError) {
        word = try reader.readOptionalMotionEvidence()
        saidAt = try reader.readOptionalTimestamp()
        countedTo = try reader.readTimestamp()
        times = SaidTimes(
            onFootMilliseconds: try reader.readAmount(),
            freshOnFootMilliseconds: try reader.readAmount(),
            cyclingMilliseconds: try reader.readAmount(),
            automotiveMilliseconds: try reader.readAmount()
        )
    }
}

extension RowDecoder {
    /// Reads what the motion sensor said, if it did; what a newer version writes counts as nothing.
    mutating func readOptionalMotionEvidence() throws(RowCodingError) -> MotionEvidence? {
        guard try readBool() else { return nil }
        return UInt8(exactly: try readUInt64()).flatMap(MotionEvidence.init(rawValue:))
    }
}
