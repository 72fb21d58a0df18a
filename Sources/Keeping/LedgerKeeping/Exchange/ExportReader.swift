import EventStore
import Platform
package import Proofs
import SystemPackage
import TripLedger

/// Reads an export of any form, and hands over its claims and its content.
struct ExportReader {
    /// The most bytes of a bundle: each entry has two bytes of length before its own bytes.
    private static let maximumBundleByteCount = 256 * (65_535 + 2)
    private static let maximumHeaderByteCount = 1 << 24

    /// Returns what a ledger knows of its log before a position at which a stream of segments may
    /// continue; `nil` if the log does not have so many entries.
    typealias Earlier = (_ position: UInt64) throws -> EarlierEntries?

    private let path: FilePath?
    private let earlier: Earlier

    /// Prepares to read a file or directory.
    ///
    /// - Parameters:
    ///   - path: Where it is; `nil` is standard input.
    ///   - earlier: What is known of entries that a stream of segments need not hold.
    init(_ path: FilePath?, earlier: @escaping Earlier = { _ in nil }) {
        self.path = path
        self.earlier = earlier
    }

    /// Reads everything once.
    ///
    /// - Parameters:
    ///   - begin: Gets what the export claims to be.
    ///   - take: Gets each entry and, if there are words beside it, the line.
    /// - Returns: Other files in the directory, which were not read.
    /// - Throws: `ExportDamage`, `Errno`, and what the closures throw.
    @discardableResult
    func read(
        begin: (ExportHeader) throws -> Void,
        take: (ExportedContent, Span<UInt8>?) throws -> Void
    ) throws -> ExportStrangers {
        guard let path else {
            try readStream(.standardInput, begin: begin, take: take)
            return ExportStrangers()
        }
        let type = try Stat(path).type
        guard type == .directory else {
            guard ![.characterSpecial, .blockSpecial].contains(type) else {
                throw Errno.invalidArgument
            }
            try readStream(InputStream(at: path), begin: begin, take: take)
            return ExportStrangers()
        }
        let lines = path.appending(Ledger.exportedLines)
        if try Directory.holds(lines) {
            try readStream(InputStream(atFile: lines), begin: begin, take: take)
            return try ExportStrangers(in: path, beside: [Ledger.exportedLines])
        } else if try Directory.holds(path.appending(Ledger.exportedHeader)) {
            let read = try readTiles(path, begin: begin, take: take)
            return try ExportStrangers(in: path, beside: read)
        } else if try Directory.holds(path.appending(Ledger.exportedEvents)) {
            throw ExportDamage(ExportDamage.cloudEvents, isForeign: true)
        } else {
            throw ExportDamage(
                "the directory holds neither \(Ledger.exportedLines) nor \(Ledger.exportedHeader)"
            )
        }
    }

    private func readStream(
        _ stream: consuming InputStream,
        begin: (ExportHeader) throws -> Void,
        take: (ExportedContent, Span<UInt8>?) throws -> Void
    ) throws {
        var head: [UInt8] = []
        _ = try stream.read(into: &head, from: 0)
        guard SegmentStream.isBeginning(head) else {
            return try readLines(stream, after: head, begin: begin, take: take)
        }
        do {
            try readSegments(stream, after: head, begin: begin, take: take)
        } catch let damage as SegmentDamage {
            throw ExportDamage(damage)
        }
    }

    private func readSegments(
        _ stream: consuming InputStream,
        after head: [UInt8],
        begin: (ExportHeader) throws -> Void,
        take: (ExportedContent, Span<UInt8>?) throws -> Void
    ) throws {
        var buffer = SegmentBuffer()
        var chain = SegmentChain()
        var isOver = false
        var hasBegun = false
        var piece = head
        func beginUnlessBegun(at first: UInt64) throws {
            guard !hasBegun, let named = chain.header else { return }
            let before = first == 0 ? EarlierEntries() : try earlier(first)
            guard let before else {
                throw SegmentDamage(.gap, "it begins at position \(first), not at 0")
            }
            chain.go(onAfter: before.frontier)
            try begin(ExportHeader(named, after: before))
            hasBegun = true
        }
        while !piece.isEmpty {
            buffer.append(piece.span)
            while let frame = try buffer.next() {
                guard !isOver else {
                    throw SegmentDamage(.badFrame, "more follows after the ledger's end")
                }
                switch frame {
                case .ledger(let named): try chain.begin(named)
                case .segment(let segment):
                    try beginUnlessBegun(at: segment.first)
                    for content in try chain.take(segment) { try take(content, nil) }
                case .end:
                    try beginUnlessBegun(at: chain.header?.head.size ?? 0)
                    _ = try chain.end()
                    isOver = true
                }
            }
            _ = try stream.read(into: &piece, from: 0)
        }
        try chain.finish(buffer)
    }

