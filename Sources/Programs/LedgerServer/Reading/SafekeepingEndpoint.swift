import HTTPTypes
import Hummingbird
import JSONText
import LedgerHTTP
import LedgerKeeping
import Proofs
import ServerStore
import TripEvents
import TripLedger

/// Answers what was done last to keep the ledger safe, and begins a backup.
struct SafekeepingEndpoint: Sendable {
    /// The reader of the ledger.
    let reader: LedgerReader

    /// The maker of backups.
    let backups: BackupMaker

    /// The paths.
    var routes: [Route] {
        [
            Route(
                .get,
                "/v1/safekeeping",
                "When the ledger was last copied and read again, and how much of it was signed",
                as: .object("safekeeping"),
                for: [.audit, .admin],
                answer
            ),
            Route(
                .post,
                "/v1/backups",
                "Begins a backup where the last one lies, else beside the ledger",
                as: .nothing,
                for: [.admin],
                begin
            ),
        ]
    }

    private func begin(_ call: Call) async throws(Problem) -> Response {
        try backups.begin()
        return Response(status: .noContent, headers: [.cacheControl: "no-store"])
    }

    private func answer(_ call: Call) async throws(Problem) -> Response {
        let ledger = reader.ledger
        let (records, signed, size) = try await reader.run {
            let signed = try HeadStore(of: ledger).last()?.head.size
            return (try ledger.safekeeping(), signed, try ledger.head().size)
        }
        let backup = records.last { $0.deed == .backup }
        let scrub = records.last { $0.deed == .scrub }
        let state = backups.state
        var bytes: [UInt8] = []
        JSONWriter.append(
            [
                Self.member("backup_at", (backup?.at).map { .text(RFC3339.text($0)) }),
                Self.member("backup_size", (backup?.head.size).map { .number(literal: "\($0)") }),
                Self.member("backup_running", .boolean(state.isRunning)),
                Self.member("backup_problem", state.problem.map { .text($0) }),
                Self.member("signed_size", signed.map { .number(literal: "\($0)") }),
                Self.member("scrub_at", (scrub?.at).map { .text(RFC3339.text($0)) }),
                Self.member("scrub_findings", (scrub?.findings).map { .number(literal: "\($0)") }),
            ],
            to: &bytes
        )
        return reader.response(bytes, at: size)
    }

    private static func member(_ name: String, _ value: JSONValue?) -> JSONValue.Member {
        JSONValue.Member(name: name, value: value ?? .null)
    }
}
