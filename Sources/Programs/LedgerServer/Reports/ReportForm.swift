import LedgerHTTP
import Reports
import TripEvents
import TripLedger

/// The form of a report at `/v1/reports`: its parameters, from which a request is made.
struct ReportForm: Sendable {
    /// The kind of report.
    let kind: ReportKind

    /// Every report.
    static let all = ReportKind.allCases.map(ReportForm.init)

    /// The parameters of the query.
    var parameters: [Parameter] {
        kind.parameters.filter(\.isAsked).map { Parameter($0, of: kind) } + [Self.download]
    }

    /// Whether a browser is to keep it as a file.
    static let download = Parameter(.download, of: .log)

    /// How a report is written if nothing is said.
    private static let usualFormat = ReportFormat.json

    /// Returns the request that a query stands for.
    ///
    /// - Throws: ``ReportProblem`` if it does not go together.
    func request(of query: Query) throws(ReportProblem) -> ReportRequest {
        var request = ReportRequest(kind)
        for parameter in kind.parameters {
            guard let text = query.text(parameter.rawValue) else { continue }
            try request.say(parameter, reading: text)
        }
        // For a spreadsheet program it is CSV.
        if request.excel == nil { request.format = request.format ?? Self.usualFormat }
        try request.check()
        return request
    }
}

extension Parameter {
    /// Takes over the description of something that can be said of a report.
    init(_ parameter: ReportParameter, of kind: ReportKind) {
        var meaning = parameter.meaning
        if parameter == .format {
            meaning += "; json, an object on each line, if it is not said"
        } else if let fallback = parameter.fallback {
            meaning += "; \(fallback) if it is not said"
        }
        self.init(
            parameter.rawValue,
            Form(parameter.form(in: kind), columns: kind.columnNames),
            meaning
        )
    }
}

extension Parameter.Form {
    /// Takes over the form of a report's parameter; some have another form in a query.
    fileprivate init(_ form: ReportParameter.Form, columns: [String]) {
        switch form {
        case .flag: self = .word([ReportParameter.Form.yes])
        case .text: self = .text
        case .day: self = .day
        case .days: self = .days
        case .month: self = .month
        case .instant: self = .instant
        case .zone: self = .zone
        case .number(let range):
            self = .number(UInt64(range.lowerBound)...UInt64(range.upperBound))
        case .word(let words): self = .word(words)
        case .columns: self = .words(columns)
        }
    }
}
