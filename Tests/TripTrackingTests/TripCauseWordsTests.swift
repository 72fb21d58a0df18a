import Foundation
import TestSupport
import Testing
import TripEvents
import TripTracking

/// The schema of trips and the page know every cause by which a trip starts or ends.
@Suite struct TripCauseWordsTests {
    /// The causes that only start trips; each of the others ends some.
    private static let onlyStarting: Set<TripCause> = [.movement, .resumed]

    /// The names of all others.
    private static let ending = Set(
        TripCause.allCases.filter { !onlyStarting.contains($0) }.map(\.rawValue)
    )

    @Test func `the schema has every cause, and no other`() throws {
        let ending = try Self.names(inSchemaOf: "ended_by")
        #expect(ending == Self.ending)
        let all = try Self.names(inSchemaOf: "started_by").union(ending)
        #expect(all == Set(TripCause.allCases.map(\.rawValue)))
    }

    @Test(arguments: Language.allCases)
    func `the page has words for every cause, and for no other`(language: Language) throws {
        let folder = "Sources/Programs/LedgerServer/Page/web/texts"
        let file = ManualPage.root.appending(path: "\(folder)/\(language.rawValue).js")
        let texts = try String(contentsOf: file, encoding: .utf8)
        let ended = texts.matches(of: #/'ended\.([a-z_]+)': '/#).map { String($0.1) }
        #expect(ended.sorted() == Self.ending.sorted())
        let started = texts.matches(of: #/'started\.([a-z_]+)': '/#).map { String($0.1) }
        #expect(try started.sorted() == Self.names(inSchemaOf: "started_by").sorted())
    }

    /// Returns the names that a member of a trip may have.
    private static func names(inSchemaOf member: String) throws -> Set<String> {
        let data = try Data(contentsOf: JSONSchemaValidator.file(of: "trip"))
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let members = try #require(schema["properties"] as? [String: Any])
        let form = try #require(members[member] as? [String: Any])
        let names = try #require(form["enum"] as? [Any])
        // That a trip has not ended is said by null, which is no name.
        return Set(names.compactMap { $0 as? String })
    }
}
