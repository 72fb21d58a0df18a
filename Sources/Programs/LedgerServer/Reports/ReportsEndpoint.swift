import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerRows
import NIOCore
import Platform
import Reports
import ServerStore
import TripEvents
import TripLedger

/// Answers reports: what there is, each of them, and what was handed out.
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
        return try response(file, as: format, for: call, named: [form.kind.rawValue] + days)
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
                .get,
                "/v1/reports/issued/{report}",
                "A report as it was handed out, byte for byte",
                [ReportForm.download],
                as: AnswerForm(mediaType: "application/octet-stream", schema: nil),
                for: Self.scopes,
                again
            ),
        ]
    }

    private func again(_ call: Call) async throws(Problem) -> Response {
        let name = call.words[0]
        let report = try await reader.read(seenBy: call.sight) { try $0.issuedReport(name) }
        guard let format = report.parameter(.format).flatMap(ReportFormat.init) else {
            throw .unknown
        }
        guard format != .pdf || ReportMaker.canPrint else { throw .cannotPrint }
        let file = try await maker.makeAgain(name, for: call.access.holder)
        return try response(file, as: format, for: call, named: [report.content.report, report.id])
    }

    // MARK: Answers

    /// Returns an answer that is read from a file while it is sent.
    private func response(
        _ file: NamelessFile,
        as format: ReportFormat,
        for call: Call,
        named words: [String]
    ) throws(Problem) -> Response {
        guard let byteCount = try? file.byteCount else { throw .stopping }
        // It may have taken half a minute.
        try call.standing.require()
        var headers: HTTPFields = [
            .contentType: format.mediaType, .cacheControl: "no-store",
            .contentLength: "\(byteCount)", .xContentTypeOptions: "nosniff",
        ]
        if format == .html { headers[.contentSecurityPolicy] = Self.policy }
        if let name = HTTPField.Name("Cross-Origin-Resource-Policy") {
            headers[name] = "same-origin"
        }
        if let name = HTTPField.Name("Content-Disposition") {
            let file = Self.fileName(words) + "." + format.ending
            headers[name] =
                "\(call.isReportKept ? "attachment" : "inline"); filename=\"\(file)\""
        }
        let standing = call.standing
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(contentLength: byteCount) { writer in
                var offset = 0
                var lookedAt = ContinuousClock.now
                while offset < byteCount {
                    // A slow reader is sent the rest only as long as he may read.
                    if ContinuousClock.now - lookedAt >= StandingAccess.pause {
                        try standing.require()
                        lookedAt = .now
                    }
                    let bytes = try file.bytes(from: offset, atMost: Self.pieceByteCount)
                    // It is complete: what made it has ended.
                    guard !bytes.isEmpty else { break }
                    offset += bytes.count
                    try await writer.write(ByteBuffer(bytes: bytes))
                }
                try await writer.finish(nil)
            }
        )
    }

    private static let pieceByteCount = 64 << 10

    /// The policy of a report in a browser: it may only show itself, also in a frame of the page,
    /// which may print it.
    private static let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin allow-modals"

    /// Returns the name of a file, of characters that need no quotes anywhere.
    private static func fileName(_ words: [String]) -> String {
        let name = words.joined(separator: "-")
            .filter { character in
                character.isASCII && (character.isLetter || character.isNumber || character == "-")
            }
        return String(name.prefix(64))
    }
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
        case .text: add("form", .text("text"))
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
    /// A report cannot be made as it is asked for.
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
    fileprivate var isReportKept: Bool { query.text(ReportForm.download.name) != nil }
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
