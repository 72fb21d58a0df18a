import Hummingbird
import LedgerHTTP
import LedgerRows
import ServerStore
import Tables
import TripLedger

/// Answers the entries of the log, as the command `log` prints them.
struct LogEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/log",
                "Entries of the log, a line each, and a last line that says where to go on",
                [Self.from, Self.limit, .atLeast],
                as: .lines("log-entry", endingWith: "sync-page"),
                for: [.sync, .audit, .admin],
                log
            )
        ]
    }

    private static let from = Parameter(
        "from",
        .number(0...UInt64(Int64.max)),
        "The first position; 0 if it is not said"
    )

    private static let limit = Parameter(
        "limit",
        .number(1...10_000),
        "The most entries; 1,000 if it is not said"
    )

    private func log(_ call: Call) async throws(Problem) -> Response {
        let from = call.query.number(Self.from.name) ?? 0
        let limit = call.query.number(Self.limit.name) ?? 1_000
        try await reader.waitForEntries(of: call)
        let ledger = reader.ledger
        let (bytes, size) = try await reader.run {
            let head = try ledger.head()
            let end = min(head.size, from.addingReportingOverflow(limit).partialValue)
            var bytes: [UInt8] = []
            var writer = LogWriter(as: .json)
            var origins = ledger.origins()
            var next = min(from, head.size)
            if next < end {
                _ = try ledger.scanLog(from: from, where: LogFilter()) { entry in
                    let origin = try origins.origin(
                        of: entry.position,
                        recordedAt: entry.recordedAt
                    )
                    writer.append(entry, from: origin, to: &bytes)
                    next = entry.position + 1
                    return next < end
                }
            }
            bytes += #"{"next":\#(next),"has_more":\#(next < head.size),"#.utf8
            bytes += #""size":\#(head.size),"root":"\#(head.root)"}"#.utf8
            bytes.append(UInt8(ascii: "\n"))
            return (bytes, head.size)
        }
        return reader.response(bytes, at: size, as: "application/x-ndjson")
    }
}
