import EventStore
import Platform
import Projections
package import Proofs
public import SystemPackage
public import TripEvents
public import TripLedger
import TripTracking
import TripsProjection

extension Ledger {
    /// The name of the file of JSON lines in an exported directory.
    static let exportedLines = "entries.jsonl"

    /// The name of the file of CloudEvents in an exported directory.
    static let exportedEvents = "cloudevents.jsonl"

    /// The name of the file beside tiles that says what they are.
    static let exportedHeader = "export.json"

    /// The name that C2SP tlog-tiles gives to the newest signed head.
    static let exportedHead = "checkpoint"

    /// How many bytes of lines are written at once.
    private static let pieceByteCount = 1 << 18

    /// Writes an export line by line.
    ///
    /// - Parameters:
    ///   - format: JSON lines or CloudEvents; tiles are files.
    ///   - from: The position of the first entry.
    ///   - classes: The classes of trips whose entries, decisions included, are exported as hashes
    ///     only.
    ///   - groups: The only groups of sources whose entries are exported, with the owner's
    ///     decisions about their trips and settings for all; empty for all entries.
    ///   - write: Gets each line, without its end.
    /// - Returns: The figures of the export.
    /// - Throws: `.damaged`, `.inputOutput`, and what `write` throws.
    public func export(
        as format: ExportFormat,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = [],
        of groups: [String] = [],
        to write: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        try export(
            as: format,
            from: from,
            withholding: classes,
            of: groups,
            signedBy: nil,
            to: write
        )
    }

    /// Writes an export line by line; a signer, if given, signs the list of withheld entries.
    package func export(
        as format: ExportFormat,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = [],
        of groups: [String] = [],
        signedBy signer: LedgerSigner?,
        to write: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        precondition(format != .segments, "segments are no lines")
        return try export(
            as: format,
            from: from,
            withholding: classes,
            of: groups,
            signedBy: signer,
            pieces: { piece in
                // JSON has no line feed of its own.
                for line in piece.split(separator: UInt8(ascii: "\n")) { try write(Array(line)) }
            }
        )
    }

