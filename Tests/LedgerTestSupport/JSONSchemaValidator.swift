public import Foundation
public import Testing

/// Validates JSON with a program that is not ours: Python with its module `jsonschema`.
///
/// The program answers one question and ends. One that lived as long as the tests would inherit
/// pipes of processes that are started at the same moment, and their ends would never be noticed.
public enum JSONSchemaValidator {
    /// Why tests that need it are skipped.
    public static let missing: Comment = "skipped: python3 has no jsonschema"

    /// Whether the program is there.
    public static let isPresent = (try? complaints(about: ["{}"], schema: "receipt")) != nil

    /// The folder of the schemas.
    public static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent()  // LedgerTestSupport
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()  // the repository
        .appendingPathComponent("Schemas")

    private static let suffix = ".v1.schema.json"

    /// Returns the file of a schema.
    public static func file(of schema: String) -> URL {
        folder.appendingPathComponent(schema + suffix)
    }

    /// Returns the names of the schemas in alphabetical order.
    public static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(suffix) }
            .map { String($0.dropLast(suffix.count)) }
            .sorted()
    }

    /// Returns the examples of a schema that are `accepted` or `refused`, one line each.
    public static func examples(of schema: String, _ kind: String) throws -> [String] {
        let folder = folder.appendingPathComponent("examples/\(schema)/\(kind)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map {
                let file = folder.appendingPathComponent($0)
                return try String(contentsOf: file, encoding: .utf8)
                    .trimmingCharacters(in: .newlines)
            }
    }

    /// Returns what is wrong with each line according to a schema; empty texts where it is valid.
    public static func complaints(about lines: [String], schema name: String) throws -> [String] {
        let answer = try answer(to: [file(of: name).path] + lines)
        guard answer.count == lines.count else {
            throw NoAnswer(complaint: "\(lines.count) lines, \(answer.count) answers")
        }
        return answer
    }

    /// The program failed, or said something else than an answer.
    struct NoAnswer: Error {
        /// Its complaint.
        let complaint: String
    }

    /// The question is a line: the path of a schema and lines, as an array.
    ///
    /// The answer is an array of what is wrong with each line.
    private static let program = """
        import json, sys
        from jsonschema import Draft202012Validator

        path, *lines = json.loads(sys.stdin.buffer.readline())
        schema = json.load(open(path, encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        print(json.dumps([
            " ".join("; ".join(error.message for error in
                               validator.iter_errors(json.loads(line))).split())
            for line in lines]), flush=True)
        """

    private static func answer(to question: [String]) throws -> [String] {
        let python = Subprocess(
            URL(fileURLWithPath: "/usr/bin/env"),
            arguments: ["python3", "-c", program]
        )
        let line = try JSONEncoder().encode(question) + Data("\n".utf8)
        let outcome = try python.outcome(input: line)
        guard outcome.exitCode == 0 else { throw NoAnswer(complaint: outcome.errors) }
        return try JSONDecoder().decode([String].self, from: outcome.output)
    }
}
