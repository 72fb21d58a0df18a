import Hummingbird
import JSONText
import LedgerHTTP
import TripEvents

/// The members of a small body that is an object of nothing but texts.
struct TextMembers: Sendable {
    /// The most bytes of a body.
    private static let mostBytes = 16 << 10

    private let values: [String: String]

    /// Reads the body of a request.
    ///
    /// - Parameters:
    ///   - call: The request. The access that let it in is checked again when its body has come.
    ///   - names: The permitted members.
    /// - Throws: `Problem` if it is something else, or if that access has ended.
    init(of call: Call, _ names: [String]) async throws(Problem) {
        let bytes: [UInt8]
        do {
            bytes = Array(buffer: try await call.request.body.collect(upTo: Self.mostBytes))
        } catch {
            throw .tooLarge(Self.mostBytes)
        }
        try call.standing.require()
        guard let value = try? JSONValue(bytes.span), case .object(let members) = value else {
            throw .noTexts(names)
        }
        var values: [String: String] = [:]
        for member in members {
            guard names.contains(member.name) else {
                throw .invalidParameter(member.name, "left out")
            }
            if case .null = member.value { continue }
            guard let text = member.value.text, !text.isEmpty else {
                throw .invalidParameter(member.name, "a text")
            }
            values[member.name] = text
        }
        self.values = values
    }

    /// Returns a text; `nil` if it is not there.
    subscript(_ name: String) -> String? { values[name] }

    /// Returns a text that must be there.
    ///
    /// - Throws: `Problem` if it is not.
    func require(_ name: String) throws(Problem) -> String {
        guard let value = values[name] else { throw .invalidParameter(name, "there") }
        return value
    }

    /// Returns a text that must be there, and that is valid as the name of a source.
    ///
    /// - Throws: `Problem` if it is not.
    func requireSourceName(_ name: String) throws(Problem) -> String {
        let text = try require(name)
        do {
            try TripEvent.checkSource(named: text)
        } catch {
            throw .invalidParameter(name, "a text that a source can be called")
        }
        return text
    }

    /// Returns the language that a member names: English if it is not there.
    ///
    /// - Throws: `Problem` if it names no language.
    func language(_ name: String) throws(Problem) -> Language {
        guard let text = self[name] else { return .en }
        guard let language = Language(rawValue: text) else {
            let all = Language.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidParameter(name, "one of \(all)")
        }
        return language
    }
}

extension TextMembers {
    /// Returns the name for a new token, as the asker may give it; `nil` if none is given.
    ///
    /// - Throws: `Problem` if the name is invalid.
    func tokenName(by access: Access) throws(Problem) -> String? {
        guard self["name"] != nil else { return nil }
        let name = access.name(ofMade: try requireSourceName("name"))
        do {
            try TripEvent.checkSource(named: name)
        } catch {
            throw .invalidParameter("name", "shorter, as it ends with the name of its maker")
        }
        return name
    }
}

extension Problem {
    /// The body is invalid.
    fileprivate static func noTexts(_ names: [String]) -> Problem {
        Problem(
            kind: "invalid-parameter",
            status: .badRequest,
            title: "The body is no JSON object",
            detail: "It has the members \(names.joined(separator: ", "))."
        )
    }
}
