import EventStore
import Platform
import Projections
import Proofs
public import SystemPackage
public import TripEvents
public import TripLedger

/// Saves what can be saved from a damaged log, without LMDB and without changing it.
///
/// The new ledger gets the entries from position 0 to the first gap, byte for byte; what stands
/// after a gap goes into `stranded.jsonl` beside it, and what is known about all of it into
/// `rescue.json`. Signed heads and tokens that stand beside the damaged log are copied.
public struct LedgerRescue {
    private static let mostFindings = 20

    let source: FilePath
    let givenHeads: [LedgerHead]
    let process: ScanProcess

    /// Prepares to rescue a ledger's directory, its log's directory, or a single data file, which
    /// is known to have had `knownHeads`, besides those that stand beside it; `process` reads what
    /// a server has kept beside it, which may be damaged, too.
    public init(_ source: FilePath, knownHeads: [LedgerHead] = [], process: ScanProcess) {
        self.source = source
        givenHeads = knownHeads
        self.process = process
    }

    /// Rescues into a new directory.
    ///
    /// - Parameters:
    ///   - destination: Where; nothing may be there yet.
    ///   - acceptsLoss: Whether signed heads are set aside that are kept and that the new log does
    ///     not have, so that it can be signed again.
    ///   - now: The time, for the new ledger's history.
    ///   - onProgress: Told how far it is.
    /// - Returns: What was saved.
    /// - Throws: `.missingLedger` if there is no data file, `.alreadyThere`, `.inputOutput`.
    public func run(
        into destination: FilePath,
        acceptsLoss: Bool,
        now: Timestamp,
        onProgress: (_ done: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) throws(LedgerError) -> RescueReport {
        let isTaken = try LedgerError.translating(at: destination) {
            try Directory.holds(destination)
        }
        guard !isTaken else {
            throw LedgerError(
                .alreadyThere,
                at: destination.string,
                cause: "there is something here already",
                hint: "Nothing was changed. Name a new directory with -o"
            )
        }
        return try LedgerError.translating(at: source) {
            let path = try dataFile()
            let file = try FileDescriptor.open(
                path,
                .readOnly,
                options: [.closeOnExec, .nonBlocking]
            )
            defer { try? file.close() }
            guard try Stat(file).type == .regular else { throw Errno.invalidArgument }
            let total = UInt64(try Stat(path).size)
            let survey = try LogSurvey(of: file) { onProgress(min($0, total), total) }
            let plan = try RescuePlan(survey)
            try Directory.make(destination)
            var report = try rebuild(plan, survey, destination)
            let heads = try knownHeads(beside: path, savedIn: report)
            report.unreadableHeads = heads.unreadable
            try judge(&report, survey, heads)
            try saveStranded(plan, survey, &report)
            report.missingRanges = Self.missing(plan, report, heads)
            if report.head.size > 0 {
                copyCompanions(of: path, &report)
                lookForForeignHeads(&report, settingAside: acceptsLoss, now)
            }
            try DurableFile.write(
                report.line + [UInt8(ascii: "\n")],
                to: destination.appending("rescue.json")
            )
            if report.head.size > 0 {
                var record = SafekeepingRecord(.rescued, at: now, head: report.head)
                record.headsSetAside = report.headsSetAside.map(\.string)
                try SafekeepingHistory(of: destination).append(record)
            }
            return report
        }
    }

    private func dataFile() throws -> FilePath {
        let places = [source.appending("log").appending("data.mdb"), source.appending("data.mdb")]
        for place in places where try Directory.holds(place) { return place }
        guard try Directory.holds(source), try Stat(source).type == .regular else {
            throw LedgerError(
                .missingLedger,
                at: source.string,
                cause: "there is no data.mdb here",
                hint: "Name a ledger's directory, or a file data.mdb or a backup"
            )
        }
        return source
    }

    private func rebuild(
        _ plan: RescuePlan,
        _ survey: LogSurvey,
        _ destination: FilePath
    ) throws -> RescueReport {
        let nothing = LedgerHead(size: 0, root: MerkleFrontier.emptyRoot.description)
        var report = RescueReport(path: destination, head: nothing)
        report.conflicts = plan.conflicts
        report.statedSize = survey.lastHead?.size
        report.earlierSize = survey.earlierHead?.size
        guard let first = plan.stretches.first, first.positions.lowerBound == 0 else {
            return report
        }
        let fresh = destination.appending(".log.new")
        let rebuilt = try EventLog.rebuild(
            at: fresh,
            from: first.blocks,
            of: survey,
            registered: Self.registered,
            onProgress: { _ in }
        )
        report.head = LedgerHead(rebuilt.head)
        report.obstacle = rebuilt.obstacle?.description
        guard rebuilt.head.size > 0 else {
            try Directory.remove(fresh)
            return report
        }
        try DurableFile.move(fresh, to: destination.appending("log"), isReplacing: true)
        return report
    }

    /// Returns the source that an event of the ledger gives a number to.
    private static func registered(_ entry: EntryView) -> RegisteredSource? {
        guard let stored = try? StoredEvent(entry, at: 0, source: .ledger),
            case .sourceRegistered(let registered) = stored.event.body
        else { return nil }
        return RegisteredSource(name: registered.name, group: registered.group)
    }

    /// Compares the new log with the known roots and heads.
    private func judge(
        _ report: inout RescueReport,
        _ survey: LogSurvey,
        _ known: RescueHeads
    ) throws {
        guard report.head.size > 0 else {
            report.unreachedHeads = known.sizes
            return
        }
        let eventLog = try EventLog(at: report.path.appending("log"))
        defer { eventLog.close() }
        let log = eventLog.newest
        let agreeing = RunningMatch()
        var findings: [String] = []
        var audit = LogAudit(
            log,
            registration: EntryContent.registration,
            erasure: ErasureRecord.init,
            onSubtree: { agreeing.note($0, isMatch: survey.roots[$0]?.contains($1) == true) },
            report: { findings.append("position \($0.position): \($0.what)") }
        )
        while try !audit.advance(byteCount: 4 << 20) {}
        if let stated = survey.lastHead, stated.size == report.head.size,
            LedgerHead(stated) != report.head
        {
            findings.insert(
                "an entry was changed, or the log's own root, which it says is \(stated.root)",
                at: 0
            )
        }
        report.findings = Array(findings.prefix(Self.mostFindings))
        let tree = try LogTree(log)
        func holds(_ head: LedgerHead) throws -> Bool {
            guard head.size <= tree.head.size else { return false }
            return try tree.root(atSize: head.size).description == head.root
        }
        report.unreachedHeads = known.sizes.filter { $0 > tree.head.size }
        let refuted = try known.all.filter { try $0.size <= tree.head.size && !holds($0) }
        report.contradictedHeads = Set(refuted.map(\.size)).sorted()
        report.provenByHead = try known.all.filter(holds).map(\.size).max() ?? 0
        report.provenBySignedHead = try known.signed.filter(holds).map(\.size).max() ?? 0
        let stored = try survey.heads.map { LedgerHead($0) }.filter(holds).map(\.size)
        report.agreeingWithTree = max(
            agreeing.subtrees * MerkleFrontier.subtreeWidth,
            stored.max() ?? 0,
            report.provenByHead
        )
    }

    private func saveStranded(
        _ plan: RescuePlan,
        _ survey: LogSurvey,
        _ report: inout RescueReport
    ) throws {
        let stretches = plan.stretches.filter { $0.positions.upperBound > report.head.size }
        guard !stretches.isEmpty else { return }
        let path = report.path.appending("stranded.jsonl")
        var file = try NewFile(at: path)
        for stretch in stretches {
            let start = max(stretch.positions.lowerBound, report.head.size)
            report.strandedRanges.append(start..<stretch.positions.upperBound)
            for block in stretch.blocks where block.endPosition > report.head.size {
                try survey.withBlock(block) { block in
                    var entries = block.entries
                    while let entry = try entries.next() {
                        let line = Self.line(entry, at: entries.position - 1)
                        try file.write(line + [UInt8(ascii: "\n")])
                    }
                }
            }
        }
        try file.finish()
        try DurableFile.synchronizeDirectory(of: path)
    }

    /// An entry as a line of JSON: its position, its leaf hash, and its bytes in hexadecimal.
    private static func line(_ entry: EntryView, at position: UInt64) -> [UInt8] {
        var json = RowJSON()
        json.add("position", integer: Int64(clamping: position))
        json.add("leaf", text: entry.leafHash.description)
        json.add("entry", text: Self.hexadecimal(entry.bytes))
        return json.object
    }

    private static func hexadecimal(_ bytes: Span<UInt8>) -> String {
        var text = ""
        for index in bytes.indices {
            text += (bytes[index] < 16 ? "0" : "") + String(bytes[index], radix: 16)
        }
        return text
    }
}

/// Counts the subtrees, from the first one on, that agree with the known roots.
private final class RunningMatch {
    private(set) var subtrees: UInt64 = 0
    private var isBroken = false

