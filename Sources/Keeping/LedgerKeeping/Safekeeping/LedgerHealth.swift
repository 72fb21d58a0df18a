import EventStore
import Platform
import Proofs
import ServerStore
public import SystemPackage
public import TripEvents
public import TripLedger
import TripTracking

/// Looks a ledger over without opening it in this process.
public struct LedgerHealth {
    private static let backupDays: Int64 = 7
    private static let scrubDays: Int64 = 30
    /// Bringing views up to date with fewer entries takes no time that a person would notice.
    private static let longLag: UInt64 = 1_000_000
    /// How many sources and groups of sources one ledger should have at most.
    private static let recommended: (sources: UInt64, groups: UInt64) = (1_024, 256)
    private static let comfortableFreeBytes: UInt64 = 256 << 20

    private let path: FilePath
    private let process: ScanProcess

    /// Prepares to look at the ledger in the directory `path`.
    public init(at path: FilePath, process: ScanProcess) {
        self.path = path
        self.process = process
    }

    /// Looks at the ledger and its surroundings.
    ///
    /// - Parameter now: The present, to see how long ago things were done.
    /// - Returns: How it is, and what to do.
    /// - Throws: `.missingLedger`, `.inputOutput`.
    public func report(now: Timestamp) throws(LedgerError) -> HealthReport {
        try Ledger.requireLog(at: path)
        let glance = try process.run(.glance(path))
        return try LedgerError.translating(at: path) {
            var report = HealthReport(path: path)
            report.ledger = glance.ledger
            report.head = glance.outcome.findingCount == 0 ? glance.statedHead : nil
            let figures = glance.figures
            report.lastRecordedAt = figures["last_recorded_at"]
                .map { Timestamp(milliseconds: Int64(clamping: $0)) }
            report.firstRecordedAt = figures["first_recorded_at"]
                .map { Timestamp(milliseconds: Int64(clamping: $0)) }
            report.viewsLag = figures["views_lag"]
            report.signedSize = figures["signed_size"]
            report.fileBytes = figures["file_bytes"] ?? 0
            report.usedBytes = figures["used_bytes"] ?? 0
            report.mapBytes = figures["map_bytes"] ?? 0
            report.readers = figures["readers"] ?? 0
            report.clearedReaders = figures["cleared_readers"] ?? 0
            report.ownRules = glance.ownRules
            report.needsSweep = figures["needs_sweep"] != nil
            report.hasClockStep = figures["clock_went_back"] != nil
            try LedgerSurroundings(of: path).describe(in: &report)
            let server = try lookAtServer(&report)
            report.advice = advice(report, glance, now) + server
            return report
        }
    }

    /// Looks at what a server keeps, which is no part of the log: if it cannot be read, the log
    /// still can.
    private func lookAtServer(_ report: inout HealthReport) throws -> [HealthReport.Advice] {
        guard try Directory.holds(ServerState.path(of: path)) else { return [] }
        let server = try process.run(.server(path, isThorough: false))
        guard server.outcome.verdict == .sound else {
            let why = server.outcome.findings.first?.what ?? server.outcome.doubts.first ?? ""
            return [
                .init(
                    why: "The tokens cannot be read, so nothing is let in: \(why)",
                    command: "ledger token list"
                )
            ]
        }
        report.tokenCount = server.figures["tokens"]
        report.setAsideCount = server.figures["set_aside"]
        if server.figures["needs_sweep"] != nil { report.needsSweep = true }
        return server.advice
    }

