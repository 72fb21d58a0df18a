import ArgumentParser
import Platform
import Projections
import RowFormats
import SystemPackage
import TripEvents
import TripLedger

/// The command `ledger doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says how the ledger is, and what to do about it.",
        discussion: """
            One page: its head, who signed and cosigned it, its files and who may read them, its \
            views, the last backup and scrub, and commands that help. Nothing is changed but that \
            readers of dead processes are cleared, and nothing is read in full, no signature \
            checked: `ledger verify` does that.

            Exit codes: 0, or 1 if the log cannot be read.

            Examples:
              ledger doctor
              ledger doctor --format json
            """
    )

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        try options.refuseCSV()
    }

    func run() throws {
        let now = WallClock.now
        let health = LedgerHealth(at: try options.path, process: LedgerScanner.process)
        let report = try health.report(now: now)
        let shown = ShownHealth(report, now: now)
        try Output.standard.writing { output in
            switch options.format {
            case .json: try output.writeLine(shown.json)
            case .text, .csv: try output.write(shown.text)
            }
        }
        if !report.isReadable { throw ExitCode(1) }
    }
}

/// How a ledger is, as `ledger doctor` shows it.
struct ShownHealth {
    private let report: HealthReport
    private let now: Timestamp

    init(_ report: HealthReport, now: Timestamp) {
        self.report = report
        self.now = now
    }

    /// For people: facts, then what to do.
    var text: String {
        let facts: [(label: String, fact: String)] = [
            ("Ledger", "\(report.ledger ?? "unreadable") in \(Excerpt.escaped("\(report.path)"))"),
            ("Entries", report.head.map { String($0.size) } ?? "unreadable"),
            ("Root", report.head?.root ?? "unreadable"),
            ("Signed", report.signedSize.map { "the first \($0)" } ?? "nothing"),
            ("Witness", report.lastWitness.map(Self.witness) ?? "none has cosigned a head"),
            ("Last entry", report.lastRecordedAt.map(Self.time) ?? "-"),
            ("Views", views),
            ("File", "\(Self.bytes(report.usedBytes)) used of \(Self.bytes(report.fileBytes))"),
            ("Map", "\(Self.bytes(report.mapBytes)), grows when it has to"),
            ("Readers", readers),
            ("Free disk", Self.bytes(report.freeBytes)),
            ("Permissions", permissions),
            ("Last backup", report.lastBackup.map(Self.backup) ?? "none"),
            ("Last scrub", report.lastScrub.map(Self.scrub) ?? "none"),
        ]
        let advice =
            report.advice.isEmpty
            ? "Nothing is to be done.\n"
            : report.advice
                .map { item in
                    let command = item.command.isEmpty ? "" : ": \(Excerpt.escaped(item.command))"
                    return "- \(Excerpt.escaped(item.why))\(command)\n"
                }
                .joined()
        return FactSheet(facts).text + "\n" + advice
    }

    /// For programs (`health.v1.schema.json`).
    var json: RowJSON {
        var json = RowJSON()
        json.add("path", text: "\(report.path)")
        json.add("readable", boolean: report.isReadable)
        if let ledger = report.ledger { json.add("ledger", text: ledger) }
        if let head = report.head {
            json.add("size", integer: Int64(clamping: head.size))
            json.add("root", text: head.root)
        }
        if let size = report.signedSize {
            json.add("signed_size", integer: Int64(clamping: size))
        }
        if let witness = report.lastWitness {
            json.add("witness", text: witness.name)
            json.add("witnessed_at", time: EventTime(witness.at))
            json.add("witnessed_size", integer: Int64(clamping: witness.size))
        }
        if let time = report.lastRecordedAt { json.add("last_recorded_at", time: EventTime(time)) }
        if let lag = report.viewsLag {
            json.add("views_lag", integer: Int64(clamping: lag))
        } else {
            json.addNull("views_lag")
        }
        json.add("file_bytes", integer: Int64(clamping: report.fileBytes))
        json.add("used_bytes", integer: Int64(clamping: report.usedBytes))
        json.add("map_bytes", integer: Int64(clamping: report.mapBytes))
        json.add("readers", integer: Int64(clamping: report.readers))
        json.add("cleared_readers", integer: Int64(clamping: report.clearedReaders))
        json.add("free_bytes", integer: Int64(clamping: report.freeBytes))
        json.add("permissions", text: report.permissions)
        json.add("open_to_others", texts: report.openToOthers.map(\.string))
        if let file = report.keyFile {
            json.add("key_file", text: file.string)
            json.add("key_permissions", text: report.keyPermissions)
        }
        json.add("leftovers", texts: report.leftovers.map(\.string))
        json.add("needs_sweep", boolean: report.needsSweep)
        if let backup = report.lastBackup {
            json.add("last_backup_at", time: EventTime(backup.at))
        }
        if let scrub = report.lastScrub { json.add("last_scrub_at", time: EventTime(scrub.at)) }
        json.add("advice", objects: report.advice.map(Self.json))
        return json
    }

    private static func json(_ advice: HealthReport.Advice) -> RowJSON {
        var json = RowJSON()
        json.add("why", text: advice.why)
        if !advice.command.isEmpty { json.add("command", text: advice.command) }
        return json
    }

    private var views: String {
        switch report.viewsLag {
        case nil: "none that can be used; they are made when needed"
        case 0: "up to date"
        case .some(let lag): "\(Count.text(lag, "entry", "entries")) behind"
        }
    }

    private var readers: String {
        guard report.clearedReaders > 0 else { return String(report.readers) }
        let dead = Count.text(report.clearedReaders, "dead one", "dead ones")
        return "\(report.readers); \(dead) cleared just now"
    }

    private var permissions: String {
        let key = report.keyFile == nil ? "" : ", the key \(report.keyPermissions)"
        return report.permissions + key
    }

    private static func witness(_ witness: HealthReport.Witness) -> String {
        let entries = Count.text(witness.size, "entry", "entries")
        return "\(Excerpt.escaped(witness.name)) at \(time(witness.at)), \(entries)"
    }

    private static func backup(_ record: SafekeepingRecord) -> String {
        let entries = Count.text(record.head.size, "entry", "entries")
        return "\(time(record.at)), \(entries), \(Excerpt.escaped(record.file))"
    }

    private static func scrub(_ record: SafekeepingRecord) -> String {
        let entries = Count.text(record.head.size, "entry", "entries")
        return
            "\(time(record.at)), \(entries), \(Count.text(record.findings, "finding", "findings"))"
    }

    private static func time(_ timestamp: Timestamp) -> String {
        LocalTime.text(EventTime(timestamp))
    }

    private static func bytes(_ count: UInt64) -> String {
        let tenths = count / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}
