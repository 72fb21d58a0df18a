import EventStore
import TripEvents

/// From which records of which files the events of a batch come.
struct ImportTrail: Sendable {
    private struct Mark {
        /// Which event of the batch it is.
        var event: Int

        /// Which of the files it comes from, and from which of its records.
        var file: Int
        var record: UInt64
    }

    private var files: [ImportedFile] = []
    private var marks: [Mark] = []

    /// Notes where an event comes from; events MUST come in the order of the batch.
    mutating func add(_ event: Int, from file: ImportedFile, record: Int) {
        if files.last != file { files.append(file) }
        marks.append(Mark(event: event, file: files.count - 1, record: UInt64(max(record, 0))))
    }

    /// Forgets everything.
    mutating func removeAll() {
        files.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
    }

    /// What begins the entries that say where those before them come from; `nil` if no event of the
    /// batch comes from such a file.
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
        private let trail: ImportTrail
        private var next = 0

        /// What is not yet written: of which file, of which records, up to which position.
        private var file = 0
        private var records = RecordRuns()
        private var end: UInt64 = 0

        init(_ trail: ImportTrail) {
            self.trail = trail
        }

        /// Takes an event that was stored, and returns the entry that is due after it.
        func note(_ event: Int, at position: UInt64) -> EntryContent? {
            let marks = trail.marks
            while next < marks.count, marks[next].event < event { next += 1 }
            let mark = next < marks.count && marks[next].event == event ? marks[next] : nil
            var due: EntryContent?
            if records.entryCount > 0, mark?.file != file {
                due = content(upTo: position + 1)
            }
            guard let mark else { return due }
            if records.entryCount > 0 { records.addOthers(position - end) }
            file = mark.file
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
            let file = trail.files[file]
            let imported = RecordsImported(
                file: file.name,
                filePart: file.part,
                format: file.format,
                fileSize: file.digest?.byteCount,
                fileHash: file.digest?.sha256,
                records: records
            )
            records = RecordRuns()
            // The log gives its own events the time at which it stores them.
            let event = TripEvent(
                source: "",
                occurredAt: Timestamp(milliseconds: 0),
                body: .recordsImported(imported)
            )
            return EntryContent(event.encoded)
        }
    }
}