    private func readLines(
        _ stream: consuming InputStream,
        after head: [UInt8],
        begin: (ExportHeader) throws -> Void,
        take: (ExportedContent, Span<UInt8>?) throws -> Void
    ) throws {
        // The first line may be the longest: it names every source before the export.
        var buffer = LineBuffer(
            head: head,
            maximumLineByteCount: Self.maximumHeaderByteCount
        )
        var hasBegun = false
        while true {
            switch buffer.next() {
            case .line(let range):
                let line = buffer.bytes.span.extracting(range)
                if hasBegun {
                    try take(try ExportLine.content(of: line), line)
                } else {
                    try begin(try ExportHeader(line))
                    hasBegun = true
                }
            case .overlong: throw ExportDamage(ExportDamage.overlong)
            case .incomplete:
                // Such a line may have no end.
                guard !buffer.isSkipping else { throw ExportDamage(ExportDamage.overlong) }
                _ = try buffer.fill(from: stream)
            case .end:
                guard hasBegun else { throw ExportDamage("it is empty") }
                return
            }
        }
    }

    /// Reads tiles, and returns the names of the files that were read.
    private func readTiles(
        _ path: FilePath,
        begin: (ExportHeader) throws -> Void,
        take: (ExportedContent, Span<UInt8>?) throws -> Void
    ) throws -> Set<String> {
        let line = try file(
            Ledger.exportedHeader,
            in: path,
            maximumByteCount: Self.maximumHeaderByteCount
        )
        guard line.last == UInt8(ascii: "\n") else {
            throw ExportDamage("\(Ledger.exportedHeader) is cut short")
        }
        let header = try ExportHeader(line.span.extracting(droppingLast: 1))
        guard header.from == 0 else { throw ExportDamage("tiles begin at position 0") }
        try checkSignedHead(of: header, in: path)
        try begin(header)
        var names: Set = [Ledger.exportedHeader]
        if header.signedHead != nil { names.insert(Ledger.exportedHead) }
        var tree = TileTree()
        let width = UInt64(TileTree.width)
        for index in 0..<(header.head.size + width - 1) / width {
            let count = Int(min(width, header.head.size - index * width))
            let partial = count == TileTree.width ? nil : count
            names.insert(TileTree.path("entries", index, width: partial))
            for (content, leaf) in try bundle(index, count: count, in: path) {
                try take(content, nil)
                for tile in tree.append(leaf) {
                    try check(tile, in: path)
                    names.insert(tile.path)
                }
            }
        }
        for tile in tree.partialTiles {
            try check(tile, in: path)
            names.insert(tile.path)
        }
        return names
    }

    /// Returns the entries of a bundle with the hashes that its tile gives them.
    private func bundle(
        _ index: UInt64,
        count: Int,
        in path: FilePath
    ) throws -> [(ExportedContent, Digest)] {
        let width = count == TileTree.width ? nil : count
        let bundlePath = TileTree.path("entries", index, width: width)
        let bytes = try file(bundlePath, in: path, maximumByteCount: Self.maximumBundleByteCount)
        let tilePath = TileTree.path("0", index, width: width)
        let tile = try file(tilePath, in: path, maximumByteCount: TileTree.width * 32)
        guard tile.count == count * Digest.byteCount else {
            throw ExportDamage("\(tilePath) does not hold \(count) hashes")
        }
        var contents: [(ExportedContent, Digest)] = []
        var start = 0
        for number in 0..<count {
            guard start + 2 <= bytes.count else { break }
            let length = Int(bytes[start]) << 8 | Int(bytes[start + 1])
            start += 2
            guard start + length <= bytes.count,
                let leaf = Digest(Array(tile[number * 32..<(number + 1) * 32]))
            else { break }
            let entry = Array(bytes[start..<start + length])
            guard length == 0 || Self.leafHash(of: entry) == leaf else {
                throw ExportDamage("\(tilePath) does not hold the hashes of \(bundlePath)")
            }
            contents.append((length == 0 ? .withheld(leaf) : .entry(entry), leaf))
            start += length
        }
        guard contents.count == count, start == bytes.count else {
            throw ExportDamage("\(bundlePath) does not hold \(count) entries")
        }
        return contents
    }

    /// Compares the signed head that other readers of tiles look at with the one of the header.
    private func checkSignedHead(of header: ExportHeader, in path: FilePath) throws {
        let name = Ledger.exportedHead
        guard let head = header.signedHead else {
            guard try !Directory.holds(path.appending(name)) else {
                throw ExportDamage("\(name) is there, and the export says that no head was signed")
            }
            return
        }
        let bytes = try file(name, in: path, maximumByteCount: SignedNote.maximumByteCount)
        guard bytes == head.note.bytes else {
            throw ExportDamage("\(name) is not the signed head that the export names")
        }
    }

