import ArgumentParser
package import LedgerKeeping
import Platform
import ServerStore
import SystemPackage
package import Tables
import TripEvents
import TripLedger

/// The command `ledger doctor`.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Shows the state of the ledger, and what to do about problems.",
        discussion: """
            One page: its head, who signed, cosigned and stamped it, its files and who may read \
            them, its views, the last backup, rehearsal, scrub and `ledger monthly`, rules that it \
            adopted of itself, its tokens and refused deliveries, and commands that help. Nothing \
            is changed but that readers of dead processes are cleared, and nothing is read in \
            full, no signature checked: `ledger verify` does that.

            Exit codes: 0, or 1 if the log cannot be read.

            Examples:
              ledger doctor
              ledger doctor --format json
            """
    )

    @OptionGroup var options: GlobalOptions<PlainFormat>

    func run() throws {
        let health = LedgerHealth(at: try options.path, process: LedgerScanner.process)
        let report = try health.report(now: WallClock.now)
        try Output.show(report, as: options.format, text: Self.text)
        if !report.isReadable { throw ExitCode(1) }
    }

    /// Returns the facts, then what to do.
    private static func text(_ report: HealthReport) -> String {
        let advice =
            report.advice.isEmpty
            ? "Nothing is to be done.\n"
            : report.advice
                .map { item in
                    let command = Excerpt.escaped(ProgramName.shown(command: item.command))
                    return "- \(Excerpt.escaped(item.why))"
                        + (command.isEmpty ? "\n" : ": \(command)\n")
                }
                .joined()
        return HealthReport.columns.facts(report).text(width: Screen.columnCount) + "\n" + advice
    }
}

extension HealthReport: Tabular {
    /// The state of a ledger: `health.v1.schema.json`.
    package static let columns = Columns<HealthReport> {
        Column.text("path") { $0.path.string }
        Column.boolean("readable") { $0.isReadable }
        Column.name("ledger", "Ledger") { $0.ledger }.optional
            .shown(as: { .text("\($0.ledger ?? "unreadable") in \($0.path)") })
        Column.integer("size", "Entries") { $0.head?.size }.optional
            .shown(as: { .name($0.head.map { String($0.size) } ?? "unreadable") })
        Column.name("root", "Root") { $0.head?.root }.optional
            .shown(as: { .name($0.head?.root ?? "unreadable") })
        Column.integer("signed_size", "Signed") { $0.signedSize }.optional
            .shown(as: { .name($0.signedText) })
        Column.instant("signed_at") { $0.lastSignedAt }.optional
        Column.text("witness", "Witness") { $0.lastWitness?.name }.optional
            .shown(as: { .text($0.witnessText) })
        Column.instant("witnessed_at") { $0.lastWitness?.at }.optional
        Column.integer("witnessed_size") { $0.lastWitness?.size }.optional
        Column.instant("stamped_at", "Stamp") { $0.lastStampedAt }.optional
            .shown(as: { $0.lastStampedAt == nil ? .none : .text($0.stampText) })
        Column.integer("stamped_size") { $0.stampedSize }.optional
        Column.instant("replicated_at", "Replica") { $0.replica?.at }.optional
            .shown(as: { $0.replica == nil ? .none : .text($0.replicaText) })
        Column.integer("replicated_size") { $0.replica?.position }.optional
        Column.instant("last_recorded_at", "Last entry") { $0.lastRecordedAt }.optional
            .shown(as: { .name($0.lastRecordedAt.map(time) ?? "-") })
        Column.integer("views_lag", "Views") { $0.viewsLag }.shown(as: { .name($0.viewsText) })
        files
        Column.instant("last_backup_at", "Last backup") { $0.lastBackup?.at }.optional
            .shown(as: { .text($0.backupText) })
        Column.instant("last_rehearsal_at", "Last rehearsal") { $0.lastRehearsal?.at }.optional
            .shown(as: { $0.lastRehearsal == nil ? .none : .text($0.rehearsalText) })
        Column.instant("last_scrub_at", "Last scrub") { $0.lastScrub?.at }.optional
            .shown(as: { .name($0.scrubText) })
        Column.instant("last_monthly_at", "Last monthly") { $0.lastMonthly?.at }.optional
            .shown(as: { $0.lastMonthly == nil ? .none : .text($0.monthlyText) })
        Column.list("own_rules", "Own rules") { $0.ownRules.isEmpty ? nil : $0.ownRules }.optional
            .shown(as: { $0.ownRules.isEmpty ? .none : .text($0.ownRulesText) })
        Column.integer("tokens", "Tokens") { $0.tokenCount }.optional
        Column.integer("set_aside", "Refused") { $0.setAsideCount }.optional
        Column.rows("advice", Advice.columns) { $0.advice }
    }