    func note(_ subtree: UInt64, isMatch: Bool) {
        if !isMatch { isBroken = true }
        if !isBroken { subtrees = subtree + 1 }
    }
}

extension LedgerRescue {
    /// Collects the heads that were given, and those that stand beside a data file.
    ///
    /// These are signed ones, and those in the history of the ledger's directory. The signed one
    /// that is kept outside is found by the id of the ledger that was saved.
    func knownHeads(
        beside dataFile: FilePath,
        savedIn report: RescueReport
    ) throws -> RescueHeads {
        var heads = RescueHeads(others: givenHeads)
        let found = try HeadStore.survivors(in: Self.headsFolder(beside: dataFile))
        heads.signed = found.heads.map { LedgerHead($0.head) }
        heads.unreadable = found.unreadable
        let folder = dataFile.removingLastComponent()
        if folder.lastComponent?.string == "log" {
            let directory = folder.removingLastComponent()
            do {
                heads.others += try SafekeepingHistory(of: directory).knownHeads()
            } catch let error as LedgerError where error.code == .damaged {
                heads.unreadable.append(error.place)
            }
        }
        if report.head.size > 0, let outside = try? outsideHead(of: report.path) {
            heads.signed.append(outside)
        }
        return heads
    }

    /// Copies the signed heads, stamps and tokens that stand beside a data file.
    func copyCompanions(of dataFile: FilePath, _ report: inout RescueReport) {
        let found = Self.headsFolder(beside: dataFile)
        do {
            let folder = report.path.appending("heads")
            _ = try HeadsBackup.copying(from: found, to: folder, ofLedgerAt: report.path)
        } catch {
            // An unreadable head does not keep anything else from being rescued.
            report.unreadableHeads.append(found.string)
        }
        let server = ServerBackup(process: process)
        let folder = dataFile.removingLastComponent()
        do {
            if folder.lastComponent?.string == "log" {
                let ledger = folder.removingLastComponent()
                let source = ledger.isEmpty ? FilePath(".") : ledger
                report.tokens = try server.copy(from: source, into: report.path)
            } else {
                report.tokens = try server.restore(from: dataFile, into: report.path)
            }
        } catch {
            // Nor do tokens that cannot be copied; the report says that there are none.
            report.tokens = .unsound
        }
    }

