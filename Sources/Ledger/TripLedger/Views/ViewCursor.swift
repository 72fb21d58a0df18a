import EventStore
import LMDB
import Proofs
import RowCoding
import TripEvents
import TripTracking

/// The log that the views read, and how far they have read it.
struct ViewCursor: Hashable, Sendable {
    /// The key of the one cursor in the table `state`.
    static let key: [UInt8] = Array("views".utf8)

    private static let formatVersion: UInt8 = 8

    /// Entries of the log that the views know.
    var size: UInt64

    /// The number of entries whose events for all sources every tracker has been given: fewer than
    /// `size` after a run that was cut off.
    var toldUpTo: UInt64 = 0

    /// The number of entries that the view of visits knows: fewer than `size` after a run that was
    /// cut off.
    var visitsUpTo: UInt64 = 0

    /// The instant up to which trips have ended by the passing of time alone.
    ///
    /// The rows are a function of the entries and of this instant. The trackers are not: they wait
    /// for their sources' next events.
    var passedTo: Timestamp

    /// The instant to which a run that was cut off had begun to let time pass: the rows of trips
    /// whose ends lie between the two instants may show either state.
    var passingTo: Timestamp?

    /// The leaf hash of the last entry that the views know, in hexadecimal.
    ///
    /// An entry has a random nonce, so views of another log, or of a log that was put back to an
    /// older copy and went on, are recognised by it.
    var lastLeaf: String

    /// The version of each view, by name; views of other versions are made anew.
    var versions: [String: UInt32]

    /// The numbers of the sources whose late events are not in the rows yet.
    var lateSources: Set<UInt32>

    /// Whether the book notes trips that are still to be booked, or splits to be settled.
    var awaitsBooking = false

    /// Whether the rows are what the entries give.
    var isFinished: Bool {
        toldUpTo == size && visitsUpTo == size && lateSources.isEmpty && !awaitsBooking
            && passingTo == nil
    }

    /// Returns the keys in `ends` of the ends by time alone that rows may show differently from how
    /// things are at an instant.
    func ends(passedBefore instant: Timestamp) -> ViewKeyRange {
        let known = [passedTo, passingTo ?? passedTo, instant]
        let first = known.reduce(instant, min)
        let last = known.reduce(instant, max)
        return ViewKeyRange(
            from: ViewKey.end(at: first.advanced(byMilliseconds: 1)),
            upTo: ViewKey.end(at: last.advanced(byMilliseconds: 1))
        )
    }

    /// Creates the cursor of views that have read nothing.
    init(versions: [String: UInt32], passedTo: Timestamp = .beforeAll) {
        size = 0
        self.passedTo = passedTo
        lastLeaf = ""
        self.versions = versions
        lateSources = []
    }

    /// Reads a cursor.
    init(decoding bytes: [UInt8]) throws(RowCodingError) {
        var reader = try RowDecoder(bytes, version: Self.formatVersion)
        size = try reader.readUInt64()
        toldUpTo = try reader.readUInt64()
        visitsUpTo = try reader.readUInt64()
        passedTo = try reader.readTimestamp()
        passingTo = try reader.readOptionalTimestamp()
        lastLeaf = try reader.readText()
        versions = [:]
        for _ in 0..<(try reader.readUInt64()) {
            let name = try reader.readText()
            versions[name] = try Self.readUInt32(&reader)
        }
        lateSources = []
        for _ in 0..<(try reader.readUInt64()) {
            lateSources.insert(try Self.readUInt32(&reader))
        }
        awaitsBooking = try reader.readBool()
        try reader.finish()
    }

    /// The cursor as bytes.
    var encoded: [UInt8] {
        var writer = RowEncoder(version: Self.formatVersion)
        writer.write(size)
        writer.write(toldUpTo)
        writer.write(visitsUpTo)
        writer.write(passedTo)
        writer.write(passingTo) { $0.write($1) }
        writer.write(lastLeaf)
        writer.write(UInt64(versions.count))
        for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
            writer.write(name)
            writer.write(UInt64(version))
        }
        writer.write(UInt64(lateSources.count))
        for source in lateSources.sorted() {
            writer.write(UInt64(source))
        }
        writer.write(awaitsBooking)
        return writer.bytes
    }

    private static func readUInt32(_ reader: inout RowDecoder) throws(RowCodingError) -> UInt32 {
        guard let number = UInt32(exactly: try reader.readUInt64()) else { throw .invalidValue }
        return number
    }
}

extension Timestamp {
    /// An instant before all others that can be stored: no time has passed.
    static let beforeAll = Timestamp(milliseconds: -1 << 47)

    /// The last instant that can be stored: time passes no further.
    static let afterAll = Timestamp(milliseconds: 1 << 47 - 1)
}

extension ReadableViews {
    /// Returns how far the views have read.
    ///
    /// - Throws: `StaleViews` if they are of another version or of another log, if entries were
    ///   erased that they have read, or if they are damaged.
    func cursor(in log: ReadableLog) throws -> ViewCursor {
        guard let bytes = try storedValue(.state, ViewCursor.key) else {
            throw StaleViews.missingRows(of: .state)
        }
        let cursor = try StaleViews.takingDamage {
            do {
                return try ViewCursor(decoding: bytes)
            } catch RowCodingError.unknownVersion {
                throw StaleViews.anotherVersion
            }
        }
        guard cursor.versions == ViewSet.versions else { throw StaleViews.anotherVersion }
        guard cursor.size > 0 else { return cursor }
        if let erasure = try log.lastErasure(), erasure >= cursor.size {
            throw StaleViews.erased
        }
        let leaf = try log.withEntry(at: cursor.size - 1) { $0.leafHash.description }
        guard leaf == cursor.lastLeaf else {
            throw StaleViews(
                sentence: "the views have read \(cursor.size) entries that this log does not have"
            )
        }
        return cursor
    }
}

/// Why stored views cannot be continued and are rebuilt from the log.
struct StaleViews: Error, Equatable {
    /// What is wrong with them, as a sentence without a full stop.
    let sentence: String

    /// Whether they are not what was written, and not only out of date.
    var isDamage = false

    /// Whether they are out of date for a reason that says nothing against the ledger.
    var isHarmless: Bool { [.missing, .anotherVersion, .erased].contains(self) }

    /// There are none.
    static let missing = StaleViews(sentence: "there are no views yet")

    /// They are of another log.
    static let unknownEntry = StaleViews(
        sentence: "the views know an entry that the log does not have"
    )

    /// A row of the view of visits names a place that did not exist.
    static let unknownPlace = StaleViews.damaged("a visit names an unknown place")

    /// They show something else than this program's views would.
    static let anotherVersion = StaleViews(
        sentence: "the views were made by another version of ledger"
    )

    /// They may still show what is gone from the log.
    static let erased = StaleViews(sentence: "entries were erased that the views have read")

    /// Rows that were written are not there, or are older ones.
    static func missingRows(of table: ViewTable) -> StaleViews {
        .damaged("rows of \(table.rawValue) are missing, or old ones came back")
    }

    /// The stored bytes are not those that were written.
    static func damaged(_ what: String) -> StaleViews {
        StaleViews(sentence: "the views are damaged: \(what)", isDamage: true)
    }

    /// Runs `body` and takes unreadable state for damaged views.
    static func takingDamage<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as RowCodingError {
            throw StaleViews.damaged("a state is \(error)")
        }
    }
}
