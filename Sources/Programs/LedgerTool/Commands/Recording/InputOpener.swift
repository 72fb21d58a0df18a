import Importers
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// Opens the inputs that names on the command line stand for: standard input, files, all files
/// below a directory, and the contents of compressed files and archives.
///
/// An archive or a directory holds more than recordings: items in no known format are left out
/// there, and so are those in another format than the user asked for.
struct InputOpener {
    /// The work that is done with an input.
    typealias Taker = (inout ImportedInput, borrowing InputStream) throws -> Void

    /// Files that LMDB has open, perhaps this process's own: its locks end when they are closed.
    private static let ledgerFiles: Set<String> = ["data.mdb", "lock.mdb"]

    /// The kind under which files that are left out are counted.
    static let leftKind = "other_file"

    /// The most containers that may hold one another: a compressed archive of compressed files.
    private static let mostContainers = 3

    /// The most files that are named among those that were left out.
    private static let shownFiles = 3

    private let form: InputForm

    /// Told why an input cannot be read to its end; what it throws ends the work.
    private let onUnreadable: (LedgerError) throws -> Void

    /// How many files were left out.
    private(set) var leftCount = 0

    private var leftNames: [String] = []

    /// How many files and directories that were asked for by name have nothing in them.
    private(set) var emptyCount = 0

    /// How many inputs were handed over, or said to be unreadable or empty.
    private var foundCount = 0

    /// How many files there were so far, including those that were left out.
    private var fileCount: Int { foundCount + leftCount }

    init(_ form: InputForm, onUnreadable: @escaping (LedgerError) throws -> Void) {
        self.form = form
        self.onUnreadable = onUnreadable
    }

    /// Opens a name, and hands over the inputs in it one after the other.
    ///
    /// Files of a directory come in the order of their names, hidden ones not at all, and links
    /// are not followed.
    ///
    /// - Throws: The errors of `take` and of the initialiser's closure.
    mutating func open(_ name: String, _ take: Taker) throws {
        try open(name, isPart: false, take)
    }

    private mutating func open(_ name: String, isPart: Bool, _ take: Taker) throws {
        do {
            if name == "-" {
                return try open(.standardInput, InputPlace(name), take)
            }
            let path = FilePath(name)
            guard !Self.ledgerFiles.contains(path.lastComponent?.string ?? "") else {
                if isPart { return leaveOut(name, nil) }
                return try refuse(name, "this is a ledger's own file: `ledger log` reads it")
            }
            switch try Stat(path, followTargetSymlink: !isPart).type {
            case .directory:
                let count = fileCount
                for child in try Directory.names(in: path).sorted() where !child.hasPrefix(".") {
                    try open(path.appending(child).string, isPart: true, take)
                }
                guard isPart || fileCount > count else {
                    return noteEmpty(name, "no file is in it; hidden ones and links are not read")
                }
            case .regular where isPart:
                let place = InputPlace(name, at: path, isPart: true)
                try open(InputStream(atFile: path), place, take)
            case _ where isPart: break
            default: try open(InputStream(at: path), InputPlace(name, at: path), take)
            }
        } catch let error as Errno {
            try refuse(name, error.description)
        } catch let problem as ArchiveProblem {
            try refuse(name, problem.sentence)
        }
    }

    /// Hands over a stream, or what is in it if it is a container.
    private mutating func open(
        _ stream: consuming InputStream,
        _ place: InputPlace,
        _ take: Taker
    ) throws {
        var place = place
        if place.depth == 0 { place.noteSize(stream.fileByteCount) }
        var input = ImportedInput(place)
        try input.readHead(of: stream) { head in
            // Lines that come one by one are not a container, and their sender waits for an answer.
            head.count >= ContainerForm.headByteCount || head.first == UInt8(ascii: "{")
        }
        guard place.depth < Self.mostContainers, let container = ContainerForm(input.head.span)
        else {
            try input.tellFormat(of: stream, form)
            let look = input.isKnown ? nil : UnknownInput(input.head.span)
            guard input.isKnown || !place.isPart else { return leaveOut(place.name, look) }
            foundCount += 1
            // From a pipe, empty input is accepted.
            if place.path != nil, input.head.isEmpty || look == .empty {
                return noteEmpty(place.name, UnknownInput.empty.what)
            }
            if form.format == nil, look ?? .text == .text, MapProposal.isTable(input) {
                let cure = MapProposal.cure(for: place.name)
                return try refuse(place.name, "this is a table of no app that is known", cure)
            }
            if let look, form.format == nil, look != .empty,
                place.path != nil || !look.isMaybeLines
            {
                let hint = look == .text ? Self.hint(on: input.head, place.name) : ""
                return try refuse(place.name, look.what, hint)
            }
            return try take(&input, stream)
        }
        let source = Self.source(consume stream, after: input.head, place)
        switch container {
        case .gzip:
            let reader = GzipReader(source, limit: place.limit)
            try open(InputStream(reading: reader.read), place.within(nil), take)
        case .archive(let form):
            let reader = ArchiveReader(form, source, limit: place.limit)
            var isFirst = true
            let count = fileCount
            while let file = try reader.next() {
                guard file.isRegular else { continue }
                if isFirst, let look = UnknownInput(firstFile: file.name) {
                    guard !place.isPart else { return leaveOut(place.name, look) }
                    return try refuse(place.name, look.what)
                }
                isFirst = false
                try open(InputStream(reading: reader.read), place.within(file.name), take)
            }
            guard fileCount == count else { return }
            guard !place.isPart else { return leaveOut(place.name, .empty) }
            noteEmpty(place.name, "no file is in it")
        }
    }

