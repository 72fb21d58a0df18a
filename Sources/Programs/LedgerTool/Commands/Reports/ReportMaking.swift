import ArgumentParser
import LedgerKeeping
import Papers
import Platform
import Proofs
import Reports
import Tables
import TripEvents
import TripLedger

/// A command that asks for a report.
protocol ReportMaking: ParsableCommand {
    /// The kind of report.
    static var kind: ReportKind { get }

    var book: LedgerOption { get }
    var report: ReportOptions { get }
    var output: ReportOutput { get }

    /// Puts the report's own options into a request.
    func say(in request: inout ReportRequest)
}

extension ReportMaking {
    /// The request without the instant to which time passes: that can depend on the ledger.
    private var request: ReportRequest {
        var request = ReportRequest(Self.kind)
        report.say(in: &request, output)
        say(in: &request)
        return request
    }

    func validate() throws {
        try naming {
            let request = request
            try request.check()
            try request.checkZone()
            try output.check(request)
        }
    }

    func run() throws {
        let ledger = try book.open()
        defer { ledger.close() }
        var request = request
        request.asOf = try report.asOf?.time(in: ledger).timestamp
        try naming { try ReportRun(request, of: ledger, to: output).run() }
    }

    /// Runs `body`, and reports errors of the request by the names of options.
    private func naming(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let problem as ReportProblem {
            throw ValidationError(problem.sentence(at: .commandLine))
        }
    }
}

/// Makes a requested report, and writes it to its destination.
struct ReportRun {
    private let request: ReportRequest
    private let ledger: Ledger
    private let output: ReportOutput

    /// Prepares to answer a request.
    init(_ request: ReportRequest, of ledger: Ledger, to output: ReportOutput) {
        self.request = request
        self.ledger = ledger
        self.output = output
    }

    /// Makes the report.
    ///
    /// - Throws: ``ReportProblem``, `LedgerError`, `OutputError`.
    func run() throws {
        let instant = request.asOf ?? WallClock.now
        let unknown = try request.group
            .flatMap { group in try ledger.readNow { try $0.unknown(group: group) } }
        if output.issue, let unknown {
            // What was issued stays in the ledger.
            throw LedgerError(
                .notFound,
                at: ledger.path.string,
                cause: unknown.sentence,
                hint: unknown.hint
            )
        }
        let remarks = try output.issue ? issue(asOf: instant) : show(asOf: instant)
        Diagnostic.sayUnfinished(remarks.unfinished)
        Diagnostic.note(unknown)
        if let vehicle = request.vehicle {
            try Diagnostic.noteIfUnknown(vehicle: vehicle, in: ledger)
        }
        if let driver = request.driver {
            Diagnostic.note(try ledger.readNow { try $0.unknown(group: nil, driver: driver) })
        }
    }

    private func show(asOf instant: Timestamp) throws -> ReportRemarks {
        var means = ReportMeans.kept(of: ledger)
        if output.file == nil {
            means.screen = .screen
            if output.wide { means.screen.width = nil }
        }
        return try writing { output in
            func make(_ snapshot: borrowing Snapshot) throws -> ReportRemarks {
                try ResolvedReport(request, asOf: instant, of: snapshot, by: means)
                    .make(snapshot) { try output.write($0) }
            }
            return self.output.isProved(request)
                ? try ledger.readFromLog(asOf: instant, make)
                : try ledger.read(asOf: instant, make)
        }
    }

    /// Runs `body` and writes the report into the file that was named, or to standard output.
    private func writing<Result>(_ body: (Output) throws -> Result) throws -> Result {
        guard let name = output.file else {
            let isPaged = !request.isDocument && !output.noPager && !output.issue
            return try (isPaged ? Output.paged : .standard).writing(body)
        }
        let kept = Output.kept
        let result = try body(kept)
        try HandedOutFile.put(kept.bytes, at: name, isReplacing: output.replace)
        try Output.standard.writing { output in
            try output.writeLine("Wrote \(Excerpt.escaped(name)), \(kept.bytes.count) bytes.")
        }
        return result
    }

    /// Prints the report, and then notes in the ledger that it was handed out.
    private func issue(asOf instant: Timestamp) throws -> ReportRemarks {
        let issuing = ReportIssuing(request, of: ledger, by: output.actor)
        let (issued, remarks) = try issuing.issue(asOf: instant) { bytes in
            try writing { try $0.write(bytes) }
        }
        Diagnostic.say(
            "Issued as \(issued.id), made from "
                + "\(Count.text(issued.head.size, "entry", "entries")). "
                + "`ledger report reissue \(issued.id)` makes the same bytes again.\n"
        )
        return remarks
    }
}

extension ReportMeans {
    /// The means of this program for bytes that are kept.
    ///
    /// - Parameters:
    ///   - ledger: The ledger.
    ///   - issued: The report that is made again; `nil` for one that is made now.
    /// - Returns: The means.
    static func kept(of ledger: Ledger, asIn issued: ReportIssued? = nil) -> ReportMeans {
        var means = ReportMeans(print: PrintProcess.print)
        means.code = { Document.Code($0, of: ledger) }
        means.noting = Diagnostic.sayUnreadable
        means.issued = issued
        return means
    }
}

extension Document.Code {
    /// The code of a head: the text that signing it would sign (a C2SP checkpoint).
    fileprivate init?(_ head: LedgerHead, of ledger: Ledger) {
        guard let treeHead = TreeHead(head) else { return nil }
        let text = HeadNote(origin: ledger.defaultKeyName, head: treeHead).text
        guard let code = QRCode(Array(text.utf8)) else { return nil }
        self.init(text: text, modules: code.modules)
    }
}

extension Ledger {
    /// Reads the log itself, and shows how far that is.
    ///
    /// - Parameters:
    ///   - instant: The instant to which time passes.
    ///   - size: How many entries are read; `nil` for all.
    ///   - body: Reads from the snapshot.
    /// - Returns: What `body` returned.
    /// - Throws: `.notFound`, `.damaged` or `.inputOutput`, and what `body` throws.
    func readFromLog<Result>(
        asOf instant: Timestamp,
        upTo size: UInt64? = nil,
        _ body: (borrowing Snapshot) throws -> Result
    ) throws -> Result {
        let meter = ProgressMeter()
        return try readFromLog(asOf: instant, upTo: size, onProgress: meter.show) { snapshot in
            meter.clear()
            return try body(snapshot)
        }
    }
}
