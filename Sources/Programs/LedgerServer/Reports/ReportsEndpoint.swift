import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import NIOCore
import Platform
import Proofs
import Reports
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Answers reports: the list of kinds, each report, and the reports that were handed out.
struct ReportsEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The maker of reports.
    let maker: ReportMaker

    /// The scopes of which a token must have one.
    private static let scopes: [TokenScope] = [.read, .audit, .admin]

    /// The paths.
    var routes: [Route] {
        let all = Route(
            .get,
            "/v1/reports",
            "What reports there are, with their parameters and formats",
            as: .page(of: "report-form"),
            for: Self.scopes,
            reaching: .seen,
            list
        )
        return [all] + ReportForm.all.map(route) + issued
    }

    private func route(_ form: ReportForm) -> Route {
        var answer = AnswerForm.lines(form.kind.schema)
        answer.others = ReportFormat.allCases.filter { $0.mediaType != answer.mediaType }
            .map { ($0.mediaType, $0 == .document ? "document" : nil) }
        return Route(
            .get,
            "/v1/reports/\(form.kind.rawValue)",
            form.kind.meaning,
            form.parameters,
            as: answer,
            for: Self.scopes
        ) { call async throws(Problem) in
            try await report(form, call)
        }
    }

    private func report(_ form: ReportForm, _ call: Call) async throws(Problem) -> Response {
        let request: ReportRequest
        do throws(ReportProblem) {
            request = try form.request(of: call.query)
        } catch {
            throw .reportRefused(error.sentence(at: .request), error.members)
        }
        let format = request.format ?? .csv
        guard format != .pdf || ReportMaker.canPrint else { throw .cannotPrint }
        let file = try await maker.make(
            request,
            for: call.access.holder,
            isKept: call.isReportKept
        )
        let days = ["year", "month", "day", "from", "to"].compactMap { call.query.text($0) }
        return try Self.response(
            file,
            as: format,
            named: [form.kind.rawValue] + days,
            while: call.standing,
            isKept: call.isReportKept
        )
    }

    private func list(_ call: Call) async throws(Problem) -> Response {
        let ledger = reader.ledger
        let size = try await reader.run { try ledger.head().size }
        var bytes: [UInt8] = []
        let forms = ReportForm.all
        RowPage.append(itemCount: forms.count, next: nil, hasMore: false, to: &bytes) {
            JSONWriter.append(forms[$0].members, to: &$1)
        }
        return reader.response(bytes, at: size)
    }

    // MARK: Issued reports

    private var issued: [Route] {
        let reader = reader
        return [
            Route(
                .get,
                "/v1/reports/issued",
                "The reports that were handed out",
                [.cursor, .longLimit, .atLeast],
                as: .page(of: "issued-report"),
                for: Self.scopes
            ) { call async throws(Problem) in
                try await reader.page(call, of: IssuedReport.columns) { snapshot in
                    let page = try ListPage(of: try snapshot.issuedReports(), call.query) { $0.id }
                    return (page.rows, page.next)
                }
            },
            Route(
                .post,
                "/v1/reports/issued",
                "Makes a report, and notes in the ledger that it was handed out",
                taking: BodyForm(kinds: [("application/json", ["report-request"])]),
                as: .object("issued-report"),
                for: [.edit, .admin],
                issue
            ),
            Route(
                .get,
                "/v1/reports/issued/{report}",
                "A report as it was handed out, byte for byte",
                [ReportForm.download],
                as: Self.anyFormat,
                for: Self.scopes,
                again
            ),
        ]
    }

    /// A report in the format in which it was handed out.
    private static var anyFormat: AnswerForm {
        var answer = AnswerForm(mediaType: ReportFormat.csv.mediaType, schema: nil)
        answer.others = ReportFormat.allCases.filter { $0 != .csv }.map { ($0.mediaType, nil) }
        return answer
    }

    private func issue(_ call: Call) async throws(Problem) -> Response {
        // A client may only hand out what it may read.
        try call.access.require(.read, or: .admin)
        let bytes: [UInt8]
        do {
            bytes = Array(buffer: try await call.request.body.collect(upTo: Self.mostBytes))
        } catch {
            throw .tooLarge(Self.mostBytes)
        }
        try call.standing.require()
        let request: ReportRequest
        do throws(ReportProblem) {
            request = try ReportRequest(json: bytes)
        } catch {
            throw .reportRefused(error.sentence(at: .request), error.members)
        }
        guard request.format != .pdf || ReportMaker.canPrint else { throw .cannotPrint }
        let file = try await maker.issue(
            request,
            by: call.access.actor,
            while: call.standing
        )
        let hash = try await reader.run {
            let bytes = try file.bytes(from: 0, atMost: ReportMaker.mostBytes)
            return SHA256.digest(bytes.span).description
        }
        let (answer, size) = try await reader.read(seenBy: call.sight) { snapshot in
            // If two issued reports have the same bytes, this is the later one.
            guard
                let report = try snapshot.issuedReports()
                    .last(where: { $0.content.outputHash == hash })
            else { throw Problem.unknown }
            var answer: [UInt8] = []
            IssuedReport.columns.appendJSON(report, to: &answer, by: snapshot.clock)
            return (answer, snapshot.head.size)
        }
        return reader.response(answer, at: size)
    }

    /// The most bytes of a request for a report.
    private static let mostBytes = 1 << 16

    private func again(_ call: Call) async throws(Problem) -> Response {
        try await issued(
            call.words[0],
            for: call.access.holder,
            while: call.standing,
            isKept: call.isReportKept
        )
    }

    /// Answers a report as it was handed out.
    ///
    /// - Parameters:
    ///   - name: The name of the report.
    ///   - holder: Who asks: the name of the token, or `nil` for the owner.
    ///   - standing: The access of the client, checked again while the report is sent.
    ///   - isKept: Whether a browser is to keep it as a file.
    /// - Returns: The answer, byte for byte what was handed out.
    /// - Throws: `Problem` if there is no such report, or it cannot be made again.
    func issued(
        _ name: String,
        for holder: String?,
        while standing: StandingAccess,
        isKept: Bool
    ) async throws(Problem) -> Response {
        let report = try await reader.read(seenBy: .everything) { try $0.issuedReport(name) }
        guard let format = report.parameter(.format).flatMap(ReportFormat.init) else {
            throw .unknown
        }
        guard format != .pdf || ReportMaker.canPrint else { throw .cannotPrint }
        let file = try await maker.makeAgain(name, for: holder)
        return try Self.response(
            file,
            as: format,
            named: [report.content.report, report.id],
            while: standing,
            isKept: isKept
        )
    }

    // MARK: Answers

    /// Returns an answer that is read from a file while it is sent.
    private static func response(
        _ file: NamelessFile,
        as format: ReportFormat,
        named words: [String],
        while standing: StandingAccess,
        isKept: Bool
    ) throws(Problem) -> Response {
        let name = FileAnswer.name(words) + "." + format.ending
        var answer = FileAnswer(file, as: format.mediaType, named: name)
        answer.isKept = isKept
        if format == .html { answer.policy = policy }
        return try answer.response(while: standing)
    }

    /// The policy of a report in a browser: it may only show itself, also in a frame of the page,
    /// which may print it.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-modals"
}

