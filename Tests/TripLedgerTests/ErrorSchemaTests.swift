import Foundation
import TestSupport
import Testing
import TripLedger

/// The schema of errors, which programs read, and the codes that the ledger has.
@Suite struct ErrorSchemaTests {
    @Test func `the schema of errors names every code, and no other`() throws {
        let file = JSONSchemaValidator.file(of: "error")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let schema = try #require(object as? [String: Any])
        let properties = try #require(schema["properties"] as? [String: Any])
        let code = try #require(properties["code"] as? [String: Any])
        let listed = try #require(code["enum"] as? [String])
        // The command has two more, for arguments and for what nothing foresaw.
        let codes = LedgerError.Code.allCases.map(\.rawValue) + ["usage", "failure"]
        #expect(listed.sorted() == codes.sorted())
    }
}