    /// Returns what to do with text in no known format, which may be a table.
    private static func hint(on head: [UInt8], _ name: String) -> String {
        guard MapProposal.mayBeTable(head) else {
            return "`ledger help append` names those that are"
        }
        return MapProposal.cure(for: name)
    }

    /// Returns the bytes of a container, whose first ones were read already.
    private static func source(
        _ stream: consuming InputStream,
        after head: [UInt8],
        _ place: InputPlace
    ) -> ByteSource {
        let stream = consume stream
        var position = 0
        return { output in
            let count = output.count
            if position < head.count {
                while position < head.count, output.freeCapacity > 0 {
                    output.append(head[position])
                    position += 1
                }
            } else {
                try stream.read(into: &output)
            }
            if place.depth == 0 { place.limit.noteRead(output.count - count) }
        }
    }

    private mutating func refuse(_ name: String, _ cause: String, _ hint: String = "") throws {
        foundCount += 1
        try onUnreadable(LedgerError(.unreadableInput, at: name, cause: cause, hint: hint))
    }

    private mutating func leaveOut(_ name: String, _ look: UnknownInput?) {
        leftCount += 1
        guard leftNames.count < Self.shownFiles else { return }
        leftNames.append(name + (look?.name.map { " (\($0))" } ?? ""))
    }

    private mutating func noteEmpty(_ name: String, _ what: String) {
        foundCount += 1
        emptyCount += 1
        Diagnostic.say("ledger: error: \(Excerpt.escaped(name)): \(what)\n")
    }

    /// Names the files that were left out.
    ///
    /// - Throws: The errors of the initialiser's closure, if there was no other input.
    func finish() throws {
        guard leftCount > 0 else { return }
        let more = leftCount - leftNames.count
        let names = leftNames.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        guard foundCount == 0 else {
            let files = Count.text(leftCount, "file was", "files were")
            return Diagnostic.note("\(files) left out, being of other kinds: \(names)")
        }
        try onUnreadable(
            LedgerError(
                .unreadableInput,
                at: names,
                cause: "no format of events that is known",
                hint: "`ledger help append` names those that are"
            )
        )
    }
}

/// The place where an input was found.
struct InputPlace {
    /// Its name: that of the file, and that within its archive.
    private(set) var name: String

    /// Whether it is one of many that an archive or a directory holds.
    private(set) var isPart: Bool

    /// How many containers are around it.
    private(set) var depth = 0

    /// The size of the file on disk that it is in, if that is known.
    private(set) var fileByteCount: Int64?

    /// The regular file that it is in; `nil` if it is in none, but comes through a pipe.
    private(set) var path: FilePath?

    /// Its path in that file, if that is an archive.
    private(set) var part: String?

    /// How much of that file has been read, if there are containers around the input.
    let limit = ExpansionLimit()

    init(_ name: String, at path: FilePath? = nil, isPart: Bool = false) {
        self.name = name
        self.path = path
        self.isPart = isPart
    }

    /// Notes the size of the file on disk, which only regular files have.
    mutating func noteSize(_ byteCount: Int64?) {
        fileByteCount = byteCount
        if byteCount == nil { path = nil }
    }

    /// The name that the user gave, without the part within it.
    var fileName: String { part.map { String(name.dropLast($0.count + 1)) } ?? name }

    /// Returns the place of a file in a container at this place, or of its only content.
    func within(_ file: String?) -> InputPlace {
        var place = self
        place.depth += 1
        if let file {
            place.name += "/" + file
            place.part = (part.map { $0 + "/" } ?? "") + file
            place.isPart = true
        }
        return place
    }
}

/// The form of an input, as far as the user gives it.
struct InputForm {
    /// The format; `nil` if the content is to tell it.
    var format: ImportFormat?

    /// Returns the zone of a table's times that name none, where the command line says none: the
    /// ledger's.
    var ledgerZone: () -> TimeZoneRules? = { nil }

    /// Whether events of the ledger's own are read too, and not only what others recorded.
    var takesOwnEvents = true

    /// The options for reading formats of other programs.
    var options = ImportOptions { name in try? TimeZoneRules.ofMachine(named: name) }
}

