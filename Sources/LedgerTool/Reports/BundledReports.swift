import ArgumentParser
import LedgerKeeping
import Reports
import RowFormats
import TripEvents
import TripLedger

/// The reports of an auditor's bundle: made for it, and made again to check it, by the very
/// commands that print them.
struct BundledReports {
    let year: Int
    let jurisdiction: String?
    let vehicle: String?
    let asOf: Timestamp

    /// The formats of each report: those whose bytes are the same on every machine.
    private static let formats: [ReportFormat] = [.text, .csv, .json, .html]

    /// Makes all reports from the first entries of a ledger, out of one snapshot.
    ///
    /// - Throws: `.notFound` if there are no rates of the jurisdiction; `.damaged`, `.inputOutput`.
    func content(of ledger: Ledger, upTo size: UInt64) throws -> BundleContent {
        let circumstances = ReportCircumstances(ledger: ledger).kept()
        return try circumstances.read(asOf: asOf, upTo: size) { snapshot in
            var days = try self.days
            var rates: RatesLoaded?
            if let jurisdiction {
                let claim = try Self.command("claim", ["--year=\(year)"] + country(jurisdiction))
                let remarks = try claim.bytes(snapshot, circumstances).remarks
                days = remarks.days ?? days
                rates = remarks.table?.loading()
            }
            var reports: [(report: BundleManifest.Report, bytes: [UInt8])] = []
            for (name, arguments) in words(of: days) {
                for format in Self.formats {
                    let all = arguments + ["--format=\(format.rawValue)"]
                    let report = BundleManifest.Report(
                        file: "reports/\(name).\(format == .text ? "txt" : format.rawValue)",
                        name: name,
                        arguments: all
                    )
                    let bytes = try Self.command(name, all).bytes(snapshot, circumstances).bytes
                    reports.append((report, bytes))
                }
            }
            return BundleContent(reports: reports, days: days, rates: rates)
        }
    }

    /// Makes the reports of a bundle again, from the ledger that its evidence gives.
    ///
    /// - Throws: `.newer` if this program does not know a report; `.damaged`, `.inputOutput`.
    static func made(
        again manifest: BundleManifest,
        from ledger: Ledger,
        by rates: RatesLoaded?
    ) throws -> [[UInt8]] {
        var issued = ReportIssued(
            report: "",
            periodStart: manifest.days.lowerBound,
            periodEnd: manifest.days.upperBound,
            outputHash: "",
            treeSize: manifest.head.size,
            treeHash: manifest.head.root
        )
        issued.table = rates?.table
        issued.rates = rates?.rates
        let circumstances = ReportCircumstances(ledger: ledger).kept(as: issued)
        let commands = try manifest.reports.map { try command($0.name, $0.arguments) }
        guard let first = commands.first else { return [] }
        do {
            return try circumstances.read(asOf: try first.moment.instant(in: ledger)) { snapshot in
                try commands.map { try $0.bytes(snapshot, circumstances).bytes }
            }
        } catch is ValidationError {
            throw unknown
        }
    }

    private static func command(
        _ name: String,
        _ arguments: [String]
    ) throws -> any ReportMaking {
        let parsed = try? LedgerCommand.parseAsRoot([ReportCommand._commandName, name] + arguments)
        guard let command = parsed as? any ReportMaking else {
            throw unknown
        }
        return command
    }

    /// The error of a manifest that asks for what no command of this program makes.
    private static var unknown: LedgerError {
        LedgerError(
            .newer,
            at: "manifest.json",
            cause: "they cannot be made as the manifest asks for them",
            hint: "The manifest was changed, or a newer version of ledger wrote it"
        )
    }

    /// The days of the calendar year.
    private var days: ClosedRange<CivilDate> {
        get throws {
            guard let first = CivilDate(year: year, month: 1, day: 1),
                let last = CivilDate(year: year, month: 12, day: 31)
            else { throw ValidationError("\(year) is no year of the calendar.") }
            return first...last
        }
    }

    /// Returns each report with its options, the format excepted.
    private func words(
        of days: ClosedRange<CivilDate>
    ) -> [(name: String, arguments: [String])] {
        let common =
            [
                "--as-of=\(RFC3339.text(asOf))", "--from=\(days.lowerBound)",
                "--to=\(days.upperBound)",
            ] + (vehicle.map { ["--vehicle=\($0)"] } ?? [])
        let country = jurisdiction.map { self.country($0) } ?? []
        // Rates of one's own come with no forms and no checklist.
        let forms = jurisdiction.flatMap { LogJurisdiction(rawValue: $0) } == nil ? [] : country
        var reports = [
            ("log", common), ("summary", common + forms), ("reconcile", common),
            ("completeness", common + forms), ("changes", common + ["--all"]),
        ]
        if jurisdiction != nil { reports.append(("claim", common + country)) }
        return reports
    }

    private func country(_ jurisdiction: String) -> [String] { ["--jurisdiction=\(jurisdiction)"] }
}
