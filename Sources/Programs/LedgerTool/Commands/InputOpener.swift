import Importers
import Platform
import SystemPackage
import TripEvents
import TripLedger

/// Opens what names on the command line stand for: standard input, files, all that lies below a
/// directory, and what is compressed or in an archive.
///
/// An archive or a directory holds more than recordings: items in no known format are left out
/// there, and so are those in another format than the user asked for.
struct InputOpener {
    /// The work that is done with an input.
    typealias Taker = (inout ImportedInput, borrowing InputStream) throws -> Void

    /// Files that LMDB has open, perhaps this process's own: its locks end when they are closed.
    private static let ledgerFiles: Set<String> = ["data.mdb", "lock.mdb"]

    /// The kind as which files that are left out are counted.
    static let leftKind = "other_file"

    /// The most containers that may hold one another: a compressed archive of compressed files.
    private static let mostContainers = 3

    /// The most files that are named of those that were left out.
    private static let shownFiles = 3

    private let form: InputForm

    /// Told why an input cannot be read to its end; what it throws ends the work.
    private let onUnreadable: (LedgerError) throws -> Void

    /// How many files were left out.
    private(set) var leftCount = 0

    private var leftNames: [String] = []

    /// How many files that were asked for by name have nothing in them.
    private(set) var emptyCount = 0

    /// Whether something was handed over, or said to be unreadable.
    private var hasFound = false

    init(_ form: InputForm, onUnreadable: @escaping (LedgerError) throws -> Void) {
        self.form = form
        self.onUnreadable = onUnreadable
    }

    /// Opens what a name stands for, and hands over the inputs in it one after the other.
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
                for child in try Directory.names(in: path).sorted() where !child.hasPrefix(".") {
                    try open(path.appending(child).string, isPart: true, take)
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
            // Lines that come one by one are no container, and their sender waits for an answer.
            head.count >= ContainerForm.headByteCount || head.first == UInt8(ascii: "{")
        }
        guard place.depth < Self.mostContainers, let container = ContainerForm(input.head.span)
        else {
            try input.tellFormat(of: stream, form)
            let look = input.isKnown ? nil : UnknownInput(input.head.span)
            guard input.isKnown || !place.isPart else { return leaveOut(place.name, look) }
            hasFound = true
            // Through a pipe, nothing is an answer too.
            if place.path != nil, input.head.isEmpty || look == .empty {
                return noteEmpty(place.name)
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
            while let file = try reader.next() {
                guard file.isRegular else { continue }
                if isFirst, let look = UnknownInput(firstFile: file.name) {
                    guard !place.isPart else { return leaveOut(place.name, look) }
                    return try refuse(place.name, look.what)
                }
                isFirst = false
                try open(InputStream(reading: reader.read), place.within(file.name), take)
            }
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
        hasFound = true
        try onUnreadable(LedgerError(.unreadableInput, at: name, cause: cause, hint: hint))
    }

    private mutating func leaveOut(_ name: String, _ look: UnknownInput?) {
        leftCount += 1
        guard leftNames.count < Self.shownFiles else { return }
        leftNames.append(name + (look?.name.map { " (\($0))" } ?? ""))
    }

    private mutating func noteEmpty(_ name: String) {
        emptyCount += 1
        let what = UnknownInput.empty.what
        Diagnostic.say("ledger: error: \(Excerpt.escaped(name)): \(what)\n")
    }

    /// Names the files that were left out.
    ///
    /// - Throws: The errors of the initialiser's closure, if there was no other input.
    func finish() throws {
        guard leftCount > 0 else { return }
        let more = leftCount - leftNames.count
        let names = leftNames.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        guard !hasFound else {
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

    /// The name of what the user gave, without what is in it.
    var fileName: String { part.map { String(name.dropLast($0.count + 1)) } ?? name }

    /// Returns the place of what a container holds here: of a file in it, or of the only one.
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
