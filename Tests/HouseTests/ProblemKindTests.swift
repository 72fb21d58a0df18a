import Testing

/// What programs tell problems by is in their schema, whatever the server says.
@Suite struct ProblemKindTests {
    @Test func `every kind of problem is in the schema of problems`() throws {
        let schema = try #require(Repository.textFiles["Schemas/problem.v1.schema.json"])
        var count = 0
        for (path, text) in Repository.textFiles where path.hasPrefix("Sources/LedgerServer/") {
            for match in text.matches(of: #/kind: "([a-z-]+)"/#) {
                count += 1
                #expect(schema.contains("\"urn:ledger:\(match.1)\""), "\(path): \(match.1)")
            }
        }
        #expect(count > 10)
    }
}
