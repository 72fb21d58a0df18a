import EventStore
import Projections
import RowCoding

/// The state of the feed as a whole: the row of `feed` whose key is zero.
package struct FeedHead: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// Sets it apart from feeds of other ledgers, and from those that were lost: a random number.
    package let epoch: UInt64

    /// The newest number; 0 if nothing was told yet.
    package internal(set) var last: UInt64 = 0

    init(epoch: UInt64) {
        self.epoch = epoch
    }

    /// Reads the row of a store; `nil` if its feed has not begun.
    ///
    /// - Throws: `StaleViews` if it is damaged, or `LMDBError`.
    init?(in store: ReadableViews) throws {
        guard let bytes = try store.value(.feed, Self.key) else { return nil }
        self = try StaleViews.takingDamage { try FeedHead(decoding: bytes) }
    }

    private init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        epoch = try reader.readWord()
        last = try reader.readWord()
        try reader.finish()
    }

    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(word: epoch)
        writer.write(word: last)
        return writer.bytes
    }

    static let key = FeedNumber.key(0)
}

/// The numbers of changes: the number of entries that the views had read, times 2²⁰, plus a running
/// count.
///
/// They only grow, and up to 8.5 billion entries they fit into the 53-bit integers of every JSON
/// reader.
enum FeedNumber {
    private static let ordinalBits: UInt64 = 20

    /// Returns the next number.
    static func next(after last: UInt64, atSize size: UInt64) -> UInt64 {
        max(last + 1, size << ordinalBits)
    }

    /// Returns how many entries the views had read when a number was given.
    static func size(of number: UInt64) -> UInt64 { number >> ordinalBits }

    /// The key of `feed`.
    static func key(_ number: UInt64) -> [UInt8] {
        var key: [UInt8] = []
        key.append(bigEndian: number)
        return key
    }

    /// Returns the number whose key this is.
    static func number(of key: [UInt8]) -> UInt64 {
        key.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The last state of a subject that was told: a row of `feed_subjects`.
struct FeedState: Hashable, Sendable {
    private static let formatVersion: UInt8 = 1

    /// The number of the change.
    var number: UInt64

    /// The sum of the hashes of the stored rows about it; 0 if there are none.
    var hash: UInt64

    init(number: UInt64, hash: UInt64) {
        self.number = number
        self.hash = hash
    }

    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        number = try reader.readWord()
        hash = try reader.readWord()
        try reader.finish()
    }

    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(word: number)
        writer.write(word: hash)
        return writer.bytes
    }
}

extension FeedSubject {
    private static let formatVersion: UInt8 = 2

    /// Reads the subject of a change: a row of `feed`.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        guard let kind = Kind(rawValue: try reader.readText()) else { throw .invalidValue }
        let name = try reader.readText()
        var source: RegisteredSource?
        if kind == .trip {
            let trip = try reader.readText()
            source = RegisteredSource(name: trip, group: try reader.readOptionalText())
        }
        self.init(kind, name, of: source)
        try reader.finish()
    }

    /// The subject as a row of `feed`.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(kind.rawValue)
        writer.write(name)
        if let source {
            writer.write(source.name)
            writer.write(source.group) { $0.write($1) }
        }
        return writer.bytes
    }
}