    private func advice(
        _ report: HealthReport,
        _ glance: ScanProcess.Result,
        _ now: Timestamp
    ) -> [HealthReport.Advice] {
        let outcome = glance.outcome
        guard report.isReadable else {
            let why = outcome.findings.first?.what ?? outcome.doubts.first ?? "it says nothing"
            guard !isClosedToUser else {
                let hint = "see whose the directory is, and whether its file system is read-only"
                return [
                    .init(
                        why: "The log cannot be opened: \(why); \(hint)",
                        command: "ls -ln \(word(path.appending("log")))"
                    )
                ]
            }
            return [
                .init(why: "The log cannot be read: \(why)", command: "ledger verify"),
                .init(
                    why: "Save what can be proven",
                    command: "ledger rescue \(word(path)) -o NEW"
                ),
            ]
        }
        var advice = lossAdvice(report)
        if let scrub = report.lastScrub, scrub.findings > 0 {
            advice.append(.init(why: "The last scrub found damage", command: "ledger verify"))
        }
        advice += secrecyAdvice(report)
        if report.freeBytes < Self.comfortableFreeBytes {
            advice.append(
                .init(why: "The disk is nearly full; appends will be refused", command: "")
            )
        }
        if let last = report.lastRecordedAt, last > now {
            let why =
                "The clock is behind the last entry, so that new ones are recorded at "
                + "\(RFC3339.text(last)) until it has caught up; set it right"
            advice.append(.init(why: why, command: ""))
        }
        if report.hasClockStep {
            let why =
                "The clock of a source went back while it was recording, which tears trips apart"
            advice.append(.init(why: why, command: "ledger status"))
        }
        advice += sizeAdvice(glance.figures)
        return advice + glance.advice + routineAdvice(report, now)
    }

    /// Whether the user may not write to the files of the log, which every reader must, even if the
    /// log is sound.
    private var isClosedToUser: Bool {
        ["data.mdb", "lock.mdb"]
            .contains { name in
                do {
                    try FileDescriptor.open(path.appending("log").appending(name), .readWrite)
                        .close()
                    return false
                } catch {
                    return [.permissionDenied, .readOnlyFileSystem].contains(error as? Errno)
                }
            }
    }

    /// Advice for a log that holds less than it is known to have held.
    private func lossAdvice(_ report: HealthReport) -> [HealthReport.Advice] {
        guard let head = report.head else { return [] }
        let known = max(report.signedSize ?? 0, report.lastBackup?.head.size ?? 0)
        guard known > head.size else { return [] }
        let why =
            "The log has \(head.size) entries and had \(known): it was cut, or an older copy put "
            + "in its place"
        return [.init(why: why, command: "ledger restore-backup FILE")]
    }

    /// Advice to keep other users from reading private files or signing.
    private func secrecyAdvice(_ report: HealthReport) -> [HealthReport.Advice] {
        var advice: [HealthReport.Advice] = []
        if let file = report.keyFile, report.keyPermissions.suffix(2) != "00" {
            let why = "Others may read the key, and with it sign in your name"
            advice.append(.init(why: why, command: "chmod 600 \(word(file))"))
        }
        if report.openToOthers.contains(path) {
            advice.append(
                .init(why: "Others may enter the directory", command: "chmod -R go= \(word(path))")
            )
        } else if let first = report.openToOthers.first {
            let more = report.openToOthers.count - 1
            let what = more == 0 ? "\(first)" : "\(first) and \(more) more"
            let why = "Others could read \(what) if they may enter the directory one day"
            advice.append(.init(why: why, command: "chmod -R go= \(word(path))"))
        }
        if report.needsSweep {
            advice.append(
                .init(
                    why: "What was erased may still stand in unused places of the file",
                    command: "ledger erase --sweep"
                )
            )
        }
        if !report.leftovers.isEmpty {
            let names = report.leftovers.map(word).joined(separator: " ")
            let why =
                "Commands that were cut off left files; if no ledger command runs, remove them"
            advice.append(.init(why: why, command: "rm -r \(names)"))
        }
        return advice
    }

    /// Advice for a ledger that has more sources than it is comfortable with.
    private func sizeAdvice(_ figures: [String: UInt64]) -> [HealthReport.Advice] {
        let (sources, groups) = (figures["sources"] ?? 0, figures["groups"] ?? 0)
        guard sources > Self.recommended.sources || groups > Self.recommended.groups else {
            return []
        }
        let why =
            "There are \(sources) sources and \(groups) groups of them, and at most "
            + "\(Self.recommended.sources) and \(Self.recommended.groups) are recommended; "
            + "some groups could move to another ledger"
        let command = groups > 1 ? "ledger export --group GROUP DIRECTORY" : ""
        return [.init(why: why, command: command)]
    }