    /// Compares a tile with the file of it.
    private func check(_ tile: TileTree.Tile, in path: FilePath) throws {
        let bytes = try file(tile.path, in: path, maximumByteCount: TileTree.width * 32)
        guard bytes == tile.bytes else {
            throw ExportDamage("\(tile.path) does not hold the hashes of the tiles below it")
        }
    }

    /// Returns the leaf hash that an entry has, or a tombstone keeps.
    private static func leafHash(of entry: [UInt8]) -> Digest {
        guard let view = EntryView(startOf: entry.span), view.bytes.count == entry.count else {
            return SHA256.leaf(entry.span)
        }
        return view.leafHash
    }

    private func file(
        _ name: String,
        in path: FilePath,
        maximumByteCount: Int
    ) throws -> [UInt8] {
        do {
            return try WholeFile.read(
                path.pushing(FilePath(name)),
                maximumByteCount: maximumByteCount
            )
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory, Errno.isDirectory {
            throw ExportDamage("\(name) is missing")
        } catch Errno.invalidArgument {
            throw ExportDamage("\(name) is no file")
        } catch Errno.fileTooLarge {
            throw ExportDamage("\(name) is longer than it can be")
        }
    }
}

/// Files in the directory of an export that do not belong to it: they look like a part of it, and
/// nothing vouches for them.
struct ExportStrangers {
    /// The most names that are kept.
    private static let maximumNames = 10

    /// The first names, in the order of the directories; a directory's name stands for all that it
    /// contains.
    private(set) var names: [String] = []

    /// How many there are.
    private(set) var count = 0

    /// Notes that there is nothing else.
    init() {}

    /// Looks for anything in a directory besides some files, whose names are paths below it.
    ///
    /// - Throws: `Errno`.
    init(in directory: FilePath, beside files: Set<String>) throws {
        var folders: Set<String> = []
        for file in files {
            var parts = file.split(separator: "/").dropLast()
            while !parts.isEmpty, folders.insert(parts.joined(separator: "/")).inserted {
                parts = parts.dropLast()
            }
        }
        try look(in: directory, "", files, folders)
    }

    private mutating func look(
        in directory: FilePath,
        _ prefix: String,
        _ files: Set<String>,
        _ folders: Set<String>
    ) throws {
        let place = prefix.isEmpty ? directory : directory.pushing(FilePath(prefix))
        for name in try Directory.names(in: place).sorted() {
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            if files.contains(path) { continue }
            if folders.contains(path) {
                try look(in: directory, path, files, folders)
                continue
            }
            count += 1
            if names.count < Self.maximumNames { names.append(path) }
        }
    }

    /// Notes that nothing vouches for them.
    func doubt(into outcome: inout VerifyOutcome) {
        guard count > 0 else { return }
        let more = count > names.count ? " and \(count - names.count) more" : ""
        outcome.doubt(
            "what \(names.joined(separator: ", "))\(more) beside the export says: nothing in the "
                + "export speaks of it"
        )
    }
}

/// What is known of the entries before an export that begins later.
struct EarlierEntries {
    /// The tree over them.
    var frontier = MerkleFrontier()

    /// The sources that they register, by number less one.
    var sources: [RegisteredSource] = []
}

/// The content of one entry in an export.
package enum ExportedContent: Hashable, Sendable {
    /// Its exact bytes; a tombstone's if its content was erased.
    case entry([UInt8])

    /// Nothing but its leaf hash.
    case withheld(Digest)
}

/// The reason why a file is not an export, or is a damaged one.
struct ExportDamage: Error, Hashable, CustomStringConvertible {
    /// What is wrong, as a sentence without a full stop.
    let description: String

    /// Whether the input is not an export that this program reads: that does not show that it was
    /// changed.
    let isForeign: Bool

    /// The kind of damage of a stream of segments; `nil` in other exports.
    let segments: SegmentDamage.Code?

    /// The message about a line that cannot belong to an export.
    static let overlong = "a line is longer than any of an export"

    /// The message about an export that is not made to be read again.
    static let cloudEvents =
        "it holds CloudEvents, not the bytes that are hashed: export it as jsonl or as tiles"

    /// Creates a reason.
    init(_ description: String, isForeign: Bool = false) {
        self.description = description
        self.isForeign = isForeign
        segments = nil
    }

    /// Takes over why a stream of segments is refused.
    init(_ damage: SegmentDamage) {
        description = damage.description
        isForeign = damage.code == .unknownVersion
        segments = damage.code
    }
}
