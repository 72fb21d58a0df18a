import Foundation
import TestSupport
import Testing

@testable import Papers

/// The schema of documents is in step with that of pictures, which stands in it.
@Suite struct DocumentSchemaTests {
    private static func definitions(of schema: String) throws -> [String: NSObject] {
        let data = try Data(contentsOf: JSONSchemaValidator.file(of: schema))
        let object = try #require(
            try JSONSerialization.jsonObject(with: data) as? [String: Any]
        )
        return try #require(object["$defs"] as? [String: NSObject])
    }

    @Test(
        .enabled(if: JSONSchemaValidator.isPresent, JSONSchemaValidator.missing)
    )
    func `documents have the form that the schema says, and others have not`() throws {
        let lines = (0..<50)
            .map { String(decoding: DocumentTests.document(seed: $0).json, as: UTF8.self) }
        for complaint in try JSONSchemaValidator.complaints(about: lines, schema: "document") {
            #expect(complaint == "")
        }
        let altered = lines.map { String($0.dropLast()) + #","more":1}"# }
        for complaint in try JSONSchemaValidator.complaints(about: altered, schema: "document") {
            #expect(complaint != "")
        }
    }

    @Test func `the pictures of documents have the form of pictures`() throws {
        let picture = try Self.definitions(of: "picture")
        let document = try Self.definitions(of: "document")
        for (name, form) in picture where name != "page" {
            #expect(document[name] == form, "\(name)")
        }
        #expect(picture.count > 5)
    }
}