    /// Advice on what is due from time to time.
    private func routineAdvice(
        _ report: HealthReport,
        _ now: Timestamp
    ) -> [HealthReport.Advice] {
        guard let head = report.head, head.size > 1 else {
            // The log holds only what `init` wrote, which needs no backup.
            return [.init(why: "There are no events yet", command: "ledger go")]
        }
        var advice: [HealthReport.Advice] = []
        func isDue(_ record: SafekeepingRecord?, _ days: Int64) -> Bool {
            guard let record else { return true }
            return now.milliseconds(since: record.at) > days * Timestamp.millisecondsPerDay
        }
        if report.lastBackup == nil {
            advice.append(.init(why: "There is no backup yet", command: "ledger backup FILE"))
        } else if isDue(report.lastBackup, Self.backupDays),
            report.lastBackup?.head != report.head
        {
            advice.append(.init(why: "The last backup is old", command: "ledger backup FILE"))
        }
        if report.signedSize == nil {
            advice.append(
                .init(why: "No head was signed yet", command: "ledger head --sign")
            )
        }
        let age = report.firstRecordedAt.map { now.milliseconds(since: $0) } ?? .max
        if age > Self.scrubDays * Timestamp.millisecondsPerDay,
            isDue(report.lastScrub, Self.scrubDays)
        {
            advice.append(
                .init(
                    why: "The entries were not read again for \(Self.scrubDays) days",
                    command: "ledger scrub --rate 4"
                )
            )
        }
        if (report.viewsLag ?? head.size) > Self.longLag {
            advice.append(
                .init(
                    why: "The views are far behind, so that the next command takes long",
                    command: "ledger project"
                )
            )
        }
        return advice
    }

    private func word(_ path: FilePath) -> String { ShellWord.quoted(path.string) }
}

/// Opens a ledger and reports its state, in a process that a damaged ledger may crash.
public struct LedgerGlance {
    /// The most sources whose clocks are looked at.
    private static let mostSources = 10_000

    /// How many decisions without effect, and of each other kind of thing, are named at most.
    private static let mostDecisions = 10

    private let path: FilePath

    /// Prepares to look at the ledger in the directory `path`.
    public init(at path: FilePath) {
        self.path = path
    }

    /// Looks, and reports the findings.
    ///
    /// - Throws: What `say` throws.
    public func run(_ say: @escaping (ScanMessage) throws -> Void) throws {
        let messenger = ScanMessenger(say)
        do throws(LedgerError) {
            let ledger = try Ledger(at: path, isReadOnly: true)
            defer { ledger.close() }
            messenger.tell(.ledger(id: ledger.founding.ledger, try ledger.head()))
            try LedgerError.translating(at: path) { try tellFigures(ledger, messenger) }
            try tellHeads(ledger, messenger)
            if let lag = try ledger.lag() {
                messenger.tell(.figure("views_lag", lag))
                // Views that are damaged are made anew by others.
                if (try? ledger.hasClockStep(among: Self.mostSources)) == true {
                    messenger.tell(.figure("clock_went_back", 1))
                }
                let decisions = try? ledger.knownDecisionsWithoutEffect()
                for advice in Self.advice(decisions ?? [], by: ledger.clock) {
                    messenger.tell(.advice(advice))
                }
                for advice in Self.advice(onRatesOf: ledger) { messenger.tell(.advice(advice)) }
                for advice in Self.advice(onSourcesOf: ledger) { messenger.tell(.advice(advice)) }
                for rules in Self.ownRules(of: ledger) { messenger.tell(.ownRules(rules)) }
            }
        } catch {
            messenger.report(.log, error.cause)
        }
        try messenger.finish()
    }

    /// Advice on decisions that have no effect.
    private static func advice(
        _ decisions: [DecisionWithoutEffect],
        by clock: LocalDay?
    ) -> [HealthReport.Advice] {
        let named = decisions.prefix(mostDecisions)
            .map { decision in
                HealthReport.Advice(
                    why: "A decision has no effect: \(decision.sentence(by: clock))",
                    command: decision.command
                )
            }
        guard decisions.count > named.count else { return named }
        let why = "\(decisions.count - named.count) more have no effect"
        return named + [HealthReport.Advice(why: why, command: "ledger changes --orphans")]
    }

