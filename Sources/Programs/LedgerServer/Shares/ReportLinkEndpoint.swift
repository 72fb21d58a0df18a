import HTTPTypes
import Hummingbird
import LedgerHTTP
import LedgerKeeping
import LedgerRows
import ServerStore
import Tables
import TripEvents
import TripLedger

/// Shows one report that was handed out to those who have its link: `/reports/LINK`, a document
/// that checks by itself what it shows.
///
/// It requests the bytes of the report, its event in the log, and the proof that the event is in
/// the log under the last signed head. Nothing else of the ledger is shown. The link is a secret in
/// an address; nothing here logs it.
struct ReportLinkEndpoint: Sendable {
    /// The path before the link.
    static let path = "/reports/"

    /// The reader of the ledger.
    let reader: LedgerReader

    /// Looks at links.
    let gate: Gate

    /// The page, which has the document.
    let page: PageEndpoint

    /// The endpoint of reports, which makes them again.
    let reports: ReportsEndpoint

    /// The paths.
    var routes: [Route] {
        let link = Self.path + "{link}"
        return [
            Route(
                .get,
                link,
                "A page that shows an issued report to those who have its link, and checks it",
                as: AnswerForm(mediaType: "text/html", schema: nil),
                for: [],
                document
            ),
            Route(
                .get,
                link + "/about",
                "What the log says of the report of a link",
                as: .object("issued-report"),
                for: [],
                about
            ),
            Route(
                .get,
                link + "/file",
                "The report of a link, byte for byte as it was handed out",
                [ReportForm.download],
                as: AnswerForm(mediaType: "application/octet-stream", schema: nil),
                for: [],
                file
            ),
            Route(
                .get,
                link + "/proof",
                "The head that was signed last, and the proof of a link's report under it",
                as: .lines("trip-proof"),
                for: [],
                proof
            ),
        ]
    }

    /// A valid link.
    private struct Link {
        var token: Token
        var report: String
        var standing: StandingAccess
    }

    private func link(of call: Call) async throws(Problem) -> Link {
        let text = call.words[0]
        // Too many guesses are answered with a delay.
        guard
            case .valid(let token) = try await gate.answer(
                to: text,
                as: .report,
                in: call.request,
                call.context
            ), let report = token.report
        else { throw .unknown }
        return Link(
            token: token,
            report: report,
            standing: StandingAccess(token, shownAs: text, in: gate.store)
        )
    }

    /// Answers the document, which is the same for every link: its script reports a link that is
    /// over.
    private func document(_ call: Call) async throws(Problem) -> Response {
        guard TokenText(call.words[0])?.scope == .live else { throw .unknown }
        return Self.hidden(page.ofReport)
    }

    private func about(_ call: Call) async throws(Problem) -> Response {
        let name = try await link(of: call).report
        let (bytes, size) = try await reader.read(seenBy: .everything) { snapshot in
            var bytes: [UInt8] = []
            IssuedReport.columns.appendJSON(
                try snapshot.issuedReport(name),
                to: &bytes,
                by: snapshot.clock
            )
            return (bytes, snapshot.head.size)
        }
        return Self.hidden(reader.response(bytes, at: size))
    }

    private func file(_ call: Call) async throws(Problem) -> Response {
        let link = try await link(of: call)
        return Self.hidden(
            try await reports.issued(
                link.report,
                for: link.token.name,
                while: link.standing,
                isKept: call.isReportKept
            )
        )
    }

    private func proof(_ call: Call) async throws(Problem) -> Response {
        let name = try await link(of: call).report
        let report = try await reader.read(seenBy: .everything) { try $0.issuedReport(name) }
        let ledger = reader.ledger
        let response = try await ProofEndpoint(reader: reader)
            .answer {
                guard let position = try ledger.position(of: report) else { return [] }
                return [position]
            }
        return Self.hidden(response)
    }

    private static func hidden(_ response: Response) -> Response {
        var response = response
        if let name = HTTPField.Name("X-Robots-Tag") {
            response.headers[name] = "noindex, nofollow"
        }
        if let name = HTTPField.Name("Referrer-Policy") {
            response.headers[name] = "no-referrer"
        }
        return response
    }
}
