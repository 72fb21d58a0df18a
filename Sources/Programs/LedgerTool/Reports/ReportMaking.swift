import ArgumentParser
import TripEvents
import TripLedger

/// A command that asks for a report.
protocol ReportMaking: ParsableCommand {
    /// The kind of report.
    static var kind: ReportKind { get }

    var book: LedgerOption { get }
    var report: ReportOptions { get }
    var output: ReportOutput { get }

    /// Says in a request what was written of the report's own options.
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

    /// Runs `body`, and calls what is wrong with the request by the names of options.
    private func naming(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let problem as ReportProblem {
            throw ValidationError(problem.sentence(at: .commandLine))
        }
    }
}