    /// Writes an export in large pieces; with a signer, the list of withheld entries is signed.
    ///
    /// - Parameters:
    ///   - format: JSON lines, CloudEvents or segments; tiles are files.
    ///   - from: The position of the first entry.
    ///   - classes: The classes of trips whose entries are exported as hashes only.
    ///   - groups: The only groups of sources whose entries are exported; empty for all.
    ///   - signer: The signer of the list of withheld entries.
    ///   - onProgress: Told how many entries of how many were written, now and then.
    ///   - write: Gets lines with their ends, many at a time, or frames.
    /// - Returns: The figures of the export.
    /// - Throws: `.damaged`, `.inputOutput`, and what `write` throws.
    package func export(
        as format: ExportFormat,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = [],
        of groups: [String] = [],
        signedBy signer: LedgerSigner?,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in },
        pieces write: ([UInt8]) throws -> Void
    ) throws -> ExportSummary {
        precondition(format != .tiles, "tiles are written to a directory")
        guard format != .segments else {
            return try exportSegments(
                from: from,
                withholding: classes,
                of: groups,
                onProgress: onProgress,
                pieces: write
            )
        }
        let (head, hidden) = try scope(withholding: classes, of: groups)
        let header = try exportHeader(from: from, head, hidden, signedBy: signer)
        var piece: [UInt8] = []
        if format == .jsonl { piece = header.line + [UInt8(ascii: "\n")] }
        var erased: UInt64 = 0
        var writer = ExportLineWriter()
        do {
            try eachNamed(from..<header.head.size) { entry, position, source in
                let isHidden = !hidden.isEmpty && hidden.contains(position)
                if entry.isTombstone, !isHidden { erased += 1 }
                switch format {
                case .jsonl where isHidden:
                    piece += ExportLine.line(withheld: entry.leafHash, at: position)
                case .jsonl:
                    let logged = try LoggedEntry(entry, at: position, source: source)
                    writer.append(entry, logged, to: &piece)
                case .cloudevents, .tiles, .segments:
                    piece += CloudEventLine.line(
                        try StoredEvent(entry, at: position, source: source),
                        leaf: entry.leafHash,
                        isWithheld: isHidden,
                        ledger: founding.ledger
                    )
                }
                piece.append(UInt8(ascii: "\n"))
                guard piece.count >= Self.pieceByteCount else { return }
                try write(piece)
                piece.removeAll(keepingCapacity: true)
                onProgress(position - from, header.head.size - from)
            }
            try write(piece)
        } catch let error as EventLogError {
            try LedgerError.translating(at: path) { throw error }
        }
        return ExportSummary(header, erased: erased)
    }

    /// Writes an export into a new directory, which appears complete or not at all.
    ///
    /// - Returns: The figures of the export.
    /// - Throws: `.alreadyThere`, `.damaged`, `.inputOutput`.
    public func export(
        as format: ExportFormat,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = [],
        of groups: [String] = [],
        into directory: FilePath
    ) throws(LedgerError) -> ExportSummary {
        try export(
            as: format,
            from: from,
            withholding: classes,
            of: groups,
            signedBy: nil,
            into: directory
        )
    }

    /// Writes an export into a new directory; a signer, if given, signs the list of withheld
    /// entries.
    package func export(
        as format: ExportFormat,
        from: UInt64 = 0,
        withholding classes: Set<TripClass> = [],
        of groups: [String] = [],
        signedBy signer: LedgerSigner?,
        into directory: FilePath,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> ExportSummary {
        precondition(format != .segments, "segments are a stream")
        return try LedgerError.translating(at: directory) {
            guard try !Directory.holds(directory) else { throw Self.isThere(directory) }
            do {
                return try Directory.create(directory) { unfinished in
                    try export(
                        as: format,
                        from: from,
                        withholding: classes,
                        of: groups,
                        signedBy: signer,
                        filling: unfinished,
                        onProgress
                    )
                }
            } catch Errno.fileExists {
                throw Self.isThere(directory)
            }
        }
    }

    private static func isThere(_ directory: FilePath) -> LedgerError {
        LedgerError(
            .alreadyThere,
            at: directory.string,
            cause: "there is something here already",
            hint: "Name a directory that is not there yet"
        )
    }

    private func export(
        as format: ExportFormat,
        from: UInt64,
        withholding classes: Set<TripClass>,
        of groups: [String],
        signedBy signer: LedgerSigner?,
        filling directory: FilePath,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws -> ExportSummary {
        guard format != .tiles else {
            return try writeTiles(
                into: directory,
                withholding: classes,
                of: groups,
                signedBy: signer,
                onProgress
            )
        }
        let name = format == .jsonl ? Self.exportedLines : Self.exportedEvents
        var file = try NewFile(at: directory.appending(name))
        let summary = try export(
            as: format,
            from: from,
            withholding: classes,
            of: groups,
            signedBy: signer,
            onProgress: onProgress,
            pieces: { try file.write($0) }
        )
        try file.finish()
        return summary
    }

    private func writeTiles(
        into directory: FilePath,
        withholding classes: Set<TripClass>,
        of groups: [String],
        signedBy signer: LedgerSigner?,
        _ onProgress: (_ done: UInt64, _ total: UInt64) -> Void
    ) throws -> ExportSummary {
        let (head, hidden) = try scope(withholding: classes, of: groups)
        let header = try exportHeader(from: 0, head, hidden, signedBy: signer)
        var files = TileFiles(in: directory)
        var erased: UInt64 = 0
        try eachExported(0..<header.head.size) { entry, stored in
            let isHidden = hidden.contains(stored.position)
            if stored.isErased, !isHidden { erased += 1 }
            try files.append(
                isHidden ? [] : [UInt8](copying: entry.bytes),
                leaf: entry.leafHash
            )
            if stored.position.isMultiple(of: UInt64(TileTree.width)) {
                onProgress(stored.position, header.head.size)
            }
        }
        try files.finish()
        try files.write(header.line + [UInt8(ascii: "\n")], to: Self.exportedHeader)
        if let head = header.signedHead { try files.write(head.note.bytes, to: Self.exportedHead) }
        try files.synchronize()
        return ExportSummary(header, erased: erased)
    }

    /// Returns the head of the export, and the positions that are exported as hashes only: entries
    /// and decisions of trips of some classes, those that do not concern some groups, and entries
    /// that were withheld from this ledger itself.
    func scope(
        withholding classes: Set<TripClass>,
        of groups: [String]
    ) throws(LedgerError) -> (head: TreeHead, hidden: RangeSet<UInt64>) {
        var head = try LedgerError.translating(at: path) { try log.head() }
        var hidden = RangeSet<UInt64>()
        if !classes.isEmpty || !groups.isEmpty {
            (head, hidden) = try reading { snapshot in
                let rows = try snapshot.allTrips()
                    .filter { classes.contains($0.booked.tripClass) }
                var hidden = try snapshot.positions(about: rows, snapshot.evidence())
                hidden.formUnion(try snapshot.log.originNotes(about: hidden))
                if !groups.isEmpty {
                    hidden.formUnion(try snapshot.positions(withheldFrom: groups))
                }
                return (try snapshot.log.head(), hidden)
            }
        }
        try LedgerError.translating(at: path) {
            guard try log.withheldCount() > 0 else { return }
            try eachExported(0..<head.size) { entry, stored in
                guard entry.isWithheld else { return }
                hidden.insert(contentsOf: stored.position..<stored.position + 1)
            }
        }
        return (head, hidden)
    }

    func exportHeader(
        from: UInt64,
        _ head: TreeHead,
        _ hidden: RangeSet<UInt64>,
        signedBy signer: LedgerSigner?
    ) throws(LedgerError) -> ExportHeader {
        try LedgerError.translating(at: path) {
            guard from <= head.size else {
                throw LedgerError(
                    .notFound,
                    at: path.string,
                    cause: "there is no entry at position \(from); the ledger has \(head.size)"
                )
            }
            var shown = hidden
            shown.formIntersection(RangeSet([from..<head.size]))
            let count = shown.ranges.reduce(UInt64(0)) { $0 + $1.upperBound - $1.lowerBound }
            var header = ExportHeader(
                ledger: founding.ledger,
                from: from,
                head: head,
                withheld: count
            )
            if let last = try HeadStore(of: self).last(),
                (from...head.size).contains(last.head.size)
            {
                header.signedHead = last
            }
            let earlier = try earlierEntries(before: from) ?? EarlierEntries()
            header.sources = earlier.sources
            guard header.sources.count <= ExportHeader.maximumSources else {
                throw LedgerError(
                    .notFound,
                    at: path.string,
                    cause: "an export that begins later names the sources before it, of which "
                        + "there are \(header.sources.count), and at most "
                        + "\(ExportHeader.maximumSources) can be named",
                    hint: "Export from position 0 on"
                )
            }
            header.frontier = earlier.frontier.roots
            if count > 0 {
                header.signedWithheld = try signedWithheld(shown, header, signedBy: signer)
            }
            return header
        }
    }

    /// Returns what is known of the entries before a position; `nil` if there are not so many.
    func earlierEntries(before position: UInt64) throws -> EarlierEntries? {
        guard try position <= log.head().size else { return nil }
        var earlier = EarlierEntries()
        try eachExported(0..<position) { entry, stored in
            _ = earlier.frontier.append(entry.leafHash)
            if case .sourceRegistered(let source) = stored.event.body {
                earlier.sources.append(RegisteredSource(name: source.name, group: source.group))
            }
        }
        return earlier
    }

    /// Returns the signed list of withheld entries, by the signer or by the owner of the log that
    /// this is a copy of; `nil` if there is none, or if it names other entries.
    private func signedWithheld(
        _ positions: RangeSet<UInt64>,
        _ header: ExportHeader,
        signedBy signer: LedgerSigner?
    ) throws -> SignedWithheld? {
        if let note = try log.withheldEntries()?.note, let signed = try? SignedWithheld(note),
            signed.content.from == header.from, signed.content.head == header.head,
            signed.content.positions.count == header.withheld
        {
            return signed
        }
        guard let signer else { return nil }
        return try signWithheld(
            positions,
            from: header.from,
            head: header.head,
            with: signer.key,
            in: signer.store
        )
    }

    private func eachExported(
        _ range: Range<UInt64>,
        _ body: (EntryView, StoredEvent) throws -> Void
    ) throws {
        try eachNamed(range) { entry, position, source in
            try body(entry, StoredEvent(entry, at: position, source: source))
        }
    }

    /// Hands over entries with their positions and sources.
    private func eachNamed(
        _ range: Range<UInt64>,
        _ body: (EntryView, UInt64, RegisteredSource) throws -> Void
    ) throws {
        var names = SourceNames(log)
        try log.eachEntry(in: range) { entry, position in
            try body(entry, position, names.source(of: entry.source, at: position))
        }
    }
}

extension ExportSummary {
    init(_ header: ExportHeader, erased: UInt64) {
        self.init(
            from: header.from,
            head: LedgerHead(header.head),
            withheld: header.withheld,
            erased: erased,
            withheldSigner: header.signedWithheld?.content.origin
        )
    }
}

/// The signer for the owner of a ledger: of heads, bundles, and lists of entries that exports
/// withhold.
package struct LedgerSigner {
    let key: SigningKey
    let store: HeadStore

    /// Signs with the key of a ledger's owner, whose signed heads are in the store.
    package init(_ key: SigningKey, in store: HeadStore) {
        self.key = key
        self.store = store
    }
}