/// An input, and what is made of it.
struct ImportedInput {
    /// The place where it was found.
    let place: InputPlace

    /// The bytes that were read to recognise it.
    private(set) var head: [UInt8] = []

    /// The format.
    private(set) var format = ImportFormat.jsonl

    /// Whether its beginning tells the format, and it is the one that the user asked for.
    private(set) var isKnown = false

    /// The zone of the ledger, if the times of the input need it.
    private(set) var borrowedZone: TimeZoneRules?

    private var byteCount: Int64 = 0
    private var importer: FileImporter?

    /// Set where events of the ledger's own stand in a list, as `POST /v1/events` takes them.
    private var list: EventListReader?
    private var batch = ImportBatch()
    private var piece: [UInt8] = []
    private var isAtStart = true
    private var isAtEnd = false

    /// Prepares to read what was found at a place.
    init(_ place: InputPlace) {
        self.place = place
    }

    /// Whether it has one event a line.
    var isLines: Bool { format == .jsonl && list == nil }

    /// How much of its file on disk has been read.
    var bytesRead: Int64 { place.depth > 0 ? place.limit.compressed : byteCount }

    /// Reads the beginning of the stream, until it suffices or ends.
    mutating func readHead(
        of stream: borrowing InputStream,
        until isEnough: ([UInt8]) -> Bool
    ) throws {
        while !isEnough(head) {
            guard try stream.read(into: &head, from: head.count) > 0 else { return }
        }
    }

    /// Recognises the format.
    ///
    /// An input of no known format is read as lines of the ledger's own, whose rejections then say
    /// what is wrong.
    mutating func tellFormat(of stream: borrowing InputStream, _ form: InputForm) throws {
        var found: ImportFormat?
        if form.format == nil || place.isPart {
            try readHead(of: stream) { head in
                let count = min(head.count, ImportFormat.headByteCount)
                found = Self.format(of: head.span.extracting(first: count), form)
                // A sender of lines of JSON may wait for the answer to the first one.
                return found != nil || Self.endsWithObject(head)
                    || head.count >= ImportFormat.headByteCount
            }
        }
        isKnown = found != nil && (form.format ?? found) == found
        format = form.format ?? found ?? .jsonl
        var options = form.options
        if options.zone == nil, format.isTable, let zone = form.ledgerZone() {
            try readHead(of: stream) { $0.count >= ImportFormat.headByteCount }
            if needsZone(zone, options) {
                borrowedZone = zone
                options.zone = zone
            }
        }
        importer = FileImporter(format, options: options)
        if format == .jsonl, EventListReader.begins(head.span) { list = EventListReader() }
    }

    /// Whether the beginning gives more events with a zone than without one.
    private func needsZone(_ zone: TimeZoneRules, _ options: ImportOptions) -> Bool {
        func count(_ options: ImportOptions) -> Int {
            var batch = ImportBatch()
            guard var importer = FileImporter(format, options: options) else { return 0 }
            importer.take(head.span, into: &batch)
            importer.finish(into: &batch)
            return batch.items.count { $0.outcome == .event }
        }
        var zoned = options
        zoned.zone = zone
        return count(zoned) > count(options)
    }

    /// Returns the complete part of an input whose stream ends too early.
    mutating func cutOff() -> ImportBatch {
        isAtEnd = true
        batch.removeAll()
        importer?.finish(into: &batch)
        list?.finish(into: &batch)
        return batch
    }

    /// Returns the format that a beginning tells: with a map of columns, that of a table which has
    /// them.
    private static func format(of head: Span<UInt8>, _ form: InputForm) -> ImportFormat? {
        guard let map = form.options.columnMap else { return ImportFormat.recognized(in: head) }
        return map.fits(head) ? .csv : nil
    }

    /// Whether the bytes are whole lines, the last of which is an object of JSON.
    private static func endsWithObject(_ head: [UInt8]) -> Bool {
        guard head.last == UInt8(ascii: "\n") else { return false }
        let line = head.dropLast().split(separator: UInt8(ascii: "\n")).last ?? []
        return line.first == UInt8(ascii: "{") && line.last == UInt8(ascii: "}")
    }

    /// Returns the items of the next piece of the stream; `nil` when all were returned.
    ///
    /// - Throws: The errors of the stream.
    mutating func next(from stream: borrowing InputStream) throws -> ImportBatch? {
        guard !isAtEnd else { return nil }
        batch.removeAll()
        if isAtStart, !head.isEmpty {
            piece = head
        } else {
            _ = try stream.read(into: &piece, from: 0)
        }
        isAtStart = false
        byteCount += Int64(piece.count)
        isAtEnd = piece.isEmpty
        if isAtEnd {
            importer?.finish(into: &batch)
            list?.finish(into: &batch)
        } else {
            let bytes = piece
            importer?.take(bytes.span, into: &batch)
            list?.take(bytes.span, into: &batch)
        }
        return batch
    }
}
