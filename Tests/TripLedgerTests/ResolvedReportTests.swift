import DriveSimulation
import LedgerTestSupport
import Reports
import TestSupport
import Testing
import TripLedger

/// A resolved request says all that a byte depends on, and asks for the same bytes.
@Suite struct ResolvedReportTests {
    /// The parameters that need not be given: they then have no value.
    private static let open: Set<ReportParameter> = [
        .year, .month, .day, .group, .vehicle, .driver, .tripClass, .columns, .jurisdiction,
        .scheme, .region, .asKnownOn, .baseYear, .excel,
    ]

    /// Printing is for another program, and depends on its fonts.
    private static let formats: [ReportFormat] = [.text, .json, .csv, .html, .document]

    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    @Test(arguments: ReportKind.allCases, Seeds.fresh(4))
    func `a resolved request says everything, stays as it is, and gives the same bytes`(
        kind: ReportKind,
        seed: UInt64
    ) throws {
        let book = try TemporaryLedger()
        try book.appendRandomBook(seed: seed)
        var random = RandomRequests(seed: seed)
        let means = ReportMeans { _ in [] }
        try book.ledger.read(asOf: Self.now) { snapshot in
            for _ in 0..<6 {
                let request = random.request(kind, in: Self.formats)
                let first = try ResolvedReport(request, asOf: Self.now, of: snapshot, by: means)
                let text = String(decoding: request.json, as: UTF8.self)
                let remark: Comment = "seed \(seed): \(text)"
                let unsaid = Set(kind.parameters).subtracting(first.request.said)
                #expect(unsaid.isSubset(of: Self.open), remark)
                #expect(first.request.year == nil && first.request.month == nil, remark)
                let again = try ReportRequest(json: first.request.json)
                let second = try ResolvedReport(again, asOf: Self.now, of: snapshot, by: means)
                #expect(second.request == first.request, remark)
                #expect(try second.bytes(snapshot).bytes == first.bytes(snapshot).bytes, remark)
                let goesByRates = [.claim, .methods, .summary].contains(kind)
                #expect(
                    (first.remarks().table != nil)
                        == (goesByRates && first.request.jurisdiction != nil),
                    remark
                )
                for parameter in request.said where !Self.open.contains(parameter) {
                    let isKept =
                        [.from, .to, .asOf, .format].contains(parameter)
                        || first.request[parameter] == request[parameter]
                    #expect(isKept, remark)
                }
            }
        }
    }

    @Test func `a claim that names no region says the one by whose rates it goes`() throws {
        let book = try TemporaryLedger()
        var request = ReportRequest(.claim)
        (request.jurisdiction, request.year, request.draft) = ("ca", 2_025, true)
        var named = request
        named.region = "provinces"
        let means = ReportMeans { _ in [] }
        let asked = [request, named]
        try book.ledger.read(asOf: Self.now) { snapshot in
            var reports: [[UInt8]] = []
            for request in asked {
                let resolved = try ResolvedReport(request, asOf: Self.now, of: snapshot, by: means)
                #expect(resolved.request.region == "provinces")
                reports.append(try resolved.bytes(snapshot).bytes)
            }
            #expect(reports[0] == reports[1])
        }
    }
}