    /// The files, who reads them, and who may.
    private static let files = Columns<HealthReport> {
        Column.integer("file_bytes", "File") { $0.fileBytes }
            .shown(as: { .name("\(megabytes($0.usedBytes)) used of \(megabytes($0.fileBytes))") })
        Column.integer("used_bytes") { $0.usedBytes }
        Column.integer("map_bytes", "Map") { $0.mapBytes }
            .shown(as: { .name("\(megabytes($0.mapBytes)), grows when it has to") })
        Column.integer("readers", "Readers") { $0.readers }.shown(as: { .name($0.readersText) })
        Column.integer("cleared_readers") { $0.clearedReaders }
        Column.integer("free_bytes", "Free disk") { $0.freeBytes }
            .shown(as: { .name(megabytes($0.freeBytes)) })
        Column.name("permissions", "Permissions") { $0.permissions }
            .shown(as: { .name($0.permissionsText) })
        Column.list("open_to_others") { $0.openToOthers.map(\.string) }
        Column.text("key_file") { $0.keyFile?.string }.optional
        Column.name("key_permissions") { $0.keyFile == nil ? nil : $0.keyPermissions }.optional
        Column.list("leftovers") { $0.leftovers.map(\.string) }
        Column.boolean("needs_sweep") { $0.needsSweep }
    }

    private var signedText: String {
        guard let size = signedSize else {
            return lastSignedAt.map { "a head, \(Self.time($0))" } ?? "nothing"
        }
        return "the first \(size)" + (lastSignedAt.map { ", \(Self.time($0))" } ?? "")
    }

    private var witnessText: String {
        guard let witness = lastWitness else { return "none has cosigned a head" }
        let entries = Count.text(witness.size, "entry", "entries")
        return "\(witness.name) at \(Self.time(witness.at)), \(entries)"
    }

    private var stampText: String {
        let entries = Count.text(stampedSize ?? 0, "entry", "entries")
        return "\(lastStampedAt.map(Self.time) ?? "-"), \(entries)"
    }

    private var replicaText: String {
        guard let replica else { return "" }
        let entries = Count.text(replica.position, "entry", "entries")
        return "\(entries) on a second server, \(Self.time(replica.at))"
    }

    private var rehearsalText: String {
        "\(lastRehearsal.map { Self.time($0.at) } ?? "-"), \(lastRehearsal?.file ?? "")"
    }

    private var viewsText: String {
        switch viewsLag {
        case nil: "none that can be used; they are made when needed"
        case 0: "up to date"
        case .some(let lag): "\(Count.text(lag, "entry", "entries")) behind"
        }
    }

    private var readersText: String {
        guard clearedReaders > 0 else { return String(readers) }
        return "\(readers); \(Count.text(clearedReaders, "dead one", "dead ones")) cleared just now"
    }

    private var permissionsText: String {
        permissions + (keyFile == nil ? "" : ", the key \(keyPermissions)")
    }

    private var backupText: String {
        guard let backup = lastBackup else { return "none" }
        let entries = Count.text(backup.head.size, "entry", "entries")
        return "\(Self.time(backup.at)), \(entries), \(backup.file)"
    }

    private var ownRulesText: String {
        "\(ownRules.joined(separator: ", ")), adopted for how they record: "
            + ProgramName.shown("`ledger rules show`")
    }

    private var scrubText: String {
        guard let scrub = lastScrub else { return "none" }
        let entries = Count.text(scrub.head.size, "entry", "entries")
        let findings = Count.text(scrub.findings, "finding", "findings")
        return "\(Self.time(scrub.at)), \(entries), \(findings)"
    }

    private var monthlyText: String {
        "\(lastMonthly.map { Self.time($0.at) } ?? "-"), \(lastMonthly?.file ?? "")"
    }

    private static func time(_ timestamp: Timestamp) -> String {
        LocalTime.text(EventTime(timestamp))
    }

    private static func megabytes(_ count: UInt64) -> String {
        let tenths = count / 100_000
        return "\(tenths / 10).\(tenths % 10) MB"
    }
}

extension HealthReport.Advice: Tabular {
    /// Advice, with the reason.
    package static let columns = Columns<HealthReport.Advice> {
        Column.text("why") { $0.why }
        Column.text("command") { $0.command.isEmpty ? nil : $0.command }.optional
    }
}
