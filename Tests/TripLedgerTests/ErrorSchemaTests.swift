import Foundation
import TestSupport
import Testing
import TripEvents
import TripLedger

/// The schemas of errors, receipts and problems, which programs read, and the codes that there are.
@Suite struct ErrorSchemaTests {
    /// Returns the lists of codes in a schema, wherever they stand.
    private static func codes(in value: Any) -> [[String]] {
        if let list = value as? [Any] { return list.flatMap(codes) }
        guard let object = value as? [String: Any] else { return [] }
        let own = (object["code"] as? [String: Any])?["enum"] as? [String]
        return (own.map { [$0] } ?? []) + object.values.flatMap(codes)
    }

    @Test(arguments: [
        ("receipt", []),
        ("problem", ["unknown_parameter", "differs", "other_source", "other_actor"]),
    ])
    func `receipts and problems name every reason for which a line is refused`(
        name: String,
        others: [String]
    ) throws {
        let file = JSONSchemaValidator.file(of: name)
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let expected = (RejectionCode.allCases.map(\.rawValue) + others).sorted()
        #expect(Self.codes(in: schema).contains { $0.sorted() == expected })
    }

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
