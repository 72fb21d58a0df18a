extension SchemaTests {
    /// The forms of issued reports and bundles.
    static let usesOfIssued = [
        Use(
            schema: "issued-report",
            command: "ledger report claim --jurisdiction us --year 2025 --issue > claim; "
                + "ledger report issued --format json"
        ),
        Use(
            schema: "line-difference",
            command: "ledger report log --year 2025 --issue > log; ledger edit last --purpose x "
                + "> edit; ledger report reissue R1 --compare --format json | head -n -1"
        ),
        Use(
            schema: "changes",
            command: "ledger report log --year 2025 --issue > log; ledger edit last --purpose x "
                + "> edit; ledger report reissue R1 --compare --format json | tail -n 1"
        ),
        Use(schema: "bundle", command: "ledger bundle --year 2025 -o audit --format json"),
        Use(
            schema: "bundle-manifest",
            command: "ledger bundle --year 2025 --jurisdiction us -o audit > written; "
                + "cat audit/manifest.json"
        ),
    ]
}
