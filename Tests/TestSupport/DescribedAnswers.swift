import Foundation
import Synchronization
import Testing

/// Compares the answers that tests see with what `/openapi.json` says of them.
///
/// Of each path, method, status and media type it looks at the first few answers of the process:
/// the others would hardly be another form. Without Python's `jsonschema` it looks at none.
package final class DescribedAnswers: Sendable {
    /// The description of a server that no test uses; `nil` if nothing is compared.
    private static let shared = JSONSchemaValidator.isPresent ? try? DescribedAnswers() : nil

    /// How many answers of a kind are compared, and the longest.
    private static let (mostOfKind, mostBytes) = (3, 1 << 18)

    /// The paths, those without braces first.
    private let templates: [String]

    /// The media types of answers by `method path status`, as the description writes them.
    private let mediaTypes: [String: [String]]

    /// The file that holds the description.
    private let file: String

    private let directory: TemporaryDirectory

    private let seen = Mutex<[String: Int]>([:])

    private init() throws {
        let server = try ServedLedger.onSocket()
        let text = try server.described()
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: [String: Any]]])
        templates = paths.keys.sorted { !$0.contains("{") && $1.contains("{") }
        var mediaTypes: [String: [String]] = [:]
        for (path, methods) in paths {
            for (method, operation) in methods {
                let answers = operation["responses"] as? [String: [String: Any]] ?? [:]
                for (status, answer) in answers {
                    let content = answer["content"] as? [String: Any] ?? [:]
                    mediaTypes["\(method) \(path) \(status)"] = Array(content.keys)
                }
            }
        }
        self.mediaTypes = mediaTypes
        directory = try TemporaryDirectory()
        directory.removeAtExit()
        file = directory.path("openapi.json")
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    /// Compares an answer, and records an issue if it is another one than is described.
    ///
    /// A path that the description does not have, such as a phone's door, is passed over.
    package static func check(
        _ answer: ServedLedger.Answer,
        to method: String,
        _ target: String
    ) {
        guard let shared else { return }
        do {
            guard let complaint = try shared.complaint(about: answer, to: method, target) else {
                return
            }
            Issue.record("\(method) \(target): \(complaint): \(answer)")
        } catch {
            Issue.record(error)
        }
    }

    /// Returns what is wrong with an answer; `nil` if nothing is.
    private func complaint(
        about answer: ServedLedger.Answer,
        to method: String,
        _ target: String
    ) throws -> String? {
        let path = String(target.prefix { $0 != "?" })
        let media = answer.field("Content-Type")?.prefix { $0 != ";" }
        guard let template = templates.first(where: { Self.isOf(path, $0) }), let media,
            !answer.body.isEmpty, answer.body.utf8.count <= Self.mostBytes
        else { return nil }
        let operation = "\(method.lowercased()) \(template)"
        guard mediaTypes["\(operation) default"] != nil else { return nil }
        let isDescribed = mediaTypes["\(operation) \(answer.status)"] != nil
        let status = isDescribed ? "\(answer.status)" : "default"
        let found = mediaTypes["\(operation) \(status)"]?.first { $0.prefix { $0 != ";" } == media }
        guard let found else { return "\(media) is not described for \(answer.status)" }
        guard found.hasSuffix("json"), isNew("\(operation) \(answer.status) \(media)") else {
            return nil
        }
        let words = [
            "paths", template, method.lowercased(), "responses", status, "content", found, "schema",
        ]
        let pointer = words.map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }
            .joined(separator: "/")
        let isLines = found.hasSuffix("x-ndjson")
        let value = isLines ? "[\(answer.lines.joined(separator: ","))]" : answer.body
        let complaint =
            try
            JSONSchemaValidator.complaints(
                about: [value],
                at: "\(file)#/\(pointer)"
            )[0]
        return complaint.isEmpty ? nil : complaint
    }

    private func isNew(_ kind: String) -> Bool {
        seen.withLock { seen in
            seen[kind, default: 0] += 1
            return seen[kind, default: 0] <= Self.mostOfKind
        }
    }

    /// Returns whether a path is one of a template; its last braces stand for all that follows.
    private static func isOf(_ path: String, _ template: String) -> Bool {
        let (words, parts) = (
            path.components(separatedBy: "/"), template.components(separatedBy: "/")
        )
        let isOpen = template.hasSuffix("{path}")
        guard words.count == parts.count || isOpen && words.count > parts.count else {
            return false
        }
        return zip(words, parts).allSatisfy { $0 == $1 || $1.hasPrefix("{") && !$0.isEmpty }
    }
}

extension ServedLedger.Answer {
    /// Returns a field of the head; `nil` if it is not there.
    fileprivate func field(_ name: String) -> String? {
        head.components(separatedBy: "\r\n")
            .first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }
}