    /// Looks for signed heads that are kept and that the new log does not have, and sets them aside
    /// if it is asked to.
    func lookForForeignHeads(
        _ report: inout RescueReport,
        settingAside: Bool,
        _ now: Timestamp
    ) {
        do throws(LedgerError) {
            let saved = try Ledger(at: report.path, isReadOnly: true)
            defer { saved.close() }
            // Without a home directory no head is kept outside, and those inside are the log's.
            guard let store = try? HeadStore(of: saved) else { return }
            if settingAside {
                report.headsSetAside = try saved.setForeignHeadsAside(in: store, at: now)
            } else {
                report.foreignHeads = try saved.foreignHeads(in: store)
            }
        } catch {
            // A head that cannot be read or moved keeps nothing else from being rescued.
            if !report.unreadableHeads.contains(error.place) {
                report.unreadableHeads.append(error.place)
            }
        }
    }

    /// Returns the folder with the signed heads and stamps of a data file: in the directory of its
    /// ledger or, of a backup, beside it.
    static func headsFolder(beside dataFile: FilePath) -> FilePath {
        let folder = dataFile.removingLastComponent()
        guard folder.lastComponent?.string == "log" else { return HeadsBackup.path(of: dataFile) }
        return folder.removingLastComponent().appending("heads")
    }

    private func outsideHead(of path: FilePath) throws(LedgerError) -> LedgerHead? {
        let saved = try Ledger(at: path, isReadOnly: true)
        defer { saved.close() }
        return try HeadStore(of: saved).last().map { LedgerHead($0.head) }
    }

    /// Returns the positions of entries that must have been there, and are neither in the new log
    /// nor stranded.
    static func missing(
        _ plan: RescuePlan,
        _ report: RescueReport,
        _ heads: RescueHeads
    ) -> [Range<UInt64>] {
        let ends =
            plan.stretches.map(\.positions.upperBound) + heads.sizes
            + [report.statedSize, report.earlierSize].compactMap(\.self)
        var missing: [Range<UInt64>] = []
        var position = report.head.size
        for range in report.strandedRanges {
            if range.lowerBound > position { missing.append(position..<range.lowerBound) }
            position = max(position, range.upperBound)
        }
        if let end = ends.max(), end > position { missing.append(position..<end) }
        return missing
    }
}

/// The heads that a damaged ledger is known to have had.
struct RescueHeads {
    /// Those that were signed.
    var signed: [LedgerHead] = []

    /// Those that the caller named, or that the ledger's history holds.
    var others: [LedgerHead] = []

    /// Files that should hold a signed head, and do not.
    var unreadable: [String] = []

    /// All of them.
    var all: [LedgerHead] { signed + others }

    /// Their sizes, in order and without duplicates.
    var sizes: [UInt64] { Set(all.map(\.size)).sorted() }
}
