import EventStore
import Platform
import Proofs
public import SystemPackage
import TripEvents

/// The origin of the events of an input, as far as the log remembers it.
package enum InputOrigin: Hashable, Sendable {
    /// Records of a file in another format.
    case file(ImportedFile)

    /// Entries of another ledger.
    case peer(PeerHead)

    /// The event that says that entries come from some records.
    fileprivate func body(_ records: RecordRuns) -> EventBody {
        switch self {
        case .file(let file):
            .recordsImported(
                RecordsImported(
                    file: file.name,
                    filePart: file.part,
                    format: file.format,
                    fileSize: file.digest?.byteCount,
                    fileHash: file.digest?.sha256,
                    records: records
                )
            )
        case .peer(let peer):
            .eventsReceived(
                EventsReceived(
                    ledger: peer.ledger,
                    treeSize: peer.head.size,
                    treeHash: peer.head.root,
                    records: records
                )
            )
        }
    }
}

/// Another ledger, and what it held when it handed events over.
package struct PeerHead: Hashable, Sendable {
    /// Its id.
    package let ledger: String

    /// Its head.
    package let head: LedgerHead

    /// Describes a ledger.
    package init(_ ledger: String, _ head: LedgerHead) {
        self.ledger = ledger
        self.head = head
    }
}

/// The origins of a batch's events: records of files, or positions in other ledgers.
struct OriginTrail: Sendable {
    private struct Mark {
        /// The index of the event in the batch.
        var event: Int

        /// The index of its origin, and the number of its record there.
        var origin: Int
        var record: UInt64
    }

    private var origins: [InputOrigin] = []
    private var marks: [Mark] = []

    /// Notes where an event comes from; events MUST come in the order of the batch.
    mutating func add(_ event: Int, from origin: InputOrigin, record: UInt64) {
        if origins.last != origin { origins.append(origin) }
        marks.append(Mark(event: event, origin: origins.count - 1, record: record))
    }

    /// Forgets everything.
    mutating func removeAll() {
        origins.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
    }

    /// The function that begins the notes about origins, which follow the entries that they are
    /// about; `nil` if no event of the batch has such an origin.
    var makeNotes: (@Sendable () -> EntryNotes)? {
        guard !marks.isEmpty else { return nil }
        return { [self] in
            let writer = Writer(self)
            return EntryNotes(afterEvent: writer.note, atEnd: writer.end)
        }
    }

    /// Follows the events of a transaction as they are stored.
    ///
    /// A class, because two closures move it on.
    private final class Writer {
        private let trail: OriginTrail
        private var next = 0

        /// The note that is not written yet: its origin, its records, and the position up to which
        /// it goes.
        private var origin = 0
        private var records = RecordRuns()
        private var end: UInt64 = 0

        init(_ trail: OriginTrail) {
            self.trail = trail
        }

        /// Takes an event that was stored, and returns the entry that is due after it.
        func note(_ event: Int, at position: UInt64) -> EntryContent? {
            let marks = trail.marks
            while next < marks.count, marks[next].event < event { next += 1 }
            let mark = next < marks.count && marks[next].event == event ? marks[next] : nil
            var due: EntryContent?
            if records.entryCount > 0, mark?.origin != origin {
                due = content(upTo: position + 1)
            }
            guard let mark else { return due }
            if records.entryCount > 0 { records.addOthers(position - end) }
            origin = mark.origin
            records.add(mark.record)
            end = position + 1
            if due == nil, records.isFull { due = content(upTo: end) }
            return due
        }

        /// Returns the entry that is due at the end of the transaction.
        func end(_ size: UInt64) -> EntryContent? {
            records.entryCount > 0 ? content(upTo: size) : nil
        }

        /// Returns the entry that stands at a position, and begins anew.
        private func content(upTo position: UInt64) -> EntryContent {
            records.addOthers(position - end)
            let body = trail.origins[origin].body(records)
            records = RecordRuns()
            // The log gives its own events the time at which it stores them.
            let event = TripEvent(
                source: "",
                occurredAt: Timestamp(milliseconds: 0),
                body: body
            )
            return EntryContent(event.encoded)
        }
    }
}

/// A file in another format, or a part of an archive, as the log remembers it.
public struct ImportedFile: Hashable, Sendable {
    /// The most bytes of a name that are remembered.
    private static let mostNameBytes = 1_000

    /// The file's name without its directory; `-` for standard input.
    public let name: String

    /// The path of the records inside the file, if that is an archive.
    public let part: String?

    /// The format, as `ledger append --as` names it.
    public let format: String

    /// The digest of the file, independent of its name; `nil` if it came through a pipe.
    public let digest: FileDigest?

    /// Describes a file.
    ///
    /// Names are cut to their last 1,000 bytes, and control characters in them are escaped.
    public init(_ name: String, part: String? = nil, format: String, digest: FileDigest?) {
        self.name = Self.remembered(name)
        self.part = part.map(Self.remembered)
        self.format = format
        self.digest = digest
    }

    private static func remembered(_ name: String) -> String {
        var name = Excerpt.escaped(name)
        if name.isEmpty { name = "-" }
        while name.utf8.count > mostNameBytes { name.removeFirst(max(1, name.count / 8)) }
        return name
    }
}

/// The identity of a file's content, independent of its name.
public struct FileDigest: Hashable, Sendable {
    /// How many bytes it has.
    public let byteCount: UInt64

    /// SHA-256 of them, in 64 hexadecimal digits.
    public let sha256: String

    /// The file's state before it was read.
    private let state: FileState

    /// Reads a regular file to its end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - onProgress: Told how many bytes were read, now and then.
    /// - Throws: `Errno`; `.invalidArgument` if it is no regular file.
    public init(of path: FilePath, onProgress: (Int64) -> Void = { _ in }) throws {
        let stream = try InputStream(atFile: path)
        state = try FileState(of: path)
        var hash = SHA256Stream()
        var piece: [UInt8] = []
        var byteCount: UInt64 = 0
        while try stream.read(into: &piece, from: 0) > 0 {
            hash.update(piece.span)
            byteCount += UInt64(piece.count)
            onProgress(Int64(byteCount))
        }
        self.byteCount = byteCount
        sha256 = hash.finish().description
    }

    /// Whether a file has not been changed since it was read, as far as its times tell.
    public func isStill(at path: FilePath) -> Bool {
        (try? FileState(of: path)) == state
    }
}
