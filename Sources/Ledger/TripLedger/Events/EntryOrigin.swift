package import EventStore
public import Projections
import Proofs
public import TripEvents

/// The origin of the event of an entry.
public enum EntryOrigin: Hashable, Sendable {
    /// A record of a file in another format.
    case record(UInt64, of: RecordsImported)

    /// The entry at a position of another ledger's log.
    case entry(UInt64, of: EventsReceived)

    /// Unknown: the entry that would tell may be among those that were withheld from this copy.
    case withheld
}

/// Writes where entries come from as a member of their JSON objects (`log-entry.v1.schema.json`).
struct OriginJSON: Sendable {
    /// The last file, and what is said of each of its records.
    private var file: RecordsImported?
    private var start: [UInt8] = []

    /// Appends the member `origin` to an object that was begun.
    mutating func append(_ origin: EntryOrigin, to bytes: inout [UInt8]) {
        JSONWriter.appendName("origin", to: &bytes)
        switch origin {
        case .withheld: bytes.append(contentsOf: #"{"withheld":true}"#.utf8)
        case .record(let record, of: let imported):
            if imported != file { begin(imported) }
            bytes.append(contentsOf: start)
            FixedPoint.append(Int64(clamping: record), decimals: 0, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        case .entry(let position, of: let received):
            bytes.append(contentsOf: #"{"ledger":"#.utf8)
            JSONWriter.append(received.ledger.utf8, to: &bytes)
            bytes.append(contentsOf: #","position":\#(position)}"#.utf8)
        }
    }

    private mutating func begin(_ imported: RecordsImported) {
        file = imported
        start = Array(#"{"file":"#.utf8)
        JSONWriter.append(imported.file.utf8, to: &start)
        let others = [
            ("file_part", imported.filePart), ("format", imported.format),
            ("file_hash", imported.fileHash),
        ]
        for (name, text) in others {
            guard let text else { continue }
            JSONWriter.appendName(name, to: &start)
            JSONWriter.append(text.utf8, to: &start)
        }
        JSONWriter.appendName("record", to: &start)
    }
}

/// Finds out where entries come from.
///
/// The notes that say so follow the entries that they are about, at most
/// ``RecordRuns/maximumEntries`` further on. The log is read in stretches of that length, of which
/// the last ones are kept: entries in order of position, either way, cost one more walk.
package struct OriginReader {
    /// The notes in a stretch of the log.
    private struct Stretch {
        /// A note that says where the entries before it come from.
        enum Note {
            case imported(RecordsImported)
            case received(EventsReceived)

            init?(_ body: EventBody) {
                switch body {
                case .recordsImported(let imported): self = .imported(imported)
                case .eventsReceived(let received): self = .received(received)
                default: return nil
                }
            }

            var records: RecordRuns {
                switch self {
                case .imported(let imported): imported.records
                case .received(let received): received.records
                }
            }

            func origin(_ record: UInt64) -> EntryOrigin {
                switch self {
                case .imported(let imported): .record(record, of: imported)
                case .received(let received): .entry(record, of: received)
                }
            }
        }

        var number: UInt64

        /// How many entries the log had at least when it was read.
        var size: UInt64

        /// The notes, in order of position.
        var notes: [(position: UInt64, note: Note)] = []

        /// Entries that were withheld, and when those before them were recorded.
        var withheld: [(position: UInt64, recordedAt: Int64)] = []

        /// Takes an entry of the stretch.
        mutating func note(_ entry: EntryView, at position: UInt64) throws(EventLogError) {
            if entry.isWithheld {
                withheld.append((position, entry.recordedAt))
            } else if entry.saysOrigins {
                let stored = try StoredEvent(entry, at: position, source: .ledger)
                if let note = Note(stored.event.body) { notes.append((position, note)) }
            }
        }
    }

    private let log: ReadableLog

    /// The stretches that were read last.
    private var stretches: [Stretch] = []

    /// Positions that no note and no withheld entry is about: usually a whole stretch.
    private var unmarked: Range<UInt64> = 0..<0

    /// Prepares to read a log.
    package init(_ log: ReadableLog) {
        self.log = log
    }

    /// Returns where an entry comes from; `nil` if it is not known to come from such a file.
    ///
    /// - Throws: `EventLogError` or `LMDBError`.
    package mutating func origin(
        of position: UInt64,
        recordedAt: Timestamp
    ) throws -> EntryOrigin? {
        guard !unmarked.contains(position) else { return nil }
        let first = position / RecordRuns.maximumEntries
        let start = first * RecordRuns.maximumEntries
        var end = start + RecordRuns.maximumEntries
        var mayBeWithheld = false
        var isUnmarked = true
        for number in first...first + 1 {
            let stretch = try stretch(number, around: position)
            end = min(end, stretch.size)
            isUnmarked = isUnmarked && stretch.notes.isEmpty && stretch.withheld.isEmpty
            for note in stretch.notes where note.position > position {
                let distance = note.position - position
                if let record = note.note.records.record(ofEntryBefore: distance) {
                    return note.note.origin(record)
                }
            }
            mayBeWithheld =
                mayBeWithheld
                || stretch.withheld.contains { entry in
                    entry.position > position && entry.recordedAt == recordedAt.milliseconds
                        && entry.position - position <= RecordRuns.maximumEntries
                }
        }
        if isUnmarked, start < end { unmarked = start..<end }
        return mayBeWithheld ? .withheld : nil
    }

    /// Returns a stretch that was read when the log already had a position, so that it holds what
    /// was appended together with the entry there.
    private mutating func stretch(_ number: UInt64, around position: UInt64) throws -> Stretch {
        if let known = stretches.first(where: { $0.number == number && $0.size > position }) {
            return known
        }
        let read = try read(number)
        stretches.removeAll { $0.number == number }
        if stretches.count > 2 { stretches.removeFirst() }
        stretches.append(read)
        return read
    }

    private func read(_ number: UInt64) throws -> Stretch {
        var stretch = Stretch(number: number, size: try log.head().size)
        let start = number * RecordRuns.maximumEntries
        guard start < stretch.size else { return stretch }
        let end = start + RecordRuns.maximumEntries
        try log.scan(from: start) { block in
            var entries = block.entries
            while entries.position < end, let entry = try entries.next() {
                // The notes are the ledger's own.
                guard entry.source == 0 || entry.isTombstone, entries.position > start else {
                    continue
                }
                try stretch.note(entry, at: entries.position - 1)
            }
            return block.endPosition < end
        }
        return stretch
    }
}

extension ReadableLog {
    /// Returns the positions of the entries that say where some others come from.
    ///
    /// They reveal something of these: the name and the hash of a file tell something of its
    /// content, and so does another ledger's head.
    package func originNotes(about positions: RangeSet<UInt64>) throws -> RangeSet<UInt64> {
        var notes = RangeSet<UInt64>()
        guard !positions.isEmpty else { return notes }
        try eachEntry(in: 0..<head().size) { entry, position in
            guard entry.saysOrigins else { return }
            let records: RecordRuns
            switch try StoredEvent(entry, at: position, source: .ledger).event.body {
            case .recordsImported(let imported): records = imported.records
            case .eventsReceived(let received): records = received.records
            default: return
            }
            let count = min(position, records.entryCount)
            let told = RangeSet(position - count..<position)
            if !told.intersection(positions).isEmpty {
                notes.insert(contentsOf: position..<position + 1)
            }
        }
        return notes
    }
}

extension EntryView {
    /// Whether it says where the entries before it come from.
    package var saysOrigins: Bool {
        source == 0
            && (kind == EventKind.recordsImported.rawValue
                || kind == EventKind.eventsReceived.rawValue)
    }
}

extension Ledger {
    /// Begins to find out where entries come from.
    package func origins() -> OriginReader { OriginReader(log) }
}

/// The records of one file that a trip was made of.
public struct TripOrigin: Hashable, Sendable {
    /// The file, as the first entry that tells of it describes it.
    public let file: RecordsImported

    /// The records of the earliest and of the last entries in the file.
    public private(set) var records: ClosedRange<UInt64>

    /// How many entries of the trip come from them.
    public private(set) var entryCount = 1

    fileprivate init(_ file: RecordsImported, record: UInt64) {
        self.file = file
        records = record...record
    }

    /// Whether a record is one of the same file.
    fileprivate func isSame(_ other: RecordsImported) -> Bool {
        file.file == other.file && file.filePart == other.filePart
            && file.fileHash == other.fileHash && file.format == other.format
    }

    fileprivate mutating func add(_ record: UInt64) {
        records = min(records.lowerBound, record)...max(records.upperBound, record)
        entryCount += 1
    }
}

/// The origins of the entries from which a trip was measured or reported.
public struct TripOrigins: Hashable, Sendable {
    /// The most files that are told apart.
    private static let mostFiles = 100

    /// The files, in the order of the trip.
    public private(set) var files: [TripOrigin] = []

    /// Whether an entry that would tell the origin of some may be among those withheld from this
    /// copy.
    public private(set) var mayBeWithheld = false

    /// Creates the origins of nothing.
    public init() {}

    /// Adds where an entry comes from.
    mutating func add(_ origin: EntryOrigin?) {
        switch origin {
        case nil, .entry: break
        case .withheld: mayBeWithheld = true
        case .record(let record, of: let file):
            if let index = files.lastIndex(where: { $0.isSame(file) }) {
                files[index].add(record)
            } else if files.count < Self.mostFiles {
                files.append(TripOrigin(file, record: record))
            }
        }
    }
}

extension Snapshot {
    /// Returns the origins of the entries from which a trip was measured or reported.
    ///
    /// - Throws: `.damaged`, `.inputOutput`.
    public func origins(of trip: BookedTrip) throws(LedgerError) -> TripOrigins {
        try asking {
            var origins = TripOrigins()
            var reader = OriginReader(log)
            var explainer = TripExplainer(trackers(), upTo: head.size)
            for id in trip.shownTrips {
                guard let part = try store.part(id) else { continue }
                try explainer.forEachEvidence(of: part) { position, recordedAt in
                    origins.add(try reader.origin(of: position, recordedAt: recordedAt))
                }
            }
            return origins
        }
    }
}