extension ReportForm {
    /// The form as JSON.
    fileprivate var members: [JSONValue.Member] {
        let formats = ReportFormat.allCases.filter { $0 != .pdf || ReportMaker.canPrint }
        return [
            JSONValue.Member(name: "report", value: .text(kind.rawValue)),
            JSONValue.Member(name: "summary", value: .text(kind.meaning)),
            JSONValue.Member(name: "formats", value: .list(formats.map { .text($0.rawValue) })),
            JSONValue.Member(
                name: "parameters",
                value: .list(parameters.map { .object($0.members) })
            ),
        ]
    }
}

extension Parameter {
    /// The parameter as JSON.
    fileprivate var members: [JSONValue.Member] {
        var members = [
            JSONValue.Member(name: "name", value: .text(name)),
            JSONValue.Member(name: "meaning", value: .text(meaning)),
            JSONValue.Member(name: "required", value: .boolean(isRequired)),
        ]
        func add(_ name: String, _ value: JSONValue) {
            members.append(JSONValue.Member(name: name, value: value))
        }
        switch form {
        case .text, .group: add("form", .text("text"))
        case .day: add("form", .text("day"))
        case .days: add("form", .text("days"))
        case .month: add("form", .text("month"))
        case .instant: add("form", .text("instant"))
        case .zone: add("form", .text("zone"))
        case .number(let range):
            add("form", .text("number"))
            add("minimum", .number(literal: "\(range.lowerBound)"))
            add("maximum", .number(literal: "\(range.upperBound)"))
        case .word(let words):
            add("form", .text("word"))
            add("words", .list(words.map { .text($0) }))
        case .words(let words):
            add("form", .text("words"))
            add("words", .list(words.map { .text($0) }))
        }
        return members
    }
}

extension Problem {
    /// A report cannot be made as requested.
    ///
    /// - Parameters:
    ///   - reason: Why, in sentences.
    ///   - members: The parameters that are wrong.
    /// - Returns: The problem.
    static func reportRefused(_ reason: String, _ members: [String]) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "The report cannot be made as it is asked for",
            detail: reason,
            errors: members.map { Detail(field: $0, code: "invalid_value") }
        )
    }

    /// There is no program that prints.
    fileprivate static let cannotPrint = Problem(
        kind: "unknown",
        status: .notFound,
        title: "No PDF can be made here",
        detail: "ledger-print, which makes it, is not beside the server; ask for html."
    )
}

extension Call {
    /// Whether a browser is to keep the report as a file.
    var isReportKept: Bool { query.text(ReportForm.download.name) != nil }
}

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

    /// The default format of a report.
    private static let usualFormat = ReportFormat.json

    /// Returns the request that a query stands for.
    ///
    /// - Throws: ``ReportProblem`` if the parameters contradict each other.
    func request(of query: Query) throws(ReportProblem) -> ReportRequest {
        var request = ReportRequest(kind)
        for parameter in kind.parameters {
            guard let text = query.text(parameter.rawValue) else { continue }
            try request.say(parameter, reading: text)
        }
        // For a spreadsheet program, the format is CSV.
        if request.excel == nil { request.format = request.format ?? Self.usualFormat }
        try request.check()
        return request
    }
}

extension Parameter {
    /// Takes over the description of a report's parameter.
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
        case .group: self = .group
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
