import Foundation
import TestSupport
import Testing

/// DuckDB reads lists of trips and tracks, and makes Parquet of them as the page says.
///
/// It is asked by way of its module for Python, which takes the same SQL as its shell.
@Suite struct DuckDBTests {
    private static let missing: Comment = "skipped: python3 has no duckdb"

    private static let python =
        "PATH='\(ProcessInfo.processInfo.environment["PATH"] ?? "")' python3"

    private static let query = "\(python) -c 'import duckdb, sys; print(duckdb.sql(sys.argv[1]))'"

    private static let isPresent =
        (try? LedgerProcess().shell("\(python) -c 'import duckdb'").exitCode) == 0

    @Test(.enabled(if: isPresent, missing))
    func `Parquet, CSV and JSON lines have the same trips`() throws {
        let page = try ManualPage.exchanging.text()
        let line = try #require(page.firstMatch(of: /duckdb -c "(COPY .*)"/))
        let process = try LedgerProcess()
        let outcome = try process.shell(
            """
            set -e
            ledger init > /dev/null
            ledger simulate --start 2025-03-03 --days 9 --places | ledger append > /dev/null
            ledger trips --format json > trips.jsonl
            ledger trips --format csv > trips.csv
            \(Self.query) "\(line.output.1)" > /dev/null
            for file in trips.jsonl trips.csv trips.parquet; do
              \(Self.query) "SELECT count(*), round(sum(distance_m) * 1000)::BIGINT,
                epoch_ms(min(started_at::TIMESTAMPTZ)),
                epoch_ms(max(ended_at::TIMESTAMPTZ)) FROM '$file'" > $file.facts
              cmp trips.jsonl.facts $file.facts
            done
            \(Self.query) "SELECT 'rows ' || count(*) FROM 'trips.parquet'"
            \(Self.query) "SELECT DISTINCT 'distances ' || typeof(distance_m) || ', times '
              || typeof(started_at) FROM 'trips.parquet'"
            wc -l < trips.jsonl
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let count = try #require(outcome.lines.last.flatMap { Int($0) })
        #expect(count > 5)
        #expect(outcome.text.contains("rows \(count) "), "\(outcome.text)")
        // Decimals add up exactly, and a time as text keeps its offset.
        #expect(outcome.text.contains("distances DECIMAL(14,3), times VARCHAR"))
    }

    @Test(.enabled(if: isPresent, missing), arguments: ["json", "csv"])
    func `a track has each fix once`(format: String) throws {
        let process = try LedgerProcess()
        let file = "track.\(format == "json" ? "jsonl" : format)"
        let outcome = try process.shell(
            """
            ledger init > /dev/null
            ledger simulate tunnel | ledger append > /dev/null
            ledger track last --format \(format) > \(file)
            \(Self.query) "SELECT 'fixes ' || count(*), epoch_ms(min(occurred_at)),
              round(sum(lat) * 1000)::BIGINT FROM '\(file)'"
            """
        )
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.text.contains("fixes 5 "), "\(outcome.text)")
        #expect(outcome.text.contains("1740987060000"), "\(outcome.text)")
        #expect(outcome.text.contains("259672"), "\(outcome.text)")
    }
}
