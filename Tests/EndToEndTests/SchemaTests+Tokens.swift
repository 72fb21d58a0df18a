extension SchemaTests {
    /// The forms of what a server of the ledger must know.
    static let usesOfTokens = [
        Use(
            schema: "new-token",
            command: "ledger token new p --scope read --expires 2999-01-01 --format json"
        ),
        Use(
            schema: "new-token",
            command: "ledger token new p --qr overland --url https://h.example --format json"
        ),
        Use(
            schema: "token",
            command: "ledger token new p > p.txt; ledger token list --format json"
        ),
        Use(
            schema: "token",
            command: "ledger token new p > p.txt; ledger token revoke p --drop --format json"
        ),
        Use(
            schema: "token",
            command: "ledger token new p > p.txt; ledger token change p --tz UTC --format json"
        ),
        Use(
            schema: "erased-items",
            command: "ledger erase --set-aside phone --yes --format json"
        ),
    ]
}
