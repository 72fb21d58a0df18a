import Foundation
import Testing
package import TripEvents

extension LedgerProcess {
    /// Returns what `ledger status --format json` says of the only source at an instant.
    package func activity(asOf instant: Timestamp) throws -> [String: Any] {
        let outcome = try run("status", "--format", "json", "--as-of", "\(instant.milliseconds)")
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let status = try JSONSerialization.jsonObject(with: outcome.output)
        let sources = (status as? [String: Any])?["sources"] as? [[String: Any]]
        #expect(sources?.count == 1)
        return try #require(sources?.first)
    }

    /// Returns the members of `ledger trip --format json`, now or at an instant.
    package func trip(_ reference: String, asOf instant: Timestamp? = nil) throws -> [String: Any] {
        let moment = instant.map { ["--as-of", "\($0.milliseconds)"] } ?? []
        let outcome = try run(["trip", reference, "--format", "json"] + moment)
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
        let trip = try JSONSerialization.jsonObject(with: outcome.output)
        return try #require(trip as? [String: Any])
    }
}