    /// Advice on tables of rates that would be mistaken for some of the program.
    private static func advice(onRatesOf ledger: Ledger) -> [HealthReport.Advice] {
        // Views that are damaged are made anew by others.
        let found = (try? ledger.readStoredViews { try $0.rates().mistakable }) ?? []
        return found.prefix(mostDecisions)
            .map { table, cause in
                HealthReport.Advice(
                    why: "The rates \(table) are this ledger's own: \(cause)",
                    command: "ledger rates list"
                )
            }
    }

    /// Advice on sources whose latest fixes jump, as those of two devices with one token do.
    private static func advice(onSourcesOf ledger: Ledger) -> [HealthReport.Advice] {
        var names: Set<NameKey> = []
        try? ledger.log.eachSource { source in
            if names.count < mostSources { names.insert(NameKey(source.name)) }
        }
        let sources = names
        let fixes = (try? ledger.readStoredViews { try $0.latestFixes(of: sources) }) ?? [:]
        return fixes.filter { RecordingQuality($0.value).verdict == .jumping }
            .keys.sorted().prefix(mostDecisions)
            .map { source in
                HealthReport.Advice(
                    why: "Most fixes of \(source.name) are further apart than a car drives in the "
                        + "time between them; if two devices deliver with its token, give each "
                        + "its own",
                    command: "ledger token new NAME --source NAME"
                )
            }
    }

    /// Returns the rules that the ledger adopted by itself, in words; the last item says how many
    /// more there are.
    private static func ownRules(of ledger: Ledger) -> [String] {
        let all = (try? ledger.readStoredViews { try $0.rulesByLedger() }) ?? []
        let named = all.prefix(mostDecisions)
            .map { "\($0.preset ?? "") for \($0.appliesTo ?? "")" }
        return all.count > named.count ? named + ["\(all.count - named.count) more"] : named
    }

    /// Reports up to which entry the log was signed, and which signed heads cannot be read: the log
    /// is usable without them.
    private func tellHeads(
        _ ledger: Ledger,
        _ messenger: ScanMessenger
    ) throws(LedgerError) {
        let survey = try HeadStore(of: ledger).survey()
        let readable = survey.compactMap { file, head in
            (try? head.get()).map { (file: file, size: $0.head.size) }
        }
        if let size = readable.map(\.size).max() { messenger.tell(.figure("signed_size", size)) }
        let spoiled = survey.filter { (try? $0.head.get()) == nil }
        for file in spoiled.prefix(Self.mostDecisions).map(\.file) {
            // The head outside is the same as the last one inside.
            let name = FilePath(file).lastComponent?.string
            let copy = readable.first { HeadStore.name(ofSize: $0.size) == name }?.file
            let why = "A signed head cannot be read: \(file)"
            let from = copy == nil ? "; take it from a backup or from a person who has it" : ""
            let command = copy.map { "cp \(ShellWord.quoted($0)) \(ShellWord.quoted(file))" }
            let advice = HealthReport.Advice(why: why + from, command: command ?? "ledger verify")
            messenger.tell(.advice(advice))
        }
    }

    private func tellFigures(_ ledger: Ledger, _ messenger: ScanMessenger) throws {
        let figures = try ledger.eventLog.figures()
        messenger.tell(.figure("map_bytes", figures.mapBytes))
        messenger.tell(.figure("used_bytes", figures.usedBytes))
        messenger.tell(.figure("file_bytes", figures.fileBytes))
        // This process is one of them.
        messenger.tell(.figure("readers", max(1, figures.readers) - 1))
        messenger.tell(.figure("cleared_readers", figures.clearedReaders))
        var (sources, groups) = (UInt64(0), Set<[UInt8]>())
        try ledger.log.eachSource { source in
            sources += 1
            if let group = source.group { groups.insert(Array(group.utf8)) }
        }
        messenger.tell(.figure("sources", sources))
        messenger.tell(.figure("groups", UInt64(groups.count)))
        if try ledger.needsSweep() { messenger.tell(.figure("needs_sweep", 1)) }
        let size = try ledger.log.head().size
        if let last = try ledger.log.withEntry(at: size - 1, { $0.recordedAt }) {
            messenger.tell(.figure("last_recorded_at", UInt64(max(0, last))))
        }
        if let first = try ledger.log.withEntry(at: 0, { $0.recordedAt }) {
            messenger.tell(.figure("first_recorded_at", UInt64(max(0, first))))
        }
    }
}

/// The files around a ledger's log, read without opening the log.
struct LedgerSurroundings {
    private let path: FilePath

    /// Prepares to look around in a ledger's directory.
    init(of path: FilePath) {
        self.path = path
    }

    /// Adds what is found to a report.
    ///
    /// - Throws: `Errno` if the directory cannot be read.
    func describe(in report: inout HealthReport) throws {
        report.freeBytes = try Directory.freeBytes(at: path)
        report.permissions = try Directory.permissions(of: path)
        report.openToOthers = try openToOthers()
        report.leftovers = try Directory.names(in: path).filter(Self.isLeftover).sorted()
            .map { path.appending($0) }
        let heads = try HeadStore.survivors(in: path.appending("heads"))
        let stamp = try HeadStamps(ofLedgerAt: path).latest()
        report.lastStampedAt = stamp?.at
        report.stampedSize = stamp?.size
        report.replica = ReplicaState(of: path)
        report.lastWitness = heads.heads.flatMap(Self.witnesses).max { $0.at < $1.at }
        if let ledger = report.ledger, let key = try? SigningKeyFile(ofLedger: ledger).path,
            try Directory.holds(key)
        {
            report.keyFile = key
            report.keyPermissions = try Directory.permissions(of: key)
        }
        let records = try SafekeepingHistory(of: path).records()
        report.lastBackup = records.last { $0.deed == .backup }
        report.lastSignedAt = records.last { $0.deed == .signed }?.at
        report.lastRehearsal = records.last { $0.deed == .rehearsed }
        report.lastMonthly = records.last { $0.deed == .monthly }
        report.lastScrub = records.last { $0.deed == .scrub }
        report.leftovers += leftovers(besides: records, ofLedger: report.ledger)
    }

    /// Returns the last head of the ledger in a directory that a witness cosigned.
    ///
    /// - Throws: `Errno` if the directory cannot be read.
    static func lastWitness(of path: FilePath) throws -> HealthReport.Witness? {
        try HeadStore.survivors(in: path.appending("heads")).heads.flatMap(witnesses)
            .max { $0.at < $1.at }
    }

    /// Files of interrupted backups where earlier backups are, unless their medium is gone now.
    private func leftovers(
        besides records: [SafekeepingRecord],
        ofLedger ledger: String?
    ) -> [FilePath] {
        let files = records.filter { $0.deed == .backup }.map { FilePath($0.file) }
        let own = ledger.map { [LedgerBackup.ownName($0)] } ?? []
        return Dictionary(grouping: files) { $0.removingLastComponent() }
            .flatMap { folder, files in
                let starts = files.map { ($0.lastComponent?.string ?? "") + "." } + own
                return (try? LedgerBackup.leftovers(in: folder, beginningWith: starts)) ?? []
            }
            .sorted { $0.string < $1.string }
    }

    private static func witnesses(of head: SignedHead) -> [HealthReport.Witness] {
        head.note.signatures.filter(\.isCosignature)
            .compactMap { signature in
                Timestamp(secondsSince1970: signature.cosignedAt)
                    .map {
                        HealthReport.Witness(
                            name: "\(signature.name)",
                            at: $0,
                            size: head.head.size
                        )
                    }
            }
    }

    /// Whether a name is one that a command gives to an unfinished file.
    private static func isLeftover(_ name: String) -> Bool {
        name.hasSuffix(".new") || name.hasPrefix(".views.new.") || name == "views.old"
    }

    /// Finds what others may read, change or enter: the directory, what is in it, and what is in
    /// the directories there.
    private func openToOthers() throws -> [FilePath] {
        var places = [path]
        for name in try Directory.names(in: path).sorted() {
            let place = path.appending(name)
            places.append(place)
            guard try Stat(place, followTargetSymlink: false).type == .directory else { continue }
            places += try Directory.names(in: place).sorted().map { place.appending($0) }
        }
        let others: FilePermissions = [.groupReadWriteExecute, .otherReadWriteExecute]
        return try places.filter { place in
            let status = try Stat(place, followTargetSymlink: false)
            return status.type != .symbolicLink && !status.permissions.isDisjoint(with: others)
        }
    }
}
